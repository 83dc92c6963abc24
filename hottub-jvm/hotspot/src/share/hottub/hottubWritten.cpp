// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderDataGraph.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/moduleEntry.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubStrings.hpp"
#include "hottub/hottubWritten.hpp"
#include "memory/resourceArea.hpp"
#include "oops/constantPool.inline.hpp"
#include "oops/instanceKlass.inline.hpp"
#include "oops/klass.inline.hpp"
#include "oops/objArrayKlass.hpp"
#include "oops/oop.inline.hpp"
#include "oops/typeArrayOop.inline.hpp"
#include "runtime/fieldDescriptor.inline.hpp"

HOTTUB_PRIVATE_MEMBER(HotTubNameOfClass, int*, java_lang_Class::_name_offset)

// Hidden classes have a slash in their names that the VM has in no other.
static bool is_same_character(char of_vm, jbyte of_java, bool is_hidden) {
  return of_java == (of_vm == '/' ? '.' : of_vm) || (is_hidden && of_vm == '+' && of_java == '/');
}

bool HotTubWritten::is_name_changed(Klass* k, oop name) {
  Symbol* known = k->name();
  typeArrayOop value = java_lang_String::value_no_keepalive(name);
  bool is_same =
      value != NULL && java_lang_String::is_latin1(name) && value->length() == known->utf8_length();
  for (int i = 0; is_same && i < value->length(); i++) {
    is_same = is_same_character(known->char_at(i), value->byte_at(i), k->is_hidden());
  }
  if (is_same || value == NULL) {
    return !is_same;
  }
  ResourceMark rm;
  return strcmp(java_lang_String::as_utf8_string(name), k->external_name()) != 0;
}

bool HotTubWritten::is_mirror_changed(Klass* k) {
  oop mirror = k->java_mirror();
  if (mirror == NULL) {
    return false;
  }
  if (java_lang_Class::as_Klass(mirror) != k) {
    return true;
  }
  oop name = mirror->obj_field(*address_of(HotTubNameOfClass()));
  if (java_lang_Class::module(mirror) != k->module()->module() ||
      (name != NULL && is_name_changed(k, name))) {
    return true;
  }
  if (k->is_objArray_klass()) {
    Klass* element = ObjArrayKlass::cast(k)->element_klass();
    return java_lang_Class::component_mirror(mirror) != element->java_mirror();
  }
  return k->is_instance_klass() && java_lang_Class::class_loader(mirror) != k->class_loader();
}

bool HotTubWritten::is_constant_changed(InstanceKlass* k) {
  class Constants : public FieldClosure {
    oop _mirror;

    bool is_same(fieldDescriptor* fd) {
      const int offset = fd->offset();
      switch (fd->field_type()) {
        case T_BOOLEAN:
          return _mirror->bool_field(offset) == (fd->int_initial_value() & 1);
        case T_BYTE:
          return _mirror->byte_field(offset) == (jbyte)fd->int_initial_value();
        case T_CHAR:
          return _mirror->char_field(offset) == (jchar)fd->int_initial_value();
        case T_SHORT:
          return _mirror->short_field(offset) == (jshort)fd->int_initial_value();
        case T_INT:
          return _mirror->int_field(offset) == fd->int_initial_value();
        case T_LONG:
          return _mirror->long_field(offset) == fd->long_initial_value();
        case T_FLOAT:
          return jint_cast(_mirror->float_field(offset)) == jint_cast(fd->float_initial_value());
        case T_DOUBLE:
          return jlong_cast(_mirror->double_field(offset)) ==
                 jlong_cast(fd->double_initial_value());
        default:
          return HotTubStrings::is_text(
              _mirror->obj_field(offset),
              fd->constants()->unresolved_string_at(fd->initial_value_index()));
      }
    }

   public:
    bool is_changed = false;
    Constants(oop mirror) : _mirror(mirror) {}
    void do_field(fieldDescriptor* fd) {
      if (!is_changed && fd->access_flags().is_final() && fd->has_initial_value()) {
        is_changed = !is_same(fd);
      }
    }
  } constants(k->java_mirror());
  if (k->is_linked() && k->static_field_size() > 0) {
    k->do_local_static_fields(&constants);
  }
  return constants.is_changed;
}

Klass* HotTubWritten::changed() {
  class Classes : public KlassClosure {
   public:
    Klass* changed = NULL;
    void do_klass(Klass* k) {
      if (changed == NULL &&
          (is_mirror_changed(k) ||
           (k->is_instance_klass() && is_constant_changed(InstanceKlass::cast(k))))) {
        changed = k;
      }
    }
  } classes;
  ClassLoaderDataGraph::classes_do(&classes);
  return classes.changed;
}
