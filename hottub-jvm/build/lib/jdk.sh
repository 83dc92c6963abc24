# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# Facts about a JDK source and a JDK image.

# The feature release that our patches are for.
jdk_feature=17

# Prints the version (17, 17.0.19, 17.0.4.1 ...) of an unpacked source tree. Usage: source_version TREE
source_version() {
  local conf=$1/make/conf/version-numbers.conf
  [[ -r $conf ]] || die "$1 is not a JDK source tree: it has no make/conf/version-numbers.conf"
  awk -F= '
    /^DEFAULT_VERSION_(FEATURE|INTERIM|UPDATE|PATCH)=/ { v[substr($1, 17)] = $2 + 0 }
    END {
      s = v["FEATURE"] "." v["INTERIM"] "." v["UPDATE"] "." v["PATCH"]
      while (sub(/\.0$/, "", s)) ;
      print s
    }' "$conf"
}

# Prints the value of a key of an image's "release" file. Usage: release_value JDK KEY
release_value() {
  [[ -r $1/release ]] || die "$1 is not a JDK: it has no file 'release'"
  sed -n "s/^$2=\"\(.*\)\"$/\1/p" "$1/release"
}

# Fails unless source tree and image are of one version, and of the feature release of our patches.
# Usage: check_versions TREE TREE_NAME JDK JDK_NAME
check_versions() {
  local source binary
  source=$(source_version "$1")
  binary=$(release_value "$3" JAVA_VERSION)
  [[ $source == "$binary" ]] ||
    die "version mismatch: the source ($2) is JDK $source, the binaries ($4) are JDK ${binary:-unknown}; both must be the same"
  [[ ${source%%.*} == "$jdk_feature" ]] ||
    die "HotTub's patches are for JDK $jdk_feature; $2 is JDK $source"
}
