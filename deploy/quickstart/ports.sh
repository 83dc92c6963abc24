# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Who listens on a port, from /proc alone.

# Prints the inode of the socket that listens on a TCP port; nothing when the port is free.
listening_inode() { # PORT
  local hex
  hex=$(printf ':%04X' "$1")
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null |
    while read -r _ address _ state _ _ _ _ _ inode _; do
      if [[ $state == 0A && $address == *"$hex" ]]; then
        echo "$inode"
        break
      fi
    done
}

# Prints "name, pid N" of the process that has a socket, as far as we may know.
socket_owner() { # INODE
  local fd pid
  for fd in /proc/[0-9]*/fd/*; do
    if [[ $(readlink "$fd" 2>/dev/null) == "socket:[$1]" ]]; then
      pid=${fd#/proc/}
      pid=${pid%%/*}
      echo "$(cat "/proc/$pid/comm" 2>/dev/null || echo '?'), pid $pid"
      return
    fi
  done
  echo "a process of another user"
}

# Ends the script with one clear line when a port is taken.
require_free_port() { # PORT PROGRAM VARIABLE
  local inode
  inode=$(listening_inode "$1")
  [[ -z $inode ]] && return
  echo "$2: port $1 is taken ($(socket_owner "$inode")): end that process, or set $3 to another first port" >&2
  exit 1
}
