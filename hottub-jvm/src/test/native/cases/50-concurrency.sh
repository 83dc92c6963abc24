# Copyright 2026 The HotTub Authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these

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
