// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_TEXT_H_
#define HOTTUB_TEXT_H_

// Strings and lists of strings that live as long as the client. Without memory the run is cold, so
// nothing here can fail.

#include <stdbool.h>
#include <stddef.h>

#include "lease.h"

struct list {
  char **item;  // item[count] is NULL once anything was added
  size_t count;
  size_t room;
};

void *grab(size_t size);  // zeroed
char *copy_text(const char *text);
char *copy_part(const char *text, size_t length);
char *join_text(const char *first, const char *second);

void list_add(struct list *list, char *text);
void list_add_all(struct list *list, const struct list *more);
struct lease_list list_as_lease(const struct list *list);

bool starts_with(const char *text, const char *prefix);
bool ends_with(const char *text, const char *suffix);

// The whole file, NUL-terminated, or NULL; never more than `max` bytes.
char *read_file(const char *path, size_t max, size_t *length);

#endif  // HOTTUB_TEXT_H_
