# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# Source trees: the pristine one, and work trees that are pristine + our patches + our own files. A work tree is changed
# only where its content must change, so that make rebuilds no more than it has to.

# Unpacks a source (.dsc, tarball, folder) into the cache. Usage: pristine_tree SOURCE SOURCE_ID   Sets $pristine.
pristine_tree() {
  local source=$1 new log=$cache/logs/unpack-source.log
  pristine=$cache/source/$2
  [[ ! -d $pristine ]] || return 0
  lock "source-$2"
  [[ ! -d $pristine ]] || return 0
  say "unpacking the JDK source"
  new=$cache/source/.new-$2
  rm -rf "$new"
  mkdir -p "$cache/source" "$cache/logs"
  if [[ -d $source ]]; then
    mkdir "$new"
    cp -a --reflink=auto -- "$source"/{configure,make,src} "$new/" || die "$source is not a JDK source tree"
  elif [[ $source == *.dsc ]]; then
    # Applies the distribution's own patches: the stock binaries have them as well.
    run_long "unpacking" unpacked "$log" dpkg-source -x "$source" "$new" || die "cannot unpack $source (log: $log)"
  else
    mkdir "$new"
    run_long "unpacking" unpacked "$log" tar -x --strip-components=1 -C "$new" -f "$source" ||
      die "cannot unpack $source (log: $log)"
  fi
  # Half of the files, and no part of a HotSpot build.
  rm -rf "$new/test" "$new/.pc"
  mv "$new" "$pristine"
}

unpacked() {
  printf '%s files' "$(find "$new"* -type f 2>/dev/null | wc -l)"
}

# Prints "OLD NEW" for each file of a patch, /dev/null for a file that does not exist before or after.
patched_files() {
  awk '
    /^--- / { old = $2; sub(/^a\//, "", old); next }
    /^\+\+\+ / && old != "" { new = $2; sub(/^b\//, "", new); print old, new }
    { old = "" }' "$1"
}

# Fills the folder STAGE with every file that differs from the pristine tree; an empty file NAME.deleted in the folder
# DELETED stands for a file to remove. Usage: stage_changes PRISTINE STAGE VERSION
stage_changes() {
  local tree=$1 stage=$2 version=$3 patch_file name old new file output
  rm -rf "$stage"
  mkdir -p "$stage"
  for patch_file in "$module"/hotspot/patches/*.patch; do
    [[ -e $patch_file ]] || continue
    name=${patch_file##*/}
    while read -r old new; do
      [[ $old != /dev/null ]] || continue
      [[ ! -e $stage/$old ]] || continue
      [[ -f $tree/$old ]] || die "patch $name does not apply to $old of JDK $version: there is no such file"
      mkdir -p "$stage/$(dirname -- "$old")"
      cp -p -- "$tree/$old" "$stage/$old"
    done < <(patched_files "$patch_file")
    # No fuzz: a hook in the wrong place would be worse than no build. No backups: they would be taken for sources.
    if ! output=$(patch -d "$stage" -p1 --fuzz=0 --batch --forward --no-backup-if-mismatch <"$patch_file" 2>&1); then
      file=$(awk '/^patching file / { f = $3 } /FAILED|previously applied|malformed/ { print f; exit }' <<<"$output" | tr -d "'")
      die "patch $name does not apply to ${file:-its files} of JDK $version"
    fi
    while read -r old new; do
      if [[ $new == /dev/null ]]; then die "patch $name deletes $old: patches may only change or add files"; fi
    done < <(patched_files "$patch_file")
  done
  if [[ -d $module/hotspot/src ]]; then
    (cd "$module/hotspot/src" && find . -type f ! -name '*~' ! -name '.*' -printf '%P\0' |
      while IFS= read -r -d '' file; do
        [[ ! -e $tree/src/hotspot/$file ]] || die "src/hotspot/$file exists in JDK $version: change it by a patch"
        mkdir -p "$stage/src/hotspot/$(dirname -- "$file")"
        cp -p -- "$file" "$stage/src/hotspot/$file"
      done)
  fi
}

# Makes WORK equal to PRISTINE + STAGE, touching nothing that is already as it should be. The file OVERLAY beside WORK
# remembers what differs from pristine. Usage: sync_tree PRISTINE STAGE WORK
sync_tree() {
  local tree=$1 stage=$2 work=$3 overlay=$3.overlay file
  if [[ ! -d $work || ! -f $overlay ]]; then
    rm -rf "$work" "$work.new"
    link_tree "$tree" "$work.new"
    : >"$overlay"
    mv "$work.new" "$work"
  fi
  (cd "$stage" && find . -type f -printf '%P\n' | sort) >"$overlay.next"
  # An interrupted run must leave a list that names everything it may have touched.
  sort -u "$overlay" "$overlay.next" >"$overlay.all"
  mv "$overlay.all" "$overlay"
  while IFS= read -r file; do
    if [[ -f $stage/$file ]]; then
      cmp -s -- "$stage/$file" "$work/$file" && continue
      mkdir -p "$work/$(dirname -- "$file")"
      # The file in the work tree may be a hard link into the pristine tree: replace, never overwrite.
      rm -f -- "$work/$file"
      cp -- "$stage/$file" "$work/$file"
    elif [[ -f $tree/$file ]]; then
      cmp -s -- "$tree/$file" "$work/$file" && continue
      rm -f -- "$work/$file"
      cp -- "$tree/$file" "$work/$file"
    else
      rm -f -- "$work/$file"
    fi
  done <"$overlay"
  mv "$overlay.next" "$overlay"
}
