# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# Whoever dies, the caller learns exactly what a stock JVM would have told it.
for number in 6 9 11; do
  { (ulimit -c 0; exec "$java" -cp "$work/classes" Die $number); } 2>/dev/null
  equal $? $((128 + number)) "status after the JVM died of signal $number"
done
retire_all

# The client is killed: its run ends, the JVM serves the next one.
start_wait
kill -KILL "$client"
ends "$client" 137 "status of a killed client"
eventually idle_socket && ok || fail "the lease of a killed client is not revoked"
equal "$(state_of "$(idle_socket)" jvm_pid)" "$jvm" "the JVM survives its client"
"$java" -cp "$work/classes" Exit 3
equal $? 3 "the next run"

# The JVM is killed.
start_wait
kill -KILL "$jvm"
ends "$client" 137 "status when the JVM is killed"
eventually gone "$keeper" && ok || fail "the keeper survives its JVM"
compgen -G "${socket%/*}/*$keeper" || compgen -G "${socket%/*}/offers/*$keeper" && fail "a socket is left behind" || ok

# The keeper is killed.
start_wait
kill -KILL "$keeper"
ends "$client" 137 "status when the keeper is killed"
eventually gone "$jvm" && ok || fail "the JVM survives its keeper"
# Its socket is still there; the next run is served all the same, and clears it away.
"$java" -cp "$work/classes" Exit 4
equal $? 4 "run after a dead keeper"
equal "$(last_trace | field served)" pool "run after a dead keeper is served"
[[ -e $socket ]] && fail "a dead keeper's socket is left behind" || ok
compgen -G "${socket%/*}/offers/*$keeper" && fail "a dead keeper's socket for offers is left behind" || ok

# A JVM that does not obey REVOKE is killed within its deadline.
start_wait Stubborn
kill -KILL "$client"
ends "$client" 137 "status of a killed client"
eventually gone "$jvm" && ok || fail "a stubborn JVM lives"

# A JVM that cannot end the threads of a run is killed, but the run has its status.
"$java" -cp "$work/classes" Stuck 6
equal $? 6 "status of a run whose JVM got stuck"

# One that dies in functions for the end of a process ends as it does, and they may take their time.
"$java" -cp "$work/classes" Exiting 6
equal $? 7 "status of a run that ends otherwise at its end"

# A JVM in doubt serves nobody again.
"$java" -cp "$work/classes" Doubt 5
equal $? 5 "status of a run that leaves doubt"
none_left() { ! sockets; }
eventually none_left && ok || fail "a JVM in doubt is not retired"

# REVOKE by somebody else: the client is told the number, the asker gets DONE (11).
start_wait
equal "$("$poke" "$socket" revoke 9)" "frame 11" "answer to REVOKE"
ends "$client" 137 "status after REVOKE"
eventually idle_socket
equal "$(state_of "$(idle_socket)" jvm_pid)" "$jvm" "the JVM survives REVOKE"

# RETIRE of a leased JVM: after the lease.
start_wait
equal "$("$poke" "$socket" retire)" "frame 11" "answer to RETIRE"
kill -0 "$client" && ok || fail "RETIRE ended the run"
kill -TERM "$client"
ends "$client" 143 "status after RETIRE and TERM"
eventually gone "$jvm" && ok || fail "RETIRE is forgotten"
