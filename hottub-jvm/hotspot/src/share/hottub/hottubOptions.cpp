// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "compiler/compileBroker.hpp"
#include "hottub/hottubCounters.hpp"
#include "hottub/hottubOptions.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubRunLogs.hpp"
#include "hottub/hottubServices.hpp"
#include "memory/allocation.hpp"
#include "memory/resourceArea.hpp"
#include "runtime/arguments.hpp"
#include "runtime/flags/jvmFlag.hpp"
#include "runtime/flags/jvmFlagAccess.hpp"
#include "runtime/os.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/ostream.hpp"

static const char* const string_options[] = {"OnOutOfMemoryError", "OnError", "HeapDumpPath",
                                             "ErrorFile"};
static const char* const boolean_options[] = {"HeapDumpOnOutOfMemoryError",
                                              "HeapDumpBeforeFullGC",
                                              "HeapDumpAfterFullGC",
                                              "ExitOnOutOfMemoryError",
                                              "CrashOnOutOfMemoryError",
                                              "ManagementServer",
                                              "PrintGC",
                                              "PrintGCDetails"};

// What compilers write to: what C2 has found out about this processor or drawn by lot, and what a
// compiler directive asks for. No other option changes once the VM has started, but when the VM
// gives something up: these are the assignments to options that HotSpot has outside of its start.
static const char* const compiler_options[] = {"LoopMaxUnroll", "StressSeed", "DebugNonSafepoints"};

namespace {

struct SavedFlag {
  JVMFlag* flag;
  JVMFlag state;  // a copy: where the value came from cannot be set back otherwise
  uint64_t value;

  SavedFlag() : flag(NULL), value(0) {}
  explicit SavedFlag(JVMFlag* flag) : flag(flag), state(*flag), value(0) {
    switch (flag->type()) {
#define READ(T)                   \
  case JVMFlag::TYPE_##T: {       \
    T v = flag->read<T>();        \
    memcpy(&value, &v, sizeof v); \
    break;                        \
  }
      JVM_FLAG_NON_STRING_TYPES_DO(READ)
#undef READ
      default:
        value = (uint64_t)(uintptr_t)flag->get_ccstr();
    }
  }

  bool is_changed() const {
    const SavedFlag now(flag);
    return now.value != value || now.state.get_origin() != state.get_origin();
  }

  void restore() const {
    switch (flag->type()) {
#define WRITE(T)                  \
  case JVMFlag::TYPE_##T: {       \
    T v;                          \
    memcpy(&v, &value, sizeof v); \
    flag->write<T>(v);            \
    break;                        \
  }
      JVM_FLAG_NON_STRING_TYPES_DO(WRITE)
#undef WRITE
      default: {
        ccstr now = flag->get_ccstr();
        ccstr then = (ccstr)(uintptr_t)value;
        if (now != then) {  // then it is a copy in the C heap
          flag->set_ccstr(then);
          os::free(const_cast<char*>(now));
        }
      }
    }
    *flag = state;
  }
};

}  // namespace

HOTTUB_PRIVATE_MEMBER(HotTubArgumentArray, char***, Arguments::_jvm_args_array)
HOTTUB_PRIVATE_MEMBER(HotTubArgumentCount, int*, Arguments::_num_jvm_args)

HOTTUB_PRIVATE_MEMBER(HotTubLastCompilation, volatile jint*, CompileBroker::_compilation_id)

static volatile int _first_compilation = 0;  // of the run; between runs no compilation is

static GrowableArray<SavedFlag>* _saved = NULL;  // to be restored
static GrowableArray<SavedFlag>* _others = NULL;

// The VM's properties at S0, in their order; those of a run are added behind them.
namespace {

struct SavedProperty {
  SystemProperty* property;
  const char* value;
};

}  // namespace

static GrowableArray<SavedProperty>* _properties = NULL;

static void take_properties() {
  _properties = new (ResourceObj::C_HEAP, mtInternal) GrowableArray<SavedProperty>(32, mtInternal);
  for (SystemProperty* p = Arguments::system_properties(); p != NULL; p = p->next()) {
    const char* value = p->value() == NULL ? "" : p->value();
    _properties->append({p, os::strdup_check_oom(value, mtInternal)});
  }
}

static void restore_properties() {
  SystemProperty* last = _properties->last().property;
  SystemProperty* added = last->next();
  last->set_next(NULL);
  while (added != NULL) {
    SystemProperty* next = added->next();
    os::free(const_cast<char*>(added->key()));
    delete added;
    added = next;
  }
  for (int i = 0; i < _properties->length(); i++) {
    const SavedProperty& saved = _properties->at(i);
    if (saved.property->value() != NULL && strcmp(saved.property->value(), saved.value) != 0) {
      saved.property->set_value(saved.value);
    }
  }
}

template <size_t N>
static bool is_one_of(const JVMFlag* flag, const char* const (&names)[N]) {
  for (const char* name : names) {
    if (strcmp(name, flag->name()) == 0) {
      return true;
    }
  }
  return false;
}

// A JVM that prints its flags when it starts is started with those of the runs that it serves, too.
// Between runs it must not do what they say: a heap dump would show the heap of a former run.
static void forget(JVMFlag* flag) {
  if (flag->type() == JVMFlag::TYPE_bool) {
    flag->write<bool>(false);
  } else {
    flag->set_ccstr(NULL);
  }
  flag->set_origin(JVMFlagOrigin::DEFAULT);
}

