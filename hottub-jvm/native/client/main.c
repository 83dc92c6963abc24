// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// bin/java of a HotTub home, and bin/javac and other tools of the JDK: runs a Java program in a
// pooled JVM where it can, and becomes the stock launcher where it cannot.

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agents.h"
#include "census.h"
#include "cgroup.h"
#include "classpath.h"
#include "cold.h"
#include "deadline.h"
#include "digests.h"
#include "filters.h"
#include "identity.h"
#include "inherit.h"
#include "jar.h"
#include "launch.h"
#include "lease.h"
#include "newcomer.h"
#include "node-limits.h"
#include "offers.h"
#include "options.h"
#include "pool-root.h"
#include "pool.h"
#include "session.h"
#include "spawn.h"
#include "template.h"
#include "terminal.h"
#include "trace.h"

// Waits for an idle JVM's yes or no, for a clone, for the start lock, and for a new JVM. A clone is
// made in some 20 ms, 20 at once in a second. Only one that does not come at all takes longer than
// a cold JVM, and that is given up as an idle JVM that says nothing.
#define GRANT_MS 2000
#define CLONE_MS 2000
#define LOCK_MS 2000
#define START_MS 20000

// Four times what a log may have.
#define FILE_LIMIT_MIN (4 * 1024 * 1024)

// A pooled JVM leaves the numbers below 256 to its runs, and takes in what they have (as many, at
// the most) from 512 on.
#define OPEN_FILES_MIN 768

// Processes and threads: a JVM at rest has some twenty, and two for each processor. They are not to
// be those that the next program lacks.
#define TASKS_LEFT_MIN 256
#define TASKS_OF_USER_MIN 1024

struct plan {
  struct inheritance inheritance;
  struct launch launch;
  struct options options;
  struct list class_path, module_path;
  struct bytes files;       // of the class path
  struct list environment;  // of a new JVM
  int input;                // handed over as descriptor 0
  int user_dir;
  struct pool_limits limits;
  enum isolation isolation;
  char fingerprint[POOL_FINGERPRINT_CHARS + 1];
};

// Variables that ask the stock launcher, or the VM, for something special.
static void check_variables(void) {
  static const char *const special[] = {"_JAVA_LAUNCHER_DEBUG",
                                        "JDK_ALTERNATE_VM",
                                        "_JAVA_VERSION_SET",
                                        "_JAVA_SR_SIGNUM",
                                        "_JAVA_SPLASH_FILE",
                                        "_JAVA_SPLASH_JAR",
                                        NULL};
  // Files with a state that no reset knows, output, and settings that pooled JVMs have of their
  // own.
  static const char *const linker[] = {"LD_PRELOAD",   "LD_AUDIT",       "LD_DEBUG", "LD_PROFILE",
                                       "LD_SHOW_AUXV", "GLIBC_TUNABLES", NULL};
  const char *switched = getenv("HOTTUB");
  if (switched && strcmp(switched, "off") == 0) run_cold(COLD_OFF);
  for (size_t i = 0; special[i]; i++) {
    if (getenv(special[i])) run_cold(COLD_LAUNCHER_VARIABLE);
  }
  for (size_t i = 0; linker[i]; i++) {
    const char *value = getenv(linker[i]);
    if (value && *value) run_cold(COLD_LINKER_VARIABLE);
  }
  // The stock launcher starts itself once more when this leads to another VM.
  const char *libraries = getenv("LD_LIBRARY_PATH");
  if (libraries && (strstr(libraries, "lib/server") || strstr(libraries, "lib/client"))) {
    run_cold(COLD_LD_LIBRARY_PATH);
  }
}

// The kernel keeps signals from it that it does not handle, which we pass on. Its pool ends with
// it.
static void check_process(void) {
  if (getpid() == 1) run_cold(COLD_FIRST_PROCESS);
}

// The VM warns of these when it starts.
static void check_files(void) {
  static const char *const files[] = {".hotspotrc", ".hotspot_compiler", NULL};
  for (size_t i = 0; files[i]; i++) {
    if (access(files[i], F_OK) == 0) run_cold(COLD_HOTSPOT_FILE);
  }
}

