# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these

# Client and keeper of different versions of the protocol. Those of two homes never meet, as their fingerprints differ; here
# the programs of one home are exchanged.
exchange() { # FROM TO
  cp "$1" "$2.new"
  mv "$2.new" "$2"
}
ours=$native others=$native/test/other

# An old keeper, a new client: cold, and the JVM stays what it was.
"$java" -cp "$work/classes" Exit 0
eventually idle_socket
socket=$(idle_socket)
exchange "$others/java" "$home/bin/java"
"$java" -cp "$work/classes" Exit 3 >"$work/out"
equal $? 3 "a run of another version"
equal "$(grep -c '^cold ' "$work/out")" 1 "a run of another version is cold"
equal "$(last_trace | field reason)" protocol-version "why"
equal "$(state_of "$socket" state) $(state_of "$socket" run)" "IDLE 1" "the JVM after it"
exchange "$ours/java" "$home/bin/java"
"$java" -cp "$work/classes" Exit 4 >"$work/out"
equal "$? $(last_trace | field served) $(last_trace | field run)" "4 pool 2" "a run of its own version after it"
retire_all

# And the other way round, with the keeper that such a client has started.
exchange "$others/java" "$home/bin/java"
exchange "$others/keeper" "$home/lib/hottub/keeper"
"$java" -cp "$work/classes" Exit 0
equal "$(last_trace | field served)" pool "a run where both are of another version"
eventually idle_socket
keeper=$(idle_socket) keeper=${keeper##*-}
exchange "$ours/java" "$home/bin/java"
"$java" -cp "$work/classes" Exit 5 >"$work/out"
equal "$? $(last_trace | field reason)" "5 protocol-version" "a run where the keeper is of another version"
kill -TERM "$keeper"
eventually gone "$keeper" || fail "the keeper of another version does not end"
exchange "$ours/keeper" "$home/lib/hottub/keeper"
