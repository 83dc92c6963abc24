// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_NODE_LIMITS_H_
#define HOTTUB_NODE_LIMITS_H_

// The limits of the node, for pools in which its pool service cannot write: those of other users.
// They come with the container (HOTTUB_LIMITS) and are put where clients and keepers read them.

// Where they cannot be, those that are there stay.
void node_limits_put(int user_dir);

#endif  // HOTTUB_NODE_LIMITS_H_
