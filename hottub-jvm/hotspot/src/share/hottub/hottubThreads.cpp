// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/javaThreadStatus.hpp"
#include "classfile/symbolTable.hpp"
#include "classfile/vmClasses.hpp"
#include "classfile/vmSymbols.hpp"
#include "gc/shared/oopStorage.inline.hpp"
#include "hottub/hottub.hpp"
#include "hottub/hottubInside.hpp"
#include "hottub/hottubLog.hpp"
#include "hottub/hottubNativeCode.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubRunLogs.hpp"
#include "hottub/hottubServices.hpp"
#include "hottub/hottubSignals.hpp"
#include "hottub/hottubThreads.hpp"
#include "interpreter/interpreter.hpp"
#include "logging/log.hpp"
#include "memory/resourceArea.hpp"
#include "memory/universe.hpp"
#include "oops/access.inline.hpp"
#include "oops/oop.inline.hpp"
#include "oops/oopHandle.inline.hpp"
#include "prims/jvmtiEnvBase.hpp"
#include "prims/jvmtiExport.hpp"
#include "runtime/atomic.hpp"
#include "runtime/deoptimization.hpp"
#include "runtime/fieldDescriptor.inline.hpp"
#include "runtime/handles.inline.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/javaCalls.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/nonJavaThread.hpp"
#include "runtime/objectMonitor.inline.hpp"
#include "runtime/osThread.hpp"
#include "runtime/semaphore.inline.hpp"
#include "runtime/stackFrameStream.inline.hpp"
#include "runtime/synchronizer.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/threadSMR.inline.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"
#include "utilities/defaultStream.hpp"

static const int no_status = -1;

static JavaThread* _main = NULL;
// Of every thread that java.lang.Thread.start has started.
static ThreadFunction _java_entry = NULL;
static OopHandle _main_object;  // the java.lang.Thread "main"
static OopHandle _death;        // the exception that unwinds; never seen by Java code
static HotTubThreads::EndingCallback _on_ending = NULL;
static HotTubThreads::StuckCallback _on_stuck = NULL;
static Semaphore* _end_requested = NULL;
static Semaphore* _end_done = NULL;

static volatile int _running = 0;          // 1 from begin_run until await_end returns
static volatile int _status = no_status;   // of the run that ends
static volatile bool _main_is_out = true;  // the main thread is in the host program
static volatile bool _is_ending = false;   // threads of the run have been marked to end
static volatile bool _is_killed = false;   // the end was not asked for by the run
static volatile bool _disturbed = false;
static InstanceKlass* _left_inside = NULL;
static volatile bool _has_stopped_code = false;
static JavaThread* volatile _notifier = NULL;  // while it calls listeners

bool HotTubThreads::was_disturbed() { return _disturbed; }

InstanceKlass* HotTubThreads::left_inside() { return _left_inside; }

// The application's threads are those that are not the JVM's own.
bool HotTubThreads::is_application(JavaThread* thread) {
  return thread != _main && thread->hottub_role() != HotTubThreadRole::system && !is_of_vm(thread);
}

// Others have the entry of a java.lang.Thread, or none if native code has attached them.
bool HotTubThreads::is_of_vm(JavaThread* thread) {
  return thread->entry_point() != _java_entry && thread->entry_point() != NULL;
}

// Native code of the application has started it.
bool HotTubThreads::is_attached(JavaThread* thread) {
  return thread->entry_point() == NULL && thread != _main;
}

HOTTUB_PRIVATE_MEMBER(HotTubMonitors, MonitorList*, ObjectSynchronizer::_in_use_list)

bool HotTubThreads::are_monitors_left() {
  assert(SafepointSynchronize::is_at_safepoint(), "looks at monitors of other threads");
  ThreadsListHandle threads;
  MonitorList::Iterator monitors = address_of(HotTubMonitors())->iterator();
  while (monitors.has_next()) {
    const ObjectMonitor* monitor = monitors.next();
    void* const owner = monitor->owner();
    if (owner != NULL && monitor->object_peek() != NULL &&
        Threads::owning_thread_from_monitor_owner(threads.list(), address(owner)) == NULL) {
      return true;
    }
  }
  return false;
}

