# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# What every script of the JVM build needs: messages, folders, hashing, locks, long-running commands.
# Progress and errors go to stderr; stdout carries results only.

# The folder hottub-jvm/ this copy of the scripts belongs to.
# shellcheck disable=SC2034
module=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)

cache=${HOTTUB_CACHE:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/hottub}

# Seconds between two progress lines.
progress_interval=${HOTTUB_PROGRESS_SECONDS:-20}

say() {
  printf 'hottub-jvm: %s\n' "$*" >&2
}

# For what need not be made. Silent in programs called by others, which would repeat it.
say_cached() {
  [[ -n ${HOTTUB_BUILD_NESTED:-} ]] || say "$*: from the cache"
}

die() {
  printf 'hottub-jvm: error: %s\n' "$*" >&2
  exit 1
}

# Creates the cache. JDK's configure and make accept no blanks or shell characters in paths.
open_cache() {
  [[ $cache == /* && $cache =~ ^[A-Za-z0-9/._+@-]+$ ]] ||
    die "the cache folder '$cache' must be an absolute path of letters, digits and /._+@- (set HOTTUB_CACHE)"
  mkdir -p "$cache" 2>/dev/null || die "cannot create the cache folder $cache (set HOTTUB_CACHE)"
  [[ -w $cache ]] || die "cannot write to the cache folder $cache (set HOTTUB_CACHE)"
}

# Everything made in the cache is used by this name, and dropped when nobody used it for a month.
mark_used() {
  touch -c -- "$@"
}

prune_cache() {
  local folder
  for folder in archives build jvm lists runtime source stock; do
    [[ -d $cache/$folder ]] || continue
    find "$cache/$folder" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +
  done
}

# Variables of the caller that would change what a build tool or a JVM does.
unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS CLASSPATH LD_LIBRARY_PATH LD_PRELOAD \
  MAKEFLAGS MAKELEVEL MFLAGS CDPATH GREP_OPTIONS
export LC_ALL=C

# First 16 hex digits of the SHA-256 of stdin: the name of something in the cache.
short_hash() {
  sha256sum | cut -c1-16
}

# Digest lines (hash, relative name) of all files below the given paths of a folder, in a fixed order.
# Usage: digest_files FOLDER PATH...
digest_files() (
  cd -- "$1" || exit 1
  shift
  find "$@" -type f ! -name '*~' ! -name '.*.sw?' -print0 | sort -z | xargs -0 -r sha256sum
)

# Takes an exclusive lock until the calling script ends. The descriptor is number 9;
# long-running children must be started with 9>&- so that none of them can keep the lock.
# Usage: lock NAME
lock() {
  mkdir -p "$cache/locks"
  exec 9>"$cache/locks/$1"
  if ! flock -n 9; then
    say "waiting for another build that holds $1"
    flock 9
  fi
}

elapsed() {
  local s=$1
  if ((s < 60)); then
    printf '%d s' "$s"
  else
    printf '%d min %02d s' $((s / 60)) $((s % 60))
  fi
}

# Runs a command with its output in LOG; prints a line every progress_interval seconds.
# STATUS is a function that prints what has been done so far. Returns the command's status. Not for subshells:
# the trap must be that of the process which receives the signal.
# Usage: run_long LABEL STATUS LOG COMMAND...
run_long() {
  local label=$1 status=$2 log=$3 start=$SECONDS next pid code=0
  shift 3
  # A process group of its own, so that whoever ends us ends all of the command.
  set -m
  "$@" >"$log" 2>&1 9>&- </dev/null &
  pid=$!
  set +m
  # shellcheck disable=SC2064
  trap "kill -TERM -- -$pid 2>/dev/null; kill -CONT -- -$pid 2>/dev/null; wait $pid 2>/dev/null; exit 130" INT TERM HUP
  next=$((SECONDS + progress_interval))
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.2
    if ((SECONDS >= next)); then
      say "$label: $("$status"), $(elapsed $((SECONDS - start)))"
      next=$((SECONDS + progress_interval))
    fi
  done
  wait "$pid" || code=$?
  trap - INT TERM HUP
  return "$code"
}

# Copies a folder: hard links where the file system allows it, else reflinks, else bytes.
# Usage: link_tree FROM TO   (TO must not exist)
link_tree() {
  cp -al -- "$1" "$2" 2>/dev/null || {
    rm -rf -- "$2"
    cp -a --reflink=auto -- "$1" "$2"
  }
}

# Links or copies one file over TO, which changes in one step.
# Usage: link_file FROM TO
link_file() {
  local tmp
  tmp=$(dirname -- "$2")/.$(basename -- "$2").$$
  cp -lf -- "$1" "$tmp" 2>/dev/null || cp -p --reflink=auto -- "$1" "$tmp"
  mv -f -- "$tmp" "$2"
}

# True if apt's output in LOG says that it could not reach a server.
# Usage: network_failed LOG
network_failed() {
  grep -qE 'Could not resolve|Temporary failure|Could not connect|Unable to connect|Cannot initiate|Connection failed|timed out' "$1"
}
