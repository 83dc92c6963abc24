// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderData.inline.hpp"
#include "classfile/classLoaderDataGraph.inline.hpp"
#include "hottub/hottubExports.h"
#include "hottub/hottubNativeCode.hpp"
#include "memory/resourceArea.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/method.hpp"
#include "prims/jvm_misc.hpp"
#include "runtime/arguments.hpp"
#include "runtime/frame.inline.hpp"
#include "runtime/jniHandles.hpp"
#include "runtime/mutex.hpp"
#include "runtime/nonJavaThread.hpp"
#include "runtime/orderAccess.hpp"
#include "runtime/os.inline.hpp"
#include "runtime/osThread.hpp"
#include "runtime/safepoint.hpp"
#include "runtime/stackFrameStream.inline.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/threadSMR.inline.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/resourceHash.hpp"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static bool is_of_application(const ClassLoaderData* cld) {
  return !cld->is_boot_class_loader_data() && !cld->is_platform_class_loader_data();
}

// Runs JNI_OnLoad and the constructors of a library.
static bool loads_library(const Method* method) {
  return method->name()->equals("load") &&
         method->method_holder()->name()->equals("jdk/internal/loader/NativeLibraries");
}

// Native code of the application has taken natives back: that a method has none tells nothing.
static volatile bool _has_unregistered = false;

// Else the frame is there while the VM looks for it, with Java code, or says that there is none.
static bool has_native_code(Method* method) {
  return method->has_native_function() || _has_unregistered;
}

// The native method of the application that the frame is of, or NULL.
static Method* native_of_application(const frame* f) {
  Method* method = NULL;
  if (f->is_interpreted_frame()) {
    method = f->interpreter_frame_method();
  } else if (f->cb() != NULL && f->cb()->is_nmethod()) {  // is_compiled_frame() leaves natives out
    method = f->cb()->as_nmethod()->method();
  }
  bool is_native =
      method != NULL && method->is_native() && !method->is_method_handle_intrinsic() &&
      (is_of_application(method->method_holder()->class_loader_data()) || loads_library(method));
  return is_native && has_native_code(method) ? method : NULL;
}

// A call of the foreign linker, or back from there. What ends there by an exception ends the
// process.
static bool is_foreign_call(const frame* f) {
  const char* linker = "jdk/internal/foreign/abi/ProgrammableInvoker";
  if (f->is_interpreted_frame() || (f->cb() != NULL && f->cb()->is_nmethod())) {
    Method* method =
        f->is_interpreted_frame() ? f->interpreter_frame_method() : f->cb()->as_nmethod()->method();
    return method->is_native() && method->method_holder()->name()->equals(linker);
  }
  return f->is_optimized_entry_frame() ||
         (f->cb() != NULL && strcmp(f->cb()->name(), "nep_invoker_blob") == 0);
}

static bool is_native_of_application(const frame* f) { return native_of_application(f) != NULL; }

// Loops that live as long as the process: what their wait returns, also that it was interrupted,
// goes straight back to Java code.
struct Wait {
  const char* holder;  // the end of its name: programs relocate libraries into other packages
  const char* method;  // the start of its name
};

static const Wait waits[] = {
    {"io/netty/channel/epoll/Native", "epollWait"},
    // Every client of HDFS has one if Hadoop's native library is there.
    {"org/apache/hadoop/net/unix/DomainSocketWatcher", "doPoll0"},
};

static bool only_waits(const Method* method) {
  for (const Wait& wait : waits) {
    if (method->method_holder()->name()->ends_with(wait.holder) &&
        method->name()->starts_with(wait.method)) {
      return true;
    }
  }
  return false;
}

bool HotTubNativeCode::may_be_interrupted(JavaThread* thread) {
  if (thread->thread_state() != _thread_in_native || !thread->has_last_Java_frame()) {
    return false;
  }
  StackFrameStream top(thread, false /* update */, true /* process */);
  const Method* method = native_of_application(top.current());
  return method == NULL || only_waits(method);
}

bool HotTubNativeCode::calls_from_application(JavaThread* thread, bool is_attached) {
  if (!thread->has_last_Java_frame()) {
    return is_attached;
  }
  StackFrameStream top(thread, false /* update */, true /* process */);
  return is_native_of_application(top.current());
}

