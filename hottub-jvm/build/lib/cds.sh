# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# Class data archives. They belong to one libjvm.so and one lib/modules, byte for byte.

# Writes both archives of a stock build, with compressed references and without, into lib/server.
# G1 and the heap size are those of the JDK's own build: without them no heap objects are archived.
# Usage: dump_archives JDK LAUNCHER LOG
dump_archives() {
  local jdk=$1 launcher=$2 log=$3 archive options
  while read -r archive options; do
    # Never into an existing file: it may be shared with another JDK by a hard link.
    rm -f "$jdk/lib/server/$archive"
    # shellcheck disable=SC2086
    if ! "$launcher" -Xshare:dump -XX:SharedArchiveFile="$jdk/lib/server/$archive" \
      -XX:+UseG1GC -Xms128M -Xmx128M $options >"$log" 2>&1 </dev/null 9>&- ||
      [[ ! -s $jdk/lib/server/$archive ]]; then
      die "$launcher cannot write the class data archive $archive (log: $log)"
    fi
  done <<'END'
classes.jsa
classes_nocoops.jsa -XX:-UseCompressedOops
END
}
