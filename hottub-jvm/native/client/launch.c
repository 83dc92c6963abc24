// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "launch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "argfile.h"
#include "classpath.h"
#include "cold.h"
#include "tool-line.h"

#define ARGFILE_MAX_BYTES (16u * 1024 * 1024)

static bool is_one_of(const char *text, const char *const *words) {
  for (; *words; words++) {
    if (strcmp(text, *words) == 0) return true;
  }
  return false;
}

static bool is_module_launch_option(const char *arg) {
  static const char *const words[] = {"-m", "--module", NULL};
  return is_one_of(arg, words);
}

// Options of the module system, which may have their value in the next argument. The VM itself only
// knows --option=value.
static bool is_module_system_option(const char *arg) {
  static const char *const words[] = {"-p",
                                      "--module-path",
                                      "--upgrade-module-path",
                                      "--add-modules",
                                      "--add-opens",
                                      "--add-exports",
                                      "--add-reads",
                                      "--limit-modules",
                                      "--patch-module",
                                      "--enable-native-access",
                                      NULL};
  return is_one_of(arg, words);
}

static bool takes_next_argument(const char *arg) {
  static const char *const printing[] = {"-d", "--describe-module", "--source", NULL};
  return is_class_path_option(arg) || is_module_launch_option(arg) ||
         is_module_system_option(arg) || is_one_of(arg, printing);
}

// ---- @argfiles and JDK_JAVA_OPTIONS

// The launcher looks for the main class while it expands, because arguments of the program are
// never expanded.
struct expansion {
  struct list out;
  bool main_seen;
  bool value_next;
  bool no_argfiles;
  bool for_tool;  // which has its main class already, and expands all the same
};

static void note(struct expansion *e, const char *arg) {
  if (arg[0] != '-') {
    if (!e->value_next && !e->for_tool) e->main_seen = true;
    e->value_next = false;
    return;
  }
  // The value of -m is the main entry itself.
  e->value_next = takes_next_argument(arg) && !is_module_launch_option(arg);
  if (strcmp(arg, "--disable-@files") == 0) e->no_argfiles = true;
  if (starts_with(arg, "--module=") && !e->for_tool) e->main_seen = true;
}

static void expand(struct expansion *e, char *arg) {
  bool is_file = arg[0] == '@' && arg[1] != '\0' && !e->main_seen && !e->no_argfiles;
  if (is_file && arg[1] != '@') {
    size_t length;
    char *text = read_file(arg + 1, ARGFILE_MAX_BYTES, &length);
    if (!text) run_cold(COLD_ARGFILE);
    struct list words = {0};
    argfile_split(text, length, &words);
    for (size_t i = 0; i < words.count; i++) {
      note(e, words.item[i]);
      list_add(&e->out, words.item[i]);
    }
    return;
  }
  if (is_file) arg++;  // "@@x" stands for "@x"
  if (!e->main_seen) note(e, arg);
  list_add(&e->out, arg);
}

// Words that do not stand on the command line by themselves must leave the choice of the main class
// to it.
static void expand_words(struct expansion *e, const struct list *words, enum cold_reason reason) {
  static const char *const forbidden[] = {
      "-jar",   "-m", "--module",     "--dry-run", "-h",        "-?",           "-help",
      "--help", "-X", "--help-extra", "-version",  "--version", "-fullversion", "--full-version",
      NULL};
  for (size_t i = 0; i < words->count; i++) {
    size_t before = e->out.count;
    expand(e, words->item[i]);
    if (e->main_seen) run_cold(reason);
    for (size_t j = before; j < e->out.count; j++) {
      if (is_one_of(e->out.item[j], forbidden)) run_cold(reason);
    }
  }
}

static void expand_variable(struct expansion *e, struct bytes *notice) {
  const char *value = getenv("JDK_JAVA_OPTIONS");
  if (!value) return;
  bytes_format(notice, "NOTE: Picked up JDK_JAVA_OPTIONS: %s\n", value);
  struct list words = {0};
  if (!variable_split(value, &words)) run_cold(COLD_JDK_JAVA_OPTIONS);
  expand_words(e, &words, COLD_JDK_JAVA_OPTIONS);
}

