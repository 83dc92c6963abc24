// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_PROCESS_FILES_H_
#define HOTTUB_HOST_PROCESS_FILES_H_

// What a run reads below /proc of its own process, whose pid is that of the client.

// What is used from now on is the run's.
void process_files_begin(void);

enum { PROCESS_FILES_ROOM = 256 };  // longer than any path that is replaced

// The file that the run means by this one. Room for a path that is replaced is the caller's.
const char *process_files_path(const char *path, char room[PROCESS_FILES_ROOM]);

#endif  // HOTTUB_HOST_PROCESS_FILES_H_
