// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The rule that makes room in the pool, with the cases of room.tsv, which the Java library keeps as
// well: room-test TABLE.

#include "room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 6 };

static size_t read_pool(char *text, struct room_jvm *jvms) {
  size_t count = 0;
  char *rest = NULL;
  for (char *item = strtok_r(text, " ", &rest); item; item = strtok_r(NULL, " ", &rest)) {
    unsigned keeper, leases, mib;
    char idle[16];
    if (sscanf(item, "%u:%u:%u:%15s", &keeper, &leases, &mib, idle) != 4) continue;  // "-"
    jvms[count++] = (struct room_jvm){.keeper = (int32_t)keeper,
                                      .leases = leases,
                                      .memory_kb = (uint64_t)mib * 1024,
                                      .idle_ms = idle[0] == '-' ? -1 : atoll(idle) * 1000,
                                      .kept = strchr(idle, 'k') != NULL};
  }
  return count;
}

static void describe(int count, const struct room_jvm *jvms, const size_t *victims, char *text,
                     size_t size) {
  snprintf(text, size, "%s", count < 0 ? "full" : count == 0 ? "-" : "");
  for (int i = 0; i < count; i++) {
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%d", i ? " " : "", (int)jvms[victims[i]].keeper);
  }
}

static bool is_expected(char **field, const char *found) {
  if (strcmp(found, field[4]) == 0) return true;
  printf("%s: expected <%s>, got <%s>\n", field[5], field[4], found);
  return false;
}

static void describe_machine(const char *mib, char *text, size_t size) {
  struct pool_limits limits = pool_limits_of_machine(strtoull(mib, NULL, 10) * 1024);
  snprintf(text, size, "%u %u %llu", limits.max_jvms, limits.max_jvms_per_fingerprint,
           (unsigned long long)limits.memory_kb / 1024);
}

static bool holds(char **field) {
  static struct room_jvm jvms[ROOM_MAX_JVMS];
  static size_t victims[ROOM_MAX_JVMS];
  char found[256];
  struct pool_limits limits = {.max_jvms = (uint32_t)atoi(field[0]),
                               .memory_kb = strtoull(field[1], NULL, 10) * 1024};
  if (strcmp(field[0], "machine") == 0) {
    describe_machine(field[1], found, sizeof found);
    return is_expected(field, found);
  }
  size_t count = read_pool(field[3], jvms);
  bool for_new = strncmp(field[2], "new=", 4) == 0;
  int ended = for_new ? room_for_newcomer(jvms, count, &limits, atoll(field[2] + 4) * 1000, victims)
                      : room_for_idle(jvms, count, &limits, victims);
  describe(ended, jvms, victims, found, sizeof found);
  return is_expected(field, found);
}

int main(int argc, char **argv) {
  FILE *table = argc == 2 ? fopen(argv[1], "re") : NULL;
  if (!table) {
    fprintf(stderr, "usage: room-test TABLE\n");
    return 100;
  }
  char line[1024];
  int done = 0, failures = 0;
  while (fgets(line, sizeof line, table)) {
    char *field[FIELDS], *rest = NULL;
    int fields = 0;
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#') continue;
    rest = line;
    for (char *f = strsep(&rest, "\t"); f && fields < FIELDS; f = strsep(&rest, "\t"))
      field[fields++] = f;
    done++;
    if (fields != FIELDS) {
      printf("line %d has %d fields\n", done, fields);
      failures++;
    } else if (!holds(field)) {
      failures++;
    }
  }
  fclose(table);
  printf("%d cases, %d failed\n", done, failures);
  return done > 0 && failures == 0 ? 0 : 1;
}
