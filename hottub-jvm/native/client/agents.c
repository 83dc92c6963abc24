// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "agents.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cold.h"
#include "jar.h"
#include "vouched.h"

#define OPTION "-javaagent:"

// The VM adds it for agents.
static char instrument_module[] = "--add-modules=java.instrument";

static bool is_ascii(const char *text) {
  for (; *text; text++) {
    if ((unsigned char)*text > 126) return false;
  }
  return true;
}

// With these the VM gets ready for changes of classes before there is one.
static bool changes_the_vm(const struct manifest *manifest) {
  static const char *const capabilities[] = {"Can-Redefine-Classes", "Can-Retransform-Classes",
                                             "Can-Set-Native-Method-Prefix", NULL};
  if (manifest_value(manifest, "Boot-Class-Path")) return true;
  for (size_t i = 0; capabilities[i]; i++) {
    const char *value = manifest_value(manifest, capabilities[i]);
    if (value && strcasecmp(value, "true") == 0) return true;
  }
  return false;
}

// The class whose premain is called; it is in the list of agents, and wants no more than to run.
static char *class_of(int user_dir, const char *jar) {
  struct manifest manifest;
  int fd = open(jar, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0 || !jar_read_manifest(fd, &manifest)) run_cold(COLD_AGENT);
  close(fd);
  char *name = manifest_value(&manifest, "Premain-Class");
  if (!name || !is_ascii(name) || changes_the_vm(&manifest)) run_cold(COLD_AGENT);
  if (!vouched_for(user_dir, VOUCHED_AGENTS, name)) run_cold(COLD_AGENT);
  return name;
}

void agents_resolve(int user_dir, const struct launch *launch, struct options *options) {
  if (!options->agents.count) return;
  // Without a class path the application is a module: its loader would look at jars differently.
  if (launch->mode == LEASE_MODULE) run_cold(COLD_AGENT);
  for (size_t i = 0; i < options->agents.count; i++) {
    const char *tail = options->agents.item[i] + strlen(OPTION);
    size_t length = strcspn(tail, "=");
    char *jar = copy_part(tail, length);
    if (!*jar || strchr(jar, ':') || !is_ascii(tail + length)) run_cold(COLD_AGENT);
    char *name = class_of(user_dir, jar);
    list_add(&options->late, join_text(OPTION, join_text(name, tail + length)));
    list_add(&options->agent_jars, jar);
  }
  list_add(&options->boot, instrument_module);
}
