// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The lease block, as keeper and pooled JVM read it. Input: the block.

#include "lease.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

const bool target_frees_memory = true;

static int block;

void target_prepare(void) { block = memfd_create("fuzz", MFD_CLOEXEC); }

static void same_list(const struct lease_list *a, const struct lease_list *b) {
  EXPECT(a->count == b->count && a->item[a->count] == NULL && b->item[b->count] == NULL);
  for (size_t i = 0; i < a->count; i++) EXPECT(strcmp(a->item[i], b->item[i]) == 0);
}

// What was accepted is what would be written: nothing is lost, nothing is added.
static void same(const struct lease *a, const struct lease *b) {
  EXPECT(strcmp(a->cwd, b->cwd) == 0 && a->cwd[0] == '/');
  EXPECT(strcmp(a->main, b->main) == 0 && a->mode == b->mode);
  same_list(&a->env, &b->env);
  same_list(&a->props, &b->props);
  same_list(&a->args, &b->args);
  same_list(&a->class_path, &b->class_path);
  same_list(&a->vm_late, &b->vm_late);
  EXPECT(memcmp(a->limits, b->limits, sizeof a->limits) == 0);
  EXPECT(a->umask == b->umask && a->nice == b->nice);
  EXPECT(a->ignored_signals == b->ignored_signals && a->blocked_signals == b->blocked_signals);
  EXPECT(a->notice_length == b->notice_length);
  EXPECT(a->notice_length == 0 || memcmp(a->notice, b->notice, a->notice_length) == 0);
  EXPECT(a->files_length == b->files_length);
  EXPECT(a->files_length == 0 || memcmp(a->files, b->files, a->files_length) == 0);
  EXPECT(a->arguments.count == b->arguments.count);
  if (a->arguments.item) same_list(&a->arguments, &b->arguments);
}

void target_run(const uint8_t *data, size_t size) {
  struct lease lease, again;
  char err[128] = "";
  uint64_t length;
  EXPECT(ftruncate(block, (off_t)size) == 0 && pwrite(block, data, size, 0) == (ssize_t)size);
  if (lease_read(block, size, &lease, err, sizeof err) != 0) {
    EXPECT(err[0] != '\0');
    return;
  }
  lease_list_value(&lease.env, "CONTAINER_ID");
  int written = lease_write(&lease, &length, err, sizeof err);
  EXPECT(written >= 0);
  EXPECT(lease_read(written, length, &again, err, sizeof err) == 0);
  same(&lease, &again);
  lease_free(&again);
  lease_free(&lease);
  close(written);
}
