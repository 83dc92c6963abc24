# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# Images of file systems, mounted one after the other on one device, whose files differ in nothing but their content.

if ! mkdir "$work/mounted" || ! device=$(losetup -f 2>/dev/null) || [[ ! -w $device ]]; then
  echo "skipped: $test needs root, and loop devices"
  return 0
fi

# image NAME CONTENT
image() {
  printf '%s' "$2" >"$work/content"
  truncate -s 4M "$work/$1.img"
  mke2fs -q -t ext4 -U 11111111-2222-3333-4444-555555555555 "$work/$1.img"
  {
    echo "write $work/content a.jar"
    for field in atime mtime ctime crtime; do
      printf 'set_inode_field a.jar %s @946684800\nset_inode_field a.jar %s_extra 0\n' $field $field
    done
  } >"$work/commands"
  debugfs -w -f "$work/commands" "$work/$1.img" >/dev/null 2>&1
}

# mounted NAME: what is seen of the file, and the fingerprint
mounted() {
  eventually losetup -r "$device" "$work/$1.img"  # it is let go a moment after the last mount
  mount -o ro "$device" "$work/mounted"
  stat -c '%d %i %s %y %z' "$work/mounted/a.jar"
  fingerprint "$work/mounted/a.jar"
  fingerprint "$work/mounted/a.jar"
  umount "$work/mounted"
  losetup -d "$device"
}

fingerprint() {
  "$java" -cp "$1" Exit 0 >/dev/null
  last_trace | field fingerprint
}

image first content-1
image second content-2
mapfile -t first < <(mounted first)
mapfile -t second < <(mounted second)
mapfile -t again < <(mounted first)
equal "${second[0]}" "${first[0]}" "the files look the same"
equal "${first[2]}" "${first[1]}" "the same image"
[[ ${second[1]} != "${first[1]}" ]] && ok || fail "another image changes nothing"
equal "${again[1]}" "${first[1]}" "the first image again"
