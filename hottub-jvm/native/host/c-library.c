// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "c-library.h"

#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <grp.h>
#include <libintl.h>
#include <locale.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <pwd.h>
#include <resolv.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <utmpx.h>

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
static stack_t of_signals;

void c_library_remember(void) {
  pthread_getattr_default_np(&of_threads);
  sigaltstack(NULL, &of_signals);
  // As in the launcher: before what error and warn print.
  program_invocation_name = program_invocation_short_name = "java";
}

// As before its first use.
static void reset_resolver(void) {
  if (!(_res.options & RES_INIT)) return;
  res_nclose(&_res);
  memset(&_res, 0, sizeof _res);
}

static void reset_main_thread(void) {
  uselocale(LC_GLOBAL_LOCALE);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
  sigaltstack(&of_signals, NULL);
  // The second call frees what the first has told.
  dlerror();
  dlerror();
  reset_resolver();
}

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
  endservent();
  endprotoent();
  endnetent();
  endhostent();
  endutxent();
  hdestroy();
  textdomain("");
  reset_main_thread();
  pthread_setattr_default_np(&of_threads);
  thread_keys_delete();
}
