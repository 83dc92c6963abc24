# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# Fifty clients, four JVMs: every run ends as it should, and the limit holds.
"$java" -cp "$work/classes" Exit 0
printf 'max_jvms 4\nmax_jvms_per_fingerprint 4\n' >"$HOTTUB_DIR/$(id -u)/limits"
rm -f "$work/trace"
for ((i = 0; i < 50; i++)); do
  "$java" -cp "$work/classes" Exit $((i + 100)) >/dev/null &
  pids[i]=$!
done
for ((i = 0; i < 50; i++)); do ends "${pids[i]}" $((i + 100)) "one of fifty"; done
equal "$(wc -l <"$work/trace")" 50 "a line of trace each"
served=$(grep -c '"served":"pool"' "$work/trace")
((served >= 4)) && ok || fail "only $served of 50 were served"
((served + $(grep -c -e '"reason":"pool-full"' -e '"reason":"start-lock"' "$work/trace") == 50)) && ok ||
  fail "other reasons: $(grep -o '"reason":"[^"]*"' "$work/trace" | sort | uniq -c)"
# By keeper: a listing may show a socket under both names while it is renamed.
count=$(sockets | sed 's/.*-//' | sort -u | wc -l)
((count <= 4)) && ok || fail "$count JVMs instead of 4"

# A client does not wait for a keeper that another client is asking.
retire_all
"$java" -cp "$work/classes" Exit 0
eventually idle_socket
keeper=$(idle_socket)
keeper=${keeper##*-}
kill -STOP "$keeper"
"$java" -cp "$work/classes" Exit 8 &
first=$!
claimed() { grep -q "OFDLCK .*:$(stat -c %i "$HOTTUB_DIR/$(id -u)/claims") $keeper $keeper$" /proc/locks; }
eventually claimed && ok || fail "the keeper that is asked is not claimed"
timeout 1 "$java" -cp "$work/classes" Exit 9
equal $? 9 "a run while a keeper does not answer another"
equal "$(last_trace | field served)" pool "served by another JVM"
kill -CONT "$keeper"
ends "$first" 8 "the run that was waiting"

# A claimed JVM is not ended before the run that is on its way, nor for longer than half a second: its client may be stopped.
retire_all
"$java" -cp "$work/classes" Exit 0
eventually idle_socket
socket=$(idle_socket)
keeper=${socket##*-}
claims=$HOTTUB_DIR/$(id -u)/claims
hold() { # SECONDS: holds the claim, as a client does
  rm -f "$work/claim"  # the word of the one before
  "$poke" "$claims" claim "$keeper" "$1" >"$work/claim" &
  holder=$!
  eventually grep -q . "$work/claim"
}
hold 30
equal "$(cat "$work/claim")" claimed "claim of an idle JVM"
equal "$("$poke" "$claims" claim "$keeper" 0)" taken "claim of a claimed JVM"
equal "$("$poke" "$socket" audit | field state)" IDLE "audit of a claimed JVM: its state, no audit"
kill "$holder"
wait "$holder" 2>/dev/null
# On a busy machine a run may take longer than that to come, and then rightly starts a JVM: one of five has to be in time.
for try in 1 2 3 4 5; do
  hold 30
  equal "$("$poke" "$socket" retire)" "frame 11" "RETIRE of a claimed JVM"
  kill "$holder"
  "$java" -cp "$work/classes" Exit 6
  arrived="$? $(last_trace | field run)"
  wait "$holder" 2>/dev/null
  eventually gone "$keeper" && ok || fail "RETIRE is forgotten when a run was on its way"
  [[ $arrived != "6 2" && $try != 5 ]] || break
  retire_all
  "$java" -cp "$work/classes" Exit 0
  eventually idle_socket
  socket=$(idle_socket)
  keeper=${socket##*-}
done
equal "$arrived" "6 2" "the run that is on its way"
"$java" -cp "$work/classes" Exit 0
eventually idle_socket
socket=$(idle_socket)
keeper=${socket##*-}
hold 30
"$poke" "$socket" retire >/dev/null
eventually gone "$keeper" && ok || fail "a stopped client keeps a JVM from ending"
kill "$holder"
wait "$holder" 2>/dev/null

# While a JVM is leased its keeper has the claim, which came with the run.
start_wait
equal "$("$poke" "$claims" claim "$keeper" 0)" taken "claim of a leased JVM"
kill -TERM "$client"
ends "$client" 143 "the leased run"
eventually idle_socket
equal "$("$poke" "$claims" claim "$keeper" 0)" claimed "claim after the reset"
start_wait
equal "$(state_of "$socket" run)" 2 "a second run, which has brought its claim"
equal "$("$poke" "$claims" claim "$keeper" 0)" taken "claim of a JVM that is leased again"
kill -TERM "$client"
ends "$client" 143 "the leased run"
