# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# For the tests of the build scripts: each test runs in a folder of its own with a copy of the scripts,
# a cache, a tiny "JDK source" and a "JDK" made of shell scripts. Nothing is downloaded or compiled.

scripts=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
unset HOTTUB_JDK_SOURCE HOTTUB_JDK_BINARY XDG_CACHE_HOME

fail() {
  printf '    %s\n' "$*" >&2
  exit 1
}

# A project below the current folder: hottub-jvm/{build,hotspot}, cache.
make_project() {
  mkdir -p hottub-jvm/hotspot/patches
  cp -r -- "$scripts" hottub-jvm/build
  cp -- "$scripts"/../{tools,classes,statics}.tsv hottub-jvm/
  export HOTTUB_CACHE=$PWD/cache
  build=$PWD/hottub-jvm/build
}

# A source tree of JDK 17.0.UPDATE with one HotSpot file. Usage: make_source FOLDER UPDATE
make_source() {
  mkdir -p "$1/make/conf" "$1/make/autoconf" "$1/src/hotspot/share/runtime"
  printf 'DEFAULT_VERSION_%s\n' FEATURE=17 INTERIM=0 "UPDATE=$2" PATCH=0 >"$1/make/conf/version-numbers.conf"
  printf '%s\n' one two three four five six seven eight nine >"$1/src/hotspot/share/runtime/thread.cpp"
  # "configure" writes a makefile that "compiles" by copying.
  cat >"$1/configure" <<'END'
#!/bin/sh
src=$(dirname "$0")/src/hotspot
echo 'USERNAME:=x' >spec.gmk
cat >Makefile <<MAKE
.PHONY: hotspot
hotspot:
	echo make >>made
	grep -q broken $src/share/runtime/thread.cpp && { echo 'thread.cpp:3:1: error: expected ;'; exit 2; } || true
	mkdir -p support/modules_libs/java.base/server hotspot/variant-server/libjvm/objs
	{ echo 'echo hottub.cpp:7:1: error: unfit -DNDEBUG -DPRODUCT -c -o x x.cpp;'; grep -q unfit $src/share/runtime/thread.cpp && echo false || echo true; } \
	  | paste -sd ' ' >hotspot/variant-server/libjvm/objs/hottub.o.cmdline
	cat $src/share/*/* spec.gmk >support/modules_libs/java.base/server/libjvm.so
MAKE
echo configure >>configured
END
  chmod +x "$1/configure"
}

# An image of JDK 17.0.UPDATE. Usage: make_jdk FOLDER UPDATE
make_jdk() {
  mkdir -p "$1"/{bin,conf/security,lib/server,lib/jfr,lib/security}
  printf '%s\n' "JAVA_VERSION=\"17.0.$2\"" "JAVA_RUNTIME_VERSION=\"17.0.$2+1-test\"" 'IMPLEMENTOR="Test"' >"$1/release"
  touch "$1/lib/jvm.cfg" "$1/conf/security/java.security"
  echo stock >"$1/lib/server/libjvm.so"
  echo certificates >"$1/lib/security/cacerts"
  cat >"$1/bin/java" <<END
#!/bin/sh
for option; do
  case \$option in
    -version) echo 'openjdk version "17.0.$2"' >&2 ;;
    -XX:SharedArchiveFile=*) echo archive >"\${option#*=}" ;;
  esac
done
END
  cp "$1/bin/java" "$1/bin/javac"
  fake_tool "$1/bin/jar" -J-ms8m -m jdk.jartool/sun.tools.jar.Main
  fake_tool "$1/bin/jcmd" -J-ms8m -m jdk.jcmd/sun.tools.jcmd.JCmd
  chmod +x "$1"/bin/*
}

# A tool of a JDK, which says what it has compiled in, and whether it is the one; as jar it creates nothing. Usage: fake_tool FILE ARGUMENT...
fake_tool() {
  {
    echo '#!/bin/sh'
    echo "if [ \"\$1\" = --create ]; then exit; fi"
    echo "if [ -z \"\$_JAVA_LAUNCHER_DEBUG\" ]; then echo stock ${1##*/}; exit; fi"
    printf 'echo "jargv[0] = %s"\n' "${@:2}"
  } >"$1"
  chmod +x "$1"
}

# The whole set, of one version.
make_world() {
  make_project
  make_source "$PWD/source" 19
  make_jdk "$PWD/jdk" 19
  export HOTTUB_JDK_SOURCE=$PWD/source HOTTUB_JDK_BINARY=$PWD/jdk
  # Packages are not what these tests are about: all are there, and none owns a file (-S).
  # shellcheck disable=SC2016
  fake_command dpkg-query '[ "$1" != -S ] || exit 1; for p in $(sed -e "s/#.*//" "'"$build"'/packages.txt"); do echo "installed $p "; done'
}

# Puts a command in front of the path. Usage: fake_command NAME SCRIPT
fake_command() {
  mkdir -p fake
  printf '#!/bin/sh\n%s\n' "$2" >"fake/$1"
  chmod +x "fake/$1"
  [[ $PATH == "$PWD/fake:"* ]] || export PATH=$PWD/fake:$PATH
}

# Runs a command that must fail with exactly one error line, which must match PATTERN. Other lines may only
# be our progress messages. Usage: expect_error PATTERN COMMAND...
expect_error() {
  local pattern=$1 status=0 errors
  shift
  "$@" >stdout 2>stderr </dev/null || status=$?
  ((status != 0)) || fail "'$*' succeeded; expected an error like '$pattern'"
  errors=$(grep -c '^hottub-jvm: error: ' stderr || true)
  ((errors == 1)) || fail "$errors error lines instead of one: $(<stderr)"
  tail -n 1 stderr | grep -qE "^hottub-jvm: error: .*$pattern" || fail "'$(tail -n 1 stderr)' does not match '$pattern'"
  ! grep -qv '^hottub-jvm: ' stderr || fail "noise beside the error: $(grep -v '^hottub-jvm: ' stderr)"
}

expect_success() {
  "$@" >stdout 2>stderr </dev/null || fail "'$*' failed: $(<stderr)"
}
