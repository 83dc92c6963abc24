// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Gives itself an attribute that programs inherit, and becomes one:
//
//   with ATTRIBUTE PROGRAM ARGUMENT...
//   with                                  prints the attributes that it knows
//
// Status 77: the kernel does not let us.

#include <linux/mempolicy.h>
#include <linux/securebits.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EXIT_NOT_PERMITTED = 77, EXIT_USAGE = 2 };

static int set_personality(void) { return personality(ADDR_NO_RANDOMIZE); }

static int set_memory_policy(int mode) {
  const unsigned long first_node = 1;
  return (int)syscall(SYS_set_mempolicy, mode, &first_node, 8 * sizeof first_node);
}
static int bind_memory(void) { return set_memory_policy(MPOL_BIND); }
static int interleave_memory(void) { return set_memory_policy(MPOL_INTERLEAVE); }

static int set_secure_bits(void) { return prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP); }
static int set_timer_slack(void) { return prctl(PR_SET_TIMERSLACK, 60000); }
static int disable_huge_pages(void) { return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }
static int kill_early(void) { return prctl(PR_MCE_KILL, PR_MCE_KILL_SET, PR_MCE_KILL_EARLY, 0, 0); }
static int flush(void) { return prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0); }
static int mitigate(void) {
  return prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, PR_SPEC_DISABLE, 0, 0);
}

static const struct {
  const char *name;
  int (*set)(void);
} attributes[] = {{"personality", set_personality},
                  {"memory-of-a-node", bind_memory},
                  {"memory-of-all-nodes", interleave_memory},
                  {"secure-bits", set_secure_bits},
                  {"timer-slack", set_timer_slack},
                  {"no-huge-pages", disable_huge_pages},
                  {"memory-failures", kill_early},
                  {"io-flusher", flush},
                  {"no-store-bypass", mitigate}};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
    if (argc < 2) {
      puts(attributes[i].name);
    } else if (argc > 2 && strcmp(argv[1], attributes[i].name) == 0) {
      if (attributes[i].set() < 0) return EXIT_NOT_PERMITTED;
      execvp(argv[2], argv + 2);
      perror(argv[2]);
    }
  }
  return argc < 2 ? 0 : EXIT_USAGE;
}
