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
