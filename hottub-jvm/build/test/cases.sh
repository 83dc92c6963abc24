# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# The tests. Each function whose name starts with "test_" runs in an empty folder.

change_line() {
  cat >"hottub-jvm/hotspot/patches/$1" <<END
--- a/src/hotspot/share/runtime/thread.cpp
+++ b/src/hotspot/share/runtime/thread.cpp
@@ -4,3 +4,3 @@
 four
-$2
+$3
 six
END
}

test_a_patch_that_does_not_apply() {
  make_world
  change_line 0100-good.patch five FIVE
  change_line 0200-bad.patch five 5
  expect_error 'patch 0200-bad.patch does not apply to src/hotspot/share/runtime/thread.cpp of JDK 17.0.19\+1-test' \
    "$build/build-jvm"
}

test_a_patch_without_its_context_is_not_guessed() {
  make_world
  change_line 0100-context.patch five FIVE
  sed -i 's/^ six$/ elsewhere/' hottub-jvm/hotspot/patches/0100-context.patch
  expect_error 'patch 0100-context.patch does not apply' "$build/build-jvm"
}

test_a_patch_to_a_missing_file() {
  make_world
  change_line 0100-gone.patch five FIVE
  sed -i 's/thread\.cpp/gone.cpp/' hottub-jvm/hotspot/patches/0100-gone.patch
  expect_error 'patch 0100-gone.patch does not apply to .*/gone.cpp of JDK .*: there is no such file' "$build/build-jvm"
}

test_own_file_that_hides_a_file_of_the_jdk() {
  make_world
  mkdir -p hottub-jvm/hotspot/src/share/runtime
  echo mine >hottub-jvm/hotspot/src/share/runtime/thread.cpp
  expect_error 'src/hotspot/share/runtime/thread.cpp exists in JDK' "$build/build-jvm"
}

test_versions_differ() {
  make_world
  rm -rf jdk
  make_jdk "$PWD/jdk" 18
  expect_error 'version mismatch: .* is JDK 17.0.19, .* JDK 17.0.18; both must be the same' "$build/build-jvm"
}

test_versions_of_a_tarball_differ() {
  make_world
  rm -rf jdk
  make_jdk "$PWD/jdk" 18
  tar -czf source.tar.gz source
  HOTTUB_JDK_SOURCE=$PWD/source.tar.gz expect_error 'version mismatch: ' "$build/build-jvm"
}

test_only_one_of_source_and_binary() {
  make_world
  unset HOTTUB_JDK_BINARY
  expect_error 'HOTTUB_JDK_SOURCE and HOTTUB_JDK_BINARY must be set together' "$build/build-jvm"
}

test_another_feature_release() {
  make_world
  sed -i 's/FEATURE=17/FEATURE=21/' source/make/conf/version-numbers.conf
  sed -i 's/17\.0/21.0/' jdk/release
  expect_error "patches are for JDK 17; .* is JDK 21.0.19" "$build/build-jvm"
}

test_missing_packages_without_the_right_to_install() {
  make_world
  fake_command dpkg-query 'echo "installed autoconf "; echo "installed zip "'
  fake_command id 'echo 1000'
  fake_command sudo 'exit 1'
  expect_error 'missing packages: .*build-essential.*; install them with: sudo apt-get install ' "$build/home"
  ! grep -qE 'missing packages:.* (autoconf|zip)( |;)' stderr || fail "names installed packages: $(<stderr)"
}

test_packages_cannot_be_downloaded() {
  make_world
  fake_command dpkg-query 'exit 0'
  fake_command id 'echo 0'
  fake_command apt-get 'echo "E: Failed to fetch http://x/y  Could not connect to x:80" ; exit 100'
  expect_error 'no network: cannot install .*build-essential' "$build/install-packages"
}

test_no_network() {
  make_project
  mkdir -p etc
  echo 'deb [trusted=yes] http://127.0.0.1:9/debian bookworm main' >etc/sources.list
  cat >etc/apt.conf <<END
Dir::Etc::sourcelist "$PWD/etc/sources.list";
Dir::Etc::sourceparts "$PWD/etc/none";
END
  APT_CONFIG=$PWD/etc/apt.conf expect_error 'no network: cannot read the package lists' "$build/fetch-source"
}

