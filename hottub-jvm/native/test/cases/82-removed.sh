# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# A JVM that nobody finds any more, since somebody has removed the folder of its fingerprint, ends soon.
start_wait
folder=${socket%/*}
kill -TERM "$client"
wait "$client" 2>/dev/null
eventually none_busy || fail "the JVM does not become idle"
rm -rf "$folder"
eventually gone "$keeper" && ok || fail "a JVM without a folder lives on"
"$java" -cp "$work/classes" Exit 6 >/dev/null
equal "$?, $(last_trace | field served)" "6, pool" "a run after that"
