# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# Class data archives. They belong to one libjvm.so and one lib/modules, byte for byte.

# Writes both archives of a stock build, with compressed references and without, into the folder of a libjvm.so.
# G1 and the heap size are those of the JDK's own build: without them no heap objects are archived.
# Usage: dump_archives FOLDER LOG LAUNCHER...
dump_archives() {
  local folder=$1 log=$2 archive options
  shift 2
  while read -r archive options; do
    # Never into an existing file: it may be shared with another JDK by a hard link.
    rm -f "$folder/$archive"
    # shellcheck disable=SC2086
    if ! "$@" -Xshare:dump -XX:SharedArchiveFile="$folder/$archive" \
      -XX:+UseG1GC -Xms128M -Xmx128M $options >"$log" 2>&1 </dev/null 9>&- ||
      [[ ! -s $folder/$archive ]]; then
      die "$1 cannot write the class data archive $archive (log: $log)"
    fi
  done <<'END'
classes.jsa
classes_nocoops.jsa -XX:-UseCompressedOops
END
}
