// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "c-library.h"

#include <getopt.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>

#include "thread-keys.h"

static void reset_random_numbers(void) {
  static char state[128];  // as much as the C library has of its own
  unsigned short zero[3] = {0};
  initstate(1, state, sizeof state);  // one that a library has set may be gone
  seed48(zero);
}

static void reset_options(void) {
  char *arguments[] = {"", NULL};
  optind = 0;  // begins anew
  getopt(1, arguments, "");
  optind = 1;
  opterr = 1;
  optopt = '?';
  optarg = NULL;
}

// What threads of native code get that ask for nothing else.
static pthread_attr_t of_threads;

void c_library_remember(void) { pthread_getattr_default_np(&of_threads); }

void c_library_begin(void) { tzset(); }

void c_library_reset(void) {
  static char nothing[] = "";
  reset_random_numbers();
  reset_options();
  strtok(nothing, " ");
  closelog();
  setlogmask(0xff);
  endpwent();
  endgrent();
  pthread_setattr_default_np(&of_threads);
  thread_keys_delete();
}
