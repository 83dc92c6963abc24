# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# Users never share a JVM, and nobody trusts a folder that another could change.
if [[ $(id -u) != 0 ]]; then
  echo "skipped: $test needs root, to be two users"
  return 0
fi
other() { setpriv --reuid 61234 --regid 61234 --clear-groups env HOTTUB_TRACE="$work/other/trace" "$@"; }
mkdir -p "$work/other"
chown 61234 "$work/other"
chmod 1777 "$HOTTUB_DIR"
"$java" -cp "$work/classes" Exit 1
other "$java" -cp "$work/classes" Exit 2
equal $? 2 "run of another user"
grep -q '"run":1}' "$work/other/trace" && ok || fail "another user got a used JVM"
eventually none_busy
equal "$(sockets | wc -l)" 2 "a JVM for each user"
other prlimit --nproc=1000 "$java" -Xmx70m -cp "$work/classes" Exit 3 >/dev/null
equal "$?, $(tail -n 1 "$work/other/trace" | field reason)" "3, few-tasks" "where the user may have 1000 processes"
theirs=$(compgen -G "$HOTTUB_DIR/61234/*/i-*")

# The keeper checks who connects; the folder's mode alone would not stop root.
equal "$("$poke" "$theirs" status)" closed "a keeper refuses another user"

# The client checks who listens, however it came there.
mine=$(compgen -G "$HOTTUB_DIR/0/*/i-*")
ln -s "$theirs" "$(dirname "$mine")/i-1"
for run in 1 2 3; do
  "$java" -cp "$work/classes" Exit 5
  equal $? 5 "run beside a foreign socket"
  eventually none_busy
  last_trace | grep -q "\"jvm_pid\":$(state_of "$mine" jvm_pid)," && ok || fail "served by a foreign JVM"
done
rm "$(dirname "$mine")/i-1"
for socket in $theirs; do
  other "$poke" "$socket" retire >/dev/null
  eventually gone "${socket##*-}" || kill -KILL "${socket##*-}"
done

# Rights that the file of the client has are not those of a keeper.
if setcap cap_net_bind_service=+ep "$java" 2>/dev/null; then
  other "$java" -cp "$work/classes" Exit 2 >"$work/out"
  equal "$?, $(tail -n 1 "$work/other/trace" | field reason)" "2, set-uid" "a client with a capability"
  setcap -r "$java"
else
  echo "skipped: $test: setcap is not permitted"
fi

# Unsafe folders.
unsafe() {
  "$java" -cp "$work/classes" Exit 8 >"$work/out"
  equal "$(last_trace | field reason)" pool-directory-unsafe "$1"
}
chmod 0777 "$HOTTUB_DIR"
unsafe "a root that all may write"
chmod 755 "$HOTTUB_DIR"
chmod 750 "$HOTTUB_DIR/0"
unsafe "a user's folder that a group may read"
chmod 700 "$HOTTUB_DIR/0"
chown 61234 "$HOTTUB_DIR/0"
unsafe "a user's folder of somebody else"
chown 0 "$HOTTUB_DIR/0"
mkdir "$work/elsewhere"
HOTTUB_DIR=$work/linked
mkdir "$HOTTUB_DIR" && ln -s "$work/elsewhere" "$HOTTUB_DIR/0"
unsafe "a user's folder that is a link"
HOTTUB_DIR=$work/none/none
"$java" -cp "$work/classes" Exit 8 >"$work/out"
equal "$(last_trace | field reason)" no-pool-directory "no folder at all"
HOTTUB_DIR=$work/pool

# A caller that takes rights from itself (umask) takes none from what others of its user have to read.
mkdir -m 755 "$work/masked"
(umask 777 && HOTTUB_DIR=$work/masked "$java" -cp "$work/classes" Exit 4 >/dev/null)
equal "$?" 4 "a run with umask 777"
equal "$(cd "$work/masked" && stat -c '%n %a' "$(id -u)" "$(id -u)"/{claims,start.lock} | tr '\n' ' ')" \
  "$(id -u) 700 $(id -u)/claims 600 $(id -u)/start.lock 600 " "the rights of what it has made"
masked_idle() { compgen -G "$work/masked/*/*/i-*" >"$work/idle"; }
eventually masked_idle || fail "its JVM does not become idle"
"$poke" "$(cat "$work/idle")" retire >/dev/null
