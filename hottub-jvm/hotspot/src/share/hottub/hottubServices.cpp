// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderData.hpp"
#include "classfile/moduleEntry.hpp"
#include "classfile/packageEntry.hpp"
#include "classfile/symbolTable.hpp"
#include "compiler/compilerDirectives.hpp"
#include "hottub/hottubCounters.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubServices.hpp"
#include "jfr/jfr.hpp"
#include "jfr/recorder/jfrRecorder.hpp"
#include "logging/logConfiguration.hpp"
#include "memory/resourceArea.hpp"
#include "memory/universe.hpp"
#include "oops/oopHandle.inline.hpp"
#include "prims/jvmtiEnvBase.hpp"
#include "runtime/arguments.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/os.hpp"
#include "runtime/perfData.inline.hpp"
#include "services/classLoadingService.hpp"
#include "services/diagnosticArgument.hpp"
#include "services/diagnosticFramework.hpp"
#include "services/gcNotifier.hpp"
#include "services/lowMemoryDetector.hpp"
#include "services/memBaseline.hpp"
#include "services/memTracker.hpp"
#include "services/memoryManager.hpp"
#include "services/memoryPool.hpp"
#include "services/memoryService.hpp"
#include "services/threadService.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/ostream.hpp"

HOTTUB_PRIVATE_MEMBER(HotTubStartedThreads, PerfCounter**, ThreadService::_total_threads_count)
HOTTUB_PRIVATE_MEMBER(HotTubLoaded, PerfCounter**, ClassLoadingService::_classes_loaded_count)
HOTTUB_PRIVATE_MEMBER(HotTubUnloaded, PerfCounter**, ClassLoadingService::_classes_unloaded_count)
HOTTUB_PRIVATE_MEMBER(HotTubSharedLoaded, PerfCounter**,
                      ClassLoadingService::_shared_classes_loaded_count)
HOTTUB_PRIVATE_MEMBER(HotTubSharedUnloaded, PerfCounter**,
                      ClassLoadingService::_shared_classes_unloaded_count)
HOTTUB_PRIVATE_MEMBER(HotTubLoadedBytes, PerfCounter**, ClassLoadingService::_classbytes_loaded)
HOTTUB_PRIVATE_MEMBER(HotTubUnloadedBytes, PerfCounter**, ClassLoadingService::_classbytes_unloaded)
HOTTUB_PRIVATE_MEMBER(HotTubSharedLoadedBytes, PerfCounter**,
                      ClassLoadingService::_shared_classbytes_loaded)
HOTTUB_PRIVATE_MEMBER(HotTubSharedUnloadedBytes, PerfCounter**,
                      ClassLoadingService::_shared_classbytes_unloaded)
HOTTUB_PRIVATE_MEMBER(HotTubPools, GrowableArray<MemoryPool*>**, MemoryService::_pools_list)
HOTTUB_PRIVATE_MEMBER(HotTubManagers, GrowableArray<MemoryManager*>**,
                      MemoryService::_managers_list)
HOTTUB_PRIVATE_MEMBER(HotTubPoolObject, volatile OopHandle MemoryPool::*,
                      MemoryPool::_memory_pool_obj)
HOTTUB_PRIVATE_MEMBER(HotTubPoolSensor, SensorInfo* MemoryPool::*, MemoryPool::_usage_sensor)
HOTTUB_PRIVATE_MEMBER(HotTubPoolCollectionSensor, SensorInfo* MemoryPool::*,
                      MemoryPool::_gc_usage_sensor)
HOTTUB_PRIVATE_MEMBER(HotTubShownCommand, char**, Arguments::_java_command)
HOTTUB_PRIVATE_MEMBER(HotTubPoolMaximum, size_t MemoryPool::*, MemoryPool::_max_size)
HOTTUB_PRIVATE_MEMBER(HotTubSensorObject, OopHandle SensorInfo::*, SensorInfo::_sensor_obj)
HOTTUB_PRIVATE_MEMBER(HotTubLastCollection, GCStatInfo* GCMemoryManager::*,
                      GCMemoryManager::_last_gc_stat)
HOTTUB_PRIVATE_MEMBER(HotTubManagerObject, volatile OopHandle MemoryManager::*,
                      MemoryManager::_memory_mgr_obj)
HOTTUB_PRIVATE_MEMBER(HotTubExports, GrowableArray<ModuleEntry*>* PackageEntry::*,
                      PackageEntry::_qualified_exports)
HOTTUB_PRIVATE_MEMBER(HotTubReads, GrowableArray<ModuleEntry*>* ModuleEntry::*, ModuleEntry::_reads)
typedef void (*HotTubDescribe)(outputStream*);
HOTTUB_PRIVATE_MEMBER(HotTubLogDescription, HotTubDescribe,
                      LogConfiguration::describe_current_configuration)

