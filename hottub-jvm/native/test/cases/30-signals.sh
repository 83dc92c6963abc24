# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# A signal to the client does what it does to a stock JVM.
ends_with_signal() {
  # bash makes its background children ignore INT; nohup, under which this may run, HUP.
  start_wait Wait env --default-signal=INT,HUP
  kill -"$1" "$client"
  ends "$client" $((128 + $1)) "status after signal $1"
  grep -qx "signal $1" "$work/out" && ok || fail "the program did not see signal $1"
}
ends_with_signal 15
ends_with_signal 2
ends_with_signal 1

# Ignored from the start: a JVM leaves it so.
start_wait Wait nohup
kill -HUP "$client"
sleep 0.2
kill -0 "$client" && ok || fail "HUP under nohup ended the run"
kill -KILL "$client"
ends "$client" 137 "status of a killed client"
eventually idle_socket

# Caught and survived.
start_wait
kill -USR2 "$client"
eventually grep -qx 'signal 12' "$work/out" && ok || fail "USR2 did not arrive"
# Not caught by the JVM, harmless by default.
kill -WINCH "$client"
kill -CONT "$client"
kill -PIPE "$client"
sleep 0.1
kill -0 "$client" && ok || fail "a harmless signal ended the run"
# Not caught by the JVM, fatal by default: the run ends so, the JVM lives on.
kill -USR1 "$client"
ends "$client" 138 "status after USR1"
eventually idle_socket
equal "$(state_of "$(idle_socket)" jvm_pid)" "$jvm" "the JVM survives a fatal signal to the run"

# The real-time signals, all that are not the C library's own.
for number in 34 64; do
  start_wait
  kill -$number "$client"
  ends "$client" $((128 + number)) "status after signal $number"
  eventually idle_socket
done
start_wait Wait env --block-signal=34
kill -34 "$client"
sleep 0.2
kill -0 "$client" && ok || fail "a signal that is blocked from the start ended the run"
kill -KILL "$client"
ends "$client" 137 "status of a killed client"
eventually idle_socket

# Stopped and continued.
is_state() { [[ $(process_state "$1") == "$2" ]]; }
start_wait
kill -TSTP "$client"
eventually is_state "$client" T && ok || fail "TSTP does not stop the client"
eventually is_state "$jvm" T && ok || fail "TSTP does not stop the JVM"
kill -CONT "$client"
eventually is_state "$jvm" S && ok || fail "CONT does not wake the JVM"
kill -TSTP "$client"
eventually is_state "$jvm" T
kill -KILL "$client"
ends "$client" 137 "status of a killed stopped client"
eventually idle_socket && ok || fail "a stopped run whose client died is not revoked"

# Before main is entered, signals have their default action, and nothing is entered afterwards.
"$java" -cp "$work/classes" Silent >"$work/out" 2>&1 &
client=$!
eventually compgen -G "$HOTTUB_DIR/*/*/b-*"
sleep 0.1
kill -TERM "$client"
ends "$client" 143 "status after TERM before main"
equal "$(cat "$work/out")" "" "nothing runs after TERM before main"
