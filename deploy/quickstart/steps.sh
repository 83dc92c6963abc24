# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154 # $out is that of "run", which reads this file
# Progress, failures, and installing packages.

say() { printf '[%3d:%02d] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"; }

fail() {
  echo "quickstart: $*" >&2
  exit 1
}

step_pid=

# Runs a command with its output in a log; shows every 15 s that it lives; ends the script with one line if it fails.
step() { # TEXT NAME COMMAND...
  local text=$1 log=$out/logs/$2.log started=$SECONDS shown=$SECONDS status=0 last
  shift 2
  say "$text"
  "$@" >"$log" 2>&1 9>&- </dev/null &
  step_pid=$!
  while kill -0 "$step_pid" 2>/dev/null; do
    # A short sleep that a signal interrupts.
    sleep 0.2 &
    wait $! || true
    if ((SECONDS - shown >= 15)); then
      shown=$SECONDS
      last=$(tail -n 1 "$log" | tr -d '\r\033' | cut -c1-100)
      say "  ... $((SECONDS - started)) s: $last"
    fi
  done
  wait "$step_pid" || status=$?
  step_pid=
  ((status == 0)) || explain_failure "$text" "$log"
}

# Ends what the current step runs, and all below it.
stop_step() {
  [[ -n $step_pid ]] || return 0
  end_tree "$step_pid"
  wait "$step_pid" 2>/dev/null || true
  step_pid=
}

end_tree() { # PID
  local child children
  read -r -d '' -a children < <(cat "/proc/$1/task/"*/children 2>/dev/null) || true
  for child in "${children[@]}"; do
    end_tree "$child"
  done
  kill -TERM "$1" 2>/dev/null || true
}

explain_failure() { # TEXT LOG
  local cause line own
  cause='Unknown host|Could not resolve|Temporary failure|Name or service not known|Network is unreachable'
  cause+='|No route to host|Connection refused|[Cc]onnect(ion)? timed out|ConnectTimeoutError|NewConnectionError'
  cause+='|Could not transfer artifact|No matching distribution|in offline mode|Could not connect'
  line=$(grep -aE '^(cluster|package|fetch|mvnw|hottub-jvm): ' "$2" | tail -n 1 || true)
  if own=$(grep -aE '^[a-z-]+: error: ' "$2" | tail -n 1) && [[ -n $own ]]; then fail "step \"$1\": $own"; fi
  if [[ -z $line ]]; then line=$(grep -aE 'ERROR|rror:|xception' "$2" | head -n 1 | cut -c1-200 || true); fi
  if grep -qaE "$cause" "$2" && [[ $line != cluster:* ]]; then
    fail "no network, or a package registry cannot be reached, in step \"$1\": check the network or proxy and run again (log: $2)"
  fi
  # A program that explains itself needs no frame.
  [[ $line != cluster:* ]] || fail "${line#cluster: }"
  fail "step \"$1\" failed: ${line:-$(tail -n 1 "$2")} (log: $2)"
}

install_packages() { # PACKAGE...
  local as_root=() apt
  command -v apt-get >/dev/null || fail "missing, and no apt-get to install them: $*"
  if ((EUID != 0)); then
    # With a terminal, sudo may ask for a password.
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
      fail "not root, and no sudo that works: ask an administrator to run: apt-get install $*"
    fi
    as_root=(sudo)
  fi
  say "install packages: $*"
  apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
  { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "$@"; } >&2 ||
    fail "apt-get could not install $*: no network? Check the network or proxy and run again"
}

# Ends the keepers (and with them the pooled JVMs) of a pool folder.
stop_pool() { # DIR
  local socket pid i left
  for ((i = 0; i < 50; i++)); do
    left=0
    for socket in "$1"/*/*/[ib]-*; do
      pid=${socket##*-}
      if [[ $pid =~ ^[0-9]+$ && $(cat "/proc/$pid/comm" 2>/dev/null) == keeper ]]; then
        left=1
        ((i == 0)) && kill -TERM "$pid" 2>/dev/null
        ((i == 30)) && kill -KILL "$pid" 2>/dev/null
      fi
    done
    ((left)) || return 0
    sleep 0.1
  done
}
