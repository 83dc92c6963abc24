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
#include "runtime/globals.hpp"
#include "runtime/os.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/ostream.hpp"

HOTTUB_PRIVATE_MEMBER(HotTubOutputCount, size_t*, LogConfiguration::_n_outputs)
HOTTUB_PRIVATE_MEMBER(HotTubReconfigured, bool LogOutput::*, LogOutput::_reconfigured)
HOTTUB_PRIVATE_MEMBER(HotTubWriteError, bool LogFileStreamOutput::*,
                      LogFileStreamOutput::_write_error_is_shown)
typedef size_t (LogFileStreamOutput::*HotTubPaddingMember)[LogDecorators::Count];
HOTTUB_PRIVATE_MEMBER(HotTubPadding, HotTubPaddingMember, LogFileStreamOutput::_decorator_padding)
HOTTUB_PRIVATE_MEMBER(HotTubNextCollection, uint*, GCId::_next_id)

static const char log_option[] = "-Xlog:";

double HotTubRunLogs::_started = 0;

static size_t _own_outputs = 0;
static GrowableArrayCHeap<char*, mtLogging>* _options = NULL;

void HotTubRunLogs::take() {
  _own_outputs = *address_of(HotTubOutputCount());
  _options = new GrowableArrayCHeap<char*, mtLogging>();
}

bool HotTubRunLogs::add(const char* option) {
  if (strncmp(option, log_option, strlen(log_option)) != 0 && strcmp(option, "-verbose:gc") != 0) {
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

void HotTubRunLogs::begin() {
  *address_of(HotTubNextCollection()) = 0;
  if (_options->is_empty()) {
    return;
  }
  _started = os::elapsedTime();
  LogFileOutput::set_file_name_parameters(os::javaTimeMillis());
  for (int i = 0; i < _options->length(); i++) {
    const char* option = _options->at(i);
    if (strncmp(option, log_option, strlen(log_option)) == 0) {
      LogConfiguration::parse_command_line_arguments(option + strlen(log_option));
    } else {
      LogConfiguration::configure_stdout(LogLevel::Info, true, LOG_TAGS(gc));
    }
  }
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
