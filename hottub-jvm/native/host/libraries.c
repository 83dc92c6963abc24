// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "libraries.h"

// Native libraries that a run has loaded. They are unloaded after it; this is the audit.

#include <dlfcn.h>
#include <fnmatch.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "home.h"
#include "hottubExports.h"
#include "needed.h"

// What libc and the JDK's own libraries load, in runs or not, and keeps no state of a run. Not here
// is what the JDK opens of displays (X11, GTK, GNOME, PipeWire, OpenGL) and for proxies of the
// desktop (GIO, GConf): these have state of a run, and some can never be unloaded.
static const char *const kept_by_default[] = {
    // libzip.so, and what is written in C++
    "libz.so.*",
    "libstdc++.so.*",
    // libc: parts of it under names of their own (empty since 2.34), vector functions
    "librt.so.*",
    "libpthread.so.*",
    "libdl.so.*",
    "libutil.so.*",
    "libmvec.so.*",
    // libc: user and host names, the end of threads
    "libnss_*.so.*",
    "libresolv.so.*",
    "libgcc_s.so.*",
    // libfontmanager.so
    "libfreetype.so.*",
    "libharfbuzz.so.*",
    "libgraphite2.so.*",
    "libpng16.so.*",
    "libbrotlidec.so.*",
    "libbrotlicommon.so.*",
    "libglib-2.0.so.*",
    "libpcre2-8.so.*",
    "libbz2.so.*",
    "libexpat.so.*",
    "libfontconfig.so.*",
    "libuuid.so.*",
    // libjavajpeg.so, liblcms.so, libjsound.so
    "libjpeg.so.*",
    "liblcms2.so.*",
    "libasound.so.*",
};

enum { MAX_AT_START = 64, MAX_RULES = 192 };

static uintptr_t at_start[MAX_AT_START];
static size_t at_start_count;
static char home[4096];
static const char *rules[2][MAX_RULES];
static size_t rule_counts[2];

int libraries_add_rule(enum library_rule rule, const char *pattern) {
  if (rule_counts[rule] == MAX_RULES) return -1;
  rules[rule][rule_counts[rule]++] = pattern;
  return 0;
}

static bool matches(enum library_rule rule, const char *name) {
  for (size_t i = 0; i < rule_counts[rule]; i++) {
    if (fnmatch(rules[rule][i], name, 0) == 0) return true;
  }
  return false;
}

static int note(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  if (at_start_count < MAX_AT_START) at_start[at_start_count++] = info->dlpi_addr;
  return 0;
}

void libraries_remember(void) {
  for (size_t i = 0; i < sizeof kept_by_default / sizeof kept_by_default[0]; i++) {
    libraries_add_rule(LIBRARY_KEEP, kept_by_default[i]);
  }
  if (home_path(home, sizeof home, "lib/") != 0) home[0] = '\0';
  dl_iterate_phdr(note, NULL);
}

static bool is_in_home(const char *name) {
  return home[0] && strncmp(name, home, strlen(home)) == 0;
}

// Of the JDK, and stays.
static bool is_of_jdk(const char *name) {
  static const char *const names[] = {HOTTUB_STAYING_LIBRARIES};
  if (!is_in_home(name)) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(names[i], basename(name)) == 0) return true;
  }
  return false;
}

static bool is_ours(uintptr_t address, const char *name) {
  for (size_t i = 0; i < at_start_count; i++) {
    if (at_start[i] == address) return true;
  }
  return is_of_jdk(name);
}

bool libraries_is_kept(const char *name) {
  return is_of_jdk(name) || matches(LIBRARY_KEEP, basename(name));
}

static bool is_kept(const struct link_map *library) {
  return is_ours(library->l_addr, library->l_name) || libraries_is_kept(library->l_name);
}

// What libc has loaded for names of users and hosts stays, with all that it is linked to: on many
// systems that of systemd, and libcap with it. No run has called that, unless it is linked to it,
// too, or has opened it.
static struct needed of_services, of_run;

