// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_IDENTITY_H_
#define HOTTUB_IDENTITY_H_

// The fingerprint: the digest that decides which JVMs may serve a run. docs/protocol.md,
// "Fingerprint".

#include "bytes.h"
#include "digests.h"
#include "options.h"
#include "pool.h"
#include "text.h"

// Runs cold where the identity cannot be told. `class_path` and `module_path` have absolute
// entries. `files` gets what was read of them: see class-files.h.
void identity_compute(const struct options *options, const struct list *class_path,
                      const struct list *module_path, const struct list *environment,
                      enum isolation isolation, struct digests *digests, struct bytes *files,
                      char fingerprint[POOL_FINGERPRINT_CHARS + 1]);

// The variables that the VM or the C library reads when a process starts: those a pooled JVM is
// started with.
void identity_environment(struct list *out);

#endif  // HOTTUB_IDENTITY_H_
