// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubBlocks.hpp"
#include "hottub/hottubThreads.hpp"
#include "runtime/os.inline.hpp"
#include "runtime/thread.inline.hpp"
#include "utilities/powerOfTwo.hpp"

// A hash table with chains that grows with the number of blocks.
struct HotTubBlock {
  void* memory;
  size_t size;
  HotTubBlock* next;
  bool is_base;
  bool is_of_vm;  // a thread of the VM has allocated it, and may use it at any time
};

static const size_t buckets_at_start = 1024;
static HotTubBlock** _buckets = NULL;
static size_t _bucket_count = 0;
static size_t _block_count = 0;
static bool _base_is_closed = false;

static os::PlatformMutex* lock() {
  static os::PlatformMutex* mutex = new os::PlatformMutex();
  return mutex;
}

class HotTubBlocksLocker : public StackObj {
 public:
  HotTubBlocksLocker() { lock()->lock(); }
  ~HotTubBlocksLocker() { lock()->unlock(); }
};

static HotTubBlock** bucket_of(void* memory) {
  assert(is_power_of_2(_bucket_count), "size of table");
  uint64_t hash = ((uint64_t)memory >> 4) * UCONST64(0x9e3779b97f4a7c15);
  return &_buckets[(hash >> 32) & (_bucket_count - 1)];
}

static void resize(size_t count) {
  HotTubBlock** former = _buckets;
  size_t former_count = _bucket_count;
  _buckets = NEW_C_HEAP_ARRAY(HotTubBlock*, count, mtInternal);
  _bucket_count = count;
  memset(_buckets, 0, count * sizeof *_buckets);
  for (size_t i = 0; i < former_count; i++) {
    for (HotTubBlock* block = former[i]; block != NULL;) {
      HotTubBlock* next = block->next;
      HotTubBlock** bucket = bucket_of(block->memory);
      block->next = *bucket;
      *bucket = block;
      block = next;
    }
  }
  FREE_C_HEAP_ARRAY(HotTubBlock*, former);
}

static bool is_thread_of_vm() {
  Thread* thread = Thread::current_or_null();
  return thread != NULL && thread->is_Java_thread() &&
         HotTubThreads::is_of_vm(thread->as_Java_thread());
}

static void add(void* memory, size_t size) {
  HotTubBlock* block = NEW_C_HEAP_OBJ(HotTubBlock, mtInternal);
  HotTubBlocksLocker locker;
  if (_block_count >= _bucket_count) {
    resize(MAX2(buckets_at_start, 2 * _bucket_count));
  }
  HotTubBlock** bucket = bucket_of(memory);
  *block = HotTubBlock{memory, size, *bucket, !_base_is_closed, is_thread_of_vm()};
  *bucket = block;
  _block_count++;
}

static bool is_of_run(const HotTubBlock* block) { return !block->is_base || !_base_is_closed; }

// NULL if there is none.
static HotTubBlock** find(void* memory) {
  if (_bucket_count == 0) {
    return NULL;
  }
  HotTubBlock** link = bucket_of(memory);
  while (*link != NULL && (*link)->memory != memory) {
    link = &(*link)->next;
  }
  return *link == NULL ? NULL : link;
}

// True if it was a block of a run; its size.
static bool remove(void* memory, size_t* size) {
  HotTubBlock* found = NULL;
  {
    HotTubBlocksLocker locker;
    HotTubBlock** link = find(memory);
    *size = link == NULL ? 0 : (*link)->size;
    if (link == NULL || !is_of_run(*link)) {
      return false;
    }
    found = *link;
    *link = found->next;
    _block_count--;
  }
  FREE_C_HEAP_OBJ(found);
  return true;
}

void* HotTubBlocks::allocate(size_t size) {
  void* memory = os::malloc(size, mtOther);
  if (memory != NULL) {
    add(memory, size);
  }
  return memory;
}

void* HotTubBlocks::reallocate(void* block, size_t size) {
  if (block == NULL) {
    return allocate(size);
  }
  size_t former_size;
  if (!remove(block, &former_size)) {
    // Of S0: it has to stay as it is.
    void* copy = allocate(size);
    if (copy != NULL) {
      memcpy(copy, block, MIN2(size, former_size));
    }
    return copy;
  }
  void* memory = os::realloc(block, size, mtOther);
  if (memory == NULL) {
    add(block, former_size);
  } else {
    add(memory, size);
  }
  return memory;
}

void HotTubBlocks::free(void* block) {
  size_t size;
  if (block != NULL && remove(block, &size)) {
    os::free(block);
  }
}

void HotTubBlocks::close_base() { _base_is_closed = true; }

int HotTubBlocks::free_all() {
  int count = 0;
  HotTubBlocksLocker locker;
  for (size_t i = 0; i < _bucket_count; i++) {
    for (HotTubBlock** link = &_buckets[i]; *link != NULL;) {
      HotTubBlock* block = *link;
      if (block->is_base || block->is_of_vm) {
        link = &block->next;
      } else {
        *link = block->next;
        os::free(block->memory);
        FREE_C_HEAP_OBJ(block);
        _block_count--;
        count++;
      }
    }
  }
  return count;
}
