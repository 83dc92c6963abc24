// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderData.inline.hpp"
#include "classfile/classLoaderDataGraph.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/packageEntry.hpp"
#include "classfile/symbolTable.hpp"
#include "classfile/systemDictionary.hpp"
#include "classfile/vmClasses.hpp"
#include "hottub/hottubClasses.hpp"
#include "hottub/hottubDefinitions.hpp"
#include "hottub/hottubPrivate.hpp"
#include "memory/resourceArea.hpp"
#include "oops/constantPool.inline.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/fieldDescriptor.inline.hpp"
#include "runtime/handles.inline.hpp"
#include "runtime/javaCalls.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/os.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/vframe.inline.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/ostream.hpp"
#include "utilities/resourceHash.hpp"

// More than any library generates on purpose; what generates other classes in every run ends here.
static const int definitions_max = 1000;

struct HotTubDefinition : public CHeapObj<mtInternal> {
  InstanceKlass* const k;
  Symbol* const name;  // k itself is gone if its definition has failed
  u1* const bytes;
  const int length;
  bool is_defined = true;      // in this run
  bool is_unjudged = true;     // defined in the run that has ended
  bool opens_package = false;  // it came before all classes of its package that stay
  bool is_alone = true;        // has never named another one

  HotTubDefinition(InstanceKlass* k, const ClassFileStream* st)
      : k(k),
        name(k->name()),
        bytes(NEW_C_HEAP_ARRAY(u1, st->length(), mtInternal)),
        length(st->length()) {
    memcpy(bytes, st->buffer(), length);
    name->increment_refcount();
  }
  ~HotTubDefinition() {
    FREE_C_HEAP_ARRAY(u1, bytes);
    name->decrement_refcount();
  }
};

// Under SystemDictionary_lock, or at a safepoint.
static GrowableArray<HotTubDefinition*>* _definitions = NULL;
static char* _doubt = NULL;

static void doubt_because(const char* problem, InstanceKlass* k) {
  if (_doubt == NULL) {
    ResourceMark rm;
    stringStream text;
    text.print("%s: %s", problem, k->external_name());
    _doubt = os::strdup_check_oom(text.as_string(), mtInternal);
  }
}

static bool is(Method* method, const char* holder, const char* name) {
  InstanceKlass* k = method->method_holder();
  return k->class_loader() == NULL && k->name()->equals(holder) &&
         method->name()->starts_with(name);
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
  // The writer of an event class, under a name that no other has?
  const bool is_for_events =
      by_boot_loader && k->name()->starts_with("jdk/jfr/internal/handlers/EventHandler");
  // Classes of jars on the class path are four deep, those of the module path five.
  const int max_depth = is_for_events ? 12 : 5;
  vframeStream frames(JavaThread::current());
  for (int depth = 0; depth < max_depth && !frames.at_end(); depth++, frames.next()) {
    if (is(frames.method(), "jdk/internal/loader/BuiltinClassLoader", "defineClass") ||
        is(frames.method(), "java/lang/reflect/Proxy$ProxyBuilder", "defineProxyClass") ||
        (is_for_events && is(frames.method(), "jdk/jfr/internal/SecuritySupport", "defineClass"))) {
      return true;
    }
  }
  return false;
}

static InstanceKlass* find_in_dictionary(ClassLoaderData* loader, Symbol* name) {
  Dictionary* dictionary = loader->dictionary();
  return dictionary->find_class(dictionary->compute_hash(name), name);
}

static HotTubDefinition* definition_of(InstanceKlass* k) {
  for (int i = 0; i < _definitions->length(); i++) {
    if (_definitions->at(i)->k == k) {
      return _definitions->at(i);
    }
  }
  return NULL;
}

// A class that stays, and has a name.
static bool is_of_loader(InstanceKlass* k) {
  return k->is_loaded() && !k->is_hidden() && definition_of(k) == NULL;
}

