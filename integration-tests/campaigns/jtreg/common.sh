# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# What run and mixed share: a pool of its own and its end. Expects $work, $pool, $home and $stock.

# Empties the pool and lets it hold more than an ordinary one.
make_pool() {
  rm -rf "${pool:?}"
  mkdir -m 700 "$pool" "$pool/$(id -u)"
  printf 'max_jvms 200\nidle_seconds 3000\n' >"$pool/$(id -u)/limits"
}

# Ends the keepers of this pool, and with them their JVMs. A socket may get its other name meanwhile.
end_pool() {
  local socket keepers=() pid
  for socket in "$pool"/*/*/[ib]-*; do
    pid=${socket##*-}
    if [[ $(readlink "/proc/$pid/exe") == "${home:?}"/*/keeper ]] && kill -TERM "$pid" 2>/dev/null; then keepers+=("$pid"); fi
  done
  for pid in "${keepers[@]}"; do
    for _ in {1..100}; do
      [[ -d /proc/$pid ]] || break
      sleep 0.05
    done
  done
}

# The process group of a jtreg that runs.
child=
finish() {
  if [[ -n $child ]]; then kill -TERM -- "-$child" 2>/dev/null || true; fi
  end_pool
  rm -rf "${work:?}"
}

unset HOTTUB JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH HOTTUB_TENANT
export HOTTUB_DIR=$pool HOTTUB_TRACE=$work/trace JTREG_JAVA=${stock:?}/bin/java
ulimit -c 0