static bool is_service(const struct link_map *library, void *data) {
  (void)data;
  return fnmatch("libnss_*.so.*", basename(library->l_name), 0) == 0;
}

static bool is_of_run(const struct link_map *library, void *data) {
  libraries_opened *const *has_opened = data;
  if (is_kept(library)) return false;
  return !needed_has(&of_services, library->l_addr) || (*has_opened)(basename(library->l_name));
}

static bool is_of_services_only(uintptr_t address) {
  return needed_has(&of_services, address) && !needed_has(&of_run, address);
}

struct search {
  bool only_listed;  // to retire after
  char name[256];    // of the first one found
};

static int look(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct search *search = data;
  if (is_ours(info->dlpi_addr, info->dlpi_name)) return 0;
  if (!search->only_listed && is_of_services_only(info->dlpi_addr)) return 0;
  const char *name = basename(info->dlpi_name);
  if (search->only_listed ? !matches(LIBRARY_RETIRE, name) : matches(LIBRARY_KEEP, name)) return 0;
  snprintf(search->name, sizeof search->name, "%s", name);
  return 1;
}

bool libraries_may_be_reset(libraries_opened *has_opened, struct doubt *doubt) {
  if (!needed_find(&of_services, is_service, NULL)) of_services.count = 0;
  if (!needed_find(&of_run, is_of_run, &has_opened)) of_services.count = 0;
  struct search search = {.only_listed = true};
  if (dl_iterate_phdr(look, &search) == 0) return true;
  doubt_because(doubt, DOUBT_THE_RUN_HAS_USED, search.name);
  return false;
}

static int look_for_any(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  return !is_ours(info->dlpi_addr, info->dlpi_name) && !is_in_home(info->dlpi_name) &&
         !libraries_is_kept(info->dlpi_name) && !is_of_services_only(info->dlpi_addr);
}

bool libraries_run_has_any(void) { return dl_iterate_phdr(look_for_any, NULL) != 0; }

// As r_debug_extended of glibc 2.35, which others may not have.
struct namespace {
  struct r_debug base;
  const struct namespace *next;
};

// What the run has opened apart from all others (dlmopen), where the C library tells; else NULL.
static const struct link_map *find_apart(void) {
  const ElfW(Dyn) *entry = needed_entry(_r_debug.r_map, DT_DEBUG, 0);  // of this program
  const struct namespace *first = entry ? (const struct namespace *)entry->d_un.d_ptr : NULL;
  if (!first || first->base.r_version < 2) return NULL;
  for (const struct namespace *other = first->next; other; other = other->next) {
    if (other->base.r_map) return other->base.r_map;
  }
  return NULL;
}

bool libraries_are_gone(struct doubt *doubt) {
  struct search search = {.only_listed = false};
  const struct link_map *apart = find_apart();
  if (apart) snprintf(search.name, sizeof search.name, "%s", basename(apart->l_name));
  if (!apart && dl_iterate_phdr(look, &search) == 0) return true;
  doubt_because(doubt, DOUBT_LIBRARY_STAYS_LOADED, search.name);
  return false;
}

bool libraries_may_stay(const struct link_map *library) {
  if (at_start_count == 0) return true;
  return library && (is_kept(library) || is_of_services_only(library->l_addr));
}

const struct link_map *libraries_holding(const void *code) {
  Dl_info info;
  struct link_map *library;
  return dladdr1(code, &info, (void **)&library, RTLD_DL_LINKMAP) ? library : NULL;
}

bool libraries_is_of_run(const void *code) { return !libraries_may_stay(libraries_holding(code)); }

bool libraries_is_of_vm(const void *code) {
  const struct link_map *library = libraries_holding(code);
  const char *name = library ? basename(library->l_name) : "?";
  return !name[0] || strcmp(name, "libjvm.so") == 0;
}
