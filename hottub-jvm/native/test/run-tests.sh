#!/usr/bin/env bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

# Tests client and keeper against the test double of pooled-java, in a pool of their own.
# Usage: run-tests.sh NATIVE_FOLDER [STOCK_JDK]      (make check; CASES=FILE... for some of them)
# Every process that is started here is ended here, by its pid.
set -u
here=$(cd "$(dirname "$0")" && pwd)
native=$(cd "$1" && pwd)

# All of them: each in a pool of its own, some at a time, because they mostly wait.
if [[ -z ${CASES:-} ]]; then
  set -o pipefail
  printf '%s\0' "$here"/cases/*.sh |
    xargs -0 -P 4 -I '{}' env CASES='{}' "$here/run-tests.sh" "$native" "${2:-/}" |
    awk '/^skipped: / { skipped = skipped $0 "\n"; next }
      { print } / checks passed/ { passed += $2; failed += $5 }
      END { printf "%s", skipped; print passed " checks passed, " failed " failed" }'
  exit
fi
# shellcheck disable=SC2034  # read by the cases
stock=$(realpath "${2:-/}")
work=$(mktemp -d)
chmod 755 "$work"
failed=0 passed=0

# A HotTub home with the double inside. Its cold launcher tells that it was called, and ends like the program would.
home=$work/home
mkdir -p "$home/bin" "$home/lib/hottub"
cp "$native/java" "$home/bin/java"
cp "$native/keeper" "$home/lib/hottub/keeper"
cp "$native/test/fake-pooled-java" "$home/lib/hottub/pooled-java"
echo test-build >"$home/lib/hottub/build-id"
cat >"$home/bin/java-cold" <<'COLD'
#!/bin/sh
echo "cold $*"
while [ $# -gt 1 ]; do shift; done
case $1 in *[!0-9]* | '') exit 42 ;; *) exit "$1" ;; esac
COLD
chmod 755 "$home/bin/java-cold"
# Copied, because another user may not get to where this was built.
cp "$native/test/poke" "$work/poke"
java=$home/bin/java poke=$work/poke
mkdir "$work/classes" "$work/pool"
mkdir -m 700 "$work/pool/$(id -u)"
export HOTTUB_DIR=$work/pool HOTTUB_TRACE=$work/trace
unset JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH HOTTUB

ok() { passed=$((passed + 1)); }
fail() {
  failed=$((failed + 1))
  echo "FAILED: $test: $*"
}
equal() { if [[ $1 == "$2" ]]; then ok; else fail "$3: expected <$2>, got <$1>"; fi; }

# Waits up to 60 s for a condition.
eventually() {
  local i
  for ((i = 0; i < 6000; i++)); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.01
  done
  return 1
}
# Process number 1 may take its time to reap an orphan: a zombie is gone, too.
process_state() { sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null; }
gone() { [[ $(process_state "$1") =~ ^(|Z)$ ]]; }
sockets() { compgen -G "$HOTTUB_DIR/*/*/[ib]-*"; }
idle_socket() { compgen -G "$HOTTUB_DIR/*/*/i-*" | grep -m 1 .; }  # fails while there is none
last_trace() { tail -n 1 "$work/trace"; }
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }
state_of() { "$poke" "$1" status | field "$2"; }

# A keeper renames its socket when a run begins and when it is reset.
busy_socket() { compgen -G "$HOTTUB_DIR/*/*/b-*" | grep -m 1 .; }  # fails while there is none
none_busy() { ! busy_socket; }
ask_to_retire() {
  local socket
  for socket in "$HOTTUB_DIR"/*/*/[ib]-"$1"; do "$poke" "$socket" retire && return; done
  gone "$1"
}
retire_all() {
  local pid
  for pid in $(sockets | sed 's/.*-//' | sort -u); do
    eventually ask_to_retire "$pid"
    eventually gone "$pid" || kill -KILL "$pid"
    rm -f "$HOTTUB_DIR"/*/*/[ibl]-"$pid"  # of one that was killed, which the next case would ask
  done
}
strays=()  # what a case wants to see outlive its run
finish() {
  local pid
  # A child that is killed before it has become another program gets here, too.
  [[ $BASHPID == "$$" ]] || return
  retire_all
  for pid in "${strays[@]}"; do kill -KILL "$pid"; done
  rm -rf "$work"
}
trap finish EXIT

# A run that waits, in the background: sets $client, $socket, $keeper and $jvm, for the cases. start_wait [MAIN [PREFIX...]]
# With $group in a process group of its own, as a job of an interactive shell.
# shellcheck disable=SC2034
start_wait() {
  eventually none_busy || fail "the run before is not over"
  rm -f "$work/out"  # the words of the run before
  ${group:+set -m}
  "${@:2}" "$java" -cp "$work/classes" "${1:-Wait}" >"$work/out" 2>&1 &
  client=$!
  set +m
  eventually grep -q waiting "$work/out" || fail "the run did not begin"
  # The keeper renames its socket when it has told the JVM to begin.
  eventually busy_socket || fail "no JVM is busy"
  socket=$(busy_socket)
  keeper=${socket##*-}
  jvm=$(state_of "$socket" jvm_pid)
}
# As start_wait, and its line is in the trace, which the client writes while the run begins.
start_wait_traced() {
  local traced
  lines_traced() { wc -l <"$work/trace" 2>/dev/null || echo 0; }
  traced=$(lines_traced)
  # shellcheck disable=SC2317 # eventually calls it
  one_more_is_traced() { (($(lines_traced) > traced)); }
  start_wait "$@"
  eventually one_more_is_traced || fail "the run that waits is not traced"
}
# ends PID STATUS WHAT: waits for a child; bash makes 128 + number of a death by signal.
ends() {
  { wait "$1"; } 2>/dev/null
  equal $? "$2" "$3"
}

# bash announces every child that dies by a signal; that is kept back unless a check fails.
# No terminal of who tests: at one, runs are cold.
exec 3>&2 2>"$work/stderr" </dev/null
for file in $CASES; do
  test=$(basename "$file" .sh)
  rm -f "$HOTTUB_DIR"/*/limits
  # shellcheck source=/dev/null
  source "$file"
  retire_all
done

echo "$test: $passed checks passed, $failed failed"
((failed == 0)) || {
  cat "$work/stderr" >&3
  exit 1
}