// The first line of a script ("#!/path/java --source 17") reaches java as one argument. It has no
// quotes.
static bool expand_script_line(struct expansion *e, const char *arg) {
  if (e->main_seen || e->no_argfiles) return false;
  if (!starts_with(arg, "--source") || !strchr(arg, ' ')) return false;
  struct list words = {0};
  char *rest = join_text(arg, "");
  for (char *word; (word = strsep(&rest, " \t\n\v\f\r"));) {
    if (*word) list_add(&words, word);
  }
  expand_words(e, &words, COLD_COMMAND_LINE);
  return true;
}

// ---- options

enum mode { MODE_UNKNOWN, MODE_CLASS, MODE_JAR, MODE_MODULE, MODE_SOURCE };

// Compiles a source file and runs it.
static char source_launcher[] = "jdk.compiler/com.sun.tools.javac.launcher.Main";
static char source_modules[] = "--add-modules=ALL-DEFAULT";

struct parser {
  char **at;  // next argument
  struct list options;
  enum mode mode;
  bool have_class_path;
  char *main;
};

static void set_class_path(struct parser *p, const char *path) {
  list_add(&p->options, join_text("-Djava.class.path=", class_path_expand(path)));
  p->have_class_path = true;
}

static void set_module(struct parser *p, char *value) {
  if (!value || !*value) run_cold(COLD_COMMAND_LINE);
  const char *slash = strchr(value, '/');
  size_t length = slash ? (size_t)(slash - value) : strlen(value);
  list_add(&p->options, join_text("-Djdk.module.main=", copy_part(value, length)));
  p->mode = MODE_MODULE;
  p->main = value;
}

static void set_source(struct parser *p, const char *value) {
  if (!value || !*value) run_cold(COLD_COMMAND_LINE);
  list_add(&p->options, join_text("-Djdk.internal.javac.source=", value));
  p->mode = MODE_SOURCE;
}

// Of what contradicts --source the stock launcher warns.
static void check_mode(const struct parser *p) {
  if (p->mode == MODE_SOURCE) run_cold(COLD_COMMAND_LINE);
}

// What java had before there was -X, as an option of the VM; or NULL.
static char *new_spelling(const char *arg) {
  static const char *const sizes[] = {"-ss", "-oss", "-ms", "-mx", NULL};
  for (size_t i = 0; sizes[i]; i++) {
    if (starts_with(arg, sizes[i])) return join_text("-X", arg + 1);
  }
  static const struct {
    const char *before;
    char *now;
  } words[] = {{"-verbosegc", "-verbose:gc"},
               {"-noclassgc", "-Xnoclassgc"},
               {"-verify", "-Xverify:all"},
               {"-verifyremote", "-Xverify:remote"},
               {"-noverify", "-Xverify:none"},
               {"-debug", "-Xdebug"},
               {NULL, NULL}};
  for (size_t i = 0; words[i].before; i++) {
    if (strcmp(arg, words[i].before) == 0) return words[i].now;
  }
  return NULL;
}

// One option and, where it has one, its value. Everything that prints, and every error, is left to
// the stock launcher by passing it on as a VM option: the list of options that the pool serves does
// not contain it.
static void parse_option(struct parser *p) {
  char *arg = *p->at++;
  char *value = NULL, *renamed = new_spelling(arg);
  if (takes_next_argument(arg) && *p->at && **p->at != '-') value = *p->at++;

  if (strcmp(arg, "-jar") == 0) {
    check_mode(p);
    p->mode = MODE_JAR;
  } else if (is_module_launch_option(arg)) {
    check_mode(p);
    set_module(p, value);
  } else if (starts_with(arg, "--module=")) {
    check_mode(p);
    set_module(p, arg + strlen("--module="));
  } else if (strcmp(arg, "--source") == 0) {
    set_source(p, value);
  } else if (starts_with(arg, "--source=")) {
    set_source(p, arg + strlen("--source="));
  } else if (is_class_path_option(arg) || starts_with(arg, "--class-path=")) {
    if (!value && arg[1] == '-' && strchr(arg, '=')) value = strchr(arg, '=') + 1;
    if (!value) run_cold(COLD_COMMAND_LINE);
    set_class_path(p, value);
    if (p->mode != MODE_SOURCE) p->mode = MODE_CLASS;
  } else if (is_module_system_option(arg)) {
    if (!value || !*value) run_cold(COLD_COMMAND_LINE);
    const char *name = strcmp(arg, "-p") == 0 ? "--module-path" : arg;
    list_add(&p->options, join_text(join_text(name, "="), value));
  } else if (strcmp(arg, "-server") == 0 || strcmp(arg, "-client") == 0) {
    // jvm.cfg: both mean the one VM that there is.
  } else if (renamed) {
    list_add(&p->options, renamed);
  } else if (strcmp(arg, "--disable-@files") == 0) {
    run_cold(COLD_COMMAND_LINE);
  } else {
    if (starts_with(arg, "-Djava.class.path=")) p->have_class_path = true;
    list_add(&p->options, arg);
  }
}

