// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderData.inline.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/symbolTable.hpp"
#include "classfile/vmSymbols.hpp"
#include "hottub/hottubHidden.hpp"
#include "oops/constantPool.inline.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/klass.inline.hpp"
#include "oops/method.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"
#include "runtime/fieldDescriptor.inline.hpp"
#include "runtime/globals.hpp"

volatile size_t HotTubHidden::_bytes = 0;

bool HotTubHidden::is_permanent(InstanceKlass* k) {
  return k->is_hidden() && k->class_loader_data()->is_permanent_class_loader_data();
}

// Most of what it takes, and the same at any time.
size_t HotTubHidden::size_of(InstanceKlass* k) {
  size_t words = k->size() + k->constants()->size();
  for (int i = 0; i < k->methods()->length(); i++) {
    Method* method = k->methods()->at(i);
    words += method->size() + method->constMethod()->size();
  }
  return words * BytesPerWord;
}

void HotTubHidden::note_defined(InstanceKlass* k) {
  if (is_permanent(k)) {
    Atomic::add(&_bytes, size_of(k));
  }
}

void HotTubHidden::note_linked(InstanceKlass* k) {
  if (is_permanent(k)) {
    Atomic::sub(&_bytes, size_of(k));
  }
}

// What takes its last arguments as an array leads to the handle of the method itself.
static oop target_of(oop handle) {
  Symbol* name = SymbolTable::probe("target", (int)strlen("target"));
  fieldDescriptor field;
  return name != NULL && InstanceKlass::cast(handle->klass())
                             ->find_local_field(
                                 name, vmSymbols::java_lang_invoke_MethodHandle_signature(), &field)
             ? handle->obj_field(field.offset())
             : (oop)NULL;
}

// Whether it says no more than a constant of the class file that a lambda was made of.
static bool is_direct(oop data) {
  if (data != NULL &&
      data->klass()->name()->equals("java/lang/invoke/MethodHandleImpl$AsVarargsCollector")) {
    data = target_of(data);
  }
  return data != NULL && data->klass()->name()->starts_with("java/lang/invoke/DirectMethodHandle");
}

void HotTubHidden::forget_data(InstanceKlass* k) {
  oop data = is_permanent(k) ? java_lang_Class::class_data(k->java_mirror()) : (oop)NULL;
  if (data != NULL && !is_direct(data)) {
    java_lang_Class::set_class_data(k->java_mirror(), NULL);
  }
}

bool HotTubHidden::is_metaspace_short() {
  static const size_t bytes_max = 16 * M;
  static const size_t part_max = 16;
  size_t room = MaxMetaspaceSize;
  if (UseCompressedClassPointers) {
    room = MIN2(room, CompressedClassSpaceSize);
  }
  return _bytes > MIN2(bytes_max, room / part_max);
}
