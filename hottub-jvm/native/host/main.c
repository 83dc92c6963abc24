// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// pooled-java CONTROL_FD [RULE...] -- OPTION...: the host program around libjvm.so, which serves
// leases. Two threads: the first one talks to the keeper, "main" creates the VM and runs one lease
// after the other. See docs/protocol.md.

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "at-exit.h"
#include "attributes-check.h"
#include "bytes.h"
#include "children.h"
#include "class-path.h"
#include "control.h"
#include "counters.h"
#include "descriptors.h"
#include "directories.h"
#include "doubt.h"
#include "fdpass.h"
#include "identity.h"
#include "invocation.h"
#include "keyrings.h"
#include "lasting.h"
#include "libraries.h"
#include "mappings.h"
#include "native-memory.h"
#include "opened.h"
#include "output.h"
#include "pinned.h"
#include "process-files.h"
#include "process.h"
#include "quiet.h"
#include "static-tls.h"
#include "streams.h"
#include "template.h"
#include "texts.h"
#include "thread-keys.h"
#include "vm.h"

enum { IDLE_MS = 8000, QUIET_MS = 3000, PREPARE_MAX_MS = 1000 };
enum { EXIT_USAGE = 100, EXIT_SYSTEM = 111 };

static int control;
static struct vm vm;
static atomic_bool is_revoked;
// What the main thread is to do next.
enum task { SERVE, AUDIT, BECOME_TEMPLATE, BECOME_CLONE };
static struct start next;
static enum task next_task;
static bool is_template, is_clone;
static atomic_bool is_entered;  // the run: its end is that of the process, if need be
static atomic_bool is_busy;
static volatile int ending_status;
static bool is_exiting;  // the keeper knows
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool has_next;

// A child process that a run has forked has another one.
static pid_t own_pid;

// False if native code of the run has closed the connection with all descriptors that it found: the
// keeper waits for the end of the process.
static bool say(enum control_type type, uint32_t value, uint64_t a, const char *text) {
  if (control_say(control, type, value, a, text) == 0) return true;
  if (!is_entered) _exit(EXIT_SYSTEM);  // no keeper, no pool
  return false;
}

static bool announce_children(void) { return say(CONTROL_CHILDREN, 0, 0, NULL); }

static void on_ending(int status) {
  ending_status = status;
  invocation_set(INVOCATION_CLOSED);
  children_end();
  if (!say(CONTROL_ENDING, (uint32_t)status, 0, NULL)) exit(status);
}

// The run has its status, but something of it does not end: only the end of the process ends it,
// with destructors and all, or without if the run is killed.
static void on_stuck(const char *why) {
  say(CONTROL_DOUBT, 0, 0, why);
  if (is_revoked) _exit(0);
  say(CONTROL_EXITING, 0, 0, NULL);
  exit(ending_status);
}

// On a thread that has crashed.
static void on_crash(const char *text) {
  if (getpid() == own_pid) control_say(control, CONTROL_CRASHED, 0, 0, text);
}

// The last reader of the token owns the run: 1 if it is ours.
static bool take_token(int token) {
  uint64_t one;
  return read(token, &one, sizeof one) == (ssize_t)sizeof one;
}

static void describe(const HotTubReport *report, char *text, size_t size) {
  snprintf(text, size,
           "{\"classes_barrier\":%d,\"classes_trivial\":%d,\"snapshot_changes\":%d,\"loaders\":%d,"
           "\"leftovers\":%d,\"restore_us\":%ld,\"collect_us\":%ld,\"audit_us\":%ld,"
           "\"heap_used\":%zu,\"metaspace_used\":%zu,\"code_used\":%zu,"
           "\"compilations\":%d,\"traps\":%d}",
           report->classes_barrier, report->classes_trivial, report->snapshot_changes,
           report->loaders, report->leftovers, report->restore_us, report->collect_us,
           report->audit_us, report->heap_used, report->metaspace_used, report->code_used,
           report->compilations, report->traps);
}

static uint64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

// The descriptors of the class loaders; as many as a class path has jars.
static int kept[16384];
static int kept_count;
static struct doubt doubt;

static void give_up_descriptors(void *found) {
  descriptors_give_up(kept, (size_t)kept_count, found);
}

static void free_numbers(void *found) { descriptors_free_numbers(kept, (size_t)kept_count, found); }

static void close_libraries(void) {
  if (opened_close()) pinned_unload();
}

