# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# What a module path has is in the fingerprint: folders of modules, too, whose names have dots, and jars that are folders.
mods=$work/mods
add() { # FILE TEXT
  mkdir -p "$mods/${1%/*}"
  echo "$2" >"$mods/$1"
  touch -d 2001-01-01 "$mods/$1"
}
fingerprint() {
  "$java" -p "$mods" -cp "$work/classes" Exit 0 >/dev/null
  last_trace | field fingerprint
}
seen=()
for change in com.app/module-info.class=1 com.app/com/app/Main.class=1 com.plug/module-info.class=1 com.plug/module-info.class=22 \
  com.plug.jar/module-info.class=1 plain/module-info.class=1; do
  add "${change%=*}" "${change#*=}"
  now=$(fingerprint)
  [[ $now =~ ^[0-9a-f]{32}$ && " ${seen[*]} " != *" $now "* ]] && ok || fail "$change changes nothing: $now"
  equal "$(fingerprint)" "$now" "the same modules after $change"
  seen+=("$now")
done