static char* _log_configuration = NULL;
static bool _is_own_log_lost = false;
static bool _has_agent_of_its_own = false;
static jlong _started_threads;
static GrowableArrayCHeap<SensorInfo*, mtServiceability>* _forgotten_sensors;

static char* describe_logs() {
  ResourceMark rm;
  stringStream text;
  address_of(HotTubLogDescription())(&text);
  return os::strdup_check_oom(text.as_string(), mtLogging);
}

// jdk.jfr gives java.base and every module with an event class (jdk.jfr.Event; Netty has some)
// access to these packages, and reads them; the VM appends them to its lists.
static const char* const event_packages[] = {"jdk/jfr/internal/handlers", "jdk/jfr/events",
                                             "jdk/jfr/internal/instrument"};
static const int event_lists = ARRAY_SIZE(event_packages) + 2;
static int _event_lengths[event_lists];

static void for_event_lists(bool write) {
  MutexLocker locker(Module_lock);
  GrowableArray<ModuleEntry*>* lists[event_lists] = {};
  lists[0] = ModuleEntryTable::javabase_moduleEntry()->*address_of(HotTubReads());
  for (size_t i = 0; i < ARRAY_SIZE(event_packages); i++) {
    TempNewSymbol name = SymbolTable::new_symbol(event_packages[i]);
    PackageEntry* package =
        ClassLoaderData::the_null_class_loader_data()->packages()->locked_lookup_only(name);
    if (package != NULL) {
      lists[1] = package->module()->*address_of(HotTubReads());
      lists[2 + i] = package->*address_of(HotTubExports());
    }
  }
  for (int i = 0; i < event_lists; i++) {
    int length = lists[i] == NULL ? 0 : lists[i]->length();
    if (!write) {
      _event_lengths[i] = length;
    } else if (length > _event_lengths[i]) {
      lists[i]->trunc_to(_event_lengths[i]);
    }
  }
}

void HotTubServices::take() {
  HotTubCounters::take();
  for_event_lists(false);
  _log_configuration = describe_logs();
  _started_threads = ThreadService::get_total_thread_count();
  _forgotten_sensors = new GrowableArrayCHeap<SensorInfo*, mtServiceability>();
}

// Of a run whose options are about logs a stock JVM makes sure; so here are only the defaults, and
// perhaps the JVM's own log (HotTubLog), which has its descriptor from S0 and cannot be opened
// again.
static void restore_logs() {
  ResourceMark rm;
  char* now = describe_logs();
  if (strcmp(now, _log_configuration) != 0) {
    _is_own_log_lost = strstr(_log_configuration, "file=") != NULL;
    LogConfiguration::disable_logging();
    stringStream errors;
    LogConfiguration::parse_log_arguments("stdout", "all=warning", NULL, NULL, &errors);
    os::free(_log_configuration);
    _log_configuration = describe_logs();  // says that it was reconfigured
  }
  os::free(now);
}

// The VM keeps the beans of its pools and collectors, and with them their listeners.
static void forget_object(volatile OopHandle* object) {
  OopHandle* handle = const_cast<OopHandle*>(object);
  handle->release(Universe::vm_global());
  *handle = OopHandle();
}

static void clear_thresholds(ThresholdSupport* thresholds) {
  if (thresholds->is_low_threshold_supported()) {
    thresholds->set_low_threshold(0);
  }
  if (thresholds->is_high_threshold_supported()) {
    thresholds->set_high_threshold(0);
  }
}

// The thread that calls a sensor may still be in it; begin_run deletes it.
static void forget_sensor(SensorInfo** sensor) {
  if (*sensor != NULL) {
    forget_object(&(*sensor->*address_of(HotTubSensorObject())));
    _forgotten_sensors->append(*sensor);
    *sensor = NULL;
  }
}

typedef GCNotificationRequest* NextNotification();
typedef bool HasPending();
HOTTUB_PRIVATE_MEMBER(HotTubNextNotification, NextNotification*, GCNotifier::getRequest)
HOTTUB_PRIVATE_MEMBER(HotTubFullPools, HasPending*, LowMemoryDetector::has_pending_requests)

bool HotTubServices::has_notified() {
  GrowableArray<MemoryManager*>* managers = *address_of(HotTubManagers());
  for (int i = 0; i < managers->length(); i++) {
    if (managers->at(i)->is_gc_memory_manager()) {
      static_cast<GCMemoryManager*>(managers->at(i))->set_notification_enabled(false);
    }
  }
  while (GCNotificationRequest* request = address_of(HotTubNextNotification())()) {
    delete request;
  }
  MutexLocker locker(Notification_lock, Mutex::_no_safepoint_check_flag);
  return !address_of(HotTubFullPools())() && !DCmdFactory::has_pending_jmx_notification();
}

