# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# What a process has from its parent, and gives to its children, a run has, too: a JVM that was started with something else
# is not for it.
with=$native/test/with
inherits() { "$@" "$java" -cp "$work/classes" Exit 0 >/dev/null && last_trace | field fingerprint; }
plain=$(inherits env)
equal "$(inherits env)" "$plain" "the same again"

seen="$plain" count=0
while read -r attribute; do
  if ! "$with" "$attribute" true; then
    echo "skipped: $test: the kernel does not let us set $attribute"
    continue
  fi
  now=$(inherits "$with" "$attribute")
  [[ $now && $seen != *"$now"* ]] && ok || fail "$attribute: $now"
  seen+=" $now" count=$((count + 1))
done < <("$with")
# Soft limits that are read once in a process.
for limit in "-v 90000000" "-d 80000000" "-s 4096"; do
  # shellcheck disable=SC2086 # an option and its value
  now=$(ulimit -S $limit && inherits env)
  [[ $now && $seen != *"$now"* ]] && ok || fail "ulimit -S $limit: $now"
  seen+=" $now"
done
((count >= 5)) && ok || fail "only $count attributes"

# Those that a command sets.
printf '#!/bin/sh\necho 61234 >/proc/self/loginuid && exec "$@"\n' >"$work/as-login"
chmod 755 "$work/as-login"
commands=("setpriv --inh-caps +chown" "setpriv --inh-caps +chown --ambient-caps +chown" "unshare --cgroup" "unshare --time"
  "$work/as-login")
for command in "${commands[@]}"; do
  if ! $command true 2>/dev/null; then
    echo "skipped: $test: $command is not permitted"
    continue
  fi
  # shellcheck disable=SC2086 # a command and its arguments
  now=$(inherits $command)
  [[ $now && $seen != *"$now"* ]] && ok || fail "$command: $now"
  seen+=" $now"
done