static bool is_source_file(const char *name) {
  struct stat info;
  return ends_with(name, ".java") && stat(name, &info) == 0;
}

static void parse(struct parser *p, struct launch *launch) {
  while (!p->main && *p->at && **p->at == '-') parse_option(p);
  if (!p->main && *p->at) p->main = *p->at++;
  if (!p->main) return;
  if (p->mode == MODE_UNKNOWN) {
    if (!p->have_class_path) set_class_path(p, ".");
    p->mode = MODE_CLASS;
  }
  if (p->mode == MODE_CLASS && is_source_file(p->main)) p->mode = MODE_SOURCE;
  if (p->mode == MODE_SOURCE) {
    list_add(&p->options, source_modules);
    list_add(&launch->args, p->main);
    p->main = source_launcher;
    launch->is_source = true;
  }
  if (p->mode == MODE_JAR) {
    if (strchr(p->main, '*')) run_cold(COLD_JAR_NAME);
    set_class_path(p, p->main);
  }
  static const enum lease_mode modes[] = {[MODE_CLASS] = LEASE_CLASS,
                                          [MODE_JAR] = LEASE_JAR,
                                          [MODE_MODULE] = LEASE_MODULE,
                                          // To LauncherHelper that is a module, too.
                                          [MODE_SOURCE] = LEASE_MODULE};
  launch->mode = modes[p->mode];
  launch->main = p->main;
  for (; *p->at; p->at++) list_add(&launch->args, *p->at);
}

static void add_command_properties(struct launch *launch, struct list *options) {
  struct bytes command = {0};
  bytes_add_text(&command, "-Dsun.java.command=");
  bytes_add_text(&command, launch->main);
  for (size_t i = 0; i < launch->args.count; i++) {
    bytes_add_text(&command, " ");
    bytes_add_text(&command, launch->args.item[i]);
  }
  bytes_add(&command, "", 1);
  if (command.failed) run_cold(COLD_OUT_OF_MEMORY);
  list_add(options, (char *)command.data);
  list_add(options, "-Dsun.java.launcher=SUN_STANDARD");
}

// What the VM reads by itself, before and after the launcher's options.
static void add_vm_variable(const char *name, struct launch *launch) {
  const char *value = getenv(name);
  if (!value) return;
  bytes_format(&launch->notice, "Picked up %s: %s\n", name, value);
  if (!variable_split(value, &launch->options)) run_cold(COLD_VM_OPTIONS_VARIABLE);
}

static void prepare_java(char **argv, struct launch *launch, struct parser *p) {
  struct expansion e = {0};
  expand_variable(&e, &launch->notice);
  for (size_t i = 1; argv[i]; i++) {
    if (!expand_script_line(&e, argv[i])) expand(&e, argv[i]);
  }
  list_add(&e.out, NULL);
  p->at = e.out.item;
  const char *variable = getenv("CLASSPATH");
  if (variable) set_class_path(p, variable);
}

static void prepare_tool(const struct tool *tool, char **argv, struct parser *p) {
  struct expansion e = {.for_tool = true, .no_argfiles = !tool->expands_argfiles};
  for (size_t i = 1; argv[i]; i++) expand(&e, argv[i]);
  list_add(&e.out, NULL);
  struct list words = {0};
  tool_translate(tool, e.out.item, &words);
  p->at = words.item;
  tool_properties(&p->options);
}

void launch_parse(char **argv, const struct tool *tool, struct launch *launch) {
  *launch = (struct launch){0};
  struct parser p = {0};
  if (tool) {
    prepare_tool(tool, argv, &p);
  } else {
    prepare_java(argv, launch, &p);
  }
  parse(&p, launch);
  if (launch->main) add_command_properties(launch, &p.options);

  add_vm_variable("JAVA_TOOL_OPTIONS", launch);
  list_add_all(&launch->options, &p.options);
  add_vm_variable("_JAVA_OPTIONS", launch);
  if (launch->notice.failed) run_cold(COLD_OUT_OF_MEMORY);
}
