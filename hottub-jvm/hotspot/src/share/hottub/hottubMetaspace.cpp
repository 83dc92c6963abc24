// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubMetaspace.hpp"
#include "memory/metaspace.hpp"
#include "memory/metaspaceUtils.hpp"
#include "runtime/globals.hpp"

size_t HotTubMetaspace::_base = 0;
size_t HotTubMetaspace::_kept = 0;

size_t HotTubMetaspace::max_size() {
  return MaxMetaspaceSize > max_uintx - _kept ? MaxMetaspaceSize : MaxMetaspaceSize + _kept;
}

void HotTubMetaspace::take() { _base = _kept = MetaspaceUtils::committed_bytes(); }

void HotTubMetaspace::note_kept() { _kept = MetaspaceUtils::committed_bytes(); }

bool HotTubMetaspace::is_worn_out() {
  const size_t committed = MetaspaceUtils::committed_bytes();
  return (committed > _base && committed - _base > MaxMetaspaceSize) ||
         (Metaspace::using_class_space() &&
          MetaspaceUtils::used_bytes(Metaspace::ClassType) > CompressedClassSpaceSize / 2);
}
