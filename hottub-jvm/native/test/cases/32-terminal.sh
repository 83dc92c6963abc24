# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# Runs a command of the shell to its end at a new terminal, which is its controlling terminal, and of which nobody reads a key.
at_terminal() {
  script -q -e -c "$*" /dev/null </dev/null >"$work/terminal" 2>&1
}
# served WHAT COMMAND: as HOTTUB_TRACE tells, "pool" or the reason of a cold run.
served() {
  local expected=$1 by
  shift
  eventually none_busy
  at_terminal "$@"
  by=$(last_trace | field reason)
  [[ $by == null ]] && by=$(last_trace | field served)
  equal "$by" "$expected" "served at a terminal: ${*//$work/}"
}
run="$java -cp $work/classes"
fs=org.apache.hadoop.fs.FsShell

# Whatever may ask or read is cold, whichever of its standard descriptors is the terminal.
served terminal "$run Dump"
served terminal "$run Dump </dev/null"
served terminal "$run Dump </dev/null >$work/out"
served terminal "$run Dump </dev/null | cat"
served terminal "$run org.apache.spark.deploy.SparkSubmit --class org.apache.spark.repl.Main"
served terminal "$run org.apache.hive.beeline.BeeLine"
served terminal "$run org.apache.hadoop.hdfs.tools.DFSHAAdmin -failover a b"
served terminal "$run -m $fs"

# Nothing of it is the terminal, or the terminal is not that of its session.
served pool "$run Dump </dev/null >$work/out 2>&1"
served pool "setsid -w $run Dump"

# What only prints is pooled.
served pool "$run $fs -ls /"
grep -q '^arg=-ls' "$work/terminal" && ok || fail "a run at a terminal does not print there"
served pool "$run org.apache.hadoop.hdfs.tools.DFSAdmin -report"
served pool "$run org.apache.hadoop.yarn.client.cli.ApplicationCLI application -list"
served pool "$run org.apache.hadoop.mapred.JobClient -list"
served pool "$run org.apache.hadoop.util.VersionInfo"
# Unless it is told to read, and that from the terminal.
served terminal "$run $fs -put - /file"
served terminal "$run $fs -rm -safely -r /folder"
served terminal "$run org.apache.hadoop.yarn.client.cli.ApplicationCLI app -shell container"
served pool "echo text | $run $fs -put - /file"
# Or it would be stopped when it prints in the background.
served terminal "stty tostop; $run $fs -ls /"

# Of the JDK's tools those that ask are cold.
if [[ -x $stock/bin/javac ]]; then
  for tool in javac keytool; do
    ln "$home/bin/java" "$home/bin/$tool"
    cp "$home/bin/java-cold" "$home/bin/$tool-cold"
  done
  served pool "$home/bin/javac X.java"
  served terminal "$home/bin/keytool -list"
fi

# Programs for which the pool's owner vouches; that of spark-submit is the application.
printf '%s\n' Dump my.Report >"$HOTTUB_DIR/$(id -u)/printing"
served pool "$run Dump"
served terminal "$run Exit 0"
served pool "$run org.apache.spark.deploy.SparkSubmit --master yarn --class my.Report x.jar"
served terminal "$run org.apache.spark.deploy.SparkSubmit --master yarn --class my.Shell x.jar --class my.Report"
served terminal "$run org.apache.spark.deploy.SparkSubmit x.jar"
rm "$HOTTUB_DIR/$(id -u)/printing"
