/*
 * Copyright (c) 2026, the HotTub authors.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

#include "precompiled.hpp"
#include "classfile/classFileStream.hpp"
#include "classfile/classLoader.hpp"
#include "classfile/classLoaderData.inline.hpp"
#include "hottub/hottubDefinitions.hpp"
#include "memory/resourceArea.hpp"
#include "oops/klass.inline.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/vframe.inline.hpp"
#include "utilities/ostream.hpp"

static const char* volatile _first = NULL;

const char* HotTubDefinitions::first() { return _first; }

static bool is(Method* method, const char* holder, const char* name) {
  InstanceKlass* k = method->method_holder();
  return k->class_loader() == NULL && k->name()->equals(holder) &&
         method->name()->starts_with(name);
}

// Defining a class loads others, like its superclass.
static bool is_in_image(InstanceKlass* k) {
  ResourceMark rm;
  stringStream name;
  name.print("%s.class", k->name()->as_C_string());
  ClassPathEntry* image = ClassLoader::get_jrt_entry();
  return image != NULL && image->open_stream(JavaThread::current(), name.as_string()) != NULL;
}

// Defined by the loader as the answer to a search, or by the JDK for its own purposes?
static bool is_of_jdk(InstanceKlass* k) {
  if (k->is_shared()) {
    return true;  // only loaders take classes from the archive
  }
  const bool by_boot_loader = k->class_loader() == NULL;
  if (by_boot_loader && k->name()->starts_with("java/lang/invoke/")) {
    return true;  // shapes of method handles
  }
  vframeStream frames(JavaThread::current());
  if (frames.at_end()) {
    return by_boot_loader;
  }
  // The boot loader is written in C++; these are all who might define for it.
  if (by_boot_loader && ((!is(frames.method(), "java/lang/ClassLoader", "defineClass") &&
                          !is(frames.method(), "jdk/internal/misc/Unsafe", "defineClass")) ||
                         is_in_image(k))) {
    return true;
  }
  // The writer of an event class, under a name that no other has?
  const bool is_for_events =
      by_boot_loader && k->name()->starts_with("jdk/jfr/internal/handlers/EventHandler");
  // Classes of jars on the class path are four deep, those of the module path five.
  const int max_depth = is_for_events ? 12 : 5;
  for (int depth = 0; depth < max_depth && !frames.at_end(); depth++, frames.next()) {
    if (is(frames.method(), "jdk/internal/loader/BuiltinClassLoader", "defineClass") ||
        is(frames.method(), "java/lang/reflect/Proxy$ProxyBuilder", "defineProxyClass") ||
        (is_for_events && is(frames.method(), "jdk/jfr/internal/SecuritySupport", "defineClass"))) {
      return true;
    }
  }
  return false;
}

void HotTubDefinitions::note(InstanceKlass* k) {
  if (_first == NULL && k->class_loader_data()->is_builtin_class_loader_data() && !k->is_hidden() &&
      !is_of_jdk(k)) {
    ResourceMark rm;
    char* name = os::strdup_check_oom(k->external_name(), mtInternal);
    if (Atomic::cmpxchg(&_first, (const char*)NULL, (const char*)name) != NULL) {
      os::free(name);
    }
  }
}
