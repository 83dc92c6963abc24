# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# Nothing of a run stays open, whatever was open for a moment at S0.
if "$native/test/descriptors-test"; then ok; else fail "descriptors-test"; fi

# Every inherited descriptor arrives, under its own number.
exec 5<"$work/home/lib/hottub/build-id" 77>"$work/seventyseven"
"$java" -cp "$work/classes" Descriptors >"$work/out"
equal "$(grep -c -e '^5:' -e '^77:' "$work/out")" 2 "descriptors 5 and 77"
equal "$(grep '^77:' "$work/out")" "77:$(stat -c %i "$work/seventyseven")" "descriptor 77 is that file"
exec 5<&- 77>&-

# The client keeps none of them: what the JVM closes is closed.
holds_out() { readlink "/proc/$1/fd"/* | grep -qx "$work/out"; }
start_wait
holds_out "$client" && fail "the client holds on to standard output" || ok
kill -TERM "$client"
wait "$client" 2>/dev/null

# Nothing of the run stays with keeper and JVM.
holds_out "$keeper" && fail "the keeper holds on to standard output" || ok
grep -qz HOTTUB_TRACE "/proc/$keeper/environ" "/proc/$jvm/environ" && fail "the environment stays" || ok

# A POSIX lock cannot be handed on with its file; the others go with it.
locked() { "$native/test/locked" "$1" "$work/lock" "$java" -cp "$work/classes" Exit 9 >"$work/out"; }
locked posix
equal "$?, $(last_trace | field reason)" "9, inherited-lock" "a POSIX lock"
for kind in open-file flock; do
  locked "$kind"
  equal "$?, $(last_trace | field served)" "9, pool" "a lock of kind $kind"
done

# Too many, and one that is in the JVM's way.
(
  for ((fd = 10; fd < 250; fd++)); do eval "exec $fd</dev/null"; done
  exec "$java" -cp "$work/classes" Exit 9
) >/dev/null
equal "$(last_trace | field reason)" too-many-descriptors "243 descriptors"
(
  ulimit -S -n 512
  "$java" -cp "$work/classes" Exit 0
  ulimit -S -n "$(ulimit -H -n)" 2>/dev/null || ulimit -S -n 1024
  exec 511</dev/null
  exec "$java" -cp "$work/classes" Exit 9
) >/dev/null
equal $? 9 "a descriptor with the number of the control socket"

# A keeper that may have fewer descriptors than it has places for connections does not hang.
retire_all
(
  for fd in /proc/"$BASHPID"/fd/*; do
    ((${fd##*/} < 3)) || eval "exec ${fd##*/}>&-"
  done
  ulimit -S -n 40
  exec "$java" -cp "$work/classes" Exit 9
)
equal $? 9 "status with 40 descriptors"
equal "$(last_trace | field served)" pool "served with 40 descriptors"
# While it resets, its socket has another name.
eventually idle_socket
equal "$(state_of "$(idle_socket)" state)" IDLE "state of a keeper with 40 descriptors"
retire_all