// A keeper writes its log and a JVM its counters under the limit of the run.
static void check_file_limit(void) {
  struct rlimit file;
  if (getrlimit(RLIMIT_FSIZE, &file) != 0) run_cold(COLD_NO_LIMITS);
  if (file.rlim_cur < FILE_LIMIT_MIN) run_cold(COLD_FILE_LIMIT);
}

static void check_open_files(const struct options *options) {
  struct rlimit open;
  if (getrlimit(RLIMIT_NOFILE, &open) != 0) run_cold(COLD_NO_LIMITS);
  rlim_t limit = options_keep_file_limit(options) ? open.rlim_cur : open.rlim_max;
  if (limit < OPEN_FILES_MIN) run_cold(COLD_OPEN_FILES);
}

// It counts what a process has used, so the runs before, too. A clone has used nothing.
static void check_cpu_limit(enum isolation isolation) {
  struct rlimit cpu;
  if (getrlimit(RLIMIT_CPU, &cpu) != 0) run_cold(COLD_NO_LIMITS);
  bool limited = cpu.rlim_cur != RLIM_INFINITY || cpu.rlim_max != RLIM_INFINITY;
  if (limited && isolation == ISOLATION_REUSE) run_cold(COLD_CPU_LIMIT);
}

// What the launcher or the VM does with these attributes, a pooled JVM has had no occasion to do.
static void check_jar(const char *path) {
  static const char *const attributes[] = {
      "Launcher-Agent-Class",     "Add-Opens", "Add-Exports", "SplashScreen-Image",
      "JavaFX-Application-Class", NULL};
  struct manifest manifest;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0 || !jar_read_manifest(fd, &manifest)) run_cold(COLD_JAR_UNREADABLE);
  close(fd);
  for (size_t i = 0; attributes[i]; i++) {
    if (manifest_value(&manifest, attributes[i])) run_cold(COLD_JAR_MANIFEST);
  }
  if (!manifest_value(&manifest, "Main-Class")) run_cold(COLD_JAR_MANIFEST);
}

static enum isolation choose_isolation(const struct pool_limits *limits) {
  const char *wish = getenv("HOTTUB_ISOLATION");
  if (wish && strcmp(wish, "clone") == 0) return ISOLATION_CLONE;
  if (wish && strcmp(wish, "strict") == 0) return ISOLATION_STRICT;
  if (wish && strcmp(wish, "reuse") == 0) return ISOLATION_REUSE;
  return limits->isolation;
}

static bool has_relative_entry(const char *class_path) {
  for (const char *entry = class_path;; entry++) {
    if (*entry != '/') return true;
    entry = strchr(entry, ':');
    if (!entry) return false;
  }
}

// The class library finds relative entries below user.dir.
static bool is_class_path_moved(const struct plan *plan) {
  const char *folder = NULL;
  for (size_t i = 0; i < plan->options.props.count; i++) {
    const char *property = plan->options.props.item[i];
    if (starts_with(property, "user.dir=")) folder = property + strlen("user.dir=");
  }
  return folder && strcmp(folder, plan->inheritance.cwd) != 0 &&
         has_relative_entry(plan->options.class_path);
}

static void identify(struct plan *plan) {
  if (*plan->options.class_path || plan->launch.mode != LEASE_MODULE || plan->launch.is_source) {
    if (is_class_path_moved(plan)) run_cold(COLD_USER_DIR);
    class_path_split(plan->options.class_path, plan->inheritance.cwd, &plan->class_path);
  }
  for (size_t i = 0; i < plan->options.agent_jars.count; i++) {
    class_path_split(plan->options.agent_jars.item[i], plan->inheritance.cwd, &plan->class_path);
  }
  if (plan->options.module_path) {
    class_path_split(plan->options.module_path, plan->inheritance.cwd, &plan->module_path);
  }
  identity_environment(&plan->environment);
  struct digests *digests = digests_open(plan->user_dir);
  identity_compute(&plan->options, &plan->class_path, &plan->module_path, &plan->environment,
                   plan->isolation, digests, &plan->files, plan->fingerprint);
  digests_save(digests);
  trace_fingerprint(plan->fingerprint);
}

