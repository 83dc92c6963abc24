// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/symbolTable.hpp"
#include "classfile/vmClasses.hpp"
#include "hottub/hottubMirrors.hpp"
#include "memory/universe.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/fieldDescriptor.inline.hpp"

static const struct {
  const char* name;
  const char* signature;
} cache_fields[] = {
    {"packageName", "Ljava/lang/String;"},
    {"reflectionData", "Ljava/lang/ref/SoftReference;"},
    {"cachedConstructor", "Ljava/lang/reflect/Constructor;"},
    {"genericInfo", "Lsun/reflect/generics/repository/ClassRepository;"},
    {"enumConstants", "[Ljava/lang/Object;"},
    {"enumConstantDirectory", "Ljava/util/Map;"},
    {"annotationData", "Ljava/lang/Class$AnnotationData;"},
    {"annotationType", "Lsun/reflect/annotation/AnnotationType;"},
    {"classValueMap", "Ljava/lang/ClassValue$ClassValueMap;"},
};

static int cache_offsets[ARRAY_SIZE(cache_fields)];

bool HotTubMirrors::initialize() {
  for (size_t i = 0; i < ARRAY_SIZE(cache_fields); i++) {
    fieldDescriptor fd;
    if (!vmClasses::Class_klass()->find_local_field(
            SymbolTable::new_symbol(cache_fields[i].name),
            SymbolTable::new_symbol(cache_fields[i].signature), &fd)) {
      return false;
    }
    cache_offsets[i] = fd.offset();
  }
  return true;
}

static void clear(oop mirror) {
  for (size_t i = 0; i < ARRAY_SIZE(cache_offsets); i++) {
    if (mirror->obj_field(cache_offsets[i]) != NULL) {
      mirror->obj_field_put(cache_offsets[i], NULL);
    }
  }
}

void HotTubMirrors::clear_caches(Klass* k) {
  if (k->java_mirror() != NULL) {
    clear(k->java_mirror());
  }
}

void HotTubMirrors::clear_primitive_caches() {
  for (int type = T_BOOLEAN; type <= T_LONG; type++) {
    clear(Universe::java_mirror((BasicType)type));
  }
  clear(Universe::void_mirror());
}
