# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# The exit status is the program's, and the second run is served by the same JVM.
for status in 0 1 7 126 127 128 137 143 255; do
  eventually none_busy || fail "the run before is not over"
  "$java" -cp "$work/classes" Exit $status
  equal $? $status "exit status"
  equal "$(last_trace | field served)" pool "exit status $status is served"
done
equal "$(last_trace | field run)" 9 "all runs in one JVM"
equal "$(sockets | wc -l)" 1 "one JVM"

# Stderr and stdout of the run are the client's.
echo hello | "$java" -cp "$work/classes" Cat >"$work/out"
equal "$(cat "$work/out")" hello "standard input and output"

# Directory, environment, umask, limits.
(
  cd / && umask 027 && ulimit -S -n 512
  env -i HOTTUB_DIR="$HOTTUB_DIR" ONLY=this "$java" -cp "$work/classes" Dump
) >"$work/out"
grep -qx 'cwd=/' "$work/out" && grep -qx 'umask=027' "$work/out" && grep -qx 'nofile=512' "$work/out" && ok ||
  fail "what a process inherits"
equal "$(grep -c '^env=' "$work/out")" 2 "the environment is complete and nothing more"
