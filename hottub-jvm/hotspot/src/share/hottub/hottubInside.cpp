// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubInside.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/klass.inline.hpp"
#include "oops/method.hpp"
#include "oops/symbol.hpp"
#include "runtime/thread.hpp"
#include "runtime/vframe.hpp"

// Of those that are kept (classes.tsv), the ones that have tables of their own.
static const char* const holders[] = {
    "java/lang/ClassValue", "java/lang/Module",      "java/lang/NamedPackage",
    "java/lang/Package",    "java/lang/invoke/",     "java/lang/module/",
    "java/util/jar/",       "java/util/zip/ZipFile", "java/lang/reflect/Proxy",
    "jdk/internal/jimage/", "jdk/internal/loader/",  "jdk/internal/module/",
    "sun/invoke/",
};

// These call what a handle leads to, and change nothing.
static bool only_calls(InstanceKlass* k) {
  return k->is_hidden() || k->name()->ends_with("$Holder") ||
         k->name()->starts_with("java/lang/invoke/VarHandle");
}

static bool has_tables(InstanceKlass* k) {
  for (const char* prefix : holders) {
    if (k->name()->starts_with(prefix)) {
      return !only_calls(k);
    }
  }
  return false;
}

InstanceKlass* HotTubInside::holder_of(JavaThread* thread) {
  if (!thread->has_last_Java_frame()) {
    return NULL;
  }
  RegisterMap map(thread);
  bool is_locked = false;
  for (javaVFrame* frame = thread->last_java_vframe(&map); frame != NULL;
       frame = frame->java_sender()) {
    InstanceKlass* k = frame->method()->method_holder();
    if (k->class_loader() != NULL) {
      return NULL;
    }
    // Whoever writes to a table holds a monitor: of the table, of its entry, of a loader.
    is_locked = is_locked || !frame->locked_monitors()->is_empty();
    if (is_locked && has_tables(k)) {
      return k;
    }
  }
  return NULL;
}
