// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "cds/metaspaceShared.hpp"
#include "gc/g1/g1InitLogger.hpp"
#include "gc/parallel/parallelInitLogger.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/gcId.hpp"
#include "gc/shared/gcInitLogger.hpp"
#include "gc/shared/gc_globals.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubRunLogs.hpp"
#include "logging/log.hpp"
#include "logging/logConfiguration.hpp"
#include "logging/logFileOutput.hpp"
#include "logging/logFileStreamOutput.hpp"
#include "logging/logStream.hpp"
#include "memory/metaspace.hpp"
#include "memory/resourceArea.hpp"
#include "memory/universe.hpp"
#include "oops/compressedOops.hpp"
#include "runtime/arguments.hpp"
#include "runtime/globals.hpp"
#include "runtime/os.hpp"
#include "runtime/safepoint.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/ostream.hpp"

HOTTUB_PRIVATE_MEMBER(HotTubOutputCount, size_t*, LogConfiguration::_n_outputs)
HOTTUB_PRIVATE_MEMBER(HotTubReconfigured, bool LogOutput::*, LogOutput::_reconfigured)
HOTTUB_PRIVATE_MEMBER(HotTubWriteError, bool LogFileStreamOutput::*,
                      LogFileStreamOutput::_write_error_is_shown)
typedef size_t (LogFileStreamOutput::*HotTubPaddingMember)[LogDecorators::Count];
HOTTUB_PRIVATE_MEMBER(HotTubPadding, HotTubPaddingMember, LogFileStreamOutput::_decorator_padding)
HOTTUB_PRIVATE_MEMBER(HotTubNextCollection, uint*, GCId::_next_id)
HOTTUB_PRIVATE_MEMBER(HotTubLastSafepoint, jlong*, SafepointTracing::_last_safepoint_end_time_ns)
typedef bool (*HotTubHandleFlags)();
HOTTUB_PRIVATE_MEMBER(HotTubHandleOldFlags, HotTubHandleFlags,
                      Arguments::handle_deprecated_print_gc_flags)
HOTTUB_PRIVATE_MEMBER(HotTubOldFileName, const char**, Arguments::_gc_log_filename)

static const char log_option[] = "-Xlog:";
static const char file_option[] = "-Xloggc:";

double HotTubRunLogs::_started = 0;

static size_t _own_outputs = 0;
static GrowableArrayCHeap<char*, mtLogging>* _options = NULL;

void HotTubRunLogs::take() {
  _own_outputs = *address_of(HotTubOutputCount());
  _options = new GrowableArrayCHeap<char*, mtLogging>();
}

static const char* rest_of(const char* option, const char* prefix) {
  const size_t length = strlen(prefix);
  return strncmp(option, prefix, length) == 0 ? option + length : NULL;
}

bool HotTubRunLogs::add(const char* option) {
  if (rest_of(option, log_option) == NULL && rest_of(option, file_option) == NULL &&
      rest_of(option, "-XX:+PrintGC") == NULL && strcmp(option, "-verbose:gc") != 0) {
    return false;
  }
  _options->append(os::strdup_check_oom(option, mtLogging));
  return true;
}

void HotTubRunLogs::forget() {
  while (!_options->is_empty()) {
    os::free(_options->pop());
  }
}

// What a stock JVM has logged before main at the levels that client/logs.c lets through, in the
// same order: GCArguments, Universe, the collector, Metaspace.
static void log_start() {
  log_debug(gc, heap)("Minimum heap " SIZE_FORMAT "  Initial heap " SIZE_FORMAT
                      "  Maximum heap " SIZE_FORMAT,
                      MinHeapSize, InitialHeapSize, MaxHeapSize);
  log_info(gc)("Using %s", Universe::heap()->name());
  if (UseG1GC) {
    G1InitLogger::print();
  } else if (UseParallelGC) {
    ParallelInitLogger::print();
  } else {
    GCInitLogger::print();
  }
  LogTarget(Info, gc, metaspace) target;
  if (target.is_enabled() && UseCompressedClassPointers) {
    ResourceMark rm;
    LogStream stream(target);
    MetaspaceShared::print_on(&stream);
    Metaspace::print_compressed_class_space(&stream);
    CompressedKlassPointers::print_mode(&stream);
  }
}

// As before_exit.
static void log_exit() {
  LogTarget(Info, gc, heap, exit) target;
  if (target.is_enabled()) {
    ResourceMark rm;
    LogStream stream(target);
    Universe::print_on(&stream);
  }
}

static void forget_old_file() {
  os::free(const_cast<char*>(*address_of(HotTubOldFileName())));
  *address_of(HotTubOldFileName()) = NULL;
}

// As Arguments does it when it parses the command line.
static void open(const char* option) {
  const char* what = rest_of(option, log_option);
  const char* file = rest_of(option, file_option);
  if (what != NULL) {
    LogConfiguration::parse_command_line_arguments(what);
  } else if (file != NULL) {
    log_warning(gc)("-Xloggc is deprecated. Will use -Xlog:gc:%s instead.", file);
    forget_old_file();
    *address_of(HotTubOldFileName()) = os::strdup_check_oom(file, mtLogging);
  } else if (strcmp(option, "-verbose:gc") == 0) {
    LogConfiguration::configure_stdout(LogLevel::Info, true, LOG_TAGS(gc));
  }
}

void HotTubRunLogs::begin() {
  *address_of(HotTubNextCollection()) = 0;
  *address_of(HotTubLastSafepoint()) = os::javaTimeNanos();  // as when a JVM starts
  _started = os::elapsedTime();
  if (_options->is_empty()) {
    return;
  }
  LogFileOutput::set_file_name_parameters(os::javaTimeMillis());
  for (int i = 0; i < _options->length(); i++) {
    open(_options->at(i));
  }
  (*address_of(HotTubHandleOldFlags()))();
  forget_old_file();
  log_start();
}

static void configure(size_t output, const char* what) {
  char name[16], errors[256];
  jio_snprintf(name, sizeof name, "#" SIZE_FORMAT, output);
  stringStream ignored(errors, sizeof errors);
  LogConfiguration::parse_log_arguments(name, what, NULL, NULL, &ignored);
}

static void restore_stream(LogFileStreamOutput* output, size_t index, const char* what) {
  configure(index, "all=off");
  configure(index, what);
  output->*address_of(HotTubReconfigured()) = false;
  output->*address_of(HotTubWriteError()) = false;
  memset(output->*address_of(HotTubPadding()), 0, sizeof(size_t) * LogDecorators::Count);
}

void HotTubRunLogs::end(bool is_killed) {
  if (_options->is_empty()) {
    _started = 0;
    return;
  }
  if (!is_killed) {
    log_exit();
  }
  // From the last one on: an output without messages is deleted.
  for (size_t i = *address_of(HotTubOutputCount()); i-- > _own_outputs;) {
    configure(i, "all=off");
  }
  restore_stream(&StdoutLog, 0, "all=warning");
  restore_stream(&StderrLog, 1, "all=off");
  forget();
  _started = 0;
}