int HotTubThreads::application_threads() {
  int count = 0;
  for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
    if (is_application(thread)) {
      count++;
    }
  }
  return count;
}

void HotTubThreads::throw_death(JavaThread* thread) {
  if (!thread->has_pending_exception()) {
    thread->set_pending_exception(_death.resolve(), __FILE__, __LINE__);
  }
}

void HotTubThreads::stop_application_code(JavaThread* thread) {
  if (HotTubNativeCode::calls_from_application(thread, is_attached(thread))) {
    _has_stopped_code = true;
    ThreadBlockInVM blocked(thread);
    for (;;) {
      os::naked_short_sleep(MILLIUNITS - 1);
    }
  }
}

// Compiled frames become interpreted ones, which look no handler up and release
// their monitors one by one.
void HotTubThreads::mark(JavaThread* thread) {
  if (thread->hottub_role() != HotTubThreadRole::dying) {
    thread->_hottub_role = HotTubThreadRole::dying;
  }
  if (thread->has_last_Java_frame()) {
    for (StackFrameStream frames(thread, false /* update */, true /* process */); !frames.is_done();
         frames.next()) {
      if (frames.current()->is_compiled_frame() && frames.current()->can_be_deoptimized()) {
        Deoptimization::deoptimize(thread, *frames.current());
      }
    }
  }
  if (!thread->has_pending_exception() && thread->_pending_async_exception == NULL) {
    thread->set_pending_async_exception(_death.resolve());
  }
}

// Sleeps, waits and parks end by an interrupt; system calls by a signal.
void HotTubThreads::wake(JavaThread* thread, bool fail_calls) {
  if (thread->threadObj() != NULL) {
    java_lang_Thread::set_interrupted(thread->threadObj(), true);
  }
  thread->interrupt();
  if (thread->osthread() != NULL && HotTubNativeCode::may_be_interrupted(thread)) {
    HotTubNativeCode::interrupt(thread, fail_calls);
  }
}

// Ends the process.
static void give_up(const char* why) {
  HotTubLog::outcome(why);
  _on_stuck(why);
}

// All at once: ended one by one, a waiter would take the monitor of a dying
// thread and run on.
class VM_HotTubEndThreads : public VM_Operation {
 public:
  // What is done about threads inside of the class library.
  enum Inside { await, note, ignore };

 private:
  const bool _fail_calls;
  const Inside _inside;

 public:
  bool is_to_wait = false;
  int remaining = 0;
  int in_native = 0;               // of these
  int in_monitors = 0;             // of these: they wait for others
  jlong waited_for_processor = 0;  // the longest of both, in ns

  VM_HotTubEndThreads(bool fail_calls, Inside inside) : _fail_calls(fail_calls), _inside(inside) {}
  VMOp_Type type() const { return VMOp_HotTub; }
  void doit() {
    ResourceMark rm;
    InstanceKlass* inside = _inside == ignore ? NULL : find_inside();
    if (inside != NULL && _inside == await) {
      is_to_wait = true;
      return;
    }
    _left_inside = inside != NULL ? inside : _left_inside;
    bool is_impossible = _has_stopped_code;
    for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
      if (is_target(thread)) {
        remaining++;
        const bool is_in_native =
            thread->thread_state() == _thread_in_native && thread->osthread() != NULL;
        const bool is_waiting = !is_in_native && is_in_monitor(thread);
        in_native += is_in_native ? 1 : 0;
        in_monitors += is_waiting ? 1 : 0;
        if ((is_in_native || is_waiting) && thread->osthread() != NULL) {
          waited_for_processor =
              MAX2(waited_for_processor, HotTubNativeCode::waited_for_processor_ns(thread));
        }
        is_impossible |=
            HotTubNativeCode::is_called_by_application(thread, HotTubThreads::is_attached(thread));
      }
    }
    if (is_impossible) {
      // Now, because nothing of the run may go on.
      give_up("native code of the run waits for Java code");
    }
    _is_ending = true;
    // Else a thread that gets a monitor would come far, even into native code, before it
    // sees that it is to die: with this, the interpreter looks before every bytecode.
    if (remaining > 0) {
      Interpreter::notice_safepoints();
    } else {
      Interpreter::ignore_safepoints();
    }
    for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
      // It waits for more to tell outside of safepoints, too.
      MutexLocker locker(thread == _notifier ? Notification_lock : NULL,
                         Mutex::_no_safepoint_check_flag);
      if (is_target(thread) && !thread->is_exiting()) {
        HotTubThreads::mark(thread);
        HotTubThreads::wake(thread, _fail_calls);
        thread->java_resume();
      }
    }
  }

 private:
  // Of an object, or of a class that is being initialized.
  static bool is_in_monitor(JavaThread* thread) {
    return thread->current_pending_monitor() != NULL || thread->current_waiting_monitor() != NULL;
  }

  static InstanceKlass* find_inside() {
    InstanceKlass* found = NULL;
    for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
      if (is_target(thread) && found == NULL) {
        found = HotTubInside::holder_of(thread);
      }
    }
    return found;
  }

  static bool is_target(JavaThread* thread) {
    return HotTubThreads::is_application(thread) || (thread == _main && !_main_is_out) ||
           thread == _notifier;
  }
};

