# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# A client that is stopped while it has the start lock costs others a warm run, not all of them.
lock=$HOTTUB_DIR/$(id -u)/start.lock
"$java" -cp "$work/classes" Exit 0
retire_all
exec {held}<>"$lock"
flock "$held"
before=$(stat -c %i "$lock")
touch "$lock"
"$java" -cp "$work/classes" Exit 5 >/dev/null
equal "$?, $(last_trace | field reason)" "5, start-lock" "a run while another has had the lock for a moment"
equal "$(stat -c %i "$lock")" "$before" "the lock of somebody who has it for a moment"
touch -d '20 seconds ago' "$lock"
"$java" -cp "$work/classes" Exit 6 >/dev/null
equal "$?, $(last_trace | field reason)" "6, start-lock" "the run that finds the lock abandoned"
"$java" -cp "$work/classes" Exit 7 >/dev/null
equal "$?, $(last_trace | field served)" "7, pool" "the run after it"
exec {held}>&-
