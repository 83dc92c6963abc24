// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBPRIVATE_HPP
#define SHARE_HOTTUB_HOTTUBPRIVATE_HPP

// Access to a private static member of a HotSpot class.  An explicit instantiation may name
// private members ([temp.explicit]): that spares a patch of a header that everything includes.
// To be used at file scope; address_of(NAME()) is the address of the member.
template <typename Tag, typename Tag::type address>
struct HotTubPrivateMember {
  friend typename Tag::type address_of(Tag) { return address; }
};

#define HOTTUB_PRIVATE_MEMBER(NAME, TYPE, MEMBER) \
  struct NAME {                                   \
    typedef TYPE type;                            \
    friend type address_of(NAME);                 \
  };                                              \
  template struct HotTubPrivateMember<NAME, &MEMBER>;

#endif  // SHARE_HOTTUB_HOTTUBPRIVATE_HPP