test_private_sources_enable_source_packages() {
  make_project
  mkdir -p etc/parts
  cat >etc/sources.list <<'END'
# deb http://disabled.example stable main
deb http://a.example stable main contrib
deb [arch=amd64 signed-by=/k.gpg] http://b.example stable main
deb-src http://c.example stable main
END
  cat >etc/parts/sources.list <<'END'
deb http://d.example stable main
END
  cat >etc/parts/x.sources <<'END'
Types: deb
# a comment
URIs: http://e.example
Suites: stable
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc

Enabled: no
Types: deb
URIs: http://f.example
Suites: stable

Types: deb-src
URIs: http://g.example
Suites: stable
END
  cat >etc/apt.conf <<END
Dir::Etc::sourcelist "$PWD/etc/sources.list";
Dir::Etc::sourceparts "$PWD/etc/parts";
END
  (
    export APT_CONFIG=$PWD/etc/apt.conf
    # shellcheck source=../lib/common.sh
    . "$build/lib/common.sh"
    # shellcheck source=../lib/apt.sh
    . "$build/lib/apt.sh"
    private_sources
  )
  cat cache/apt/sources.d/* >got
  diff - got >&2 <<'END' || fail "other sources than expected"
deb [target=Packages] http://a.example stable main contrib
deb-src [target=Sources] http://a.example stable main contrib
deb [target=Packages arch=amd64 signed-by=/k.gpg] http://b.example stable main
deb-src [target=Sources arch=amd64 signed-by=/k.gpg] http://b.example stable main
deb [target=Packages] http://d.example stable main
deb-src [target=Sources] http://d.example stable main
Types: deb deb-src
Targets: Packages Sources
URIs: http://e.example
Suites: stable
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc

END
}

test_older_version_when_the_newest_has_no_source() {
  make_project
  # shellcheck disable=SC2016
  fake_command apt-cache '
case "$*" in
  *jre*) for v in 17.0.3+1-1 17.0.10+1-1 17.0.9+2-1~deb12u1; do echo " p | $v | http://x stable/main amd64 Packages"; done ;;
  *jdk-headless*) for v in 17.0.10+1-1 17.0.9+2-1~deb12u1; do echo " p | $v | http://x stable/main amd64 Packages"; done ;;
  *) for v in 17.0.10+1-1 17.0.9+2-1~deb12u1 17.0.3+1-1; do echo " p | $v | http://x stable/main Sources"; done ;;
esac'
  # shellcheck disable=SC2016
  fake_command apt-get '
echo "$*" >>"'"$PWD"'/calls"
case "$*" in
  *source*=17.0.10*) echo "E: Failed to fetch http://x/y  404  Not Found"; exit 100 ;;
  *source*=*) echo dsc >p.dsc ;;
  *download*=*) echo "$*" >"$(echo "$*" | cksum | cut -c1-6).deb" ;;
esac'
  expect_success "$build/fetch-source"
  grep -qx 'version=17.0.9+2-1~deb12u1' stdout || fail "$(<stdout)"
  mv calls calls.first
  expect_success "$build/fetch-source"
  [[ ! -e calls ]] || fail "a pinned version still calls apt: $(<calls)"
}

test_the_cache_folder_has_a_blank() {
  make_project
  HOTTUB_CACHE="$PWD/a b" expect_error 'the cache folder .* must be' "$build/home"
}

test_cached_and_incremental_builds() {
  make_world
  change_line 0100-one.patch five FIVE
  mkdir -p hottub-jvm/hotspot/src/share/hottub
  echo own >hottub-jvm/hotspot/src/share/hottub/hottub.cpp
  expect_success "$build/build-jvm"
  local first out tree
  first=$(<stdout)
  out=$(echo cache/build/release-*/src/build/release)
  tree=${out%/build/release}/src/hotspot/share
  [[ $(grep -cx -e FIVE -e own "$first") == 2 ]] || fail "patch or own file is not in the library"
  grep -q '^USERNAME:=hottub-[0-9a-f]\{16\}$' "$first" || fail "the build is not named in the library"
  touch -d '2001-01-01' "$tree"/runtime/thread.cpp "$tree"/hottub/hottub.cpp

  # The same again: no make.
  expect_success "$build/build-jvm"
  [[ $(<stdout) == "$first" && $(wc -l <"$out"/made) == 1 ]] || fail "built again without a change"

  # Our file changes: one make, no configure, the patched file untouched.
  echo changed >hottub-jvm/hotspot/src/share/hottub/hottub.cpp
  expect_success "$build/build-jvm"
  grep -qx changed "$(<stdout)" || fail "the change is not in the library"
  [[ $(wc -l <"$out"/made) == 2 && $(wc -l <"$out"/configured) == 1 ]] || fail "configured again"
  [[ $(stat -c %y "$tree"/runtime/thread.cpp) == 2001* ]] || fail "an unchanged file was touched"

  # No patches any more: the pristine file is back, the own file is gone, and the pristine tree was never written to.
  rm -r hottub-jvm/hotspot/patches/0100-one.patch hottub-jvm/hotspot/src
  expect_success "$build/build-jvm"
  cmp -s source/src/hotspot/share/runtime/thread.cpp "$tree"/runtime/thread.cpp || fail "the patch was not taken back"
  [[ ! -e $tree/hottub/hottub.cpp ]] || fail "the own file was not taken back"
  diff -r source/src cache/source/*/src >&2 || fail "the pristine tree was changed"

  # And back: from the cache.
  change_line 0100-one.patch five FIVE
  mkdir -p hottub-jvm/hotspot/src/share/hottub
  echo own >hottub-jvm/hotspot/src/share/hottub/hottub.cpp
  expect_success "$build/build-jvm"
  [[ $(<stdout) == "$first" && $(wc -l <"$out"/made) == 3 ]] || fail "built again what was in the cache"
}

test_lists_of_classes_are_in_the_library() {
  make_world
  # shellcheck disable=SC2016
  printf '%s\n' 'case "$*" in *ClassLists*) echo "HOTTUB_CLASS(x, kept)"; echo "new: y" >&2 ;; esac' >>jdk/bin/java
  expect_success "$build/build-jvm"
  local first
  first=$(<stdout)
  grep -qx 'HOTTUB_CLASS(x, kept)' "$first" || fail "the list is not in the library"
  grep -q 'warning: 1 classes or fields of this JDK .* new: y' stderr || fail "no warning: $(<stderr)"

  # What has been said changes, and not the list: no make.
  echo '# looked at' >>hottub-jvm/statics.tsv
  expect_success "$build/build-jvm"
  [[ $(<stdout) == "$first" ]] || fail "built again for the same list"
}

test_an_interrupted_build_leaves_no_process() {
  make_world
  printf '%s\n' '#!/bin/sh' 'sleep 300 &' "echo \$! >$PWD/pid" 'wait' >source/configure
  "$build/build-jvm" >stdout 2>stderr &
  local script=$! i
  for ((i = 0; i < 100; i++)); do
    [[ ! -s pid ]] || break
    sleep 0.1
  done
  kill "$script"
  ! wait "$script" || fail "an interrupted build succeeded"
  for ((i = 0; i < 200; i++)); do
    kill -0 "$(<pid)" 2>/dev/null || return 0
    sleep 0.1
  done
  kill "$(<pid)"
  fail "what configure started is still running"
}

# A build that shows the compiler's error, and ends with a line. Usage: expect_compiler_error ERROR LINE
expect_compiler_error() {
  local status=0
  "$build/build-jvm" >stdout 2>stderr || status=$?
  ((status != 0)) || fail "succeeded"
  grep -q "$1" stderr || fail "the compiler's error is not shown: $(<stderr)"
  tail -n 1 stderr | grep -q "^hottub-jvm: error: $2; full log: /" || fail "$(<stderr)"
}

test_a_source_that_does_not_compile() {
  make_world
  change_line 0100-broken.patch five broken
  expect_compiler_error 'thread.cpp:3:1: error: expected' 'HotSpot (release) does not compile'
}

test_a_source_that_does_not_compile_with_assertions() {
  make_world
  change_line 0100-unfit.patch five unfit
  expect_compiler_error 'hottub.cpp:7:1: error: unfit' 'our files do not compile as fastdebug'
  # Nor is the library in the cache.
  expect_compiler_error 'hottub.cpp:7:1: error: unfit' 'our files do not compile as fastdebug'
}

test_what_is_left_of_a_file_that_is_gone_is_not_compiled() {
  make_world
  expect_success "$build/build-jvm"
  local objects
  objects=$(echo cache/build/release-*/src/build/release/hotspot/variant-server/libjvm/objs)
  touch "$objects/hottubGone.o"
  echo 'false -DNDEBUG -DPRODUCT -c -o hottubGone.o hottubGone.cpp' >"$objects/hottubGone.o.cmdline"
  change_line 0100-one.patch five FIVE
  expect_success "$build/build-jvm"
  [[ ! -e $objects/hottubGone.o ]] || fail "the object stays"
}

