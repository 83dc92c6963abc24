# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Who listens on a port, from /proc alone.

# Prints the inode of the socket that listens on a TCP port; nothing when the port is free.
listening_inode() { # PORT
  local hex address state inode
  hex=$(printf ':%04X' "$1")
  while read -r _ address _ state _ _ _ _ _ inode _; do
    if [[ $state == 0A && $address == *"$hex" ]]; then
      echo "$inode"
      return
    fi
  done < <(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null)
}

# Prints "by NAME, pid N" for the process that has a socket, as far as we may know.
socket_owner() { # INODE
  local fd pid
  fd=$(find /proc/[0-9]*/fd -maxdepth 1 -lname "socket:\\[$1\\]" -print -quit 2>/dev/null || true)
  if [[ -z $fd ]]; then
    echo "by a process of another user"
    return
  fi
  pid=${fd#/proc/}
  pid=${pid%%/*}
  echo "by $(cat "/proc/$pid/comm" 2>/dev/null || echo '?'), pid $pid"
}

# Ends the script with one clear line when a port is taken.
require_free_port() { # PORT PROGRAM VARIABLE
  local inode
  inode=$(listening_inode "$1")
  [[ -z $inode ]] && return
  echo "$2: port $1 is taken $(socket_owner "$inode"): end that process, or set $3 to another first port" >&2
  exit 1
}
