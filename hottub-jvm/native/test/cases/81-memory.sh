# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# Idle JVMs end where the machine has hardly any memory left, whoever has the rest; the last used one last.
meminfo=$work/meminfo
available() { # PERCENT
  printf 'MemTotal: %d kB\nMemFree: 1 kB\nMemAvailable: %d kB\n' 1000000 "$((10000 * $1))" >"$meminfo"
}
available 6
# shellcheck disable=SC2016 # expanded by the shell in it
machine=(unshare --mount sh -c 'mount --bind "$0" /proc/meminfo && exec "$@"' "$meminfo")
if ! "${machine[@]}" true 2>/dev/null; then
  echo "skipped: $test: ${machine[*]} is not permitted"
  return 0
fi
retire_all
run() { "${machine[@]}" "$java" "-Xmx$1m" -cp "$work/classes" Exit 9 >/dev/null; }
keepers() { sockets | sed 's/.*-//' | sort -n; }
run 101
equal "$?, $(last_trace | field served)" "9, pool" "a run"
first=$(keepers)
sleep 12
equal "$(keepers)" "$first" "where there is memory the JVM stays"
run 102
both=$(keepers)
equal "$(wc -w <<<"$both")" 2 "JVMs of two kinds"
available 4
only_second() { [[ $(keepers) && $(keepers) != *"$first"* ]]; }
eventually only_second && ok || fail "the JVM that was used last stays longer: $(sockets)"
none_left() { ! sockets; }
eventually none_left && ok || fail "idle JVMs where there is no memory: $(sockets)"
equal "$(grep -l 'retiring: memory' "$HOTTUB_DIR/$(id -u)"/*/*.log | wc -l)" 2 "keepers that say so"

# A run is served nevertheless: a cold one would take the memory, too.
run 101
equal "$?, $(last_trace | field served)" "9, pool" "a run where memory is scarce"
available 50
