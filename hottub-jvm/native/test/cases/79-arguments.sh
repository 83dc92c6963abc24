# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# What a caller keeps out of its command line, which everybody can read, is on none of the pool's.
echo '-Djava.app.password=not-for-everybody' >"$work/options"
"$java" "@$work/options" -cp "$work/classes" Exit 9 >/dev/null
equal "$?, $(last_trace | field served)" "9, pool" "a run with options in a file"
eventually idle_socket
socket=$(idle_socket)
for pid in "${socket##*-}" "$(state_of "$socket" jvm_pid)"; do
  grep -q not-for-everybody "/proc/$pid/cmdline" && fail "an option is on the command line of $(cat "/proc/$pid/comm")" || ok
done

# So they may be longer than an argument.
printf -- '-Djava.app.long=%0200000d\n' 1 >"$work/options"
"$java" "@$work/options" -cp "$work/classes" Exit 9 >/dev/null
equal "$?, $(last_trace | field served)" "9, pool" "a run with a long option"