// In native code, or at its end or in a call of the VM when the safepoint stopped it.  Such a call
// goes on after it: what leads back to Java code is stopped there (throw_death), and what does not
// ends as it would have.  Threads that leave native code during a safepoint are seen in any state
// until they stop; those that it stops, SafepointSynchronize::block gives its number before it lets
// them be blocked.
static bool executes_native_code(JavaThread* thread) {
  if (thread->thread_state() != _thread_blocked) {
    return true;
  }
  OrderAccess::loadload();
  return thread->safepoint_state()->get_safepoint_id() !=
         SafepointSynchronize::InactiveSafepointCounter;
}

bool HotTubNativeCode::is_called_by_application(JavaThread* thread, bool is_attached) {
  if (!thread->has_last_Java_frame()) {
    return false;
  }
  if (is_attached) {
    return true;
  }
  bool is_executing = executes_native_code(thread);
  for (StackFrameStream frames(thread, false /* update */, true /* process */); !frames.is_done();
       frames.next()) {
    if ((!is_executing && is_native_of_application(frames.current())) ||
        is_foreign_call(frames.current())) {
      return true;
    }
    is_executing = false;  // only the youngest frame
  }
  return false;
}

// ---- system calls

// What the class library itself uses to end calls that block.
static int interrupting_signal() { return SIGRTMAX - 2; }

static struct sigaction _former_action;

// The system call that is to fail.
static volatile pid_t _failing_thread = 0;
static volatile address _failing_pc = NULL;

// Interrupted, a system call returns EINTR to the instruction behind it: here it gets another
// error.
static void on_interrupt(int number, siginfo_t* info, void* context) {
#ifdef AMD64
  greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  if (_failing_pc != NULL && (address)registers[REG_RIP] == _failing_pc &&
      registers[REG_RAX] == -EINTR && (pid_t)syscall(SYS_gettid) == _failing_thread) {
    registers[REG_RAX] = -EBADF;
  }
#endif
}

void HotTubNativeCode::begin_interrupting() {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_interrupt;
  action.sa_flags = SA_SIGINFO;  // no SA_RESTART
  sigfillset(&action.sa_mask);
  sigaction(interrupting_signal(), &action, &_former_action);
}

void HotTubNativeCode::end_interrupting() {
  struct sigaction action;
  sigaction(interrupting_signal(), NULL, &action);
  if (action.sa_sigaction == on_interrupt) {  // else the class library has just set its own
    sigaction(interrupting_signal(), &_former_action, NULL);
  }
}

// Where the thread blocks, or NULL.  Waits of the C library for its locks know no other errors.
static address blocking_call(pid_t thread) {
  char path[64], text[256];
  jio_snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)thread);
  int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return NULL;
  }
  ssize_t length = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (length <= 0) {
    return NULL;
  }
  text[length] = '\0';
  long number;
  uintptr_t pc;
  const char* last = strrchr(text, ' ');
  if (sscanf(text, "%ld ", &number) != 1 || last == NULL || sscanf(last, " %lx", &pc) != 1 ||
      number == SYS_futex || number == SYS_restart_syscall) {
    return NULL;
  }
  return (address)pc;
}

// What the kernel tells of a thread of this process; empty if it has ended.
struct OfThread {
  char text[128];

  OfThread(pid_t id, const char* file) {
    char path[64];
    jio_snprintf(path, sizeof path, "/proc/self/task/%d/%s", (int)id, file);
    int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : ::read(fd, text, sizeof text - 1);
    if (fd >= 0) {
      ::close(fd);
    }
    text[MAX2(length, (ssize_t)0)] = '\0';
  }
};

// From proc(5) and the kernel's sched-stats.rst: time on a processor, time on a run queue, slices.
jlong HotTubNativeCode::waited_for_processor_ns(const JavaThread* thread) {
  const OfThread told(thread->osthread()->thread_id(), "schedstat");
  jlong waited;
  return sscanf(told.text, "%*lu " JLONG_FORMAT, &waited) == 1 ? waited : 0;
}

void HotTubNativeCode::interrupt(JavaThread* thread, bool fail) {
  if (fail) {
    const pid_t id = thread->osthread()->thread_id();
    address pc = blocking_call(id);
    _failing_pc = NULL;
    OrderAccess::fence();
    _failing_thread = id;
    OrderAccess::fence();
    _failing_pc = pc;
  }
  pthread_kill(thread->osthread()->pthread_id(), interrupting_signal());
}

// ---- threads

static const int host_threads_max = 8;
static pid_t _host_threads[host_threads_max];
static int _host_thread_count = 0;

