// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#ifdef COMPILER2
#include "ci/ciInstanceKlass.hpp"
#include "ci/ciMethod.hpp"
#include "ci/ciTypeFlow.hpp"
#include "code/oopRecorder.hpp"
#include "libadt/vectset.hpp"
#include "opto/cfgnode.hpp"
#include "opto/compile.hpp"
#include "opto/graphKit.hpp"
#include "opto/memnode.hpp"
#include "opto/subnode.hpp"

// The barriers of C2: a check that a class is initialized, which is loaded through raw memory with
// control. A load from immutable memory would be folded or hoisted, and its trap be taken for ever.

// Within a run, what was initialized stays so, and code that runs ends before the reset. So a check
// is needed only where some way leads from the start of the method that has not passed one.
class HotTubPassed : public StackObj {
  static const int nodes_max = 1000;

  Node* const _state;   // address of the state of the class
  Node* const _thread;  // that of the thread that is initializing it; NULL: this does not count
  ResourceMark _rm;
  VectorSet _seen;
  Node_List _todo;
  int _count = 0;

 public:
  HotTubPassed(Node* state, Node* thread) : _state(state), _thread(thread) {}

  bool is_everywhere_before(GraphKit* kit) {
    if (has_irreducible_loop(kit)) {
      return false;
    }
    add(kit->control());
    while (_todo.size() > 0) {
      Node* node = _todo.pop();
      if (_count > nodes_max || node->is_Start() || node->is_Root()) {
        return false;
      }
      if (node->is_Region()) {
        for (uint i = 1; i < node->req(); i++) {
          add(node->in(i));
        }
      } else if (!is_passed(node)) {
        if (node->in(0) == NULL) {
          return false;
        }
        add(node->in(0));
      }
    }
    return true;
  }

 private:
  // Of a loop that is being parsed the way back is missing, which comes from below. But one with
  // several entries may be parsed from one of them before the ways to the others are known.
  static bool has_irreducible_loop(GraphKit* kit) {
    for (JVMState* jvms = kit->jvms(); jvms != NULL; jvms = jvms->caller()) {
      if (jvms->has_method() && jvms->method()->get_flow_analysis()->has_irreducible_entry()) {
        return true;
      }
    }
    return false;
  }

  void add(Node* node) {
    if (node != NULL && !node->is_top() && !_seen.test_set(node->_idx)) {
      _todo.push(node);
      _count++;
    }
  }

  static bool loads_from(Node* node, Node* address) {
    return address != NULL && node->is_Load() && node->in(MemNode::Address) == address;
  }

  // The way on which a test of this class has succeeded?
  bool is_passed(Node* projection) const {
    if (!projection->is_IfTrue() || !projection->in(0)->is_If()) {
      return false;
    }
    Node* test = projection->in(0)->in(1);
    if (!test->is_Bool() || test->as_Bool()->_test._test != BoolTest::eq) {
      return false;
    }
    Node* compared = test->in(1);
    return compared->is_Cmp() &&
           (loads_from(compared->in(1), _state) || loads_from(compared->in(1), _thread) ||
            loads_from(compared->in(2), _thread));
  }
};

// Goes on where the class is initialized or this thread is initializing it, else the interpreter
// executes the bytecode again and initializes the class.
void GraphKit::hottub_barrier(ciInstanceKlass* ik) {
  Node* state_address = makecon(TypeRawPtr::make(ik->init_state_address()));
  Node* thread_address = makecon(TypeRawPtr::make(ik->init_thread_address()));
  if (HotTubPassed(state_address, thread_address).is_everywhere_before(this)) {
    return;
  }
  Node* state = make_load(control(), state_address, TypeInt::UBYTE, T_BOOLEAN, Compile::AliasIdxRaw,
                          MemNode::unordered);
  Node* chk = _gvn.transform(new CmpINode(state, intcon(InstanceKlass::fully_initialized)));
  Node* tst = _gvn.transform(new BoolNode(chk, BoolTest::eq));
  IfNode* iff = create_and_map_if(control(), tst, PROB_MAX, COUNT_UNKNOWN);
  RegionNode* region = new RegionNode(3);
  region->init_req(1, _gvn.transform(new IfTrueNode(iff)));
  set_control(_gvn.transform(new IfFalseNode(iff)));

  Node* init_thread = make_load(control(), thread_address, TypeRawPtr::BOTTOM, T_ADDRESS,
                                Compile::AliasIdxRaw, MemNode::unordered);
  Node* thread = _gvn.transform(new ThreadLocalNode());
  Node* thread_chk = _gvn.transform(new CmpPNode(thread, init_thread));
  Node* thread_tst = _gvn.transform(new BoolNode(thread_chk, BoolTest::eq));
  {
    BuildCutout unless(this, thread_tst, PROB_MAX);
    uncommon_trap(Deoptimization::Reason_uninitialized, Deoptimization::Action_none);
  }
  region->init_req(2, control());
  record_for_igvn(region);
  set_control(_gvn.transform(region));
}

// Goes on where the class is initialized, for code that holds values of its static final fields:
// its own initializer must not see them.
void GraphKit::hottub_constant_barrier(ciInstanceKlass* ik) {
  // Finds this code when a value has changed.
  C->env()->oop_recorder()->find_index(ik->constant_encoding());
  Node* state_address = makecon(TypeRawPtr::make(ik->init_state_address()));
  if (HotTubPassed(state_address, NULL).is_everywhere_before(this)) {
    return;
  }
  Node* state = make_load(control(), state_address, TypeInt::UBYTE, T_BOOLEAN, Compile::AliasIdxRaw,
                          MemNode::unordered);
  Node* chk = _gvn.transform(new CmpINode(state, intcon(InstanceKlass::fully_initialized)));
  Node* tst = _gvn.transform(new BoolNode(chk, BoolTest::eq));
  BuildCutout unless(this, tst, PROB_MAX);
  uncommon_trap(Deoptimization::Reason_uninitialized, Deoptimization::Action_none);
}

#endif  // COMPILER2
