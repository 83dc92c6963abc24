// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "identity.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include "attributes.h"
#include "bytes.h"
#include "cgroup.h"
#include "class-files.h"
#include "classpath.h"
#include "cold.h"
#include "file-state.h"
#include "jar.h"
#include "lease.h"
#include "logins.h"
#include "system-files.h"

#define TREE_MAX_ENTRIES 20000
#define TREE_MAX_DEPTH 32
#define MANIFEST_MAX_ENTRIES 2000

extern char **environ;

static void add(struct sha256 *hash, const void *data, size_t length) {
  uint8_t prefix[8];
  put_u64(prefix, length);
  sha256_update(hash, prefix, sizeof prefix);
  sha256_update(hash, data, length);
}

static void add_text(struct sha256 *hash, const char *text) { add(hash, text, strlen(text)); }

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_list(struct sha256 *hash, const struct list *list) {
  uint64_t count = list->count;
  add(hash, &count, sizeof count);
  for (size_t i = 0; i < list->count; i++) add_text(hash, list->item[i]);
}

// ---- the process

static void add_home(struct sha256 *hash) {
  size_t length;
  char *path = join_text(cold_home(), "/lib/hottub/build-id");
  char *id = read_file(path, 4096, &length);
  if (!id) run_cold(COLD_NO_BUILD_ID);
  add_text(hash, cold_home());
  add(hash, id, length);
}

static void add_credentials(struct sha256 *hash) {
  gid_t groups[NGROUPS_MAX];
  int count = getgroups(NGROUPS_MAX, groups);
  if (count < 0) run_cold(COLD_NO_GROUPS);
  // The second: capabilities of the file, which the keeper's file has not.
  if (getuid() != geteuid() || getgid() != getegid() || getauxval(AT_SECURE)) {
    run_cold(COLD_SET_UID);
  }
  uint32_t own[2] = {getuid(), getgid()};
  add(hash, own, sizeof own);
  add(hash, groups, (size_t)count * sizeof *groups);
}

// A JVM must see the files, processes and networks that its client sees, and may do what it may.
static void add_surroundings(struct sha256 *hash) {
  char *attributes = attributes_describe(ATTRIBUTES_INHERITED);
  if (!attributes) run_cold(COLD_OUT_OF_MEMORY);
  add_text(hash, attributes);
  free(attributes);

  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  sched_getaffinity(0, sizeof cpus, &cpus);
  add(hash, &cpus, sizeof cpus);
  int32_t nice = getpriority(PRIO_PROCESS, 0);
  add(hash, &nice, sizeof nice);
}

// Processors and memory as the VM sees them, and how many threads there may be. A JVM that could
// not be put into the groups of its container would escape these limits.
static void add_cgroup_limits(struct sha256 *hash) {
  struct bytes limits = {0};
  if (cgroup_limits(getpid(), &limits) && !cgroup_may_be_joined()) run_cold(COLD_CGROUP_LIMITS);
  if (limits.failed) run_cold(COLD_NO_MEMORY);
  uint32_t length = (uint32_t)limits.length;
  add(hash, &length, sizeof length);
  add(hash, limits.data, limits.length);
  bytes_free(&limits);
}

// Who ends a service or a batch job by its control groups ends all that is in them, and must not
// end a run of another one. Scopes end with their last process. The JVMs of containers are moved,
// and recipes train for others.
static void add_cgroup_places(struct sha256 *hash) {
  struct bytes places = {0};
  bool is_for_others = getenv("CONTAINER_ID") || getenv(LEASE_TRAINING);
  bool in_scope = !is_for_others && cgroup_places(getpid(), &places);
  if (places.failed) run_cold(COLD_NO_MEMORY);
  bool counts = !in_scope || logins_end_processes();
  add(hash, places.data, counts ? places.length : 0);
  bytes_free(&places);
}

// What a new process would be made of.
static void add_system_files(struct sha256 *hash) {
  struct bytes files = {0};
  system_files_describe(&files);
  if (files.failed) run_cold(COLD_OUT_OF_MEMORY);
  add(hash, files.data, files.length);
  bytes_free(&files);
}

