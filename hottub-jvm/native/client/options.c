// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "options.h"

#include <string.h>

#include "cold.h"

// ---- patterns: "name" is the exact text, "name*" a prefix

static bool matches(const char *text, const char *pattern) {
  size_t length = strlen(pattern);
  if (length && pattern[length - 1] == '*') return strncmp(text, pattern, length - 1) == 0;
  return strcmp(text, pattern) == 0;
}

static bool matches_any(const char *text, const char *const *patterns) {
  for (; *patterns; patterns++) {
    if (matches(text, *patterns)) return true;
  }
  return false;
}

// ---- properties

// Names that the JDK reads while it starts: they are identity ...
static const char *const boot_properties[] = {"jdk.*",           "sun.*",
                                              "java.*",          "file.encoding",
                                              "file.separator",  "path.separator",
                                              "line.separator",  "os.*",
                                              "user.language*",  "user.country*",
                                              "user.script*",    "user.variant*",
                                              "native.encoding", NULL};

// ... except for these, which it reads when they are used.
static const char *const lease_properties[] = {"java.io.tmpdir",
                                               "java.net.*",
                                               "java.library.path",
                                               "java.security.auth.login.config",
                                               "java.security.krb5.*",
                                               "java.util.logging.*",
                                               "java.awt.headless",
                                               "java.rmi.*",
                                               "java.naming.*",
                                               "java.protocol.handler.pkgs",
                                               "java.util.concurrent.*",
                                               "sun.net.*",
                                               "sun.security.krb5.*",
                                               "sun.java.command",
                                               NULL};

// Exceptions of the exceptions: a native library reads these once, when it is loaded.
static const char *const load_properties[] = {"java.net.preferIPv4Stack", NULL};

static const struct {
  const char *pattern, *reason;
} cold_properties[] = {{"java.security.manager*", "security-manager"},
                       {"com.sun.management*", "jmx-remote"},
                       {"java.system.class.loader", "system-class-loader"},
                       {"java.nio.file.spi.DefaultFileSystemProvider", "file-system-provider"},
                       {"sun.java.launcher.is_altjvm", "launcher-property"},
                       // Their effect is output of the launcher or the VM.
                       {"sun.java.launcher.diag", "launcher-property"},
                       {"jdk.module.showModuleResolution", "launcher-property"},
                       {NULL, NULL}};

static bool is_boot_property(const char *name) {
  return matches_any(name, load_properties) ||
         (matches_any(name, boot_properties) && !matches_any(name, lease_properties));
}

static void sort_property(char *option, struct options *out) {
  const char *text = option + strlen("-D");
  size_t length = strcspn(text, "=");
  char *name = copy_part(text, length);
  for (size_t i = 0; cold_properties[i].pattern; i++) {
    if (matches(name, cold_properties[i].pattern)) run_cold(cold_properties[i].reason);
  }
  if (length == 0) run_cold("unknown-option");
  if (strcmp(name, "java.class.path") == 0) {
    out->class_path = text[length] ? text + length + 1 : "";
  } else if (is_boot_property(name)) {
    list_add(&out->boot_props, option);
  } else {
    list_add(&out->props, join_text(name, text[length] ? text + length : "="));
  }
}

// ---- other options

static const char *const late_options[] = {"-XX:HeapDumpPath=*",
                                           "-XX:OnOutOfMemoryError=*",
                                           "-XX:OnError=*",
                                           "-XX:ErrorFile=*",
                                           "-XX:+HeapDumpOnOutOfMemoryError",
                                           "-XX:-HeapDumpOnOutOfMemoryError",
                                           "-XX:+ExitOnOutOfMemoryError",
                                           "-XX:-ExitOnOutOfMemoryError",
                                           "-XX:+CrashOnOutOfMemoryError",
                                           "-XX:-CrashOnOutOfMemoryError",
                                           NULL};

