// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderDataGraph.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/symbolTable.hpp"
#include "classfile/systemDictionary.hpp"
#include "classfile/vmClasses.hpp"
#include "hottub/hottubClasses.hpp"
#include "hottub/hottubSnapshot.hpp"
#include "memory/oopFactory.hpp"
#include "memory/resourceArea.hpp"
#include "memory/universe.hpp"
#include "oops/instanceKlass.inline.hpp"
#include "oops/objArrayKlass.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "oops/oop.inline.hpp"
#include "oops/oopHandle.inline.hpp"
#include "oops/typeArrayOop.inline.hpp"
#include "runtime/fieldDescriptor.inline.hpp"
#include "runtime/handles.inline.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/resourceHash.hpp"

// References are kept in Java arrays, so that collectors see and move them;
// everything else as bytes in the C heap.
static OopHandle _objects;  // Object[]: the recorded objects
static OopHandle
    _references;  // Object[]: their reference fields, then those of the classes, in order
static int _object_count = 0;
static char* _bytes = NULL;  // their other fields, then those of the classes, in order
static GrowableArray<InstanceKlass*>* _classes = NULL;

int HotTubSnapshot::objects() { return _object_count; }

// Of a class loader only what setDefaultAssertionStatus and its like change, and what nothing but
// sun.misc.Unsafe does: everything else is what the loader has learned.
static const struct {
  const char* name;
  const char* signature;
} loader_fields[] = {
    {"parent", "Ljava/lang/ClassLoader;"},         {"name", "Ljava/lang/String;"},
    {"nameAndId", "Ljava/lang/String;"},           {"unnamedModule", "Ljava/lang/Module;"},
    {"packageAssertionStatus", "Ljava/util/Map;"}, {"classAssertionStatus", "Ljava/util/Map;"},
};

static int _assertions_default_offset;
static int _loader_offsets[ARRAY_SIZE(loader_fields)];

static bool find_field(const char* name, const char* signature, int* offset) {
  fieldDescriptor fd;
  if (!vmClasses::ClassLoader_klass()->find_local_field(SymbolTable::new_symbol(name),
                                                        SymbolTable::new_symbol(signature), &fd)) {
    return false;
  }
  *offset = fd.offset();
  return true;
}

bool HotTubSnapshot::initialize() {
  for (size_t i = 0; i < ARRAY_SIZE(loader_fields); i++) {
    if (!find_field(loader_fields[i].name, loader_fields[i].signature, &_loader_offsets[i])) {
      return false;
    }
  }
  return find_field("defaultAssertionStatus", "Z", &_assertions_default_offset);
}

// One pass over an object or the statics of a class; what is done with each
// reference and each run of other bytes differs between taking and restoring.
class HotTubItemVisitor : public StackObj {
 public:
  virtual void do_reference(oop holder, int offset) = 0;
  virtual void do_bytes(oop holder, int offset, int length) = 0;

  void visit_object(oop o);
  void visit_statics(InstanceKlass* k);
};

void HotTubItemVisitor::visit_object(oop o) {
  Klass* klass = o->klass();
  if (klass->is_typeArray_klass()) {
    typeArrayOop array = typeArrayOop(o);
    int header = arrayOopDesc::base_offset_in_bytes(TypeArrayKlass::cast(klass)->element_type());
    int length = array->length() << TypeArrayKlass::cast(klass)->log2_element_size();
    if (length > 0) {
      do_bytes(o, header, length);
    }
    return;
  }
  if (klass->is_objArray_klass()) {
    objArrayOop array = objArrayOop(o);
    for (int i = 0; i < array->length(); i++) {
      do_reference(o, objArrayOopDesc::base_offset_in_bytes() + i * heapOopSize);
    }
    return;
  }
  InstanceKlass* k = InstanceKlass::cast(klass);
  if (k->is_class_loader_instance_klass()) {
    do_bytes(o, _assertions_default_offset, 1);
    for (int offset : _loader_offsets) {
      do_reference(o, offset);
    }
    return;
  }
  int position = instanceOopDesc::base_offset_in_bytes();
  const int end = k->size_helper() * HeapWordSize;
  OopMapBlock* map = k->start_of_nonstatic_oop_maps();
  OopMapBlock* const last = map + k->nonstatic_oop_map_count();
  for (; map < last; map++) {
    if (map->offset() > position) {
      do_bytes(o, position, map->offset() - position);
    }
    for (uint i = 0; i < map->count(); i++) {
      do_reference(o, map->offset() + (int)i * heapOopSize);
    }
    position = map->offset() + (int)map->count() * heapOopSize;
  }
  if (position < end) {
    do_bytes(o, position, end - position);
  }
}

