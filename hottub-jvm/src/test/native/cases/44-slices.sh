# Copyright 2026 The HotTub Authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154  # sourced by run-tests.sh, which sets and reads these

# Client and keeper are let in soon where others keep the cores busy; what they start is as everybody.
slice_of() { sed -n 's/^se.slice *: *//p' "/proc/$1/sched" 2>/dev/null; }
normal=$(slice_of self)
if [[ -z $normal || $(printf '6.12\n%s\n' "$(uname -r)" | sort -V | head -n 1) != 6.12 ]]; then
  echo "skipped: $test needs Linux 6.12, and /proc/PID/sched"
  return 0
fi
start_wait
equal "$(slice_of "$client")" 100000 "the client's slice"
equal "$(slice_of "$keeper")" 100000 "the keeper's slice"
equal "$(slice_of "$jvm")" "$normal" "the JVM's slice"
kill -TERM "$client"
ends "$client" 143 "status of the run"

# A run that turns cold although its client has asked a JVM.
eventually none_busy || fail "the run is not over"
mv "$home/bin/java-cold" "$work/java-cold"
printf '#!/bin/sh\nexec cat /proc/self/sched\n' >"$home/bin/java-cold"
chmod 755 "$home/bin/java-cold"
kill -STOP "$keeper"
"$java" -cp "$work/classes" Exit 0 >"$work/out"
kill -CONT "$keeper"
equal "$(sed -n 's/^se.slice *: *//p' "$work/out")" "$normal" "the slice of a cold run"
mv "$work/java-cold" "$home/bin/java-cold"