static bool has_class_of_loader(ClassLoaderData* loader, PackageEntry* package) {
  class Finder : public KlassClosure {
    PackageEntry* _package;

   public:
    bool found = false;
    Finder(PackageEntry* package) : _package(package) {}
    void do_klass(Klass* k) {
      found = found || (k->is_instance_klass() && k->package() == _package &&
                        is_of_loader(InstanceKlass::cast(k)));
    }
  } finder(package);
  loader->classes_do(&finder);
  return finder.found;
}

static bool has_same_parents(InstanceKlass* a, InstanceKlass* b) {
  if (a->java_super() != b->java_super() || a->package() != b->package() ||
      a->local_interfaces()->length() != b->local_interfaces()->length()) {
    return false;
  }
  for (int i = 0; i < a->local_interfaces()->length(); i++) {
    if (a->local_interfaces()->at(i) != b->local_interfaces()->at(i)) {
      return false;
    }
  }
  return true;
}

static HotTubDefinition* find_former(InstanceKlass* k, const ClassFileStream* st) {
  for (int i = 0; i < _definitions->length(); i++) {
    HotTubDefinition* d = _definitions->at(i);
    if (d->name == k->name() && d->length == st->length() &&
        memcmp(d->bytes, st->buffer(), d->length) == 0 && d->is_alone && !d->is_unjudged &&
        has_same_parents(d->k, k)) {
      return d;
    }
  }
  return NULL;
}

typedef void (*HotTubSetterOfMirrors)(oop mirror, oop value);
HOTTUB_PRIVATE_MEMBER(HotTubSetProtectionDomain, HotTubSetterOfMirrors,
                      java_lang_Class::set_protection_domain)

InstanceKlass* HotTubDefinitions::define_again(InstanceKlass* k, const ClassFileStream* st,
                                               Handle protection_domain, JavaThread* current) {
  ClassLoaderData* loader = k->class_loader_data();
  if (!HotTubClasses::is_base_closed() || !loader->is_builtin_class_loader_data() || is_of_jdk(k)) {
    return NULL;
  }
  // The order of SystemDictionary::define_instance_class: no compilation sees the change.
  MutexLocker compile_lock(current, Compile_lock);
  MutexLocker dictionary_lock(current, SystemDictionary_lock);
  if (find_in_dictionary(loader, k->name()) != NULL) {
    return NULL;  // the definition will fail
  }
  if (_definitions == NULL) {
    _definitions =
        new (ResourceObj::C_HEAP, mtInternal) GrowableArray<HotTubDefinition*>(16, mtInternal);
  }
  if (!loader->is_system_class_loader_data() || _definitions->length() >= definitions_max) {
    doubt_because("a class was defined at run time", k);
    return NULL;
  }
  HotTubDefinition* former = find_former(k, st);
  if (former == NULL) {
    HotTubDefinition* d = new HotTubDefinition(k, st);
    d->opens_package = !has_class_of_loader(loader, k->package());
    _definitions->append(d);
    return NULL;
  }
  former->opens_package =
      former->opens_package && !has_class_of_loader(loader, former->k->package());
  (*address_of(HotTubSetProtectionDomain()))(former->k->java_mirror(), protection_domain());
  Dictionary* dictionary = loader->dictionary();
  dictionary->add_klass(dictionary->compute_hash(former->name), former->name, former->k);
  former->is_defined = former->is_unjudged = true;
  HotTubClasses::note_met(former->k);
  SystemDictionary_lock->notify_all();
  return former->k;
}

// The name of its package, as the class library has it.
static Handle package_name(Symbol* class_name, TRAPS) {
  ResourceMark rm(THREAD);
  char* name = class_name->as_C_string();
  char* end = strrchr(name, '/');
  *(end == NULL ? name : end) = '\0';
  for (char* c = name; *c != '\0'; c++) {
    *c = *c == '/' ? '.' : *c;
  }
  return java_lang_String::create_from_str(name, THREAD);
}

