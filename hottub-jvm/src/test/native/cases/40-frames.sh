# Copyright 2026 The HotTub Authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these

# What is no frame ends the connection, and nothing else.
"$java" -cp "$work/classes" Exit 0
eventually idle_socket
socket=$(idle_socket)
head=48545542 version=0100
equal "$("$poke" "$socket" raw 00000000${version}070000000000)" closed "wrong magic number"
equal "$("$poke" "$socket" raw ${head}0200070000000000)" "frame 3 5" "wrong version"
equal "$("$poke" "$socket" raw ${head}${version}630000000000)" closed "unknown type"
equal "$("$poke" "$socket" raw ${head}${version}020000000000)" closed "a type only keepers send"
equal "$("$poke" "$socket" raw ${head}${version}070001000100)" closed "too long"
equal "$("$poke" "$socket" raw ${head}${version}0700ffffffff)" closed "much too long"
"$poke" "$socket" raw ${head}${version}07 >"$work/late" &
late=$!
"$poke" "$socket" raw '' >"$work/nothing"
wait $late
equal "$(cat "$work/late")" closed "a frame that does not end in time"
equal "$(cat "$work/nothing")" closed "nothing at all"
equal "$("$poke" "$socket" raw ${head}${version}010000000000)" "frame 3 3" "LEASE without payload"
equal "$("$poke" "$socket" raw ${head}${version}01001000000000000000000000000000000000000000)" "frame 3 3" \
  "LEASE without descriptors"
equal "$("$poke" "$socket" raw ${head}${version}010010000000000000000000ff0000000000000000000000)" "frame 3 3" \
  "LEASE with a false count"
equal "$("$poke" "$socket" raw ${head}${version}0600040000000f000000)" closed "SIGNAL of somebody else"
equal "$("$poke" "$socket" revoke 9)" "frame 11" "REVOKE of an idle JVM"
equal "$(state_of "$socket" state)" IDLE "the keeper is well"
equal "$("$poke" "$socket" audit)" '{"clean":true}' "audit"

# Ninety connections that say nothing do not keep a client out for long.
for ((i = 0; i < 90; i++)); do "$poke" "$socket" raw '' >/dev/null & pids[i]=$!; done
wait "${pids[@]}"
"$java" -cp "$work/classes" Exit 6
equal $? 6 "run after a flood of connections"

# STATUS of a lease.
CONTAINER_ID=container_1 start_wait
equal "$(state_of "$socket" state)" LEASED "state"
equal "$(state_of "$socket" client_pid)" "$client" "client_pid"
equal "$(state_of "$socket" main_class)" Wait "main_class"
equal "$(state_of "$socket" container_id)" container_1 "container_id"
grep -qE 'container_1|Wait|CONTAINER' "$HOTTUB_DIR"/*/*/*.log && fail "the log tells about the run" || ok
kill -TERM "$client"
wait "$client" 2>/dev/null
