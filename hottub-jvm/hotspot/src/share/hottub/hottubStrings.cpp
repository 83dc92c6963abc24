// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderDataGraph.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/stringTable.hpp"
#include "classfile/vmClasses.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/oopStorage.inline.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubStrings.hpp"
#include "memory/resourceArea.hpp"
#include "memory/universe.hpp"
#include "oops/access.inline.hpp"
#include "oops/constantPool.inline.hpp"
#include "oops/cpCache.inline.hpp"
#include "oops/instanceKlass.inline.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "oops/oop.inline.hpp"
#include "oops/symbol.hpp"
#include "oops/typeArrayOop.inline.hpp"
#include "runtime/handles.inline.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"

bool HotTubStrings::is_unchanged(oop string) {
  const bool is_new = !java_lang_String::hash_is_set(string);
  typeArrayOop value = java_lang_String::value_no_keepalive(string);
  if (value == NULL) {
    return is_new;  // its constructor did not get further
  }
  const unsigned int hash = java_lang_String::hash_code(string);  // sets a new one
  if (is_new) {
    return true;
  }
  const int length = java_lang_String::length(string, value);
  if (length == 0) {
    return hash == 0;
  }
  return hash == (java_lang_String::is_latin1(string)
                      ? java_lang_String::hash_code(value->byte_at_addr(0), length)
                      : java_lang_String::hash_code(value->char_at_addr(0), length));
}

HOTTUB_PRIVATE_MEMBER(HotTubInternedStrings, OopStorage**, StringTable::_oop_storage)

int HotTubStrings::changed_since_interned() {
  class Interned : public OopClosure {
   public:
    int changed = 0;
    void do_oop(oop* p) {
      oop string = NativeAccess<ON_PHANTOM_OOP_REF | AS_NO_KEEPALIVE>::oop_load(p);
      if (string != NULL && !java_lang_String::hash_is_set(string) && !is_found(string)) {
        changed++;
      }
    }
    void do_oop(narrowOop* p) { ShouldNotReachHere(); }

   private:
    static bool is_found(oop string) {
      if (java_lang_String::value_no_keepalive(string) == NULL) {
        return false;
      }
      ResourceMark rm;
      HandleMark hm(Thread::current());
      int length;
      jchar* text = java_lang_String::as_unicode_string_or_null(string, length);
      return text != NULL && StringTable::lookup(text, length) == string;
    }
  } interned;
  (*address_of(HotTubInternedStrings()))->oops_do(&interned);
  return interned.changed;
}

class VM_HotTubTakeStrings : public VM_Operation {
 public:
  VMOp_Type type() const { return VMOp_HotTub; }
  void doit() {
    class Strings : public ObjectClosure {
      void do_object(oop o) {
        if (o->klass() == vmClasses::String_klass()) {
          HotTubStrings::is_unchanged(o);
        }
      }
    } strings;
    Universe::heap()->ensure_parsability(false /* retire_tlabs */);
    Universe::heap()->object_iterate(&strings);
  }
};

void HotTubStrings::take() {
  VM_HotTubTakeStrings op;
  VMThread::execute(&op);
}

// The way of most literals, which needs no conversion.
static bool is_same_ascii(typeArrayOop latin1, Symbol* text) {
  const int length = latin1->length();
  bool is_same = length == text->utf8_length();
  for (int i = 0; is_same && i < length; i++) {
    const jbyte character = latin1->byte_at(i);
    is_same = character >= 0 && character == (jbyte)text->char_at(i);
  }
  return is_same;
}

bool HotTubStrings::is_text(oop string, Symbol* text) {
  typeArrayOop value = java_lang_String::is_instance(string)
                           ? java_lang_String::value_no_keepalive(string)
                           : (typeArrayOop)NULL;
  if (value == NULL) {
    return false;
  }
  if (java_lang_String::is_latin1(string) && is_same_ascii(value, text)) {
    return true;
  }
  ResourceMark rm;
  int characters;
  const jchar* unicode = text->as_unicode(characters);
  return java_lang_String::equals(string, unicode, characters);
}

InstanceKlass* HotTubStrings::changed_literal() {
  class Literals : public KlassClosure {
   public:
    InstanceKlass* changed = NULL;
    void do_klass(Klass* k) {
      if (changed == NULL && k->is_instance_klass()) {
        look(InstanceKlass::cast(k));
      }
    }

   private:
    void look(InstanceKlass* k) {
      ConstantPool* cp = k->constants();
      ConstantPoolCache* cache = cp->cache();
      if (cache == NULL || cache->reference_map() == NULL || cp->resolved_references() == NULL) {
        return;
      }
      for (int i = 0; i < cache->reference_map()->length(); i++) {
        const int index = cp->object_to_cp_index(i);
        oop literal =
            cp->tag_at(index).is_string() ? cp->resolved_references()->obj_at(i) : (oop)NULL;
        if (literal != NULL && !is_text(literal, cp->unresolved_string_at(index))) {
          changed = k;
        }
      }
    }
  } literals;
  ClassLoaderDataGraph::classes_do(&literals);
  return literals.changed;
}
