// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Gives itself a filter of system calls, which lets all of them pass, and becomes a program:
//
//   filtered PROGRAM ARGUMENT...
//
// Status 77: the kernel does not let us.

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const struct sock_fprog program = {.len = 1, .filter = all};
  if (argc < 2) return 2;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    return 77;
  }
  execvp(argv[1], argv + 1);
  perror(argv[1]);
  return 1;
}
