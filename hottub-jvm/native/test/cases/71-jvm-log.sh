# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# A JVM is told to write a log of its own, which changes nothing of who may use it.
jvm_command() {
  "$java" -cp "$work/classes" Exit 0
  eventually none_busy
  tr '\0' '\n' <"/proc/$(state_of "$(idle_socket)" jvm_pid)/cmdline"
}
own_log='-Xlog:hottub*=debug:file=jvm-%p.log:utctime,level,tags:filecount=0'
retire_all
jvm_command >"$work/command"
grep -q Xlog "$work/command" && fail "a log of its own that nobody asked for" || ok
without=$(last_trace | field fingerprint)

echo debug >"$HOTTUB_DIR/$(id -u)/jvm-log"
retire_all
jvm_command >"$work/command"
grep -qxF -e "$own_log" "$work/command" && ok || fail "no log of its own: $(<"$work/command")"
equal "$(last_trace | field fingerprint)" "$without" "fingerprint with a log of its own"

# What is no level is no option of the JVM.
echo 'debug:file=/tmp/elsewhere' >"$HOTTUB_DIR/$(id -u)/jvm-log"
retire_all
jvm_command >"$work/command"
grep -q Xlog "$work/command" && fail "a level that is none" || ok
grep -q 'jvm-log names no level' "$HOTTUB_DIR/$(id -u)"/*/*.log && ok || fail "a wrong level is not logged"
rm "$HOTTUB_DIR/$(id -u)/jvm-log"
retire_all