// Between these, native code of the run is called as at the end of a process. It may end it with
// another status, and has no VM any more.
static void begin_exit(void) {
  is_exiting = libraries_run_has_any();
  if (is_exiting) say(CONTROL_EXITING, 0, 0, NULL);
  invocation_set(INVOCATION_OVER);
}

static void end_exit(int status) {
  invocation_set(INVOCATION_OPEN);
  if (is_exiting) say(CONTROL_ENDING, (uint32_t)status, 0, NULL);
}

static void exit_libraries(int status, struct doubt *found) {
  begin_exit();
  at_exit_call(status);
  end_exit(status);
  process_end_limits(&doubt);
  streams_leave_libraries();
  if (!vm_end_references(&vm, found)) return;
  begin_exit();
  vm_unload(&vm, found);
  close_libraries();
  end_exit(status);
}

static void forget_libraries(struct doubt *found) {
  invocation_set(INVOCATION_OPEN);
  at_exit_forget();
  process_end_limits(&doubt);
  streams_leave_libraries();
  vm_end_references(&vm, found);
}

// Frees what the run held, so that its end is visible outside as that of a process.
static void end_run(const struct lease *lease, int status, bool has_run) {
  struct doubt later = {""};
  doubt = later;
  libraries_may_be_reset(opened_has, &doubt);
  if (!doubt.text[0]) static_tls_comes_back(&doubt);
  if (has_run && !is_revoked) {
    exit_libraries(status, &later);
  } else {
    forget_libraries(&later);
  }
  kept_count = later.text[0] ? -1 : vm_release(&vm, kept, sizeof kept / sizeof kept[0], &later);
  if (kept_count < 0) {
    kept_count = 0;
    if (!doubt.text[0]) doubt = later;
  } else {
    // While the files of the run are still there.
    bool has_loaded = vm_check_classes(&vm, lease, &later);
    class_path_note(lease, kept, (size_t)kept_count, has_loaded, &later);
  }
  streams_end(!is_revoked);
  process_end_run(&later);
  vm.visit_files(vm.env, give_up_descriptors, &later);
  if (!doubt.text[0]) doubt = later;
}

// What the run has left on this thread's stack: zeroed near here, given back far below.
enum { NEAR_STACK = 64 * 1024 };

static __attribute__((noinline)) void zero_near_stack(void) {
  char near[NEAR_STACK + 8 * 1024];
  explicit_bzero(near, sizeof near);
}

static void wipe_stack(void) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void *lowest;
    size_t size;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t end = ((uintptr_t)&attributes - NEAR_STACK) & ~(page - 1);
    if (pthread_attr_getstack(&attributes, &lowest, &size) == 0) {
      madvise(lowest, end - (uintptr_t)lowest, MADV_DONTNEED);
    }
    pthread_attr_destroy(&attributes);
  }
  zero_near_stack();
}

// Class loaders that runs left behind cost metaspace and the time of every collection.
enum { LOADERS_MAX = 1000, METASPACE_MAX_MIB = 768 };

static bool is_worn_out(const HotTubReport *report) {
  return report->loaders > LOADERS_MAX || report->metaspace_used >> 20 > METASPACE_MAX_MIB;
}

// The first `name` characters are the name of a class of which the run has left objects.
static void say_doubt(int name, const char *text) {
  vm.log_outcome(text);
  say(CONTROL_DOUBT, (uint32_t)name, 0, text);
}

static void reset(void) {
  uint64_t begin = now_us();
  HotTubReport report;
  memset(&report, 0, sizeof report);
  bool clean = vm_reset(&vm, &report);
  close_libraries();
  wipe_stack();
  directories_close();
  thread_keys_delete();  // of libraries of collected class loaders
  struct doubt hidden = {""};
  streams_reset(&hidden);
  mappings_remove(&hidden);
  vm.visit_files(vm.env, free_numbers, &hidden);
  if (!doubt.text[0]) doubt = hidden;
  if (!doubt.text[0]) libraries_are_gone(&doubt);
  if (!doubt.text[0]) process_has_no_children(&doubt);
  if (!doubt.text[0]) attributes_are_as_before(&doubt);
  if (!doubt.text[0]) lasting_is_unused(&doubt);
  if (!doubt.text[0]) native_memory_is_bounded(&doubt);
  if (!doubt.text[0]) keyrings_are_as_before(&doubt);
  if (doubt.text[0]) {
    say_doubt(0, doubt.text);
  } else if (!clean) {
    char text[CONTROL_MAX_TEXT];
    int name = snprintf(text, sizeof text, "%s", report.left_class);
    snprintf(text + name, sizeof text - (size_t)name, "%s%s", name > 0 ? ": " : "", report.text);
    say_doubt(name, text);
  } else if (is_worn_out(&report)) {
    say_doubt(0, DOUBT_WORN_OUT_TOO_MANY_CLASS_LOADERS_OR_TOO_MUCH_METASPACE_ARE_LEFT);
  } else {
    char text[CONTROL_MAX_TEXT];
    describe(&report, text, sizeof text);
    vm.log_outcome(NULL);  // before: the next lease may begin at once
    say(CONTROL_CLEAN, (uint32_t)report.compilations, now_us() - begin, text);
  }
}