// Before boot_options, which contains "-XX:*".
static const struct {
  const char *pattern, *reason;
} cold_options[] = {{"-agentlib:*", "agent"},
                    {"-agentpath:*", "agent"},
                    {"-javaagent:*", "agent"},
                    {"-Xrun*", "agent"},
                    {"-Xdebug", "debug"},
                    {"-Xnoagent", "debug"},
                    {"-Xlog*", "log"},
                    {"-verbose*", "log"},
                    {"-splash:*", "splash"},
                    {"--source*", "source-file"},
                    {"-version", "prints"},
                    {"--version", "prints"},
                    {"-showversion", "prints"},
                    {"--show-version", "prints"},
                    {"-fullversion", "prints"},
                    {"--full-version", "prints"},
                    {"-Xinternalversion", "prints"},
                    {"-help", "prints"},
                    {"--help", "prints"},
                    {"-h", "prints"},
                    {"-?", "prints"},
                    {"-X", "prints"},
                    {"--help-extra", "prints"},
                    {"-XshowSettings*", "prints"},
                    {"--list-modules", "prints"},
                    {"--show-module-resolution", "prints"},
                    {"--describe-module*", "prints"},
                    {"-d", "prints"},
                    {"--validate-modules", "prints"},
                    {"--dry-run", "prints"},
                    {"-Xshare:dump", "cds-dump"},
                    {"-XX:ArchiveClassesAtExit*", "cds-dump"},
                    {"-XX:DumpLoadedClassList*", "cds-dump"},
                    {"-XX:+FlightRecorder", "flight-recorder"},
                    {"-XX:StartFlightRecording*", "flight-recorder"},
                    {"-XX:FlightRecorderOptions*", "flight-recorder"},
                    {"-XX:+ManagementServer", "jmx-remote"},
                    {"-XX:+UseZGC", "collector"},
                    {"-XX:+UseShenandoahGC", "collector"},
                    {"-XX:+UseEpsilonGC", "collector"},
                    // The content of these files is not in the fingerprint.
                    {"-XX:Flags=*", "options-file"},
                    {"-XX:VMOptionsFile=*", "options-file"},
                    {"-XX:SharedArchiveFile=*", "options-file"},
                    {"-XX:SharedClassListFile=*", "options-file"},
                    {"-XX:CompileCommandFile=*", "options-file"},
                    {"-XX:CompilerDirectivesFile=*", "options-file"},
                    {"-Xbootclasspath*", "boot-class-path"},
                    {"--patch-module=*", "patch-module"},
                    {"--upgrade-module-path=*", "upgrade-module-path"},
                    // What these print belongs to one run.
                    {"-XX:+Print*", "prints"},
                    {"-XX:+Show*", "prints"},
                    {"-XX:+Trace*", "prints"},
                    {"-XX:+Log*", "prints"},
                    {"-XX:LogFile=*", "prints"},
                    {"-XX:CompileCommand=*", "prints"},
                    {"-XX:+CITime", "prints"},
                    {"-XX:+PerfDataSaveToFile", "prints"},
                    {NULL, NULL}};

static const char *const boot_options[] = {"-Xms*",
                                           "-Xmx*",
                                           "-Xmn*",
                                           "-Xss*",
                                           "-Xint",
                                           "-Xmixed",
                                           "-Xcomp",
                                           "-Xbatch",
                                           "-Xrs",
                                           "-Xnoclassgc",
                                           "-Xverify:*",
                                           "-Xshare:auto",
                                           "-Xshare:on",
                                           "-Xshare:off",
                                           "-XX:*",
                                           "-ea",
                                           "-ea:*",
                                           "-enableassertions",
                                           "-enableassertions:*",
                                           "-da",
                                           "-da:*",
                                           "-disableassertions",
                                           "-disableassertions:*",
                                           "-esa",
                                           "-enablesystemassertions",
                                           "-dsa",
                                           "-disablesystemassertions",
                                           "--enable-preview",
                                           "--module-path=*",
                                           "--add-modules=*",
                                           "--add-opens=*",
                                           "--add-exports=*",
                                           "--add-reads=*",
                                           "--limit-modules=*",
                                           "--enable-native-access=*",
                                           "--illegal-access=*",
                                           NULL};

// Options of later JDKs: the VM of this one takes them when it is told to ignore what it does not
// know. Not all that we do not know: the VM may know it.
static const char *const later_options[] = {"--sun-misc-unsafe-memory-access=*", NULL};

static bool ignores_later_options(const struct list *vm_options) {
  bool ignores = false;
  for (size_t i = 0; i < vm_options->count; i++) {
    const char *option = vm_options->item[i];
    if (strcmp(option, "-XX:+IgnoreUnrecognizedVMOptions") == 0) ignores = true;
    if (strcmp(option, "-XX:-IgnoreUnrecognizedVMOptions") == 0) ignores = false;
  }
  return ignores;
}

static void sort_option(char *option, bool ignores_later, struct options *out) {
  for (size_t i = 0; cold_options[i].pattern; i++) {
    if (matches(option, cold_options[i].pattern)) run_cold(cold_options[i].reason);
  }
  if (starts_with(option, "-D")) {
    sort_property(option, out);
  } else if (matches_any(option, late_options)) {
    list_add(&out->late, option);
  } else if (matches_any(option, boot_options)) {
    if (starts_with(option, "--module-path=")) {
      out->module_path = option + strlen("--module-path=");
    } else {
      list_add(&out->boot, option);
    }
  } else if (ignores_later && matches_any(option, later_options)) {
    list_add(&out->boot, option);
  } else {
    run_cold("unknown-option");
  }
}

// Arguments::parse_each_vm_init_arg leaves these out of the VM's list of its arguments.
static const char *const unlisted_options[] = {"-Djava.class.path*", "-Dsun.java.command*",
                                               "-Dsun.java.launcher*", NULL};

void options_sort(const struct list *vm_options, struct options *out) {
  *out = (struct options){.class_path = ""};
  bool ignores_later = ignores_later_options(vm_options);
  for (size_t i = 0; i < vm_options->count; i++) {
    sort_option(vm_options->item[i], ignores_later, out);
    if (!matches_any(vm_options->item[i], unlisted_options)) {
      list_add(&out->shown, vm_options->item[i]);
    }
  }
}
