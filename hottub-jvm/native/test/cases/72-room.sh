# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# A full pool makes room (room.tsv has the rule): a kind of run is told from another one by its heap.
limits() { printf '%s\n' "$@" >"$HOTTUB_DIR/$(id -u)/limits"; }
kind() { "$java" "-Xmx$1m" -cp "$work/classes" Exit 0 >/dev/null && eventually none_busy; }
served() { last_trace | field served; }
how() { last_trace | sed -n 's/.*"served":"\([a-z]*\)","reason":"*\([a-z-]*\).*/\1 \2/p'; }

limits 'max_jvms 2'
kind 101
kind 102
sleep 0.2  # so long is 102 not used before 103 is wanted for the first time
kind 103
equal "$(how)" "cold pool-full" "a stranger, while none has been idle for a minute"
sleep 0.3
kind 101
kind 103
equal "$(how)" "pool null" "one that comes more often than another JVM is used"
kind 101
equal "$(last_trace | field run)" 3 "the JVM that is used most stays"
one_of_each() { (($(sockets | wc -l) == 2)); }
eventually one_of_each && ok || fail "JVMs in a full pool: $(sockets)"
grep -q 'ended after 1 runs: room' "$HOTTUB_DIR/$(id -u)"/*/*.log && ok || fail "no keeper says that its JVM made room"

# Which of the three kinds gave way is known: it has to wait for as long as it was not used.
kind 102
equal "$(how)" "cold pool-full" "the one that gave way"

# A JVM that is in use never gives way, and nobody waits for one that ends.
retire_all
limits 'max_jvms 1'
start_wait_traced
"$java" -Xmx101m -cp "$work/classes" Exit 0 >/dev/null
equal "$(served)" cold "a run beside a JVM in use"
kill -TERM "$client"
ends "$client" 143 "the run that waits"
eventually idle_socket
sleep 0.1
kind 101
sleep 0.2
kind 101
equal "$(served)" pool "a run whose kind was wanted before"

# Idle JVMs hold no more memory than they may: the last one to become idle stays if it can.
retire_all
limits 'max_jvms 9' 'memory_mb 100000'
kind 101
kind 102
resident=$(awk '/memory_kb/ { sum += $2 } END { print int(sum / NR * NR / 1024) }' "$HOTTUB_DIR/$(id -u)"/*/v-*)
((resident > 0)) && ok || fail "what idle JVMs hold: $resident MiB"
limits 'max_jvms 9' 'memory_mb 0'
"$java" -Xmx102m -cp "$work/classes" Exit 0 >/dev/null
none_left() { ! sockets; }
eventually none_left && ok || fail "idle JVMs where they may hold nothing: $(sockets)"
kind 101
equal "$(how)" "cold pool-full" "a run where idle JVMs may hold nothing"

# The pool does not grow with what dead keepers left.
limits 'max_jvms 2'
kind 101
kill -KILL "$(sockets | sed 's/.*-//')"
sleep 0.05
kind 102
kind 103
equal "$(sockets | wc -l)" 2 "JVMs beside one whose keeper was killed"
equal "$(compgen -G "$HOTTUB_DIR/*/*/v-*" | wc -l)" 2 "files about JVMs"
rm "$HOTTUB_DIR/$(id -u)/limits"
