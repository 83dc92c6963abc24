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

# Files that only some programs of a user may write to: the kernel does not tell who is restricted, but the pool is among them.
claims=$HOTTUB_DIR/$(id -u)/claims
run setpriv --no-new-privs
equal "$?, $(last_trace | field served)" "9, pool" "without new privileges"
mkdir "$work/allowed"
mv "$work/trace" "$work/allowed/"
export HOTTUB_TRACE=$work/allowed/trace
ln -s allowed/trace "$work/trace"
"$native/test/landlocked" "$work/allowed" true
if (($? == 77)); then
  echo "skipped: $test: the kernel does not let us restrict ourselves by Landlock"
else
  run "$native/test/landlocked" "$work/allowed"
  equal "$?, $(last_trace | field reason)" "9, no-claims" "a program that may not write to the pool"
fi
eventually idle_socket
mv "$claims" "$claims.away"
mkdir "$claims"
run env
equal "$?, $(last_trace | field reason)" "9, no-claims" "claims that cannot be opened"
run env HOTTUB=new
equal "$?, $(last_trace | field reason)" "9, no-claims" "a new JVM without claims"
rmdir "$claims"
mv "$claims.away" "$claims"
