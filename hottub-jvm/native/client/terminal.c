// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "terminal.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cold.h"
#include "tool.h"
#include "vouched.h"

// Command lines of Hadoop that print and do not ask. docs/protocol.md, "Terminals", says how a
// program gets here.
static const char *const printing[] = {
    "org.apache.hadoop.fs.FsShell", "org.apache.hadoop.hdfs.tools.CacheAdmin",
    "org.apache.hadoop.hdfs.tools.CryptoAdmin", "org.apache.hadoop.hdfs.tools.DFSAdmin",
    "org.apache.hadoop.hdfs.tools.DFSck", "org.apache.hadoop.hdfs.tools.DebugAdmin",
    "org.apache.hadoop.hdfs.tools.DelegationTokenFetcher", "org.apache.hadoop.hdfs.tools.ECAdmin",
    "org.apache.hadoop.hdfs.tools.GetConf", "org.apache.hadoop.hdfs.tools.GetGroups",
    "org.apache.hadoop.hdfs.tools.StoragePolicyAdmin",
    "org.apache.hadoop.hdfs.tools.snapshot.LsSnapshot",
    "org.apache.hadoop.hdfs.tools.snapshot.LsSnapshottableDir",
    "org.apache.hadoop.hdfs.tools.snapshot.SnapshotDiff", "org.apache.hadoop.log.LogLevel",
    "org.apache.hadoop.mapred.JobClient", "org.apache.hadoop.mapred.JobQueueClient",
    "org.apache.hadoop.util.NativeLibraryChecker", "org.apache.hadoop.util.VersionInfo",
    "org.apache.hadoop.yarn.client.cli.ApplicationCLI",
    "org.apache.hadoop.yarn.client.cli.ClusterCLI", "org.apache.hadoop.yarn.client.cli.LogsCLI",
    "org.apache.hadoop.yarn.client.cli.NodeAttributesCLI",
    "org.apache.hadoop.yarn.client.cli.NodeCLI", "org.apache.hadoop.yarn.client.cli.QueueCLI",
    // Prints the command that spark-submit then runs.
    "org.apache.spark.launcher.Main", NULL};

// Arguments with which some of them do read: a file that is standard input, a question, a shell.
static const char *const reading[] = {"-", "-safely", "-shell", NULL};

static bool is_one_of(const char *text, const char *const *words) {
  for (; *words; words++) {
    if (strcmp(text, *words) == 0) return true;
  }
  return false;
}

// spark-submit runs a program in its own JVM, which is named behind the first --class.
static const char *program_of(const struct launch *launch) {
  if (strcmp(launch->main, "org.apache.spark.deploy.SparkSubmit") != 0) return launch->main;
  for (size_t i = 0; i + 1 < launch->args.count; i++) {
    if (strcmp(launch->args.item[i], "--class") == 0) return launch->args.item[i + 1];
  }
  return "";
}

static bool only_prints(const struct launch *launch, int user_dir) {
  const struct tool *tool = cold_tool();
  if (tool) return tool->only_prints;
  if (launch->mode != LEASE_CLASS) return false;
  return is_one_of(launch->main, printing) ||
         vouched_for(user_dir, VOUCHED_PRINTING, program_of(launch));
}

static bool reads(const struct launch *launch) {
  for (size_t i = 0; i < launch->args.count; i++) {
    if (is_one_of(launch->args.item[i], reading)) return true;
  }
  return false;
}

static bool has_controlling_terminal(void) {
  int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

// `stty tostop`: what prints in the background stops.
static bool stops_output(int fd) {
  struct termios attributes;
  return tcgetattr(fd, &attributes) == 0 && (attributes.c_lflag & TOSTOP);
}

int terminal_input(const struct launch *launch, int user_dir) {
  bool input = isatty(STDIN_FILENO), output = isatty(STDOUT_FILENO), error = isatty(STDERR_FILENO);
  // Without a controlling terminal a stock JVM has no more of the terminal than a pooled one.
  if ((!input && !output && !error) || !has_controlling_terminal()) return STDIN_FILENO;
  if (!only_prints(launch, user_dir)) run_cold(COLD_TERMINAL);
  if (stops_output(STDOUT_FILENO) || stops_output(STDERR_FILENO)) run_cold(COLD_TERMINAL);
  if (!input) return STDIN_FILENO;
  if (reads(launch)) run_cold(COLD_TERMINAL);
  // A name for what is open: it leads to the terminal also where its device file cannot be seen.
  int unread = open("/proc/self/fd/0", O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (unread < 0) run_cold(COLD_TERMINAL);
  return unread;
}