static void add_terminals_and_limits(struct sha256 *hash, const struct options *options) {
  uint8_t terminals[2] = {isatty(1) == 1, isatty(2) == 1};
  add(hash, terminals, sizeof terminals);
  for (int i = 0; i < LEASE_LIMITS; i++) {
    struct rlimit limit;
    if (getrlimit(i, &limit) != 0) run_cold(COLD_NO_LIMITS);
    uint64_t hard = limit.rlim_max;
    add(hash, &hard, sizeof hard);
    // Read once in a process: by the VM for its heap, by the C library for stacks of threads.
    uint64_t soft = limit.rlim_cur;
    if (i == RLIMIT_AS || i == RLIMIT_DATA || i == RLIMIT_STACK ||
        (i == RLIMIT_NOFILE && options_keep_file_limit(options))) {
      add(hash, &soft, sizeof soft);
    }
  }
}

static bool has_shared_library(const char *folder) {
  DIR *entries = opendir(folder);
  if (!entries) return false;
  bool found = false;
  struct dirent *entry;
  while (!found && (entry = readdir(entries))) found = strstr(entry->d_name, ".so") != NULL;
  closedir(entries);
  return found;
}

// The dynamic linker reads it once, when the JVM starts; so its folders are identity, but only
// those that have something to load: Hadoop puts each container's working folder in front.
static char *library_folders(const char *value) {
  char *rest = copy_part(value, strlen(value));
  char *kept = copy_part("", 0);
  for (char *folder; (folder = strsep(&rest, ":"));) {
    char *real = *folder && has_shared_library(folder) ? realpath(folder, NULL) : NULL;
    if (real) kept = join_text(join_text(kept, *kept ? ":" : ""), real);
  }
  return kept;
}

void identity_environment(struct list *out) {
  const char *libraries = getenv("LD_LIBRARY_PATH");
  char *folders = library_folders(libraries ? libraries : "");
  if (*folders) list_add(out, join_text("LD_LIBRARY_PATH=", folders));
  // Read once in a process (list "environment" of state.tsv): by the dynamic linker and the C
  // library, also when it first resolves a name, and by the JDK's libraries for graphics.
  static const char *const prefixes[] = {"LC_",
                                         "LANG=",
                                         "LANGUAGE=",
                                         "LOCPATH=",
                                         "LD_",
                                         "MALLOC_",
                                         "LOCALDOMAIN=",
                                         "RES_OPTIONS=",
                                         "RESOLV_",
                                         "GCONV_PATH=",
                                         "MSGVERB=",
                                         "SEV_LEVEL=",
                                         "OUTPUT_CHARSET=",
                                         "POSIXLY_CORRECT=",
                                         "TZDIR=",
                                         "J2D_",
                                         "GDK_SCALE=",
                                         "IMLIB_",
                                         "FREETYPE_PROPERTIES=",
                                         "HB_",
                                         "ALSA_",
                                         NULL};
  for (char **variable = environ; *variable; variable++) {
    for (size_t i = 0; prefixes[i]; i++) {
      if (starts_with(*variable, prefixes[i]) && !starts_with(*variable, "LD_LIBRARY_PATH=")) {
        list_add(out, *variable);
      }
    }
  }
  // Their order means nothing, and shells and programs that start a run each have their own.
  if (out->count) qsort(out->item, out->count, sizeof *out->item, by_text);
}

// ---- properties

// The order of properties means nothing, except that the last of a name wins.
static void add_properties(struct sha256 *hash, const struct list *options) {
  struct list last = {0};
  for (size_t i = 0; i < options->count; i++) {
    size_t name = strcspn(options->item[i], "=");
    size_t at = 0;
    while (at < last.count && (strncmp(last.item[at], options->item[i], name) != 0 ||
                               strcspn(last.item[at], "=") != name)) {
      at++;
    }
    if (at < last.count) {
      last.item[at] = options->item[i];
    } else {
      list_add(&last, options->item[i]);
    }
  }
  if (last.count) qsort(last.item, last.count, sizeof *last.item, by_text);
  add_list(hash, &last);
}

// ---- class path

struct walk {
  struct sha256 *hash;
  struct digests *digests;
  struct bytes *files;
  size_t entries;
  char *folder;  // of the last entry, with its slash
  int folder_fd;
};

