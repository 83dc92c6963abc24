# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# The file of a JVM's counters has the pid of who waits for the run.
counters=$work/counters
mkdir -m 700 "$counters"
start_counted() { start_wait Wait env JDK_JAVA_OPTIONS="-Dsun.fake.counters=$counters"; }
end_counted() {
  kill -TERM "$client"
  wait "$client" 2>/dev/null
  eventually idle_socket || fail "the JVM does not become idle"
}
start_counted
equal "$(ls "$counters")" "$client" "the counters during a run"
end_counted
equal "$(ls "$counters")" "$jvm" "the counters after it"

# Without it no tool would find the runs to come: they get another JVM.
first=$jvm
rm "$counters/$first"
start_counted
[[ $jvm != "$first" ]] && ok || fail "the JVM that has lost its counters got one more run"
equal "$(ls "$counters")" "$client" "the counters of the next JVM"

# The client may be gone and its pid another's by the end of the run: the file is that one's then.
mv "$counters/$client" "$counters/moved"
echo of another >"$counters/$client"
kill -TERM "$client"
wait "$client" 2>/dev/null
eventually gone "$jvm" && ok || fail "a JVM whose counters somebody has taken is still there"
equal "$(cat "$counters/$client")" "of another" "the counters of another process with the pid of the client"
[[ -e $counters/moved && ! -e $counters/$jvm ]] && ok || fail "what is in the folder: $(ls "$counters")"

# A JVM that dies takes its file along.
rm "$counters"/*
start_counted
kill -KILL "$jvm"
wait "$client" 2>/dev/null
gone_with_it() { [[ -z $(ls "$counters") ]]; }
eventually gone_with_it && ok || fail "a dead JVM leaves its counters: $(ls "$counters")"

# A folder in which others may write is left alone.
chmod 770 "$counters"
start_counted
equal "$(ls "$counters")" "$jvm" "the counters in a folder of others"
end_counted