typedef ResourceHashtable<int, bool, primitive_hash<int>, primitive_equals<int>, 1009,
                          ResourceObj::C_HEAP, mtInternal>
    ThreadIds;

static void add_threads_of_vm(ThreadIds* ids) {
  for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
    if (thread->osthread() != NULL) {
      ids->put(thread->osthread()->thread_id(), true);
    }
  }
  for (NonJavaThread::Iterator i; !i.end(); i.step()) {
    if (i.current()->osthread() != NULL) {
      ids->put(i.current()->osthread()->thread_id(), true);
    }
  }
}

// Calls visit for every thread of the process that the VM does not know. False if the kernel does
// not let us see them: a run may have used all descriptors, or another root folder.
template <typename VISIT>
static bool for_each_unknown_thread(VISIT visit) {
  DIR* folder = ::opendir("/proc/self/task");
  if (folder == NULL) {
    return false;
  }
  ThreadIds* known = new (ResourceObj::C_HEAP, mtInternal) ThreadIds();
  GrowableArrayCHeap<int, mtInternal> all;
  while (struct dirent* entry = ::readdir(folder)) {
    if (entry->d_name[0] != '.') {
      all.append(atoi(entry->d_name));
    }
  }
  ::closedir(folder);
  add_threads_of_vm(known);  // after the others: one that has just begun is among them
  for (int i = 0; i < all.length(); i++) {
    if (!known->contains(all.at(i))) {
      visit((pid_t)all.at(i));
    }
  }
  delete known;
  return true;
}

void HotTubNativeCode::remember_threads() {
  _host_thread_count = 0;
  const bool are_seen = for_each_unknown_thread([](pid_t id) {
    guarantee(_host_thread_count < host_threads_max, "threads of the host program");
    _host_threads[_host_thread_count++] = id;
  });
  guarantee(are_seen, "/proc/self/task");
}

// Its state, from proc(5).
static bool sleeps(pid_t id) {
  const OfThread told(id, "stat");
  const char* state = strrchr(told.text, ')');
  return state != NULL && strncmp(state, ") S", 3) == 0;
}

int HotTubNativeCode::unknown_threads(bool* all_sleep) {
  int count = 0;
  *all_sleep = true;
  const bool are_seen = for_each_unknown_thread([&count, all_sleep](pid_t id) {
    for (int i = 0; i < _host_thread_count; i++) {
      if (_host_threads[i] == id) {
        return;
      }
    }
    count++;
    *all_sleep &= sleeps(id);
  });
  return are_seen ? count : -1;
}

// ---- libraries

struct CodeRange {
  address from;
  address to;
};

typedef GrowableArrayCHeap<CodeRange, mtInternal> Libraries;

static bool contains(const Libraries* ranges, address pc) {
  for (int i = 0; i < ranges->length(); i++) {
    if (pc >= ranges->at(i).from && pc < ranges->at(i).to) {
      return true;
    }
  }
  return false;
}

static Libraries* _at_start = NULL;

static CodeRange range_of(const struct dl_phdr_info* info) {
  CodeRange range = {(address)UINTPTR_MAX, NULL};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_LOAD) {
      address from = (address)(info->dlpi_addr + segment->p_vaddr);
      range.from = MIN2(range.from, from);
      range.to = MAX2(range.to, from + segment->p_memsz);
    }
  }
  return range;
}

static int add_library(struct dl_phdr_info* info, size_t size, void* ranges) {
  ((Libraries*)ranges)->append(range_of(info));
  return 0;
}

// Of the class library, and stays after a run.
static bool stays(const char* library) {
  static const char* const names[] = {HOTTUB_STAYING_LIBRARIES};
  const char* home = Arguments::get_java_home();
  const size_t length = strlen(home);
  if (strncmp(library, home, length) != 0 || library[length] != '/') {
    return false;
  }
  for (const char* name : names) {
    if (strcmp(strrchr(library, '/') + 1, name) == 0) {
      return true;
    }
  }
  return false;
}

static int add_new_library(struct dl_phdr_info* info, size_t size, void* ranges) {
  if (!stays(info->dlpi_name) && !contains(_at_start, range_of(info).from)) {
    add_library(info, size, ranges);
  }
  return 0;
}

static int add_staying_library(struct dl_phdr_info* info, size_t size, void* ranges) {
  if (stays(info->dlpi_name)) {
    add_library(info, size, ranges);
  }
  return 0;
}