// The maps of java.lang.ClassLoader with names of packages as keys.
static const char* const package_maps[] = {"packages", "package2certs"};
static int package_map_offsets[ARRAY_SIZE(package_maps)];

bool HotTubDefinitions::initialize() {
  for (size_t i = 0; i < ARRAY_SIZE(package_maps); i++) {
    fieldDescriptor fd;
    if (!vmClasses::ClassLoader_klass()->find_local_field(
            SymbolTable::new_symbol(package_maps[i]),
            SymbolTable::new_symbol("Ljava/util/concurrent/ConcurrentHashMap;"), &fd)) {
      return false;
    }
    package_map_offsets[i] = fd.offset();
  }
  return true;
}

static void forget_package(HotTubDefinition* d, TRAPS) {
  Handle name = package_name(d->name, CHECK);
  for (int offset : package_map_offsets) {
    Handle map(THREAD, SystemDictionary::java_system_loader()->obj_field(offset));
    JavaValue result(T_OBJECT);
    JavaCalls::call_virtual(&result, map, map->klass(), SymbolTable::new_symbol("remove"),
                            SymbolTable::new_symbol("(Ljava/lang/Object;)Ljava/lang/Object;"), name,
                            CHECK);
  }
}

// Some definitions have failed.
static bool has_opened_package(HotTubDefinition* d, JavaThread* current) {
  MutexLocker lock(current, SystemDictionary_lock);
  ClassLoaderData* loader =
      ClassLoaderData::class_loader_data(SystemDictionary::java_system_loader());
  return d->is_defined && d->opens_package && find_in_dictionary(loader, d->name) == d->k;
}

void HotTubDefinitions::forget_packages(JavaThread* current) {
  for (int i = _definitions == NULL ? -1 : _definitions->length() - 1; i >= 0; i--) {
    HotTubDefinition* d = _definitions->at(i);
    if (has_opened_package(d, current)) {
      HandleMark hm(current);
      forget_package(d, current);
      if (current->has_pending_exception()) {
        current->clear_pending_exception();
        doubt_because("the package stays of a class that was defined at run time", d->k);
      }
    }
  }
}

bool HotTubDefinitions::remove(Dictionary* dictionary, InstanceKlass* k, Symbol* name) {
  const int index = dictionary->hash_to_index(dictionary->compute_hash(name));
  for (DictionaryEntry** p = dictionary->bucket_addr(index); *p != NULL; p = (*p)->next_addr()) {
    DictionaryEntry* entry = *p;
    if (entry->instance_klass() == k) {
      *p = entry->next();
      dictionary->free_entry(entry);
      return true;
    }
  }
  return false;
}

void HotTubDefinitions::withdraw() {
  assert(SafepointSynchronize::is_at_safepoint(), "others read the dictionary");
  for (int i = _definitions == NULL ? -1 : _definitions->length() - 1; i >= 0; i--) {
    HotTubDefinition* d = _definitions->at(i);
    if (!d->is_defined) {
      continue;
    }
    d->is_defined = false;
    ClassLoaderData* loader =
        ClassLoaderData::class_loader_data(SystemDictionary::java_system_loader());
    if (remove(loader->dictionary(), d->k, d->name)) {
      (*address_of(HotTubSetProtectionDomain()))(d->k->java_mirror(), NULL);
      java_lang_Class::set_signers(d->k->java_mirror(), NULL);
    } else {
      _definitions->delete_at(i);
      delete d;
    }
  }
}

// What names classes of the run that has ended: their own names, and descriptors.
class HotTubNames : public SymbolClosure {
  typedef ResourceHashtable<Symbol*, HotTubDefinition*, primitive_hash<Symbol*>,
                            primitive_equals<Symbol*>, 1009, ResourceObj::C_HEAP, mtInternal>
      Table;
  Table _names;
  Table _descriptors;

