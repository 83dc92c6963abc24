# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

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

# Where runs are offered: a client that sends half an offer, or wakes nobody, is in nobody's way.
retire_all
"$java" -cp "$work/classes" Exit 0
eventually idle_socket
socket=$(idle_socket)
keeper=${socket##*-}
offers=${socket%/*}/offers/l-$keeper
"$poke" "$offers" raw '' >"$work/nothing" &
nothing=$!
"$poke" "$offers" raw ${head}${version}0100 >"$work/half" &
half=$!
"$java" -cp "$work/classes" Exit 5
equal $? 5 "run after half an offer"
equal "$(last_trace | field served)" pool "run after half an offer is served"
wait $nothing $half
equal "$(cat "$work/nothing" "$work/half")" "$(printf 'closed\nclosed')" "offers that do not end in time"
eventually idle_socket
"$poke" "$offers" raw ${head}${version}010000000000 >"$work/offer" &
offered() { "$poke" "$socket" status >/dev/null && [[ -s $work/offer ]]; }
eventually offered
equal "$(cat "$work/offer")" "frame 3 3" "an offer without payload"
equal "$("$poke" "$offers" raw '')" closed "an offer of a client that is killed before it wakes the keeper"
runs=$(state_of "$socket" run)
equal "$runs" 2 "runs of the only JVM"
rm "$offers"
"$java" -cp "$work/classes" Exit 5
equal "$(last_trace | field served)" pool "run where no client finds the JVM: a new one is started"
equal "$(state_of "$socket" run)" "$runs" "runs of a JVM that no client finds"

# A keeper that is busy by now lets go of what it is offered, and the reader of a run's pipe waits no longer than the run.
retire_all
start_wait
printf 'max_jvms 1\n' >"$HOTTUB_DIR/$(id -u)/limits"
mv "$HOTTUB_DIR/$(id -u)/claims" "$work/claims" # with the keeper's lock: no client sees that the JVM is in use
"$java" -cp "$work/classes" Exit 5 | timeout 3 cat
equal "${PIPESTATUS[*]}" "5 0" "status of the run, end of its pipe"
equal "$(last_trace | field reason)" pool-full "a run beside the only JVM"
rm "$HOTTUB_DIR/$(id -u)/limits"
mv "$work/claims" "$HOTTUB_DIR/$(id -u)/claims"
kill -TERM "$client"
wait "$client" 2>/dev/null

# STATUS of a lease.
CONTAINER_ID=container_1 start_wait
equal "$(state_of "$socket" state)" LEASED "state"
equal "$(state_of "$socket" client_pid)" "$client" "client_pid"
equal "$(state_of "$socket" main_class)" Wait "main_class"
equal "$(state_of "$socket" container_id)" container_1 "container_id"
grep -qE 'container_1|Wait|CONTAINER' "$HOTTUB_DIR"/*/*/*.log && fail "the log tells about the run" || ok
kill -TERM "$client"
wait "$client" 2>/dev/null