static struct offer make_offer(struct plan *plan) {
  struct list props = plan->options.props;
  list_add(&props, join_text("java.class.path=", plan->options.class_path));
  struct lease lease = {.mode = plan->launch.mode,
                        .main = plan->launch.main,
                        .props = list_as_lease(&props),
                        .args = list_as_lease(&plan->launch.args),
                        .class_path = list_as_lease(&plan->class_path),
                        .vm_late = list_as_lease(&plan->options.late),
                        .arguments = list_as_lease(&plan->options.shown),
                        .notice = (char *)plan->launch.notice.data,
                        .notice_length = plan->launch.notice.length,
                        .files = (char *)plan->files.data,
                        .files_length = plan->files.length};
  inherit_into_lease(&plan->inheritance, &lease);
  if (plan->files.failed) run_cold(COLD_OUT_OF_MEMORY);
  struct offer offer = {.inheritance = &plan->inheritance, .input = plan->input};
  char err[128];
  offer.block = lease_write(&lease, &offer.block_length, err, sizeof err);
  if (offer.block < 0) run_cold(COLD_NO_LEASE_BLOCK);
  return offer;
}

// Who may not write there, such as a program that Landlock restricts, may not do all that the JVMs
// of its user may.
static int open_claims(int user_dir) {
  int claims = pool_claims_open(user_dir);
  if (claims < 0) run_cold(COLD_NO_CLAIMS);
  return claims;
}

static void try_idle_jvms(struct plan *plan, const struct offer *offer, int claim) {
  struct list names = {0};
  int offers = offers_list(plan->user_dir, plan->fingerprint, claim, &names);
  for (size_t i = 0; i < names.count; i++) {
    const char *name = names.item[i];
    if (claim < 0) claim = open_claims(plan->user_dir);
    if (!pool_claim(claim, pool_keeper_of(name))) continue;
    int socket = pool_connect(offers, name);
    if (socket < 0) {  // of a keeper that was killed
      pool_unclaim(claim, pool_keeper_of(name));
      continue;
    }
    trace_decided();
    struct session session;
    session_offer(&session, socket, offer, claim, GRANT_MS);
    claim = -1;
    if (!offers_wake(offers, name)) session_withdraw(&session);
    enum cold_reason reason = session_wait(&session);
    // The JVM is on its way out, or for recipes; anything else would come again with the next one.
    if (reason != COLD_JVM_BUSY && reason != COLD_KEEPER_GONE && reason != COLD_UNTRAINED) {
      run_cold(reason);
    }
    trace_undecided();
  }
  if (claim >= 0) close(claim);
  if (offers >= 0) close(offers);
}

static void jvm_options(struct plan *plan, struct list *out) {
  list_add_all(out, &plan->options.boot);
  list_add_all(out, &plan->options.boot_props);
  if (plan->module_path.count) {
    list_add(out, join_text("--module-path=", class_path_real(&plan->module_path)));
  }
  if (plan->class_path.count) {
    list_add(out, join_text("-Djava.class.path=", class_path_real(&plan->class_path)));
  }
}

// The pool service fills the pool up to a minimum of idle JVMs: a run that was served by one of
// them would add none.
static bool wants_new_jvm(void) {
  const char *wish = getenv("HOTTUB");
  return wish && strcmp(wish, "new") == 0;
}

static enum cold_reason await_clone(struct plan *plan, struct session *session, int32_t template) {
  session->deadline = monotonic_ms() + CLONE_MS;
  enum cold_reason reason = session_wait(session);
  if (session->jvm_pid || reason == COLD_STOPPED) return reason;  // there was a clone, or time
  if (reason != COLD_DEADLINE) return COLD_NO_CLONE;
  template_forget(plan->user_dir, plan->fingerprint, template);
  return reason;
}

// Where isolation is strict a run trains no JVM: it would be in all copies of it.
static bool may_train(const struct plan *plan) {
  return plan->isolation != ISOLATION_STRICT || lease_is_training(getenv(LEASE_TRAINING));
}

