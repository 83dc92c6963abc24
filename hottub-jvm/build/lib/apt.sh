# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# A private apt: the system's own configuration, keys and sources, with source packages enabled, but lists and
# downloads in our cache. Works without root and changes nothing outside the cache.

apt_home=${cache:?}/apt

# Every enabled repository of the system that offers binary packages, now also with its source packages.
# "Targets" leaves out indexes that nobody here needs (translations, icons).
private_sources() {
  local main parts file n=0
  main=$(apt-config shell v Dir::Etc::sourcelist/f | sed "s/^v='\(.*\)'$/\1/")
  parts=$(apt-config shell v Dir::Etc::sourceparts/d | sed "s/^v='\(.*\)'$/\1/")
  rm -rf "$apt_home/sources.d"
  mkdir -p "$apt_home/sources.d"
  for file in "$main" "$parts"/*.list; do
    [[ -f $file && -r $file ]] || continue
    n=$((n + 1))
    awk '
      /^[[:space:]]*deb[[:space:]]/ {
        sub(/^[[:space:]]*deb[[:space:]]+/, "")
        binary = source = $0
        if (source ~ /^\[/) {
          sub(/^\[/, "[target=Packages ", binary)
          sub(/^\[/, "[target=Sources ", source)
        } else {
          binary = "[target=Packages] " binary
          source = "[target=Sources] " source
        }
        print "deb " binary
        print "deb-src " source
      }' "$file" >"$apt_home/sources.d/$n.list"
  done
  for file in "$parts"/*.sources; do
    [[ -f $file && -r $file ]] || continue
    n=$((n + 1))
    awk '
      function flush() {
        if (binary && enabled) printf "%s\n", stanza
        stanza = ""; binary = 0; enabled = 1
      }
      BEGIN { enabled = 1 }
      /^#/ { next }
      /^[[:space:]]*$/ { flush(); next }
      tolower($0) ~ /^types:/ {
        if ($0 ~ /[: \t]deb([ \t]|$)/) binary = 1
        $0 = "Types: deb deb-src\nTargets: Packages Sources"
      }
      tolower($0) ~ /^targets:/ { next }
      tolower($0) ~ /^enabled:[ \t]*(no|false|without|off|disable)/ { enabled = 0 }
      { stanza = stanza $0 "\n" }
      END { flush() }' "$file" >"$apt_home/sources.d/$n.sources"
  done
}

# Called once before any other function of this file.
setup_apt() {
  command -v apt-get >/dev/null || die "no apt here: set HOTTUB_JDK_SOURCE and HOTTUB_JDK_BINARY"
  mkdir -p "$apt_home"/{state/lists/partial,cache/archives/partial}
  : >>"$apt_home/state/status"
  private_sources
  cat >"$apt_home/apt.conf" <<END
Dir::State "$apt_home/state";
Dir::State::status "$apt_home/state/status";
Dir::Cache "$apt_home/cache";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt_home/sources.d";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "30";
Acquire::https::Timeout "30";
#clear APT::Architectures;
APT::Architectures:: "$(dpkg --print-architecture)";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
  # Root's cache folder is closed to apt's own user; signatures are checked all the same.
  if (($(id -u) == 0)); then
    echo 'APT::Sandbox::User "root";' >>"$apt_home/apt.conf"
  fi
}

# Usage: private_apt apt-get|apt-cache ARGUMENT...
private_apt() {
  local command=$1
  shift
  "$command" --config-file "$apt_home/apt.conf" "$@"
}

# Prints the versions, newest first, that the package lists offer both as source package and as every
# one of the binary packages. Usage: common_versions SOURCE BINARY...
common_versions() {
  local source=$1 package
  shift
  {
    private_apt apt-cache madison "$source" |
      awk -F ' *[|] *' '/ Sources$/ { print $2 }' | sort -u
    for package in "$@"; do
      private_apt apt-cache madison "$package" |
        awk -F ' *[|] *' '/ Packages$/ { print $2 }' | sort -u
    done
  } | sort | uniq -c | awk -v n=$(($# + 1)) '$1 == n { print $2 }' | sort -rV
}