// As stat(). The jars of a class path lie in few folders, one after the other: that spares a look
// at every part of every path.
static int stat_entry(struct walk *walk, const char *path, struct stat *info) {
  const char *name = strrchr(path, '/') + 1;
  size_t length = (size_t)(name - path);
  if (!*name) return stat(path, info);
  if (!walk->folder || strlen(walk->folder) != length || strncmp(walk->folder, path, length) != 0) {
    if (walk->folder && walk->folder_fd >= 0) close(walk->folder_fd);
    walk->folder = copy_part(path, length);
    walk->folder_fd = open(walk->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  }
  return walk->folder_fd >= 0 ? fstatat(walk->folder_fd, name, info, 0) : stat(path, info);
}

static void add_file(struct walk *walk, const char *path, const struct stat *info,
                     struct digest *digest) {
  if (!digests_file(walk->digests, path, info, digest)) run_cold(COLD_UNREADABLE_CLASS_PATH);
  add(walk->hash, digest->sha256, sizeof digest->sha256);
  struct class_file file = {.state = file_state_of(info), .path = path};
  memcpy(file.sha256, digest->sha256, sizeof file.sha256);
  class_files_add(walk->files, &file);
}

// Collects the files with one of the suffixes below `path`. A name with a dot is no part of a
// package, so such a folder cannot hold a class; but what lies in a module path, itself at depth
// MODULES, may be the folder of a module, whose name has dots.
#define MODULES (-1)
static void find_files(struct walk *walk, const char *path, const char *const *suffixes, int depth,
                       struct list *out) {
  DIR *folder = opendir(path);
  if (!folder) return;  // the JVM cannot read it either
  if (depth > TREE_MAX_DEPTH) run_cold(COLD_CLASS_DIRECTORY_TOO_LARGE);
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    if (++walk->entries > TREE_MAX_ENTRIES) run_cold(COLD_CLASS_DIRECTORY_TOO_LARGE);
    const char *name = entry->d_name;
    bool wanted = false;
    for (size_t i = 0; suffixes[i]; i++) wanted |= ends_with(name, suffixes[i]);
    bool may_be_folder =
        (depth == MODULES ? name[strspn(name, ".")] != '\0' : !strchr(name, '.')) &&
        (entry->d_type == DT_DIR || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN);
    if (!wanted && !may_be_folder) continue;
    char *child = join_text(join_text(path, "/"), name);
    if (wanted) list_add(out, child);
    if (may_be_folder) find_files(walk, child, suffixes, depth + 1, out);
  }
  closedir(folder);
}

static void add_tree(struct walk *walk, const char *path, const char *const *suffixes, int depth) {
  struct list files = {0};
  find_files(walk, path, suffixes, depth, &files);
  add_text(walk->hash, "dir");
  if (files.count) qsort(files.item, files.count, sizeof *files.item, by_text);
  for (size_t i = 0; i < files.count; i++) {
    struct stat info;
    struct digest digest;
    if (stat(files.item[i], &info) != 0 || !S_ISREG(info.st_mode)) continue;
    add_text(walk->hash, files.item[i] + strlen(path));
    add_file(walk, files.item[i], &info, &digest);
  }
}

static bool same_place(const char *a, const char *b) {
  struct stat one, other;
  bool have_one = stat(a, &one) == 0, have_other = stat(b, &other) == 0;
  if (!have_one || !have_other) return have_one == have_other;
  return file_is_same(&one, &other);
}

static char *folder_of(const char *path) {
  return copy_part(path, (size_t)(strrchr(path, '/') - path) + 1);
}