// The VM, the class library and what it is linked to, as far as they stay; code that was made at
// run time is not.
static bool is_of_jvm(address pc) {
  if (contains(_at_start, pc)) {
    return true;
  }
  Libraries staying;
  dl_iterate_phdr(add_staying_library, &staying);
  return contains(&staying, pc);
}

// Native methods look their code up again at their next call.
class UnlinkMethods : public KlassClosure {
  const Libraries* _libraries;

 public:
  UnlinkMethods(const Libraries* libraries) : _libraries(libraries) {}
  void do_klass(Klass* k) {
    if (!k->is_instance_klass()) {
      return;
    }
    Array<Method*>* methods = InstanceKlass::cast(k)->methods();
    for (int i = 0; i < methods->length(); i++) {
      Method* method = methods->at(i);
      if (method->is_native() && !method->is_method_handle_intrinsic() &&
          method->has_native_function() && contains(_libraries, method->native_function())) {
        method->clear_native_function();
        method->set_signature_handler(NULL);
      }
    }
  }
};

// ---- functions of JNI

typedef ResourceHashtable<jobject, bool, primitive_hash<jobject>, primitive_equals<jobject>, 1009,
                          ResourceObj::C_HEAP, mtInternal>
    References;

static References* _references = NULL;  // true: weak
static os::PlatformMutex* _references_lock = NULL;
static JNINativeInterface_ _jni;  // what HotSpot's own functions are

static jobject noted(jobject reference, bool is_weak, address caller) {
  if (reference != NULL && !is_of_jvm(caller)) {
    _references_lock->lock();
    _references->put(reference, is_weak);
    _references_lock->unlock();
  }
  return reference;
}

static void forget(jobject reference) {
  _references_lock->lock();
  _references->remove(reference);
  _references_lock->unlock();
}

static jobject JNICALL new_global_reference(JNIEnv* env, jobject object) {
  return noted(_jni.NewGlobalRef(env, object), false, (address)__builtin_return_address(0));
}

static jweak JNICALL new_weak_global_reference(JNIEnv* env, jobject object) {
  return noted(_jni.NewWeakGlobalRef(env, object), true, (address)__builtin_return_address(0));
}

static void JNICALL delete_global_reference(JNIEnv* env, jobject reference) {
  forget(reference);
  _jni.DeleteGlobalRef(env, reference);
}

static void JNICALL delete_weak_global_reference(JNIEnv* env, jweak reference) {
  forget(reference);
  _jni.DeleteWeakGlobalRef(env, reference);
}

static jint JNICALL unregister_natives(JNIEnv* env, jclass holder) {
  _has_unregistered = true;
  OrderAccess::fence();
  return _jni.UnregisterNatives(env, holder);
}

static void delete_references() {
  struct Delete {
    bool do_entry(jobject reference, bool is_weak) {
      if (is_weak) {
        JNIHandles::destroy_weak_global(reference);
      } else {
        JNIHandles::destroy_global(reference);
      }
      return true;
    }
  } deletion;
  _references->unlink(&deletion);
}

void HotTubNativeCode::initialize() {
  remember_threads();
  _at_start = new Libraries();
  dl_iterate_phdr(add_library, _at_start);
  _references = new (ResourceObj::C_HEAP, mtInternal) References();
  _references_lock = new os::PlatformMutex();
  struct JNINativeInterface_* functions = jni_functions();
  _jni = *functions;
  functions->NewGlobalRef = new_global_reference;
  functions->NewWeakGlobalRef = new_weak_global_reference;
  functions->DeleteGlobalRef = delete_global_reference;
  functions->DeleteWeakGlobalRef = delete_weak_global_reference;
  functions->UnregisterNatives = unregister_natives;
}

class VM_HotTubForgetLibraries : public VM_Operation {
  const Libraries* _libraries;

 public:
  VM_HotTubForgetLibraries(const Libraries* libraries) : _libraries(libraries) {}
  VMOp_Type type() const { return VMOp_HotTub; }
  void doit() {
    UnlinkMethods unlink(_libraries);
    ClassLoaderDataGraph::loaded_classes_do(&unlink);
    delete_references();
  }
};

void HotTubNativeCode::forget_libraries() {
  _has_unregistered = false;
  Libraries libraries;
  dl_iterate_phdr(add_new_library, &libraries);
  if (libraries.length() > 0) {
    VM_HotTubForgetLibraries op(&libraries);
    VMThread::execute(&op);
  }
}