static void report_conflict(void) {
  const char *class = vm.conflict();
  if (class) control_say(control, CONTROL_CONFLICT, 0, 0, class);
}

static void report_end(void) {
  if (getpid() != own_pid) return;
  report_conflict();
  control_say(control, CONTROL_COMPILED, vm.compilations(), 0, NULL);
}

static _Noreturn void run_as_process(const struct lease *lease) {
  atexit(report_end);
  vm_run_as_process(&vm, lease);
}

static void serve(struct start *start) {
  struct lease lease = {0};
  char err[512];
  bool entered = false;
  uint32_t status = 0;
  // That of the client, but for one of another pid namespace.
  pid_t process = start->client > 0 ? start->client : getpid();
  identity_begin(process);
  process_files_begin();
  if (lease_read(start->fds[0], start->block_length, &lease, err, sizeof err) == 0 &&
      process_apply(&lease, start, err, sizeof err) == 0 &&
      class_path_begin(&lease, err, sizeof err) == 0 &&
      vm_begin(&vm, &lease, process, err, sizeof err) == 0) {
    entered = take_token(start->fds[1]);
    if (!entered) snprintf(err, sizeof err, "the client gave up");
  }
  fdpass_close(start->fds, 2);
  if (entered) {
    // Before anything is written: nobody may be reading, and to enter has a deadline.
    say(CONTROL_ENTERED, 0, 0, NULL);
    is_entered = true;
    if (lease.notice_length > 0 && write(STDERR_FILENO, lease.notice, lease.notice_length) < 0) {
      // A stock JVM does not report a closed descriptor either.
    }
    output_repeat();
    children_begin(announce_children);
    if (is_clone) run_as_process(&lease);
    status = (uint32_t)vm_run(&vm, &lease, &is_revoked);
    report_conflict();
  }
  is_entered = false;
  end_run(&lease, (int)status, entered);
  identity_end();
  lease_free(&lease);
  if (entered) {
    say(CONTROL_ENDED, status, 0, NULL);
  } else {
    say(CONTROL_FALLBACK, 0, 0, err);
  }
}

static void audit(void) {
  HotTubReport report;
  memset(&report, 0, sizeof report);
  vm.audit(vm.env, &report, JNI_TRUE);
  char text[CONTROL_MAX_TEXT];
  describe(&report, text, sizeof text);
  size_t length = strlen(text);
  snprintf(text + length - 1, sizeof text - length, ",\"doubt\":%d,\"left\":\"%.3000s\"}",
           report.doubt, report.text);
  say(CONTROL_AUDITED, 0, 0, text);
}

// On the main thread of a clone, which has just begun to be one.
static void become_clone(void) {
  own_pid = getpid();
  if (!vm_become_clone(&vm, is_clone)) _exit(EXIT_SYSTEM);
  say(CONTROL_READY, 0, 0, counters_folder());
}

struct arguments {
  int count;
  char **options;
};

static void *serve_all(void *data) {
  struct arguments *arguments = data;
  char err[512];
  own_pid = getpid();
  prctl(PR_SET_NAME, "java");  // as the thread that runs main in a stock JVM
  if (vm_create(&vm, arguments->options, arguments->count, on_ending, on_stuck, on_crash, err,
                sizeof err) != 0) {
    fprintf(stderr, "pooled-java: %s\n", err);
    _exit(EXIT_SYSTEM);
  }
  counters_remember();
  descriptors_release();
  if (!descriptors_remember(control, err, sizeof err)) {
    fprintf(stderr, "pooled-java: %s\n", err);
    _exit(EXIT_SYSTEM);
  }
  invocation_remember(vm.env);
  at_exit_remember();
  process_remember();
  streams_remember();
  attributes_remember();
  native_memory_remember();
  keyrings_remember();
  pinned_find_mark();
  libraries_remember();
  say(CONTROL_READY, 0, 0, counters_folder());
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!has_next) pthread_cond_wait(&changed, &lock);
    struct start start = next;
    enum task task = next_task;
    has_next = false;
    pthread_mutex_unlock(&lock);
    switch (task) {
      case SERVE:
        serve(&start);
        reset();
        break;
      case AUDIT:
        audit();
        break;
      case BECOME_TEMPLATE:
        vm.become_template(vm.env);
        break;
      case BECOME_CLONE:
        become_clone();
        break;
    }
    is_busy = false;
  }
  return NULL;
}

