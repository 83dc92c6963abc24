// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "system-files.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cold.h"
#include "file-state.h"

static const char *const read_once[] = {
    // The dynamic linker, and with it the C library, of which it is a part. What else there is to
    // load, whoever installs libraries writes into its cache (ldconfig).
    "/lib64/ld-linux-x86-64.so.2",
    "/etc/ld.so.cache",
    // How names of hosts are looked up. (The C library looks itself whether resolv.conf or
    // nsswitch.conf have changed.)
    "/etc/host.conf",
    "/etc/gai.conf",
    // Languages, and encodings of characters.
    "/usr/lib/locale",
    "/usr/lib/locale/locale-archive",
    "/usr/lib/x86_64-linux-gnu/gconv/gconv-modules.cache",
    "/usr/lib64/gconv/gconv-modules.cache",
};

static void add_file(struct bytes *out, const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) {
    bytes_add_u32(out, 0);
    return;
  }
  struct file_state state = file_state_of(&info);
  bytes_add_u32(out, 1);
  bytes_add(out, &state, sizeof state);
}

// As libnet looks when it is loaded (IPv6_supported in net_util_md.c of the JDK): a standard input
// that is a socket of version 4, as of services of inetd, is a reason to do without version 6.
static bool has_version_6(void) {
  struct sockaddr_storage input;
  socklen_t size = sizeof input;
  char first;
  if (getsockname(0, (struct sockaddr *)&input, &size) == 0 && input.ss_family == AF_INET) {
    return false;
  }
  int fd = open("/proc/net/if_inet6", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t length = read(fd, &first, 1);
  close(fd);
  return length == 1;
}

void system_files_describe(struct bytes *out) {
  // Libraries that others want in every process may keep something from run to run, too.
  struct stat preloaded;
  if (stat("/etc/ld.so.preload", &preloaded) == 0 && preloaded.st_size > 0) {
    run_cold(COLD_PRELOADED_LIBRARIES);
  }
  for (size_t i = 0; i < sizeof read_once / sizeof *read_once; i++) add_file(out, read_once[i]);
  bytes_add_u32(out, has_version_6());
}
