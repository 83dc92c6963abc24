// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Gives up writing elsewhere than below a folder and /dev, by Landlock, and becomes a program:
//
//   landlocked FOLDER PROGRAM ARGUMENT...
//
// Status 77: the kernel does not let us.

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WRITING = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG };

static int allow_below(int rules, const char *folder) {
  const struct landlock_path_beneath_attr below = {
      .allowed_access = WRITING, .parent_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC)};
  return (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0);
}

int main(int argc, char **argv) {
  const struct landlock_ruleset_attr handled = {.handled_access_fs = WRITING};
  if (argc < 3) return 2;
  int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
  if (rules < 0 || allow_below(rules, argv[1]) != 0 || allow_below(rules, "/dev") != 0 ||
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_landlock_restrict_self, rules, 0) != 0) {
    return 77;
  }
  execvp(argv[2], argv + 2);
  perror(argv[2]);
  return 1;
}