static void hand_over(const struct start *start, enum task task) {
  pthread_mutex_lock(&lock);
  next = *start;
  next_task = task;
  has_next = true;
  is_busy = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static int start_main(struct arguments *arguments, size_t stack_size) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_size);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int error = pthread_create(&thread, &attributes, serve_all, arguments);
  pthread_attr_destroy(&attributes);
  return error;
}

// As the launcher: -Xss and -XX:ThreadStackSize, else the VM's default of 1 MiB.
static size_t stack_size(int count, char **options) {
  for (int i = count - 1; i >= 0; i--) {
    const char *value = strncmp(options[i], "-Xss", 4) == 0 ? options[i] + 4 : NULL;
    unsigned long long unit = 1;
    if (!value && strncmp(options[i], "-XX:ThreadStackSize=", 20) == 0) {
      value = options[i] + 20;
      unit = 1024;
    }
    if (!value) continue;
    char *end;
    unsigned long long size = strtoull(value, &end, 10);
    if (*end == 'k' || *end == 'K') unit = 1024;
    if (*end == 'm' || *end == 'M') unit = 1024 * 1024;
    size *= unit;
    if (size >= 64 * 1024 && size <= 1024ull * 1024 * 1024) return size + STACK_SPARE;
  }
  return 1024 * 1024 + STACK_SPARE;
}

// A JVM that has had nothing to do for a while (the VM frees caches of its own within 5 s) gives
// free memory of the C heap back. Not in every reset: the next run would have to fetch it again.
static void trim_heap(void) {
  // What a clone has there is mostly its template's.
  if (!is_template && !is_clone) malloc_trim(0);
}

static void await_message(void) {
  struct pollfd message = {.fd = control, .events = POLLIN};
  bool is_trimmed = false;
  int ready;
  while ((ready = poll(&message, 1, IDLE_MS)) == 0 || (ready < 0 && errno == EINTR)) {
    if (ready < 0 || is_busy) continue;
    if (!is_trimmed) trim_heap();
    is_trimmed = true;
    class_path_let_go();
  }
}

// On the main thread, which is the VM's. If it takes too long the main thread is held in it.
static void prepare_template(void) {
  const struct timespec rest = {.tv_nsec = 1000000};
  hand_over(&(struct start){0}, BECOME_TEMPLATE);
  for (int i = 0; is_busy && i < PREPARE_MAX_MS; i++) nanosleep(&rest, NULL);
}

// With the folder of the user, and a connection of a client for the keeper, if there is one.
static void make_clone(const struct control_message *message, struct start *start) {
  char err[512];
  if (start->fd_count < 1 || start->fd_count > 2) {
    fdpass_close(start->fds, start->fd_count);
    say(CONTROL_CLONED, CLONED_NEVER, 0, "malformed CLONE");
    return;
  }
  bool is_first = !is_template;
  if (is_first && !quiet_await(QUIET_MS)) {
    fdpass_close(start->fds, start->fd_count);
    say(CONTROL_CLONED, CLONED_REFUSED, 0, "its threads do not come to rest");
    return;
  }
  if (is_first) {
    prepare_template();
    malloc_trim(0);  // what nobody needs would be copied with the rest
    is_template = template_freeze(control, start->fds, start->fd_count, err, sizeof err);
  }
  int connection = start->fd_count == 2 ? start->fds[1] : -1;
  int made = is_template ? template_clone(message->text, message->value, start->fds[0], connection,
                                          err, sizeof err)
                         : -1;
  fdpass_close(start->fds, start->fd_count);
  if (made == 0) {
    is_template = false;
    is_clone = message->value == 0;
    template_thaw();
    hand_over(&(struct start){0}, BECOME_CLONE);
  } else if (made > 0) {
    say(CONTROL_CLONED, CLONED_BEGUN, 0, NULL);
  } else {
    enum cloned value = is_template ? CLONED_REFUSED : CLONED_NEVER;
    // Without a clone it is no template yet, and has to serve.
    if (is_template && is_first) {
      template_thaw();
      is_template = false;
    }
    say(CONTROL_CLONED, value, 0, err);
  }
}

