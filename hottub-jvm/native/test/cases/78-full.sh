# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# A JVM whose keeper cannot write what it is worth would not be counted. Here a folder has the name of the file.
"$java" -cp "$work/classes" Exit 0 >/dev/null
eventually idle_socket
socket=$(idle_socket)
keeper=${socket##*-}
mkdir "$(dirname "$socket")/d-$keeper"
"$java" -cp "$work/classes" Exit 9 >/dev/null
equal "$?, $(last_trace | field run)" "9, 2" "a run in a JVM that is counted no more"
eventually gone "$keeper" && ok || fail "its keeper stays"
grep -q 'ended after 2 runs: pool-unwritable' "$(dirname "$socket")/$keeper.log" && ok || fail "the keeper does not say why"
rmdir "$(dirname "$socket")/d-$keeper" 2>/dev/null

# None starts where the file system is full.
full=$work/full
mkdir "$full"
cat >"$work/in-full" <<END
mount -t tmpfs -o size=64k none $full && mkdir -m 700 $full/$(id -u) && echo idle_seconds 1 >$full/$(id -u)/limits || exit 77
dd if=/dev/zero of=$full/all bs=4k 2>/dev/null
HOTTUB_DIR=$full $java -cp $work/classes Exit 9 >/dev/null
END
unshare --mount sh "$work/in-full"
status=$?
if ((status == 77 || status == 1)); then
  echo "skipped: $test: a file system of its own is not permitted"
else
  equal "$status, $(last_trace | field reason)" "9, pool-unwritable" "a run where the file system of the pool is full"
fi
