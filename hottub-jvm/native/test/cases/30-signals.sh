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
# The kernel stops no process group that has no parent to wake it.
group=own
start_wait
kill -TSTP "$client"
eventually is_state "$client" T && ok || fail "TSTP does not stop the client"
eventually is_state "$jvm" T && ok || fail "TSTP does not stop the JVM"
kill -CONT "$client"
eventually is_state "$jvm" S && ok || fail "CONT does not wake the JVM"
kill -TSTP "$client"
eventually is_state "$jvm" T
kill -KILL "$client"
eventually gone "$client"
ends "$client" 137 "status of a killed stopped client"
eventually idle_socket && ok || fail "a stopped run whose client died is not revoked"

# What a process group gets, children of its run get; what only the client gets, they do not.
start_parent() {
  start_wait Parent
  child=$(sed -n 's/^child is //p' "$work/out")
  strays+=("$child")
}
said() { grep -qx "$1" "$work/out"; }
start_parent
kill -USR2 "$client"
eventually said 'signal 12' && ok || fail "a run with a child did not get USR2"
said 'child got 12' && fail "a child got the signal of its parent" || ok
kill -USR2 -- "-$client"
eventually said 'child got 12' && ok || fail "a child did not get the signal of its group"
kill -TSTP -- "-$client"
eventually is_state "$child" T && eventually is_state "$client" T && ok || fail "a child is not stopped with its group"
kill -CONT -- "-$client"
eventually is_state "$child" S && eventually is_state "$jvm" S && ok || fail "a child is not continued with its group"
kill -TERM -- "-$client"
ends "$client" 143 "status after TERM for the group"
eventually gone "$child" && ok || fail "TERM for the group leaves a child of the run"

# Killed with its group, and alone.
start_parent
kill -KILL -- "-$client"
ends "$client" 137 "status of a killed group"
eventually gone "$child" && ok || fail "KILL for the group leaves a child of the run"
start_parent
kill -KILL "$client"
ends "$client" 137 "status of a killed client with a child"
eventually gone "$jvm" && ok || fail "a JVM lives on with a child of its run"
gone "$child" && fail "a child of a killed client is gone" || ok
kill -KILL "$child"
# Revoked, as YARN does for a container.
start_parent
"$poke" "$socket" revoke 9 >/dev/null
ends "$client" 137 "status of a revoked run with a child"
eventually gone "$child" && ok || fail "a revoked run leaves its child"
# Found by nobody who looks for the run, and gone with it.
start_parent
read -r witness <"/proc/$client/task/$client/children"
equal "$(tr -d '\0' <"/proc/$witness/cmdline")" "" "command line of the witness"
kill -TERM -- "-$client"
ends "$client" 143 "status after TERM for the group"
[[ -e /proc/$witness ]] && fail "a witness outlives its client" || ok
eventually gone "$child"
unset group

# Before main is entered, signals have their default action, and nothing is entered afterwards.
rm -f "$work/out"  # the child of the run before may still have it
"$java" -cp "$work/classes" Silent >"$work/out" 2>&1 &
client=$!
eventually busy_socket
sleep 0.1
kill -TERM "$client"
ends "$client" 143 "status after TERM before main"
equal "$(cat "$work/out")" "" "nothing runs after TERM before main"

# Stopped before main is entered: nothing is entered meanwhile, and it goes on cold.
stops_before_main() {
  rm -f "$work/out"
  set -m
  "$java" -cp "$work/classes" Silent >"$work/out" 2>&1 &
  client=$!
  set +m
  eventually busy_socket
  sleep 0.1
  kill -"$1" "$client"
  eventually is_state "$client" T && ok || fail "$1 before main does not stop the client"
  kill -CONT "$client"
  ends "$client" 42 "status after $1 and CONT before main"
  equal "$(cat "$work/out")" "cold -cp $work/classes Silent" "what runs after $1 and CONT before main"
  equal "$(last_trace | field reason)" stopped "reason after $1 before main"
}
stops_before_main TSTP
stops_before_main TTIN

# Main is entered, but the client has not heard of it yet.
start_late() {
  eventually none_busy || fail "the run before is not over"
  rm -f "$work/out"
  set -m
  "$java" -cp "$work/classes" Late >"$work/out" 2>&1 &
  client=$!
  set +m
  eventually said token
}
start_late
kill -WINCH "$client"
eventually said 'signal 28' && ok || fail "WINCH at the entry of main is lost"
kill -TERM "$client"
ends "$client" 143 "status after TERM"
start_late
kill -TSTP "$client"
eventually is_state "$client" T && ok || fail "TSTP at the entry of main does not stop the client"
jvm=$(state_of "$(eventually busy_socket && busy_socket)" jvm_pid)
eventually is_state "$jvm" T && ok || fail "TSTP at the entry of main does not stop the JVM"
kill -CONT "$client"
eventually is_state "$jvm" S && ok || fail "CONT does not wake the JVM"
kill -TERM "$client"
ends "$client" 143 "status after TERM"

# The kernel keeps no status of children for who ignores SIGCHLD: a run has to start a JVM nevertheless.
timeout -s KILL 30 env --ignore-signal=CHLD "$java" -Xmx77m -cp "$work/classes" Exit 5 >/dev/null
equal "$?, $(last_trace | field served)" "5, pool" "a run that ignores SIGCHLD, and has to start a JVM"