static void converse(void) {
  for (;;) {
    struct control_message message;
    await_message();
    struct start start = {.fd_count = CONTROL_MAX_DESCRIPTORS};
    int got = control_receive(control, &message, start.fds, &start.fd_count);
    if (got < 0 && errno == EINTR) continue;
    while (got < 0 && is_entered) pause();  // see say
    // The threads of a template may hold any lock.
    if (got == 1 && message.type == CONTROL_RETIRE && !is_template) vm.log_outcome(message.text);
    if (got != 1 || message.type == CONTROL_RETIRE) _exit(0);
    switch (message.type) {
      case CONTROL_REVOKE:
        is_revoked = true;
        vm.revoke(0);
        break;
      case CONTROL_AUDIT:
        hand_over(&start, AUDIT);
        break;
      case CONTROL_CHILDREN:
        children_watched();
        break;
      case CONTROL_CLONE:
        make_clone(&message, &start);
        break;
      case CONTROL_START:
        if (start.fd_count != message.value + 2 || message.text_length != 4 + 4 * message.value) {
          fdpass_close(start.fds, start.fd_count);
          say(CONTROL_FALLBACK, 0, 0, "malformed START");
          break;
        }
        start.target_count = message.value;
        start.block_length = message.a;
        start.client = (pid_t)get_u32((const uint8_t *)message.text);
        for (uint32_t i = 0; i < message.value; i++) {
          start.targets[i] = (int)get_u32((const uint8_t *)message.text + 4 + 4 * i);
        }
        is_revoked = false;
        hand_over(&start, SERVE);
        break;
      default:
        break;
    }
  }
}

// --retire=PATTERN and --keep=PATTERN of the pool's list of libraries; the first option of the VM,
// or NULL.
static char **read_rules(char **argument) {
  for (; *argument && strcmp(*argument, "--") != 0; argument++) {
    char *equals = strchr(*argument, '=');
    if (!equals) return NULL;
    bool retire = strncmp(*argument, "--retire=", 9) == 0;
    if (!retire && strncmp(*argument, "--keep=", 7) != 0) return NULL;
    if (libraries_add_rule(retire ? LIBRARY_RETIRE : LIBRARY_KEEP, equals + 1) != 0) return NULL;
  }
  return *argument ? argument + 1 : NULL;
}

// Those on the command line, then those of the list in a descriptor. False without memory.
static bool read_options(char **own, int own_count, int list, struct arguments *out) {
  size_t count;
  char **others = texts_read(list, &count);
  out->options = others ? calloc((size_t)own_count + count + 1, sizeof *out->options) : NULL;
  if (!out->options) return false;
  memcpy(out->options, own, (size_t)own_count * sizeof *own);
  memcpy(out->options + own_count, others, count * sizeof *others);
  out->count = own_count + (int)count;
  return true;
}

int main(int argc, char **argv) {
  struct arguments arguments;
  char **own = argc > 3 ? read_rules(argv + 3) : NULL;
  if (!own) {
    fprintf(stderr,
            "usage: pooled-java CONTROL_FD OPTIONS_FD [--retire=PATTERN | --keep=PATTERN]... -- "
            "OPTION...   (started by lib/hottub/keeper)\n");
    return EXIT_USAGE;
  }
  control = atoi(argv[1]);
  fcntl(control, F_SETFD, FD_CLOEXEC);
  if (!read_options(own, (int)(argv + argc - own), atoi(argv[2]), &arguments)) {
    fprintf(stderr, "pooled-java: cannot read its options: %s\n", strerror(errno));
    return EXIT_SYSTEM;
  }
  descriptors_reserve();
  int error = start_main(&arguments, stack_size(arguments.count, arguments.options));
  if (error != 0) {
    fprintf(stderr, "pooled-java: cannot start the main thread: %s\n", strerror(error));
    return EXIT_SYSTEM;
  }
  // Signals are for the VM's threads. But a SIGUSR2 from outside should meet a thread that the VM
  // does not know, as on a stock JVM: it warns.
  sigset_t all;
  sigfillset(&all);
  sigdelset(&all, SIGUSR2);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  converse();
}
