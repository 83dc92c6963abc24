# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these

# Runs of a sandbox with a pid namespace of its own share the pool with others, and see none of their keepers.
sandbox=(unshare --pid --fork --mount-proc -- sh -c '"$@"; exit $?' -)
if ! "${sandbox[@]}" true 2>/dev/null; then
  echo "skipped: $test: ${sandbox[*]} is not permitted"
  return 0
fi
left() { (cd "$HOTTUB_DIR/$(id -u)" && echo */v-* */offers/[lw]-*); }
"${sandbox[@]:0:5}" "$java" -cp "$work/classes" Exit 9 >/dev/null
equal "$?, $(last_trace | field reason)" "9, first-process" "the first process of a sandbox"
"$java" -cp "$work/classes" Exit 0 >/dev/null
eventually idle_socket
before=$(left)
"${sandbox[@]}" "$java" -cp "$work/classes" Exit 9 >/dev/null
equal "$?, $(last_trace | field served)" "9, pool" "a run in the sandbox"
for file in $before; do
  [[ " $(left) " == *" $file "* ]]
  equal $? 0 "$file of a keeper that the sandbox does not see"
done
"$java" -cp "$work/classes" Exit 0 >/dev/null
equal "$(last_trace | field run)" 2 "the JVM outside of the sandbox"

# Its JVMs count, and what is left of those that ended with the sandbox does not.
eventually idle_socket
echo "max_jvms 1" >"$HOTTUB_DIR/$(id -u)/limits"
"${sandbox[@]}" "$java" -cp "$work/classes" Exit 9 >/dev/null
equal "$(last_trace | field reason)" pool-full "a run in the sandbox, in a pool that is full outside"
echo "max_jvms 2" >"$HOTTUB_DIR/$(id -u)/limits"
"${sandbox[@]}" "$java" -cp "$work/classes" Exit 9 >/dev/null
equal "$(last_trace | field served)" pool "a run in the sandbox where there is room"
"$java" -Xmx101m -cp "$work/classes" Exit 0 >/dev/null
equal "$(last_trace | field served)" pool "a run outside after it"
rm "$HOTTUB_DIR/$(id -u)/limits"
