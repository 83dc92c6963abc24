# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2016,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# A JVM that was there before an update of the machine serves nothing after it: files that a process reads once are in the
# fingerprint. In a mount namespace of its own, where another file, or a copy of its folder, takes the place of the file.
if ! unshare --mount true 2>/dev/null; then
  echo "skipped: $test: unshare --mount is not permitted"
  return 0
fi
if ! unshare --net true 2>/dev/null; then
  echo "skipped: $test: unshare --net is not permitted"
  return 0
fi
if [[ ! -e /proc/net/if_inet6 ]]; then
  echo "skipped: $test: the kernel has no IP version 6"
  return 0
fi
export java work HOTTUB_TRACE
# fingerprints CHANGE FOLDER PATH: two before the change, one after it; without a fingerprint, why not
fingerprints() {
  rm -rf "$work/folder"
  mkdir "$work/folder"
  unshare --mount bash -euc '
    if [[ -n $2 ]]; then
      cp -a "$2/." "$work/folder"
      mount --bind "$work/folder" "$2"
    fi
    run() {
      "$java" -cp "$work/classes" Exit 0 >/dev/null
      tail -n 1 "$HOTTUB_TRACE" | sed -E "s/.*\"fingerprint\":\"([0-9a-f]+)\".*/\1/; s/.*\"reason\":\"([a-z-]+)\".*/\1/"
    }
    run && run && eval "$1" && run' - "$@"
}
export -f fingerprints
# changes_it WHAT COMMAND...: what it prints is two equal fingerprints and another one
changes_it() {
  local seen
  mapfile -t seen < <("${@:2}")
  [[ ${#seen[@]} == 3 && ${seen[0]} =~ ^[0-9a-f]{32}$ && ${seen[0]} == "${seen[1]}" ]] && ok || fail "$1: no equal fingerprints before: ${seen[*]}"
  [[ ${seen[2]} =~ ^[0-9a-f]{32}$ && ${seen[2]} != "${seen[0]}" ]] && ok || fail "$1 changes nothing: ${seen[*]}"
}
# SIOCSIFFLAGS, with IFF_UP and IFF_RUNNING
loopback_up='perl -e "socket(my \$s, 2, 2, 0); my \$r = pack q(Z16 s x22), q(lo), 0x41; ioctl(\$s, 0x8914, \$r) or die"'
while read -r path; do
  if [[ $path == /proc/net/if_inet6 ]]; then
    changes_it "$path" unshare --net bash -c 'fingerprints "$@"' - "$loopback_up" "" ""
  elif [[ -d $path ]]; then
    changes_it "$path" fingerprints 'mkdir "$3/new"' "$path" "$path"
  elif [[ -f $path ]]; then
    changes_it "$path" fingerprints 'cp -a "$3" "$work/copy" && mount --bind "$work/copy" "$3"' "" "$(readlink -f "$path")"
  else
    changes_it "$path" fingerprints ': >"$3"' "${path%/*}" "$path"
  fi
done < <(awk -F '\t' '$1 == "paths" && $3 == "identity" && $4 == "native/client/system-files.c" { print $2 }' "$here/../../state.tsv")

# A service of inetd: the change is that standard input is a socket.
cat >"$work/inetd.pl" <<'END'
use Socket;
socket(L, PF_INET, SOCK_STREAM, 0) and bind(L, sockaddr_in(0, INADDR_LOOPBACK)) and listen(L, 1) or die;
my ($port) = sockaddr_in(getsockname(L));
socket(C, PF_INET, SOCK_STREAM, 0) and connect(C, sockaddr_in($port, INADDR_LOOPBACK)) and open(STDIN, "<&C") or die;
exec @ARGV;
END
changes_it "a socket as standard input" unshare --net bash -c 'eval "$1" && fingerprints "$2" "" ""' - "$loopback_up" \
  'real=$java; inetd() { perl "$work/inetd.pl" "$real" "$@"; }; java=inetd'

mapfile -t seen < <(fingerprints ': >/etc/ld.so.preload' /etc '')
equal "${seen[2]}" "${seen[0]}" "no library in every process"
mapfile -t seen < <(fingerprints 'echo >/etc/ld.so.preload' /etc '')
equal "${seen[2]}" preloaded-libraries "libraries in every process"