  static void add(Table* table, Symbol* symbol, HotTubDefinition* d) {
    HotTubDefinition** present = table->get(symbol);
    if (present == NULL) {
      table->put(symbol, d);
    } else if (*present != d) {
      *present = NULL;  // several
    }
  }

  void add_if_named(Symbol* descriptor, const u1* name, int length) {
    for (int i = 0; i < _definitions->length(); i++) {
      HotTubDefinition* d = _definitions->at(i);
      if (d->is_unjudged && d->name->utf8_length() == length &&
          memcmp(d->name->bytes(), name, length) == 0) {
        add(&_descriptors, descriptor, d);
      }
    }
  }

  // Other ones than own?
  static bool has_other(const Table& table, Symbol* symbol, HotTubDefinition* own) {
    HotTubDefinition** d = table.get(symbol);
    return d != NULL && (*d == NULL || *d != own);
  }

 public:
  HotTubNames() {
    for (int i = 0; i < _definitions->length(); i++) {
      HotTubDefinition* d = _definitions->at(i);
      if (d->is_unjudged) {
        add(&_names, d->name, d);
      }
    }
    SymbolTable::symbols_do(this);
  }

  void do_symbol(Symbol** p) {
    Symbol* symbol = *p;
    const u1* const end = symbol->bytes() + symbol->utf8_length();
    for (const u1* c = symbol->bytes(); c < end; c++) {
      c = (const u1*)memchr(c, 'L', end - c);
      const u1* semicolon = c == NULL ? NULL : (const u1*)memchr(c, ';', end - c);
      if (semicolon == NULL) {
        break;
      }
      add_if_named(symbol, c + 1, (int)(semicolon - c) - 1);
    }
  }

  bool names_other(ConstantPool* cp, HotTubDefinition* own) const {
    for (int i = 1; i < cp->length(); i++) {
      const constantTag tag = cp->tag_at(i);
      if (tag.is_utf8()
              ? has_other(_descriptors, cp->symbol_at(i), own)
              : tag.is_klass_or_reference() && has_other(_names, cp->klass_name_at(i), own)) {
        return true;
      }
    }
    return false;
  }
};

// Goes through the classes that are left.
class HotTubJudge : public KlassClosure {
  HotTubNames _names;

  static void look_for_package(InstanceKlass* k) {
    for (int i = 0; i < _definitions->length(); i++) {
      HotTubDefinition* d = _definitions->at(i);
      if (d->is_unjudged && d->opens_package && d->k->package() == k->package() &&
          d->k->class_loader_data() == k->class_loader_data()) {
        doubt_because("a class was defined at run time before others of its package", d->k);
      }
    }
  }

 public:
  void do_klass(Klass* klass) {
    if (!klass->is_instance_klass()) {
      return;
    }
    InstanceKlass* k = InstanceKlass::cast(klass);
    // The hidden classes of a class come and go with it.
    HotTubDefinition* own = definition_of(k->is_hidden() ? HotTubClasses::nest_host_of(k) : k);
    if (is_of_loader(k)) {
      look_for_package(k);
    }
    if (_names.names_other(k->constants(), own)) {
      if (own != NULL) {
        own->is_alone = false;
      } else {
        doubt_because("a class names one that was defined at run time", k);
      }
    }
  }
};

const char* HotTubDefinitions::doubt() {
  assert(SafepointSynchronize::is_at_safepoint(), "goes through all classes");
  bool is_due = false;
  for (int i = 0; _definitions != NULL && i < _definitions->length(); i++) {
    is_due = is_due || _definitions->at(i)->is_unjudged;
  }
  if (is_due) {
    HotTubJudge judge;
    ClassLoaderDataGraph::classes_do(&judge);
    for (int i = 0; i < _definitions->length(); i++) {
      _definitions->at(i)->is_unjudged = false;
    }
  }
  return _doubt;
}
