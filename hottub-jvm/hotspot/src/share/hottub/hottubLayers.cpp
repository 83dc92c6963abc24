// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderData.inline.hpp"
#include "classfile/moduleEntry.hpp"
#include "classfile/symbolTable.hpp"
#include "classfile/systemDictionary.hpp"
#include "classfile/vmClasses.hpp"
#include "hottub/hottubLayers.hpp"
#include "memory/universe.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/oop.inline.hpp"
#include "oops/oopHandle.inline.hpp"
#include "runtime/fieldDescriptor.inline.hpp"
#include "runtime/handles.inline.hpp"

static int _offset = 0;  // of the field layer in java.lang.Module
static OopHandle _boot;  // the layer of the JDK's modules and of the module path

static oop layer_of(ModuleEntry* module) {
  oop mirror = module->module();
  return mirror == NULL ? (oop)NULL : mirror->obj_field(_offset);
}

// The modules that the JDK makes for proxies are in no layer, nor is java.base.
static ModuleEntry* find_outside(oop layer, ClassLoaderData* loader) {
  ModuleEntryTable* modules = loader->modules();
  for (int i = 0; i < modules->table_size(); i++) {
    for (ModuleEntry* module = modules->bucket(i); module != NULL; module = module->next()) {
      if (layer_of(module) != NULL && layer_of(module) != layer) {
        return module;
      }
    }
  }
  return NULL;
}

void HotTubLayers::take() {
  TempNewSymbol name = SymbolTable::new_symbol("layer");
  TempNewSymbol type = SymbolTable::new_symbol("Ljava/lang/ModuleLayer;");
  fieldDescriptor field;
  guarantee(vmClasses::Module_klass()->find_field(name, type, &field) != NULL, "of JDK 17");
  _offset = field.offset();
  ModuleEntry* first = find_outside(NULL, ClassLoaderData::the_null_class_loader_data());
  _boot = OopHandle(Universe::vm_global(), layer_of(first));
}

Symbol* HotTubLayers::left() {
  ClassLoaderData* const loaders[] = {
      ClassLoaderData::the_null_class_loader_data(),
      ClassLoaderData::class_loader_data(SystemDictionary::java_platform_loader()),
      ClassLoaderData::class_loader_data(SystemDictionary::java_system_loader())};
  ModuleEntry* found = NULL;
  for (ClassLoaderData* loader : loaders) {
    found = found == NULL ? find_outside(_boot.resolve(), loader) : found;
  }
  return found == NULL ? NULL : found->name();
}