// The audit may have had one more collection made since the reset.
static void forget_collections() {
  GrowableArray<MemoryManager*>* managers = *address_of(HotTubManagers());
  for (int i = 0; i < managers->length(); i++) {
    if (managers->at(i)->is_gc_memory_manager()) {
      GCMemoryManager* collector = static_cast<GCMemoryManager*>(managers->at(i));
      collector->reset_gc_stat();
      (collector->*address_of(HotTubLastCollection()))->clear();
    }
  }
}

static void forget_beans() {
  GrowableArray<MemoryPool*>* pools = *address_of(HotTubPools());
  for (int i = 0; i < pools->length(); i++) {
    MemoryPool* pool = pools->at(i);
    clear_thresholds(pool->usage_threshold());
    clear_thresholds(pool->gc_usage_threshold());
    forget_sensor(&(pool->*address_of(HotTubPoolSensor())));
    forget_sensor(&(pool->*address_of(HotTubPoolCollectionSensor())));
    forget_object(&(pool->*address_of(HotTubPoolObject())));
  }
  LowMemoryDetector::recompute_enabled_for_collected_pools();
  GrowableArray<MemoryManager*>* managers = *address_of(HotTubManagers());
  for (int i = 0; i < managers->length(); i++) {
    MemoryManager* manager = managers->at(i);
    forget_object(&(manager->*address_of(HotTubManagerObject())));
  }
}

// What a tool has told the VM to compare later reports with (jcmd PID VM.native_memory baseline).
static void forget_memory_baseline() {
#if INCLUDE_NMT
  if (MemTracker::enabled()) {
    MutexLocker locker(MemTracker::query_lock());
    MemTracker::get_baseline().reset();
  }
#endif
}

void HotTubServices::restore() {
  if (_has_agent_of_its_own) {
    HotTubCounters::forget_management_agent();
    _has_agent_of_its_own = false;
  }
  restore_logs();
  for_event_lists(true);
  forget_beans();
  ThreadService::set_thread_monitoring_contention(false);
  ThreadService::set_thread_cpu_time_enabled(true);
  ThreadService::set_thread_allocated_memory_enabled(true);
  ThreadService::reset_peak_thread_count();
  (*address_of(HotTubStartedThreads()))
      ->inc(_started_threads - ThreadService::get_total_thread_count());
  DirectivesStack::clear();
  forget_memory_baseline();
  set_command("");
}

void HotTubServices::set_command(const char* command) {
  char* before = *address_of(HotTubShownCommand());
  *address_of(HotTubShownCommand()) =
      *command == '\0' ? NULL : os::strdup_check_oom(command, mtArguments);
  if (before != NULL) {
    memset(before, 0, strlen(before));  // arguments may be secret
    os::free(before);
  }
  HotTubCounters::set("javaCommand", command);
}

void HotTubServices::expect_management_agent() { _has_agent_of_its_own = true; }

// As if classes that are gone had never been loaded.
static void forget_unloaded(PerfCounter* loaded, PerfCounter* unloaded) {
  const jlong gone = unloaded->get_value();
  unloaded->inc(-gone);
  loaded->inc(-gone);
}

// As if there had been no collection; the last of a reset comes after restore.
static void forget_usage() {
  GrowableArray<MemoryPool*>* pools = *address_of(HotTubPools());
  for (int i = 0; i < pools->length(); i++) {
    MemoryPool* pool = pools->at(i);
    pool->reset_peak_memory_usage();
    pool->set_last_collection_usage(
        MemoryUsage(pool->initial_size(), 0, 0, pool->*address_of(HotTubPoolMaximum())));
  }
}

void HotTubServices::begin_run() {
  HotTubCounters::begin_run();
  forget_usage();
  forget_collections();
  forget_unloaded(*address_of(HotTubLoaded()), *address_of(HotTubUnloaded()));
  forget_unloaded(*address_of(HotTubSharedLoaded()), *address_of(HotTubSharedUnloaded()));
  if (UsePerfData) {  // else these do not exist
    forget_unloaded(*address_of(HotTubLoadedBytes()), *address_of(HotTubUnloadedBytes()));
    forget_unloaded(*address_of(HotTubSharedLoadedBytes()),
                    *address_of(HotTubSharedUnloadedBytes()));
  }
  while (!_forgotten_sensors->is_empty()) {
    delete _forgotten_sensors->pop();
  }
}

void HotTubServices::count_thread() { (*address_of(HotTubStartedThreads()))->inc(); }

const char* HotTubServices::beyond_restoring() {
#if INCLUDE_JFR
  if (JfrRecorder::is_created()) {
    return "the flight recorder was started";
  }
#endif
  if (_is_own_log_lost) {
    return "a tool has changed the logs of the JVM";
  }
  if (JvmtiEnvBase::environments_might_exist()) {
    return "an agent was loaded";
  }
  // By a tool, or beside counters of somebody else.
  if (HotTubCounters::have_management_agent()) {
    return "a management agent was started";
  }
  return NULL;
}
