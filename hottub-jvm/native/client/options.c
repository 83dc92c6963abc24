// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "options.h"

#include <string.h>

#include "cold.h"
#include "logs.h"

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

static bool contains(const struct list *options, const char *option) {
  for (size_t i = 0; i < options->count; i++) {
    if (strcmp(options->item[i], option) == 0) return true;
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

// Identity, although with other values these are cold: no security manager is there before main.
static const char *const known_values[] = {"java.security.manager=allow",
                                           "java.security.manager=disallow", NULL};

static const struct {
  const char *pattern;
  enum cold_reason reason;
} cold_properties[] = {{"java.security.manager", COLD_SECURITY_MANAGER},
                       // A class that runs before main; nobody has tried that.
                       {"com.sun.management.agent.class", COLD_JMX_REMOTE},
                       {"java.system.class.loader", COLD_SYSTEM_CLASS_LOADER},
                       {"java.nio.file.spi.DefaultFileSystemProvider", COLD_FILE_SYSTEM_PROVIDER},
                       {"sun.java.launcher.is_altjvm", COLD_LAUNCHER_PROPERTY},
                       // Their effect is output of the launcher or the VM.
                       {"sun.java.launcher.diag", COLD_LAUNCHER_PROPERTY},
                       {"jdk.module.showModuleResolution", COLD_LAUNCHER_PROPERTY},
                       // Each class is loaded and made, each jar verified, and each call site
                       // linked in the first run only.
                       {"java.security.debug", COLD_DUMPS},
                       {"jdk.internal.lambda.dumpProxyClasses", COLD_DUMPS},
                       {"jdk.proxy.ProxyGenerator.saveGeneratedFiles", COLD_DUMPS},
                       {"jdk.proxy.debug", COLD_DUMPS},
                       {"java.lang.invoke.MethodHandle.DUMP_*", COLD_DUMPS},
                       {"java.lang.invoke.MethodHandle.TRACE_*", COLD_DUMPS},
                       {"java.lang.invoke.MethodHandle.LOG_*", COLD_DUMPS},
                       {"sun.misc.URLClassPath.debug", COLD_DUMPS},
                       {"stackwalk.debug", COLD_DUMPS},
                       {NULL, COLD_NONE}};

// The VM adds a module for these, and the pooled JVM starts the agent in every run.
static const char management_property[] = "com.sun.management";
static char management_module[] = "--add-modules=jdk.management.agent";

static void add_management_module(struct list *boot) {
  if (!contains(boot, management_module)) list_add(boot, management_module);
}

static bool is_boot_property(const char *name) {
  return matches_any(name, load_properties) ||
         (matches_any(name, boot_properties) && !matches_any(name, lease_properties));
}

static void sort_property(char *option, struct options *out) {
  const char *text = option + strlen("-D");
  size_t length = strcspn(text, "=");
  char *name = copy_part(text, length);
  for (size_t i = 0; cold_properties[i].pattern && !matches_any(text, known_values); i++) {
    if (matches(name, cold_properties[i].pattern)) run_cold(cold_properties[i].reason);
  }
  if (length == 0) run_cold(COLD_UNKNOWN_OPTION);
  if (starts_with(name, management_property)) add_management_module(&out->boot);
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
                                           "-XX:+HeapDumpBeforeFullGC",
                                           "-XX:-HeapDumpBeforeFullGC",
                                           "-XX:+HeapDumpAfterFullGC",
                                           "-XX:-HeapDumpAfterFullGC",
                                           NULL};

static const char agent_option[] = "-javaagent:*";

// Identity, although their names begin as those of cold ones. What the VM prints of these when it
// starts, the host program repeats in each run ...
static const char *const printed_options[] = {"-XX:+PrintCommandLineFlags", NULL};

// ... and of these it prints what somebody asks for later, or nothing.
static const char *const quiet_options[] = {"-XX:+LogEvents",
                                            "-XX:+PrintClassHistogram",
                                            "-XX:+PrintConcurrentLocks",
                                            "-XX:+PrintExtendedThreadInfo",
                                            "-XX:+PrintHeapAtSIGBREAK",
                                            "-XX:+PrintWarnings",
                                            "-XX:+ShowCodeDetailsInExceptionMessages",
                                            "-XX:+ShowHiddenFrames",
                                            NULL};

// Before boot_options, which contains "-XX:*".
static const struct {
  const char *pattern;
  enum cold_reason reason;
} cold_options[] = {{"-agentlib:*", COLD_AGENT},
                    {"-agentpath:*", COLD_AGENT},
                    {"-Xrun*", COLD_AGENT},
                    {"-Xdebug", COLD_DEBUG},
                    {"-Xnoagent", COLD_DEBUG},
                    {"-Xcheck*", COLD_DEBUG},
                    {"-XX:+CheckJNICalls", COLD_DEBUG},
                    {"-XX:AbortVMOnException*", COLD_DEBUG},
                    {"-XX:+PauseAtStartup", COLD_DEBUG},
                    {"-XX:+PauseAtExit", COLD_DEBUG},
                    {"-XX:+ReplayCompiles", COLD_DEBUG},
                    // From the start of the JVM on, not from that of a run.
                    {"-XX:SelfDestructTimer=*", COLD_DEBUG},
                    {"-Xlog*", COLD_LOG},
                    {"-verbose*", COLD_LOG},
                    {"-splash:*", COLD_SPLASH},
                    {"-version", COLD_PRINTS},
                    {"--version", COLD_PRINTS},
                    {"-showversion", COLD_PRINTS},
                    {"--show-version", COLD_PRINTS},
                    {"-fullversion", COLD_PRINTS},
                    {"--full-version", COLD_PRINTS},
                    {"-Xinternalversion", COLD_PRINTS},
                    {"-help", COLD_PRINTS},
                    {"--help", COLD_PRINTS},
                    {"-h", COLD_PRINTS},
                    {"-?", COLD_PRINTS},
                    {"-X", COLD_PRINTS},
                    {"--help-extra", COLD_PRINTS},
                    {"-XshowSettings*", COLD_PRINTS},
                    {"--list-modules", COLD_PRINTS},
                    {"--show-module-resolution", COLD_PRINTS},
                    {"--describe-module*", COLD_PRINTS},
                    {"-d", COLD_PRINTS},
                    {"--validate-modules", COLD_PRINTS},
                    {"--dry-run", COLD_PRINTS},
                    {"-Xdiag", COLD_PRINTS},
                    {"-Xfuture", COLD_PRINTS},
                    {"-Xshare:dump", COLD_CDS_DUMP},
                    {"-XX:+DumpSharedSpaces", COLD_CDS_DUMP},
                    {"-XX:+DynamicDumpSharedSpaces", COLD_CDS_DUMP},
                    {"-XX:+RecordDynamicDumpInfo", COLD_CDS_DUMP},
                    {"-XX:ArchiveClassesAtExit*", COLD_CDS_DUMP},
                    {"-XX:DumpLoadedClassList*", COLD_CDS_DUMP},
                    {"-XX:+FlightRecorder", COLD_FLIGHT_RECORDER},
                    {"-XX:StartFlightRecording*", COLD_FLIGHT_RECORDER},
                    {"-XX:FlightRecorderOptions*", COLD_FLIGHT_RECORDER},
                    {"-XX:+ManagementServer", COLD_JMX_REMOTE},
                    {"-XX:+UseZGC", COLD_COLLECTOR},
                    {"-XX:+UseShenandoahGC", COLD_COLLECTOR},
                    {"-XX:+UseEpsilonGC", COLD_COLLECTOR},
                    // What a run had in memory would stay in the file.
                    {"-XX:AllocateHeapAt=*", COLD_HEAP_FILE},
                    // The content of these files is not in the fingerprint.
                    {"-XX:Flags=*", COLD_OPTIONS_FILE},
                    {"-XX:VMOptionsFile=*", COLD_OPTIONS_FILE},
                    {"-XX:SharedArchiveFile=*", COLD_OPTIONS_FILE},
                    {"-XX:SharedClassListFile=*", COLD_OPTIONS_FILE},
                    {"-XX:CompileCommandFile=*", COLD_OPTIONS_FILE},
                    {"-XX:CompilerDirectivesFile=*", COLD_OPTIONS_FILE},
                    {"-Xbootclasspath*", COLD_BOOT_CLASS_PATH},
                    {"--patch-module=*", COLD_PATCH_MODULE},
                    {"--upgrade-module-path=*", COLD_UPGRADE_MODULE_PATH},
                    // What these print belongs to one run.
                    {"-XX:+Print*", COLD_PRINTS},
                    {"-XX:+Show*", COLD_PRINTS},
                    {"-XX:+Trace*", COLD_PRINTS},
                    {"-XX:+Log*", COLD_PRINTS},
                    {"-XX:LogFile=*", COLD_PRINTS},
                    {"-XX:CompileCommand=*", COLD_PRINTS},
                    {"-XX:+CITime", COLD_PRINTS},
                    {"-XX:+CIPrintCompileQueue", COLD_PRINTS},
                    {"-XX:+CompilerDirectivesPrint", COLD_PRINTS},
                    {"-XX:DiagnoseSyncOnValueBasedClasses=*", COLD_PRINTS},
                    {"-XX:+DumpPerfMapAtExit", COLD_PRINTS},
                    {"-XX:+JVMCIPrintProperties", COLD_PRINTS},
                    {"-XX:TraceJVMTI=*", COLD_PRINTS},
                    {"-XX:+PerfDataSaveToFile", COLD_PRINTS},
                    {NULL, COLD_NONE}};

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
                                           "-Xverify",
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
  if (logs_are_pooled(option)) {
    list_add(&out->late, option);
    return;
  }
  if (matches(option, agent_option)) {
    list_add(&out->agents, option);
    return;
  }
  bool is_known = matches_any(option, printed_options) || matches_any(option, quiet_options);
  for (size_t i = 0; cold_options[i].pattern && !is_known; i++) {
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
    run_cold(COLD_UNKNOWN_OPTION);
  }
}

// What the VM prints of its flags has those of the run: so the JVM is started with them, too, and
// forgets them until a run brings them. Those that only the run can have are in no such text.
static void add_printed_options(struct options *out) {
  bool prints = false;
  for (size_t i = 0; printed_options[i]; i++) prints |= contains(&out->boot, printed_options[i]);
  if (!prints) return;
  if (contains(&out->boot, management_module)) run_cold(COLD_PRINTS);
  for (size_t i = 0; i < out->late.count; i++) {
    char *option = out->late.item[i];
    if (matches_any(option, late_options)) {
      list_add(&out->boot, option);
    } else if (starts_with(option, "-XX:")) {
      run_cold(COLD_PRINTS);
    }
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
  add_printed_options(out);
}

bool options_keep_file_limit(const struct options *options) {
  bool keep = false;  // the last one holds
  for (size_t i = 0; i < options->boot.count; i++) {
    const char *option = options->boot.item[i];
    if (strcmp(option, "-XX:-MaxFDLimit") == 0) keep = true;
    if (strcmp(option, "-XX:+MaxFDLimit") == 0) keep = false;
  }
  return keep;
}