test_links_out_of_the_jdk_are_resolved() {
  make_project
  local deb=pkg/usr/lib/jvm/java-17-openjdk-test
  make_jdk "$PWD/$deb" 19
  touch "$deb/lib/modules"
  mkdir -p pkg/etc/java-17/management pkg/DEBIAN
  echo 'from the package' >pkg/etc/java-17/jvm.cfg
  ln -sf /etc/java-17/jvm.cfg "$deb/lib/jvm.cfg"
  ln -s ../../lib/jvm/nowhere "$deb/lib/dangling"
  ln -s ../release "$deb/lib/inside"
  ln -s /etc/hostname.does-not-exist "$deb/conf/dangling"
  ln -s java-17-openjdk-test pkg/usr/lib/jvm/java-1.17.0
  printf '%s\n' 'Package: p' 'Version: 1' 'Architecture: all' 'Maintainer: t <t@t>' 'Description: t' >pkg/DEBIAN/control
  mkdir debs
  dpkg-deb --build pkg debs/p.deb >/dev/null
  expect_success "$build/make-stock" "$PWD/debs" 1234
  local stock
  stock=$(<stdout)
  [[ $(<"$stock/lib/jvm.cfg") == 'from the package' && ! -L $stock/lib/jvm.cfg ]] || fail "lib/jvm.cfg is not the package's"
  [[ -L $stock/lib/inside ]] || fail "a link inside the JDK was replaced"
  [[ ! -L $stock/lib/dangling && ! -L $stock/conf/dangling ]] || fail "a dangling link was kept"
  [[ -s $stock/lib/server/classes.jsa && -s $stock/lib/server/classes_nocoops.jsa ]] || fail "no archives"
}

