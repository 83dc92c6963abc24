// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubClassLists.hpp"
#include "oops/klass.inline.hpp"
#include "oops/symbol.hpp"

struct Entry {
  const char* name;
  int length;
  HotTubClassLists::List list;
};

#define HOTTUB_ENTRY(name, list) {name, (int)sizeof(name) - 1, HotTubClassLists::list},

// Classes of the modules image, sorted by the bytes of their names.
static const Entry classes[] = {
#define HOTTUB_CLASS HOTTUB_ENTRY
#define HOTTUB_FAMILY(prefix, list)
#include "hottub/hottubClassLists.inc"
#undef HOTTUB_CLASS
#undef HOTTUB_FAMILY
};

// Beginnings of the names of classes that are made at run time.
static const Entry families[] = {
#define HOTTUB_CLASS(name, list)
#define HOTTUB_FAMILY HOTTUB_ENTRY
#include "hottub/hottubClassLists.inc"
#undef HOTTUB_CLASS
#undef HOTTUB_FAMILY
};

static int compare(const Symbol* name, const Entry& entry) {
  const int order = memcmp(name->base(), entry.name, MIN2(name->utf8_length(), entry.length));
  return order != 0 ? order : name->utf8_length() - entry.length;
}

HotTubClassLists::List HotTubClassLists::list_of(const InstanceKlass* k) {
  if (k->class_loader() != NULL) {
    return none;
  }
  int low = 0;
  int high = ARRAY_SIZE(classes) - 1;
  while (low <= high) {
    const int middle = (low + high) / 2;
    const int order = compare(k->name(), classes[middle]);
    if (order == 0) {
      return classes[middle].list;
    }
    if (order < 0) {
      high = middle - 1;
    } else {
      low = middle + 1;
    }
  }
  for (const Entry& family : families) {
    if (k->name()->starts_with(family.name, family.length)) {
      return family.list;
    }
  }
  return none;
}