void HotTubItemVisitor::visit_statics(InstanceKlass* k) {
  class Fields : public FieldClosure {
    HotTubItemVisitor* _visitor;
    oop _mirror;

   public:
    Fields(HotTubItemVisitor* visitor, oop mirror) : _visitor(visitor), _mirror(mirror) {}
    void do_field(fieldDescriptor* fd) {
      if (is_reference_type(fd->field_type())) {
        _visitor->do_reference(_mirror, fd->offset());
      } else {
        _visitor->do_bytes(_mirror, fd->offset(), type2aelembytes(fd->field_type()));
      }
    }
  } fields(this, k->java_mirror());
  k->do_local_static_fields(&fields);
}

static bool is_recorded_class(InstanceKlass* k) {
  return HotTubClasses::is_base(k) && !k->is_hidden() && k->static_field_size() > 0 &&
         !HotTubClasses::is_kept(k);
}

static bool is_recorded_object(oop o, oop main_thread) {
  Klass* klass = o->klass();
  if (klass->is_typeArray_klass()) {
    return true;
  }
  Klass* element = klass->is_objArray_klass() ? ObjArrayKlass::cast(klass)->bottom_klass() : klass;
  if (!element->is_instance_klass()) {
    return true;
  }
  InstanceKlass* k = InstanceKlass::cast(element);
  if (klass->is_instance_klass() && k->is_class_loader_instance_klass()) {
    return o == SystemDictionary::java_platform_loader() ||
           o == SystemDictionary::java_system_loader();
  }
  if (HotTubClasses::is_kept(k)) {
    return false;
  }
  if (klass->is_objArray_klass()) {
    return true;
  }
  return !k->is_mirror_instance_klass() && !k->is_reference_instance_klass() && !k->is_hidden() &&
         k != vmClasses::String_klass() &&
         !(k->is_subclass_of(vmClasses::Thread_klass()) && o != main_thread);
}

// Breadth first from the statics and the main thread.  Runs twice, to size the
// arrays and to fill them; nothing moves within a safepoint.
class HotTubCollector : public HotTubItemVisitor {
  typedef ResourceHashtable<oopDesc*, bool, primitive_hash<oopDesc*>, primitive_equals<oopDesc*>,
                            16381, ResourceObj::C_HEAP, mtInternal>
      Seen;
  Seen* _seen;
  GrowableArray<oop>* _queue;
  oop _main_thread;

 public:
  HotTubCollector(GrowableArray<oop>* queue, oop main_thread)
      : _seen(new (ResourceObj::C_HEAP, mtInternal) Seen()),
        _queue(queue),
        _main_thread(main_thread) {}
  ~HotTubCollector() { delete _seen; }

  void add(oop o) {
    if (o != NULL && is_recorded_object(o, _main_thread) && _seen->put(o, true)) {
      _queue->append(o);
    }
  }
  void do_reference(oop holder, int offset) { add(holder->obj_field(offset)); }
  void do_bytes(oop holder, int offset, int length) {}

  void collect() {
    for (int i = 0; i < _classes->length(); i++) {
      visit_statics(_classes->at(i));
    }
    add(_main_thread);
    add(SystemDictionary::java_platform_loader());
    add(SystemDictionary::java_system_loader());
    for (int i = 0; i < _queue->length(); i++) {
      visit_object(_queue->at(i));
    }
  }
};

class HotTubMeasure : public HotTubItemVisitor {
 public:
  int references = 0;
  size_t bytes = 0;
  void do_reference(oop holder, int offset) { references++; }
  void do_bytes(oop holder, int offset, int length) { bytes += length; }
};

class HotTubRecorder : public HotTubItemVisitor {
  objArrayOop _array;
  int _reference = 0;
  char* _position = _bytes;

 public:
  HotTubRecorder(objArrayOop array) : _array(array) {}
  void do_reference(oop holder, int offset) {
    _array->obj_at_put(_reference++, holder->obj_field(offset));
  }
  void do_bytes(oop holder, int offset, int length) {
    memcpy(_position, cast_from_oop<char*>(holder) + offset, length);
    _position += length;
  }
};

class HotTubRestorer : public HotTubItemVisitor {
  objArrayOop _array = objArrayOop(_references.resolve());
  int _reference = 0;
  char* _position = _bytes;
  const bool _write;
  outputStream* _out;
  oop _last_reported = NULL;

