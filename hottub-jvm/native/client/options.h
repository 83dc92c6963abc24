// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_OPTIONS_H_
#define HOTTUB_OPTIONS_H_

// Which VM options make the identity of a pooled JVM, which come with the lease, and which cannot
// be served from the pool.

#include "text.h"

struct options {
  struct list boot;  // on the command line of the JVM, without class path; identity, in this order
  struct list boot_props;   // -Dname=value likewise; identity, in any order
  struct list props;        // name=value, applied per lease
  struct list late;         // other VM options applied per lease
  struct list agents;       // -javaagent:..., for agents_resolve
  struct list agent_jars;   // behind the class path, where no property shows them
  struct list shown;        // all of these as RuntimeMXBean.getInputArguments lists them
  const char *class_path;   // as a stock JVM shows it; "" if none was given
  const char *module_path;  // NULL if none was given
};

// Sorts VM options; runs cold if one of them says so.
void options_sort(const struct list *vm_options, struct options *out);

// Whether the VM leaves the soft limit of open files as it is, instead of raising it.
bool options_keep_file_limit(const struct options *options);

#endif  // HOTTUB_OPTIONS_H_