// The entries that a jar's manifest adds to the class path. They are relative to the place of the
// jar: a pooled JVM knows it by its real path, the run by the user's spelling, and both must mean
// the same files.
static void add_manifest_entries(const char *jar, struct list *todo) {
  struct manifest manifest;
  int fd = open(jar, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  char *real = realpath(jar, NULL);
  if (fd < 0 || !real || !jar_read_manifest(fd, &manifest)) run_cold(COLD_UNREADABLE_CLASS_PATH);
  close(fd);
  char *value = manifest_value(&manifest, "Class-Path");
  char *spelled_folder = folder_of(jar), *real_folder = folder_of(real);
  char *rest = NULL;
  for (char *word = strtok_r(value, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    // URLs are not resolved here.
    if (strpbrk(word, ":%?#")) run_cold(COLD_MANIFEST_CLASS_PATH);
    char *spelled = absolute_path(word, spelled_folder);
    if (!same_place(spelled, absolute_path(word, real_folder))) run_cold(COLD_MANIFEST_CLASS_PATH);
    if (todo->count >= MANIFEST_MAX_ENTRIES) run_cold(COLD_MANIFEST_CLASS_PATH);
    list_add(todo, spelled);
  }
}

static bool contains(const struct list *list, const char *text) {
  for (size_t i = 0; i < list->count; i++) {
    if (strcmp(list->item[i], text) == 0) return true;
  }
  return false;
}

// One entry; a file with Class-Path in its manifest adds to `todo`.
static void add_entry(struct walk *walk, const char *path, struct list *todo) {
  static const char *const classes[] = {".class", NULL};
  struct stat info;
  struct digest digest;
  if (stat_entry(walk, path, &info) != 0) {
    add_text(walk->hash, "none");
  } else if (S_ISDIR(info.st_mode)) {
    add_tree(walk, path, classes, 0);
  } else if (S_ISREG(info.st_mode)) {
    add_text(walk->hash, "file");
    add_file(walk, path, &info, &digest);
    if (digest.has_class_path) add_manifest_entries(path, todo);
  } else {
    run_cold(COLD_UNREADABLE_CLASS_PATH);
  }
}

static void add_class_path(struct walk *walk, const struct list *entries) {
  for (size_t i = 0; i < entries->count; i++) {
    struct list todo = {0}, done = {0};
    add_entry(walk, entries->item[i], &todo);
    for (size_t next = 0; next < todo.count; next++) {
      if (contains(&done, todo.item[next])) continue;
      list_add(&done, todo.item[next]);
      add_entry(walk, todo.item[next], &todo);
    }
  }
}

// A module path is not exchanged per lease, so its place is identity, too.
static void add_module_path(struct walk *walk, const struct list *entries) {
  static const char *const modules[] = {".class", ".jar", ".jmod", NULL};
  add_list(walk->hash, entries);
  for (size_t i = 0; i < entries->count; i++) {
    struct stat info;
    if (stat(entries->item[i], &info) == 0 && S_ISDIR(info.st_mode)) {
      add_tree(walk, entries->item[i], modules, MODULES);
    } else {
      struct list todo = {0};
      add_entry(walk, entries->item[i], &todo);
    }
  }
}

// ----

static void write_hex(const uint8_t *digest, char *hex, size_t chars) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < chars; i++) hex[i] = digits[digest[i / 2] >> (i % 2 ? 0 : 4) & 15];
  hex[chars] = '\0';
}

void identity_compute(const struct options *options, const struct list *class_path,
                      const struct list *module_path, const struct list *environment,
                      enum isolation isolation, struct digests *digests, struct bytes *files,
                      char fingerprint[POOL_FINGERPRINT_CHARS + 1]) {
  struct sha256 hash;
  struct walk walk = {.hash = &hash, .digests = digests, .files = files};
  uint8_t digest[SHA256_BYTES];
  const char *tenant = getenv("HOTTUB_TENANT");
  sha256_init(&hash);
  add_home(&hash);
  add_credentials(&hash);
  add_text(&hash, tenant ? tenant : "");
  add_surroundings(&hash);
  add_cgroup_limits(&hash);
  add_cgroup_places(&hash);
  add_system_files(&hash);
  add_list(&hash, &options->boot);
  add_properties(&hash, &options->boot_props);
  add_list(&hash, environment);
  if (isolation == ISOLATION_CLONE) add_text(&hash, "clone");
  if (isolation == ISOLATION_STRICT) add_text(&hash, "strict");
  add_terminals_and_limits(&hash, options);
  add_module_path(&walk, module_path);
  add_class_path(&walk, class_path);
  if (walk.folder && walk.folder_fd >= 0) close(walk.folder_fd);
  sha256_final(&hash, digest);
  write_hex(digest, fingerprint, POOL_FINGERPRINT_CHARS);
}