test_assembled_home() {
  make_world
  make_native
  make_runtime
  expect_success "$build/assemble-home"
  local home=hottub-jvm/target/hottub-home
  [[ $(<$home/bin/java) == client && -x $home/bin/java-cold && $(<$home/lib/hottub/runtime/X.class) == class ]] ||
    fail "client, launcher or runtime class is not in its place"
  grep -qE '^[0-9a-f]{64}$' $home/lib/hottub/build-id || fail "no build-id"
  grep -q USERNAME $home/lib/hottub/libjvm.so || fail "libjvm.so is not ours"
  [[ -s $home/lib/hottub/classes.jsa ]] || fail "no archives"
  grep -q stock hottub-jvm/target/stock-jdk/lib/server/libjvm.so || fail "the stock JDK is not stock"
  # The client stands for the tools of the table that this JDK has, and for no others.
  [[ $home/bin/javac -ef $home/bin/java && $home/bin/jar -ef $home/bin/java ]] || fail "bin/javac or bin/jar is not the client"
  [[ $($home/bin/jar-cold) == 'stock jar' && $($home/bin/jcmd) == 'stock jcmd' ]] || fail "a launcher is not in its place"
  [[ ! -e $home/bin/jcmd-cold && ! -e $home/bin/javap ]] || fail "a program too many"
  # What an administrator edits must not reach the cache, nor the next home.
  echo edited >$home/conf/security/java.security
  ! grep -rq edited cache/stock || fail "an edit of the home reached the cache"

  # Unchanged: nothing is assembled. Changed: a new id.
  local id inode
  id=$(<$home/lib/hottub/build-id)
  inode=$(stat -c %i $home)
  expect_success "$build/assemble-home"
  [[ $(stat -c %i $home) == "$inode" ]] || fail "assembled again without a change"
  echo 'client 2' >hottub-jvm/target/native/java
  expect_success "$build/assemble-home"
  [[ $(<$home/lib/hottub/build-id) != "$id" ]] || fail "the build-id did not change with the client"
}

test_a_tool_that_runs_something_else() {
  make_world
  make_native
  make_runtime
  fake_tool jdk/bin/jar -J-ms16m -m jdk.jartool/sun.tools.jar.Main
  expect_error "bin/jar of this JDK runs '-ms16m -m jdk.jartool/sun.tools.jar.Main', tools.tsv says '-ms8m -m " "$build/assemble-home"
}