void HotTubOptions::take() {
  take_properties();
  _saved = new (ResourceObj::C_HEAP, mtInternal) GrowableArray<SavedFlag>(32, mtInternal);
  _others = new (ResourceObj::C_HEAP, mtInternal)
      GrowableArray<SavedFlag>((int)JVMFlag::numFlags, mtInternal);
  for (size_t i = 0; i < JVMFlag::numFlags; i++) {
    JVMFlag* flag = &JVMFlag::flags[i];
    if (flag->name() == NULL) {
      continue;  // the end of the table
    }
    const bool of_run = is_one_of(flag, string_options) || is_one_of(flag, boolean_options);
    if (of_run) {
      forget(flag);
    }
    const bool is_restored = of_run || flag->is_writeable() || is_one_of(flag, compiler_options);
    (is_restored ? _saved : _others)->append(SavedFlag(flag));
  }
}

static const char command_property[] = "sun.java.command=";
static const char management_property[] = "com.sun.management";  // as Arguments looks for it

static bool set_boolean(const char* name, bool value) {
  return JVMFlagAccess::set_bool(JVMFlag::find_flag(name), &value, JVMFlagOrigin::COMMAND_LINE) ==
         JVMFlag::SUCCESS;
}

static void set_property(const char* definition) {
  if (strncmp(definition, command_property, strlen(command_property)) == 0) {
    HotTubServices::set_command(definition + strlen(command_property));
  }
  if (strncmp(definition, management_property, strlen(management_property)) == 0) {
    set_boolean("ManagementServer", true);
    HotTubServices::expect_management_agent();
  }
  const char* equals = strchr(definition, '=');
  size_t length = equals == NULL ? strlen(definition) : equals - definition;
  const char* value = equals == NULL ? "" : equals + 1;
  for (SystemProperty* p = Arguments::system_properties(); p != NULL; p = p->next()) {
    if (strlen(p->key()) == length && strncmp(p->key(), definition, length) == 0) {
      p->set_writeable_value(value);
      return;
    }
  }
  char* name = os::strdup_check_oom(definition, mtArguments);
  name[length] = '\0';
  Arguments::PropertyList_add(new SystemProperty(name, value, true));
  os::free(name);
}

// As Arguments does: some collect what several options say, one line each.
static bool set_string(JVMFlag* flag, const char* value) {
  ResourceMark rm;
  const bool is_empty = value[0] == '\0';
  ccstr now = flag->get_ccstr();
  if (!flag->ccstr_accumulates()) {
    value = is_empty ? NULL : value;
  } else if (now != NULL && now[0] != '\0') {
    stringStream joined;
    joined.print_raw(now);
    if (!is_empty) {
      joined.print("\n%s", value);
    }
    value = joined.as_string();
  }
  const bool is_set =
      JVMFlagAccess::set_ccstr(flag, &value, JVMFlagOrigin::COMMAND_LINE) == JVMFlag::SUCCESS;
  if (is_set) {
    os::free(const_cast<char*>(value));  // a copy of what it was
  }
  return is_set;
}

bool HotTubOptions::set(const char* option) {
  if (strncmp(option, "-D", 2) == 0) {
    set_property(option + 2);
    return true;
  }
  const bool is_log = HotTubRunLogs::add(option);
  if (strncmp(option, "-XX:", 4) != 0) {
    return is_log;
  }
  option += 4;
  for (const char* name : boolean_options) {
    if ((option[0] == '+' || option[0] == '-') && strcmp(option + 1, name) == 0) {
      return set_boolean(name, option[0] == '+');
    }
  }
  for (const char* name : string_options) {
    size_t length = strlen(name);
    if (strncmp(option, name, length) == 0 && option[length] == '=') {
      return set_string(JVMFlag::find_flag(name), option + length + 1);
    }
  }
  return false;
}

void HotTubOptions::set_arguments(const char* const* arguments, int count) {
  char**& array = *address_of(HotTubArgumentArray());
  int& length = *address_of(HotTubArgumentCount());
  for (int i = 0; i < length; i++) {
    memset(array[i], 0, strlen(array[i]));  // may hold a secret
    os::free(array[i]);
  }
  array = REALLOC_C_HEAP_ARRAY(char*, array, count + 1, mtArguments);
  for (int i = 0; i < count; i++) {
    array[i] = os::strdup_check_oom(arguments[i], mtArguments);
  }
  length = count;
  ResourceMark rm;
  HotTubCounters::set("vmArgs", count == 0 ? "" : Arguments::jvm_args());
}

bool HotTubOptions::is_written_by(int compile_id) { return compile_id >= _first_compilation; }

void HotTubOptions::begin_run() {
  for (int i = 0; i < _saved->length(); i++) {
    const SavedFlag& saved = _saved->at(i);
    if (is_one_of(saved.flag, compiler_options)) {
      saved.restore();
    }
  }
  _first_compilation = *address_of(HotTubLastCompilation()) + 1;
}

void HotTubOptions::restore() {
  _first_compilation = max_jint;
  for (int i = 0; i < _saved->length(); i++) {
    _saved->at(i).restore();
  }
  restore_properties();
  HotTubRunLogs::forget();  // of a run that did not begin
  set_arguments(NULL, 0);
}

const char* HotTubOptions::changed() {
  for (int i = 0; i < _others->length(); i++) {
    if (_others->at(i).is_changed()) {
      return _others->at(i).flag->name();
    }
  }
  return NULL;
}