  void report(oop holder, int offset) {
    changes++;
    if (_out == NULL || holder == _last_reported) {
      return;
    }
    _last_reported = holder;
    ResourceMark rm;
    if (java_lang_Class::is_instance(holder)) {
      _out->print_cr("static %s+%d", java_lang_Class::as_Klass(holder)->external_name(), offset);
    } else {
      _out->print_cr("%s+%d", holder->klass()->external_name(), offset);
    }
  }

 public:
  int changes = 0;
  HotTubRestorer(bool write, outputStream* out) : _write(write), _out(out) {}

  void do_reference(oop holder, int offset) {
    oop old = _array->obj_at(_reference++);
    if (holder->obj_field(offset) != old) {
      report(holder, offset);
      if (_write) {
        holder->obj_field_put(offset, old);
      }
    }
  }
  void do_bytes(oop holder, int offset, int length) {
    char* now = cast_from_oop<char*>(holder) + offset;
    if (memcmp(now, _position, length) != 0) {
      report(holder, offset);
      if (_write) {
        memcpy(now, _position, length);
      }
    }
    _position += length;
  }
};

static void visit_all(HotTubItemVisitor* visitor) {
  objArrayOop objects = objArrayOop(_objects.resolve());
  for (int i = 0; i < _object_count; i++) {
    visitor->visit_object(objects->obj_at(i));
  }
  for (int i = 0; i < _classes->length(); i++) {
    visitor->visit_statics(_classes->at(i));
  }
}

class VM_HotTubSnapshot : public VM_Operation {
  Handle _main_thread;
  const bool _record;

 public:
  int objects = 0;
  HotTubMeasure measure;

  VM_HotTubSnapshot(Handle main_thread, bool record) : _main_thread(main_thread), _record(record) {}
  VMOp_Type type() const { return VMOp_HotTub; }

  void doit() {
    if (!_record) {
      HotTubClasses::close_base();
      class Finder : public KlassClosure {
        void do_klass(Klass* k) {
          if (k->is_instance_klass() && is_recorded_class(InstanceKlass::cast(k))) {
            _classes->append(InstanceKlass::cast(k));
          }
        }
      } finder;
      ClassLoaderDataGraph::classes_do(&finder);
    }
    GrowableArray<oop> queue(4096, mtInternal);
    HotTubCollector collector(&queue, _main_thread());
    collector.collect();
    objects = queue.length();
    for (int i = 0; i < objects; i++) {
      measure.visit_object(queue.at(i));
    }
    for (int i = 0; i < _classes->length(); i++) {
      measure.visit_statics(_classes->at(i));
    }
    if (_record) {
      record(&queue);
    }
  }

  void record(GrowableArray<oop>* queue) {
    objArrayOop array = objArrayOop(_objects.resolve());
    guarantee(queue->length() <= array->length(), "grew between two safepoints");
    _object_count = queue->length();
    for (int i = 0; i < _object_count; i++) {
      array->obj_at_put(i, queue->at(i));
    }
    guarantee(measure.references <= objArrayOop(_references.resolve())->length(),
              "grew between two safepoints");
    _bytes = NEW_C_HEAP_ARRAY(char, measure.bytes, mtInternal);
    HotTubRecorder recorder(objArrayOop(_references.resolve()));
    visit_all(&recorder);
  }
};

void HotTubSnapshot::take(JavaThread* main, TRAPS) {
  _classes = new (ResourceObj::C_HEAP, mtInternal) GrowableArray<InstanceKlass*>(1024, mtInternal);
  Handle main_thread(THREAD, main->threadObj());
  VM_HotTubSnapshot sizing(main_thread, false);
  VMThread::execute(&sizing);
  // Another thread may have added a few objects by the second pass.
  const int slack = 1024;
  objArrayOop objects =
      oopFactory::new_objArray(vmClasses::Object_klass(), sizing.objects + slack, CHECK);
  _objects = OopHandle(Universe::vm_global(), objects);
  objArrayOop references =
      oopFactory::new_objArray(vmClasses::Object_klass(), sizing.measure.references + slack, CHECK);
  _references = OopHandle(Universe::vm_global(), references);
  VM_HotTubSnapshot recording(main_thread, true);
  VMThread::execute(&recording);
}

int HotTubSnapshot::restore(outputStream* out) {
  HotTubRestorer restorer(true, out);
  visit_all(&restorer);
  return restorer.changes;
}

int HotTubSnapshot::difference(outputStream* out) {
  HotTubRestorer comparer(false, out);
  visit_all(&comparer);
  return comparer.changes;
}
