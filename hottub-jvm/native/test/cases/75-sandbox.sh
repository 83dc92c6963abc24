# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these

# Sandboxes, in which a run may not do what another one of its user may.
filtered=$native/test/filtered
run() { "$@" "$java" -cp "$work/classes" Exit 9 >"$work/out"; }

# Filters of system calls, of which nobody can tell what they do: those of the run alone, and those of all that it can see.
"$filtered" true
if (($? == 77)); then
  echo "skipped: $test: the kernel does not let us set a filter"
else
  run "$filtered"
  equal "$?, $(last_trace | field reason)" "9, seccomp-filter" "a filter of the run"
fi
container=(unshare --pid --fork --mount-proc)
if ! "${container[@]}" true 2>/dev/null; then
  echo "skipped: $test: ${container[*]} is not permitted"
elif "$filtered" true; then
  # Process 1 is the shell.
  contained() { "${container[@]}" "$@" sh -c "$java -cp $work/classes Exit 9 >$work/out; exit \$?"; }
  contained env
  equal "$?, $(last_trace | field served)" "9, pool" "no filter in a container"
  contained "$filtered"
  equal "$?, $(last_trace | field served)" "9, pool" "the filter of a container"
  "${container[@]}" sh -c "$filtered $java -cp $work/classes Exit 9 >$work/out; exit \$?"
  equal "$?, $(last_trace | field reason)" "9, seccomp-filter" "a filter in a container"
fi