# A class of the runtime, and a "compiler" that writes one class file.
make_runtime() {
  mkdir -p hottub-jvm/hotspot/runtime/jdk/internal/loader
  echo 'class X {}' >hottub-jvm/hotspot/runtime/jdk/internal/loader/X.java
  cat >jdk/bin/javac <<'END'
#!/bin/sh
while [ $# -gt 0 ] && [ "$1" != -d ]; do shift; done
if [ $# = 0 ]; then
  printf 'jargv[0] = %s\n' -J--add-modules -JALL-DEFAULT -J-ms8m -m jdk.compiler/com.sun.tools.javac.Main
  exit
fi
mkdir -p "$2" && echo class >"$2/X.class"
END
}

make_native() {
  local program
  mkdir -p hottub-jvm/target/native
  for program in java keeper pooled-java; do
    echo client >"hottub-jvm/target/native/$program"
    chmod +x "hottub-jvm/target/native/$program"
  done
}

test_a_missing_program() {
  make_world
  make_native
  rm hottub-jvm/target/native/keeper
  expect_error 'target/native/keeper is missing' "$build/assemble-home"
}

test_a_jvm_that_calls_itself_something_else() {
  make_world
  make_native
  make_runtime
  # Answers by what its libjvm.so is.
  cat >jdk/bin/java <<'END'
#!/bin/sh
jvm=$(dirname "$0")/../lib/server
for option; do
  case $option in
    -XXaltjvm=*) jvm=${option#*=} ;;
    -version) head -n 1 "$jvm/libjvm.so" >&2 ;;
    -XX:SharedArchiveFile=*) echo archive >"${option#*=}" ;;
  esac
done
END
  expect_error "calls itself 'one', the stock JVM 'stock'" "$build/assemble-home"
}

test_exported_patches() {
  make_world
  (
    cd source
    git init -q
    git -c user.name=t -c user.email=t@t commit -q --allow-empty -m empty
    git add .
    git -c user.name=t -c user.email=t@t commit -qm base
    sed -i 's/five/FIVE/' src/hotspot/share/runtime/thread.cpp
    mkdir src/hotspot/share/hottub
    echo own >src/hotspot/share/hottub/hottub.cpp
  )
  echo old >hottub-jvm/hotspot/patches/0999-old.patch
  expect_success "$build/export-patches" source HEAD
  [[ $(cd hottub-jvm/hotspot/patches && echo *.patch) == 0300-runtime.patch ]] || fail "other patches: $(ls hottub-jvm/hotspot/patches)"
  [[ $(<hottub-jvm/hotspot/src/share/hottub/hottub.cpp) == own ]] || fail "own file was not copied"
  git -C source stash -q -u
  expect_success "$build/build-jvm"
  grep -qx FIVE "$(<stdout)" || fail "the exported patch does not apply"
  echo stray >source/stray.txt
  expect_error "stray.txt is not in TREE's git" "$build/export-patches" source HEAD
}

# Usage: compile FOLDER/NAME FUNCTION-THAT-IT-USES: an object file that defines the function NAME.
compile() {
  mkdir -p "${1%/*}"
  printf 'int %s(void);\nint %s(void) { return %s(); }\n' "$2" "${1##*/}" "$2" | cc -x c -c - -o "$1.o"
}

test_circle_of_objects() {
  make_project
  compile objects/first second
  compile objects/second third
  compile objects/third abort
  expect_success "$build/check-circles" objects objects
  compile objects/third first
  expect_error 'objects of objects need each other in a circle: (first second third|second third first|third first second)$' \
    "$build/check-circles" objects objects
  mkdir empty
  expect_error 'there are no object files in .*/empty$' "$build/check-circles" objects empty
}

# Usage: java_class PACKAGE PACKAGE-THAT-IT-USES
java_class() {
  mkdir -p "java/$1"
  printf 'package io.hottub.%s;\npublic class A { Object used = new io.hottub.%s.A(); }\n' "$1" "$2" >"java/$1/A.java"
}

test_circle_of_packages() {
  make_project
  local javac="${JAVA_HOME:+$JAVA_HOME/bin/}javac"
  java_class first second
  java_class second third
  java_class third third
  "$javac" -d classes java/*/A.java
  expect_success "$build/check-circles" packages classes no-such-folder
  java_class third first
  "$javac" -d classes java/*/A.java
  expect_error 'packages of classes need each other in a circle: .*io\.hottub\.second' \
    "$build/check-circles" packages no-such-folder classes
}
