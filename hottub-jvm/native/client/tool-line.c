// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "tool-line.h"

#include <stdlib.h>
#include <string.h>

#include "argfile.h"
#include "classpath.h"
#include "cold.h"

// The launcher takes these out, or acts on them, wherever they are: they choose a VM (jvm.cfg), ask
// for a splash screen, or for what it has not done since JDK 9.
static void check_argument(const char *arg) {
  static const char *const exact[] = {"-server",
                                      "-client",
                                      "-zero",
                                      "-dcevm",
                                      "-jar",
                                      "-jre-restrict-search",
                                      "-jre-no-restrict-search",
                                      NULL};
  static const char *const prefixes[] = {"-XXaltjvm=", "-version:", "-splash:", NULL};
  for (size_t i = 0; exact[i]; i++) {
    if (strcmp(arg, exact[i]) == 0) run_cold(COLD_LAUNCHER_ARGUMENT);
  }
  for (size_t i = 0; prefixes[i]; i++) {
    if (starts_with(arg, prefixes[i])) run_cold(COLD_LAUNCHER_ARGUMENT);
  }
}

// Adds the arguments of the tool itself. A class path is expanded even if its value looks like an
// option.
static void add_own(const struct tool *tool, char *const *args, struct list *out) {
  static const char long_option[] = "--class-path=";
  for (; *args; args++) {
    char *arg = *args;
    check_argument(arg);
    if (starts_with(arg, "-J")) continue;
    if (tool->expands_wildcards && starts_with(arg, long_option)) {
      char *value = arg + strlen(long_option);
      if (!*value) run_cold(COLD_COMMAND_LINE);
      arg = join_text(long_option, class_path_expand(value));
    }
    list_add(out, arg);
    if (tool->expands_wildcards && is_class_path_option(arg) && args[1]) {
      check_argument(*++args);
      list_add(out, class_path_expand(*args));
    }
  }
}

void tool_translate(const struct tool *tool, char *const *args, struct list *out) {
  variable_split(tool->options, out);
  for (size_t i = 0; args[i]; i++) {
    if (!starts_with(args[i], "-J")) continue;
    if (!args[i][2]) run_cold(COLD_COMMAND_LINE);
    list_add(out, args[i] + 2);
  }
  list_add(out, copy_text("-m"));
  list_add(out, copy_text(tool->main));
  add_own(tool, args, out);
}

void tool_properties(struct list *options) {
  const char *variable = getenv("CLASSPATH");
  if (variable) list_add(options, join_text("-Denv.class.path=", class_path_expand(variable)));
  list_add(options, join_text("-Dapplication.home=", cold_home()));
}
