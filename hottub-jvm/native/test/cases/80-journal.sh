# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# The journal, the marks that close a pool, and KEEP.
folder=$HOTTUB_DIR/$(id -u)
journal=$folder/journal
last_event() { grep "\"event\":\"$1\"" "$journal" | tail -n 1; }
logged() { grep -q "\"event\":\"$1\"" "$journal"; }

"$java" -cp "$work/classes" Exit 0
[[ ! -e $journal ]] && ok || fail "a journal that nobody asked for"

: >"$journal"
CONTAINER_ID=container_1 "$java" -cp "$work/classes" Exit 0
equal "$(last_event run | field served)" pool "a run in the journal"
equal "$(last_event run | field main_class)" Exit "its main class"
equal "$(last_event run | field container_id)" container_1 "its container"
eventually logged reset && ok || fail "no reset in the journal"
equal "$(last_event reset | field reset_us)" 123 "time of the reset"
equal "$(last_event reset | field container_id)" container_1 "the container of the reset"
[[ $(last_event reset | field cpu_us) =~ ^[0-9]+$ ]] && ok || fail "no CPU time of the run"
"$java" -javaagent:x -cp "$work/classes" Exit 0 >/dev/null
equal "$(last_event run | field reason)" agent "a run that was cold before the pool was looked for"
lines=$(wc -l <"$journal")
HOTTUB=off "$java" -cp "$work/classes" Exit 0 >/dev/null
equal "$(wc -l <"$journal")" "$lines" "lines after a run with HOTTUB=off"
retire_all
eventually logged retired && ok || fail "no end of a JVM in the journal"
equal "$(last_event retired | field reason)" asked "the reason of the end"

# Nothing that may be secret is written anywhere: not of a run that is served, and not of one that is cold.
for route in "" -javaagent:x; do
  PASSWORD=hush-1 "$java" $route -Dpassword=hush-2 -cp "$work/classes" Exit hush-3 0 >/dev/null 2>&1
done
eventually none_busy
told=$(grep -rl 'hush-[123]' "$HOTTUB_DIR" "$work/trace")
equal "$told" "" "files that tell a variable, a property or an argument"

# One that doubts itself tells why, and of which class the run has left objects.
"$java" -cp "$work/classes" Doubt 0
doubted() { last_event retired | grep -q '"reason":"doubt"'; }
eventually doubted && ok || fail "no doubt in the journal"
equal "$(last_event retired | field doubt)" "some.Left: told to" "what it said"
equal "$(last_event retired | field left_class)" some.Left "the class of what is left"

# A JVM that is killed is a crash.
start_wait
kill -KILL "$jvm"
ends "$client" 137 "a run whose JVM was killed"
eventually logged crash && ok || fail "no crash in the journal"
equal "$(last_event crash | field signal)" 9 "the signal of the crash"

# A journal that nobody takes away stays bounded; another file of that name is left alone.
truncate -s 5M "$journal"
"$java" -cp "$work/classes" Exit 0
equal "$(stat -c %s "$journal")" $((5 * 1024 * 1024)) "size of a full journal"
rm "$journal"
ln -s "$work/not-a-journal" "$journal"
"$java" -cp "$work/classes" Exit 0
[[ ! -e $work/not-a-journal ]] && ok || fail "wrote through a symbolic link"
rm "$journal"

# Marks.
fingerprint=$(last_trace | field fingerprint)
touch -d '+1 minute' "$folder/$fingerprint/crashing"
"$java" -cp "$work/classes" Exit 0 >/dev/null
equal "$(last_trace | field reason)" circuit-open "a fingerprint that crashes"
"$java" -Dsun.other=1 -cp "$work/classes" Exit 0
equal "$(last_trace | field served)" pool "another fingerprint"
for wrong in '-1 minute' '+2 days'; do
  touch -d "$wrong" "$folder/$fingerprint/crashing"
  "$java" -cp "$work/classes" Exit 0
  equal "$(last_trace | field served)" pool "a mark of $wrong"
done
rm "$folder/$fingerprint/crashing"
touch -d '+1 minute' "$folder/$fingerprint/conflict"
"$java" -cp "$work/classes" Exit 0 >/dev/null
equal "$(last_trace | field reason)" class-conflict "a fingerprint whose classes were in each other's way"
rm "$folder/$fingerprint/conflict"
touch "$folder/$fingerprint/drained"
"$java" -cp "$work/classes" Exit 0 >/dev/null
equal "$(last_trace | field reason)" drained "a drained fingerprint"
rm "$folder/$fingerprint/drained"
touch "$folder/drained"
"$java" -cp "$work/classes" Exit 0 >/dev/null
equal "$(last_trace | field reason)" drained "a drained node"
rm "$folder/drained"

# KEEP moves the end of an idle JVM.
retire_all
echo 'idle_seconds 1' >"$folder/limits"
"$java" -cp "$work/classes" Exit 0
eventually idle_socket && ok || fail "no idle JVM"
"$poke" "$(idle_socket)" keep 3 >/dev/null
sleep 1.7
idle_socket >/dev/null && ok || fail "a JVM ended although it was to be kept"
none_left() { ! sockets; }
eventually none_left && ok || fail "a JVM that was kept lives for ever"

# The tenant is shown while the JVM is idle, too.
rm "$folder/limits"
HOTTUB_TENANT=alice "$java" -cp "$work/classes" Exit 0
eventually idle_socket && ok || fail "no idle JVM"
equal "$(state_of "$(idle_socket)" tenant)" alice "the tenant of an idle JVM"