static bool has_room_for_tasks(void) {
  struct rlimit tasks;
  if (getrlimit(RLIMIT_NPROC, &tasks) != 0) run_cold(COLD_NO_LIMITS);
  bool is_free = geteuid() == 0 || tasks.rlim_cur >= TASKS_OF_USER_MIN;
  return is_free && cgroup_tasks_left(getpid()) >= TASKS_LEFT_MIN;
}

static enum cold_reason start_jvm(struct plan *plan, const struct offer *offer) {
  struct list options = {0};
  bool may_start = may_train(plan);
  if (!may_start && !template_is_there(plan->user_dir, plan->fingerprint)) return COLD_UNTRAINED;
  jvm_options(plan, &options);
  if (!has_room_for_tasks()) return COLD_FEW_TASKS;
  if (!newcomer_may_start(plan->user_dir, plan->fingerprint, &plan->limits)) return COLD_POOL_FULL;
  int lock = census_lock(plan->user_dir, monotonic_ms() + LOCK_MS);
  if (lock < 0) return COLD_START_LOCK;
  census_clear(plan->user_dir);
  if (!newcomer_makes_room(plan->user_dir, plan->fingerprint, &plan->limits)) return COLD_POOL_FULL;
  struct spawn spawn = {.inheritance = &plan->inheritance,
                        .environment = &plan->environment,
                        .options = &options,
                        .fingerprint = plan->fingerprint,
                        .isolation = plan->isolation,
                        .user_dir = plan->user_dir,
                        .lock = lock};
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) {
    return COLD_NO_KEEPER;
  }
  // Before there is a keeper: a JVM that is ready sooner than its client would be another's.
  struct session session;
  session_offer(&session, pair[0], offer, -1, START_MS);
  int32_t template = wants_new_jvm() ? 0 : template_ask(plan->user_dir, plan->fingerprint, pair[1]);
  if (!template && !may_start) {
    close(lock);
    return COLD_UNTRAINED;
  }
  bool started = template || spawn_keeper(&spawn, pair[1]);
  close(lock);
  if (template) return await_clone(plan, &session, template);
  return started ? session_wait(&session) : COLD_NO_KEEPER;
}

int main(int argc, char **argv) {
  static struct plan plan;
  (void)argc;
  trace_begin();
  cold_prepare(argv);
  inherit_take(&plan.inheritance);
  check_variables();
  check_process();
  check_files();
  filters_check();
  launch_parse(argv, cold_tool(), &plan.launch);
  trace_main(plan.launch.main);
  options_sort(&plan.launch.options, &plan.options);
  if (!plan.launch.main) run_cold(COLD_COMMAND_LINE);
  if (plan.launch.mode == LEASE_JAR) check_jar(plan.launch.main);
  enum cold_reason why;
  plan.user_dir = pool_root_open(&why);
  if (plan.user_dir < 0) run_cold(why);
  trace_journal(plan.user_dir);
  plan.input = terminal_input(&plan.launch, plan.user_dir);
  agents_resolve(plan.user_dir, &plan.launch, &plan.options);
  node_limits_put(plan.user_dir);
  pool_limits_read(plan.user_dir, &plan.limits);
  if (plan.limits.disabled) run_cold(COLD_DISABLED);
  plan.isolation = choose_isolation(&plan.limits);
  check_file_limit();
  check_open_files(&plan.options);
  check_cpu_limit(plan.isolation);
  // Most of what follows is work to find out which JVMs could serve the run.
  if (census_all_in_use(plan.user_dir, &plan.limits)) run_cold(COLD_POOL_FULL);
  identify(&plan);
  trace_isolation(plan.isolation);
  enum cold_reason closed = pool_closed(plan.user_dir, plan.fingerprint);
  if (closed) run_cold(closed);
  inherit_take_signals(&plan.inheritance);
  struct offer offer = make_offer(&plan);
  session_block_signals(&plan.inheritance);
  int claims = open_claims(plan.user_dir);
  if (wants_new_jvm()) {
    close(claims);
  } else {
    try_idle_jvms(&plan, &offer, claims);
  }
  run_cold(start_jvm(&plan, &offer));
}
