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

# Nor does a keeper that is stopped hold what a run has inherited: who reads its output sees its end, locks go with it.
retire_all
"$java" -cp "$work/classes" Exit 0
eventually idle_socket
socket=$(idle_socket)
keeper=${socket##*-}
touch "$work/locked"
kill -STOP "$keeper"
exec {held}<>"$work/locked"
flock "$held"
"$java" -cp "$work/classes" Exit 8 | timeout 20 cat >"$work/output"
equal "${PIPESTATUS[*]}" "8 0" "a run that a stopped keeper does not answer, and who reads its output"
equal "$(last_trace | field reason)" deadline "why it was cold"
exec {held}>&-
flock -n "$work/locked" true && ok || fail "the stopped keeper holds a lock of the run"

# One that is ended by a signal meanwhile takes its descriptors along, too.
kill -CONT "$keeper"
eventually idle_socket
"$java" -cp "$work/classes" Exit 7
equal "$?, $(last_trace | field run)" "7, 2" "a run when the keeper goes on"
eventually idle_socket
kill -STOP "$keeper"
{
  "$java" -cp "$work/classes" Exit 9 &
  echo "$!" >"$work/waiting"
  wait
} | timeout 20 cat >"$work/output" &
reader=$!
claimed() { grep -q "OFDLCK .*:$(stat -c %i "$HOTTUB_DIR/$(id -u)/claims") $keeper $keeper$" /proc/locks; }
eventually claimed && ok || fail "the stopped keeper was not asked"
sleep 0.3 # it has offered its run by then
kill -TERM "$(cat "$work/waiting")"
ends "$reader" 0 "who reads the output of a run that was ended"
kill -CONT "$keeper"
