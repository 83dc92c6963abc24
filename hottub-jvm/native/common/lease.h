// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_LEASE_H_
#define HOTTUB_LEASE_H_

// The lease block: everything that a fresh process would inherit, in one sealed memfd.
// docs/protocol.md, "Lease block", is the contract. The client writes one, the pooled JVM's host
// reads it.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEASE_MAGIC UINT32_C(0x424C5448)  // "HTLB"
#define LEASE_VERSION 1
#define LEASE_MAX_BYTES (8u * 1024 * 1024)
#define LEASE_LIMITS 16

enum lease_mode { LEASE_CLASS = 1, LEASE_JAR = 2, LEASE_MODULE = 3 };

// Strings in order. item[count] is NULL, so that item can serve as an envp or argv.
struct lease_list {
  size_t count;
  char **item;
};

struct lease_limit {
  uint64_t soft;
  uint64_t hard;
};

struct lease {
  char *cwd;                // absolute
  struct lease_list env;    // NAME=value, complete
  struct lease_list props;  // name=value in command-line order: the last one wins
  enum lease_mode mode;
  char *main;  // as given to the launcher
  struct lease_list args;
  struct lease_list class_path;             // absolute, in the user's own spelling
  struct lease_limit limits[LEASE_LIMITS];  // index = resource number
  uint32_t umask;
  int32_t nice;
  uint64_t ignored_signals;  // bit n-1 stands for signal n
  uint64_t blocked_signals;
  struct lease_list vm_late;    // VM options applied per lease
  struct lease_list arguments;  // every VM option as a stock JVM lists it
  char *notice;                 // written to descriptor 2 just before main is entered
  size_t notice_length;         // 0: nothing to write
  char *files;                  // what the class path was made of: see class-files.h
  size_t files_length;

  void *block;  // owned by lease_read: every pointer above leads into it
  size_t block_size;
};

// Reads and checks a whole lease block of exactly `length` bytes from `fd` (which stays open and
// keeps its offset). 0, or -1 with a sentence in err. After 0 the caller owes a lease_free.
int lease_read(int fd, uint64_t length, struct lease *out, char *err, size_t errlen);

// Zeroes and frees what lease_read allocated; a lease may hold credentials. Harmless on a zeroed
// struct.
void lease_free(struct lease *lease);

// Writes `lease` into a new sealed memfd. Returns the descriptor (close-on-exec) and sets *length;
// -1 with a sentence in err.
int lease_write(const struct lease *lease, uint64_t *length, char *err, size_t errlen);

// The variable in the environment of a run that trains JVMs, as recipes do, and whether that is so.
#define LEASE_TRAINING "HOTTUB_TRAINING"
bool lease_is_training(const char *value);

// First value of NAME in a list of NAME=value, or NULL.
const char *lease_list_value(const struct lease_list *list, const char *name);

#endif  // HOTTUB_LEASE_H_
