# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2016,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# Who ends a service or a job by its control groups ends no run of another: those have other JVMs. All scopes of systemd,
# logins among them, are one, where it leaves what logins have started alone.
hierarchies=()
for hierarchy in /sys/fs/cgroup/{freezer,systemd,unified,}; do
  [[ ! -w $hierarchy/cgroup.procs ]] || hierarchies+=("${hierarchy%/}")
done
if ((${#hierarchies[@]} == 0)) || ! unshare --mount true 2>/dev/null; then
  echo "skipped: $test needs a hierarchy of control groups by which processes are ended, and unshare --mount"
  return 0
fi
fingerprint_in() { # GROUP [COMMAND...]
  mkdir -p "$1"
  sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' - "$1" "${@:2}" "$java" -cp "$work/classes" Exit 0 >/dev/null
  last_trace | field fingerprint
}
kills=(unshare --mount sh -c 'mount -t tmpfs none /etc/systemd && mkdir /etc/systemd/logind.conf.d &&
  echo "KillUserProcesses = yes" >/etc/systemd/logind.conf.d/own.conf && exec "$@"' -)
for hierarchy in "${hierarchies[@]}"; do
  own=$hierarchy/hottub-test-$$
  service=$(fingerprint_in "$own-a.service")
  [[ $service =~ ^[0-9a-f]{32}$ ]] && ok || fail "no fingerprint in $hierarchy: $service"
  equal "$(fingerprint_in "$own-a.service")" "$service" "two runs of a service in $hierarchy"
  [[ $(fingerprint_in "$own-b.service") != "$service" ]] && ok || fail "two services in $hierarchy have one JVM"
  contained=$(CONTAINER_ID=1 fingerprint_in "$own-a.service")
  equal "$(CONTAINER_ID=1 fingerprint_in "$own-b.service")" "$contained" "containers in $hierarchy"
  login=$(fingerprint_in "$hierarchy/session-$$.scope")
  equal "$(fingerprint_in "$hierarchy/session-c$$.scope")" "$login" "two logins in $hierarchy"
  equal "$(fingerprint_in "$own-run.scope")" "$login" "another scope in $hierarchy"
  equal "$login" "$contained" "a login in $hierarchy, and what is trained for it"
  if ! grep -qE ':(name=[^:]*|([^:]*,)?freezer(,[^:]*)?|):/.' /proc/self/cgroup; then
    equal "$(fingerprint_in "$hierarchy")" "$contained" "the root of $hierarchy, and what is trained for it"
  fi
  if [[ -d /etc/systemd ]]; then
    ended=$(fingerprint_in "$hierarchy/session-$$.scope" "${kills[@]}")
    [[ $ended =~ ^[0-9a-f]{32}$ && $ended != "$login" ]] && ok || fail "a login in $hierarchy that ends what it has started: $ended"
  fi
done
# Their keepers are in them.
retire_all
none_left() {
  local hierarchy
  for hierarchy in "${hierarchies[@]}"; do
    find "$hierarchy" -mindepth 1 -maxdepth 1 \( -name "hottub-test-$$-*" -o -name "session-*$$.scope" \) -exec rmdir {} + || return
  done
}
eventually none_left && ok || fail "groups of ${hierarchies[*]} are left"