// Ends one run after the other, on request.
class HotTubEnder : public NamedThread {
  // As long as a stock JVM that exits waits for native code.
  static const jlong patience_ns = 300 * NANOSECS_PER_MILLISEC;
  // Native threads that the VM does not know have done by then what they do on a stock JVM.
  static const jlong native_patience_ns = 10 * NANOSECS_PER_MILLISEC;
  // What is computed inside of the class library takes less, on a busy machine, too.
  static const jlong inside_patience_ns = 100 * NANOSECS_PER_MILLISEC;
  // Most system calls need no more than a plain interrupt.
  static const int plain_rounds = 4;

 public:
  HotTubEnder() { set_name("HotTub Run Ender"); }

  void run() {
    for (;;) {
      _end_requested->wait();
      HotTubSignals::end_run();
      HotTubLog::run_has_ended(_status);
      HotTubRunLogs::end(_is_killed);
      _on_ending(_status);
      if (JvmtiEnvBase::environments_might_exist()) {
        // Their functions are called until the end, as on a stock JVM: nothing can be unloaded.
        give_up("an agent was loaded");
      }
      {
        MonitorLocker wake_main(Threads_lock);
        wake_main.notify_all();
      }
      HotTubNativeCode::begin_interrupting();
      do {
        end_java_threads();
        await_native_threads();
        // Such a thread may just have attached itself.
      } while (HotTubThreads::application_threads() > 0);
      _is_ending = false;
      HotTubNativeCode::end_interrupting();
      HotTubLog::threads_have_ended();
      _end_done->signal();
    }
  }

 private:
  // Notices when a count has not changed for too long.  That other processes have the processor
  // is no fault of native code: a busy machine would cost every JVM that compresses something.
  class Patience {
    int _count = 0;
    jlong _since = os::javaTimeNanos();
    jlong _waited = 0;

   public:
    bool is_over(int count, bool moves, jlong waited_for_processor, jlong limit = patience_ns) {
      if (count != _count || moves) {
        _count = count;
        _since = os::javaTimeNanos();
        _waited = waited_for_processor;
      }
      return os::javaTimeNanos() - _since - (waited_for_processor - _waited) > limit;
    }
  };

  static void pause(int round) {
    os::naked_short_nanosleep(round < 20 ? 100 * 1000 : 2 * 1000 * 1000);
  }

  // Until no thread is inside of the class library: the run ends that much later for all of them.
  static void await_outside() {
    const jlong start = os::javaTimeNanos();
    for (int round = 0;; round++) {
      const bool is_patient = os::javaTimeNanos() - start < inside_patience_ns;
      VM_HotTubEndThreads op(false,
                             is_patient ? VM_HotTubEndThreads::await : VM_HotTubEndThreads::note);
      VMThread::execute(&op);
      if (!op.is_to_wait) {
        return;
      }
      pause(round);
    }
  }

