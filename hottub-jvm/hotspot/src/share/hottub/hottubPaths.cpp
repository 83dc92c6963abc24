// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderData.hpp"
#include "classfile/classLoaderDataGraph.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "code/codeCache.hpp"
#include "gc/shared/oopStorage.inline.hpp"
#include "gc/shared/oopStorageSet.hpp"
#include "hottub/hottubPaths.hpp"
#include "memory/iterator.inline.hpp"
#include "memory/resourceArea.hpp"
#include "oops/access.inline.hpp"
#include "oops/instanceKlass.inline.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/fieldDescriptor.inline.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/threadSMR.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/resourceHash.hpp"

// Breadth first over all objects that are strongly reachable.
class HotTubPathFinder : public BasicOopIterateClosure {
 public:
  static const int objects_max = 20 * 1000 * 1000;

  struct Node {
    oop object;
    int parent;        // index; -1: root names it
    const char* root;  // kind of root
  };

  struct Found {
    int first;  // index
    int count;
  };

  typedef ResourceHashtable<uintptr_t, bool, primitive_hash<uintptr_t>, primitive_equals<uintptr_t>,
                            99991, ResourceObj::C_HEAP, mtInternal>
      Visited;
  typedef ResourceHashtable<InstanceKlass*, Found, primitive_hash<InstanceKlass*>,
                            primitive_equals<InstanceKlass*>, 1009, ResourceObj::C_HEAP, mtInternal>
      Classes;

  HotTubPathFinder(HotTubPaths::Filter is_wanted)
      : _is_wanted(is_wanted),
        _visited(new (ResourceObj::C_HEAP, mtInternal) Visited()),
        _classes(new (ResourceObj::C_HEAP, mtInternal) Classes()) {}
  ~HotTubPathFinder() {
    delete _visited;
    delete _classes;
  }

  // Weak references lead to nothing that has to be explained.
  virtual ReferenceIterationMode reference_iteration_mode() { return DO_FIELDS_EXCEPT_REFERENT; }

  virtual void do_oop(oop* p) { add(RawAccess<>::oop_load(p)); }
  virtual void do_oop(narrowOop* p) { add(RawAccess<>::oop_load(p)); }

  void find() {
    add_roots();
    _root = NULL;
    for (_current = 0; _current < _nodes.length() && !is_full(); _current++) {
      _nodes.at(_current).object->oop_iterate(this);
    }
  }

  bool is_full() const { return _nodes.length() >= objects_max; }

  int print_on(outputStream* out) {
    struct Printer {
      HotTubPathFinder* _finder;
      outputStream* _out;
      int _total;
      bool do_entry(InstanceKlass* k, const Found& found) {
        _out->print("%s x%d", k->external_name(), found.count);
        _finder->print_path(_out, found.first);
        _out->print("; ");
        _total += found.count;
        return true;
      }
    } printer = {this, out, 0};
    _classes->iterate(&printer);
    return printer._total;
  }

 private:
  static const int steps_shown = 12;

  const HotTubPaths::Filter _is_wanted;
  GrowableArrayCHeap<Node, mtInternal> _nodes;
  Visited* _visited;
  Classes* _classes;
  int _current = -1;
  const char* _root = NULL;

  void add(oop o) {
    if (o == NULL || is_full()) {
      return;
    }
    bool is_new;
    _visited->put_if_absent(cast_from_oop<uintptr_t>(o), true, &is_new);
    if (!is_new) {
      return;
    }
    int index = _nodes.append(Node{o, _root == NULL ? _current : -1, _root});
    Klass* klass = o->klass();
    if (klass->is_objArray_klass()) {
      klass = ObjArrayKlass::cast(klass)->bottom_klass();
    }
    if (klass->is_instance_klass() && _is_wanted(o, InstanceKlass::cast(klass))) {
      bool is_first;
      Found* found =
          _classes->put_if_absent(InstanceKlass::cast(klass), Found{index, 0}, &is_first);
      found->count++;
    }
  }

  void add_roots() {
    class LoaderRoots : public CLDClosure {
      OopClosure* _closure;

     public:
      LoaderRoots(OopClosure* closure) : _closure(closure) {}
      void do_cld(ClassLoaderData* cld) { cld->oops_do(_closure, ClassLoaderData::_claim_none); }
    } loader_roots(this);
    _root = "class";
    ClassLoaderDataGraph::always_strong_cld_do(&loader_roots);

    for (OopStorage* storage : OopStorageSet::Range<OopStorageSet::StrongId>()) {
      _root = storage->name();
      storage->oops_do(this);
    }
    _root = "thread";
    for (JavaThreadIteratorWithHandle threads; JavaThread* thread = threads.next();) {
      CodeBlobToOopClosure frames(this, false /* fix_relocations */);
      thread->oops_do(this, &frames);
    }
    _root = "compiled code";
    CodeBlobToOopClosure constants(this, false /* fix_relocations */);
    CodeCache::blobs_do(&constants);
  }

  void print_path(outputStream* out, int index) {
    for (int i = 0; i < steps_shown; i++) {
      const Node& node = _nodes.at(index);
      if (node.parent < 0) {
        out->print(" <- %s", node.root);
        return;
      }
      out->print(" <- ");
      print_step(out, _nodes.at(node.parent).object, node.object);
      index = node.parent;
    }
    out->print(" <- ...");
  }

  // How holder leads to target: Class.field, static Class.field or Class[index].
  static void print_step(outputStream* out, oop holder, oop target) {
    class Fields : public FieldClosure {
     public:
      oop _holder, _target;
      outputStream* _out;
      bool _is_found = false;
      Fields(oop holder, oop target, outputStream* out)
          : _holder(holder), _target(target), _out(out) {}
      void do_field(fieldDescriptor* fd) {
        if (!_is_found && is_reference_type(fd->field_type()) &&
            _holder->obj_field(fd->offset()) == _target) {
          _is_found = true;
          _out->print("%s.%s", fd->field_holder()->external_name(), fd->name()->as_C_string());
        }
      }
    } fields(holder, target, out);
    if (java_lang_Class::is_instance(holder) && !java_lang_Class::is_primitive(holder)) {
      Klass* mirrored = java_lang_Class::as_Klass(holder);
      if (mirrored->is_instance_klass()) {
        out->print("static ");
        InstanceKlass::cast(mirrored)->do_local_static_fields(&fields);
        if (!fields._is_found) {
          out->print("%s.class", mirrored->external_name());
        }
        return;
      }
    }
    if (holder->klass()->is_instance_klass()) {
      InstanceKlass::cast(holder->klass())->do_nonstatic_fields(&fields);
    } else if (holder->is_objArray()) {
      objArrayOop array = objArrayOop(holder);
      for (int i = 0; i < array->length() && !fields._is_found; i++) {
        if (array->obj_at(i) == target) {
          fields._is_found = true;
          out->print("[%d]", i);
        }
      }
    }
    if (!fields._is_found) {
      out->print("%s", holder->klass()->external_name());
    }
  }
};

int HotTubPaths::print_on(outputStream* out, Filter is_wanted) {
  ResourceMark rm;
  HotTubPathFinder finder(is_wanted);
  finder.find();
  if (finder.is_full()) {
    out->print("the heap is too large to tell what leads to them; ");
    return -1;
  }
  return finder.print_on(out);
}
