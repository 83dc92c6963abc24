# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# A run that asks for it starts a JVM beside the idle one.
"$java" -cp "$work/classes" Exit 0
eventually none_busy
HOTTUB=new "$java" -cp "$work/classes" Exit 0
equal "$(last_trace | field run)" 1 "run of the JVM for HOTTUB=new"
equal "$(sockets | wc -l)" 2 "JVMs after HOTTUB=new"

# Limits of the pool service.
retire_all
printf 'idle_seconds 1\nmax_leases 3\n' >"$HOTTUB_DIR/$(id -u)/limits"
for run in 1 2 3; do "$java" -cp "$work/classes" Exit 0; done
none_left() { ! sockets; }
eventually none_left && ok || fail "a JVM lives on after max_leases"
"$java" -cp "$work/classes" Exit 0
equal "$(last_trace | field run)" 1 "a new JVM after max_leases"
eventually none_left && ok || fail "an idle JVM lives on after idle_seconds"
printf 'idle_seconds 0\n' >"$HOTTUB_DIR/$(id -u)/limits"
"$java" -cp "$work/classes" Exit 0
eventually none_left && ok || fail "a JVM lives on for ever"
printf 'idle_seconds 1\nmax_leases 3\n' >"$HOTTUB_DIR/$(id -u)/limits"

# The first run of a slow JVM happens in it.
"$java" -Dsun.fake.start=slow -cp "$work/classes" Exit 7
equal $? 7 "status of a run that waited for its JVM"
equal "$(last_trace | field served)" pool "a run that waited is served"
"$java" -cp "$work/classes" Slow >"$work/out"
equal "$(last_trace | field served)" pool "a slow entry"

# Where all JVMs are in use, a run does not even look for those that could serve it.
retire_all
printf 'max_jvms 1\n' >"$HOTTUB_DIR/$(id -u)/limits"
start_wait_traced
"$java" -cp "$work/classes" Exit 5 >/dev/null
equal "$(last_trace | field reason) $(last_trace | field fingerprint)" "pool-full null" "a run beside the only JVM"
printf 'max_jvms 2\n' >"$HOTTUB_DIR/$(id -u)/limits"
"$java" -cp "$work/classes" Exit 5 >/dev/null
equal "$(last_trace | field served)" pool "a run where there may be a second JVM"
eventually idle_socket
printf 'max_jvms 1\n' >"$HOTTUB_DIR/$(id -u)/limits"
"$java" -cp "$work/classes" Exit 5 >/dev/null
equal "$(last_trace | field served)" pool "a run where one JVM is idle"
kill -TERM "$client"
ends "$client" 143 "the run that waits"

# Where the pool service cannot write them, a container brings them along.
retire_all
file=$HOTTUB_DIR/$(id -u)/limits
rm "$file"
HOTTUB_LIMITS='max_jvms 7,idle_seconds 1' "$java" -cp "$work/classes" Exit 0
equal "$(tr '\n' ' ' <"$file"), $(stat -c %a "$file")" "max_jvms 7 idle_seconds 1 , 600" "limits of a container"
eventually none_left && ok || fail "an idle JVM lives on after idle_seconds of a container"
written=$(stat -c %i "$file")
for limits in 'max_jvms 7,idle_seconds 1' '' '../x' 'max_jvms=1' "$(printf '%01025d' 7)"; do
  HOTTUB_LIMITS=$limits "$java" -cp "$work/classes" Exit 0
  equal "$(stat -c %i "$file")" "$written" "the file of limits after those of '${limits::20}'"
done
HOTTUB_LIMITS=disabled "$java" -cp "$work/classes" Exit 6
equal "$?, $(last_trace | field reason)" "6, disabled" "a run of a node without a pool"
equal "$(cd "${file%/*}" && echo limits*)" limits "drafts that are left"
rm "$file"