  // Threads in the VM may need longer than native code; the keeper, told that the run is
  // ending, kills a JVM that takes too long.
  static void end_java_threads() {
    // Else the thread that calls listeners would go on with the next one.
    HotTubServices::has_notified();
    await_outside();
    Patience patience;
    Patience of_signals;
    for (int round = 0;; round++) {
      // Before the threads are counted: the dispatcher starts some.
      bool no_more = HotTubServices::has_notified();
      no_more &= HotTubSignals::are_handed_out();
      no_more |= of_signals.is_over(0, false, 0);
      VM_HotTubEndThreads op(round >= plain_rounds, VM_HotTubEndThreads::ignore);
      VMThread::execute(&op);
      log_debug(hottub, thread)("round %d: %d threads of the run are left, %d in native code",
                                round, op.remaining, op.in_native);
      if (op.remaining == 0 && no_more) {
        return;
      }
      if (op.remaining > 0 &&
          patience.is_over(op.remaining, op.in_native + op.in_monitors != op.remaining,
                           op.waited_for_processor)) {
        if (op.in_native == 0) {
          give_up("threads of the run wait for each other");
        }
        give_up("native code of the run does not end");
      }
      pause(round);
    }
  }

  // Those that native code has started, and that the VM does not know.
  static void await_native_threads() {
    Patience patience;
    Patience of_sleepers;
    for (int round = 0;; round++) {
      bool all_sleep;
      int count = HotTubNativeCode::unknown_threads(&all_sleep);
      if (count == 0) {
        return;
      }
      if (count < 0) {
        give_up("cannot list threads");
      }
      // One that is about to end may wait for a processor.
      if (patience.is_over(count, false, 0) ||
          of_sleepers.is_over(count, !all_sleep, 0, native_patience_ns)) {
        give_up("native threads of the run are left");
      }
      pause(round);
    }
  }
};

static void set_reference(oop thread, const char* name, const char* signature, oop value) {
  fieldDescriptor fd;
  bool found = vmClasses::Thread_klass()->find_local_field(SymbolTable::new_symbol(name),
                                                           SymbolTable::new_symbol(signature), &fd);
  guarantee(found, "java.lang.Thread has no field %s", name);
  thread->obj_field_put(fd.offset(), value);
}

void HotTubThreads::forget_thread_locals() {
  assert(SafepointSynchronize::is_at_safepoint(), "writes to objects of other threads");
  const char* const map = "Ljava/lang/ThreadLocal$ThreadLocalMap;";
  for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
    if (is_of_vm(thread) && thread->threadObj() != NULL) {
      set_reference(thread->threadObj(), "threadLocals", map, NULL);
      set_reference(thread->threadObj(), "inheritableThreadLocals", map, NULL);
    }
  }
}

HOTTUB_PRIVATE_MEMBER(HotTubPermit, volatile int os::PlatformParker::*,
                      os::PlatformParker::_counter)

void HotTubThreads::forget_permits() {
  assert(SafepointSynchronize::is_at_safepoint(), "of other threads");
  for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
    thread->parker()->*address_of(HotTubPermit()) = 0;
  }
}

void HotTubThreads::forget_ended() {
  assert(SafepointSynchronize::is_at_safepoint(), "no thread is between its list and its object");
  class OfEnded : public OopClosure {
    static bool is_of_live(oop* object) {
      for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
        if (thread->_threadObj.ptr_raw() == object) {
          return true;
        }
      }
      return false;
    }

   public:
    void do_oop(oop* object) {
      if (*object != NULL && !is_of_live(object)) {
        NativeAccess<>::oop_store(object, oop(NULL));
      }
    }
    void do_oop(narrowOop* object) { ShouldNotReachHere(); }
  } of_ended;
  JavaThread::thread_oop_storage()->oops_do(&of_ended);
}

// A thread of the class library that lives in every JVM, started like those of applications.
static bool is_finalizer(JavaThread* thread) {
  oop object = thread->threadObj();
  return object != NULL &&
         object->klass()->name()->equals("java/lang/ref/Finalizer$FinalizerThread");
}

bool HotTubThreads::initialize(JavaThread* main, EndingCallback on_ending, StuckCallback on_stuck,
                               TRAPS) {
  _main = main;
  _on_ending = on_ending;
  _on_stuck = on_stuck;
  _main_object = OopHandle(Universe::vm_global(), main->threadObj());
  oop death = vmClasses::ThreadDeath_klass()->allocate_instance(CHECK_false);
  _death = OopHandle(Universe::vm_global(), death);

  for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
    thread->_hottub_role = HotTubThreadRole::system;
    if (is_finalizer(thread)) {
      _java_entry = thread->entry_point();
    }
  }
  if (_java_entry == NULL) {
    return false;
  }
  _end_requested = new Semaphore();
  _end_done = new Semaphore();
  HotTubEnder* ender = new HotTubEnder();
  if (!os::create_thread(ender, os::vm_thread)) {
    delete ender;
    return false;
  }
  os::start_thread(ender);
  HotTubNativeCode::initialize();
  return true;
}

void HotTubThreads::begin_run() {
  _status = no_status;
  _main_is_out = false;
  _is_killed = false;
  Atomic::release_store_fence(&_running, 1);  // before the host looks for an early revoke
  HotTubSignals::begin_run();
}

// One that crosses the end of its run has nothing left to do.
void HotTubThreads::revoke(int status) {
  if (Atomic::load_acquire(&_running) != 0) {
    _is_killed = true;
    request_end(status);
  }
}

void HotTubThreads::request_end(int status) {
  if (Atomic::load_acquire(&_running) == 0) {
    _disturbed = true;
  } else if (Atomic::cmpxchg(&_status, no_status, status) == no_status) {
    _end_requested->signal();
  }
}

// What before_exit does for agents, and for code of the run that has asked the VM for events as
// one. After that the process ends.
void HotTubThreads::end_agents(JavaThread* thread) {
  static volatile int has_begun = 0;
  if (_status != no_status || Atomic::load_acquire(&_running) == 0 ||
      !JvmtiEnvBase::environments_might_exist() || Atomic::cmpxchg(&has_begun, 0, 1) != 0) {
    return;
  }
  if (JvmtiExport::should_post_thread_life()) {
    JvmtiExport::post_thread_end(thread);
  }
  JvmtiExport::post_vm_death();
  Threads::shutdown_vm_agents();
}

void HotTubThreads::begin_thread(JavaThread* created) {
  // Threads are made and listed under Threads_lock: the first mark meets them before both or after.
  if (_is_ending && created->entry_point() == _java_entry) {
    created->_hottub_role = HotTubThreadRole::dying;
  }
}

void HotTubThreads::begin_notifying(JavaThread* notifier) { _notifier = notifier; }

void HotTubThreads::end_notifying(JavaThread* notifier) {
  _notifier = NULL;
  if (notifier->hottub_role() == HotTubThreadRole::dying) {
    forget_death(notifier);
  }
}

bool HotTubThreads::intercept_halt(JavaThread* thread, int status) {
  if (_main == NULL) {
    return false;
  }
  end_agents(thread);
  request_end(status & 0xff);  // as the operating system would report it
  if (thread->hottub_role() == HotTubThreadRole::system && thread != _main) {
    _disturbed = true;  // a finalizer has called exit; its thread must live
  } else if (Atomic::load_acquire(&_running) == 0) {
    thread->_hottub_role = HotTubThreadRole::dying;
  }
  // Unwinding releases monitors: only when nobody is left who could take one and run on.
  while (thread->hottub_role() != HotTubThreadRole::dying && !_disturbed) {
    ThreadBlockInVM blocked(thread);
    os::naked_short_nanosleep(50 * 1000);
  }
  throw_death(thread);
  return true;
}

// The thread is "DestroyJavaVM" from here on, as one that JNI's DestroyJavaVM attaches.
void HotTubThreads::become_destroyer(JavaThread* main, TRAPS) {
  Handle name = java_lang_String::create_from_str("DestroyJavaVM", CHECK);
  Handle group(THREAD, Universe::main_thread_group());
  Handle destroyer = vmClasses::Thread_klass()->allocate_instance_handle(CHECK);
  // Its constructor asks for the current thread.
  java_lang_Thread::set_thread(destroyer(), main);
  java_lang_Thread::set_priority(destroyer(), NormPriority);
  main->_threadObj.replace(destroyer());
  HotTubServices::count_thread();
  JavaValue result(T_VOID);
  JavaCalls::call_special(&result, destroyer, vmClasses::Thread_klass(),
                          vmSymbols::object_initializer_name(),
                          vmSymbols::threadgroup_string_void_signature(), group, name, CHECK);
  JavaCalls::call_special(&result, group, vmClasses::ThreadGroup_klass(),
                          vmSymbols::add_method_name(), vmSymbols::thread_void_signature(),
                          destroyer, CHECK);
  java_lang_Thread::set_thread_status(destroyer(), JavaThreadStatus::RUNNABLE);
}

// What JavaThread::exit does for a thread whose run method has ended.
int HotTubThreads::finish_main(JavaThread* main) {
  JavaThread* THREAD = main;
  HandleMark hm(THREAD);
  Handle uncaught(THREAD, main->pending_exception());
  main->clear_pending_exception();
  Handle thread_object(THREAD, main->threadObj());
  JavaValue result(T_VOID);
  if (uncaught.not_null()) {
    JavaCalls::call_virtual(&result, thread_object, vmClasses::Thread_klass(),
                            vmSymbols::dispatchUncaughtException_name(),
                            vmSymbols::throwable_void_signature(), uncaught, THREAD);
    if (HAS_PENDING_EXCEPTION && !HotTub::is_dying(main)) {
      ResourceMark rm(THREAD);
      jio_fprintf(defaultStream::error_stream(),
                  "\nException: %s thrown from the UncaughtExceptionHandler in thread \"%s\"\n",
                  PENDING_EXCEPTION->klass()->external_name(), main->get_thread_name());
    }
    main->clear_pending_exception();
  }
  JavaCalls::call_virtual(&result, thread_object, vmClasses::Thread_klass(),
                          vmSymbols::exit_method_name(), vmSymbols::void_method_signature(),
                          THREAD);
  main->clear_pending_exception();
  if (!HotTub::is_dying(main)) {
    ObjectLocker lock(thread_object, THREAD);
    java_lang_Thread::set_thread_status(thread_object(), JavaThreadStatus::TERMINATED);
    java_lang_Thread::release_set_thread(thread_object(), NULL);
    lock.notify_all(THREAD);
    main->clear_pending_exception();
  }
  if (!HotTub::is_dying(main)) {
    ObjectSynchronizer::release_monitors_owned_by_thread(main);  // those of JNI, as by a detach
    become_destroyer(main, THREAD);
    main->clear_pending_exception();
  }
  return uncaught.not_null() ? 1 : 0;
}

void HotTubThreads::forget_death(JavaThread* thread) {
  thread->clear_pending_exception();
  thread->clear_async_exception_condition();
  thread->_pending_async_exception = NULL;
  thread->clear_suspend_flag(JavaThread::_has_async_exception);
  thread->_hottub_role = HotTubThreadRole::system;
}

// Back to the thread that entered the run.
void HotTubThreads::revive(JavaThread* main) {
  forget_death(main);
  main->_threadObj.replace(_main_object.resolve());
  java_lang_Thread::set_thread(_main_object.resolve(), main);
  java_lang_Thread::set_interrupted(_main_object.resolve(), false);
  main->stack_overflow_state()->reguard_stack_if_needed();
  ObjectSynchronizer::release_monitors_owned_by_thread(main);
}

int HotTubThreads::await_end(JavaThread* main, int status) {
  if (_status == no_status) {
    status = finish_main(main) == 0 ? status : 1;
    {
      MonitorLocker last(Threads_lock);
      while (_status == no_status && Threads::number_of_non_daemon_threads() > 1) {
        last.wait(0);
      }
    }
    if (_status == no_status) {
      main->invoke_shutdown_hooks();
      end_agents(main);
    }
    request_end(status);
  }
  main->clear_pending_exception();
  _main_is_out = true;
  _end_done->wait_with_safepoint_check(main);
  revive(main);
  status = _status;
  Atomic::release_store(&_running, 0);
  return status;
}
