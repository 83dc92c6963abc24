# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# The client as javac and the other tools of the JDK: each is java with the arguments that the JDK's own program has.
if [[ ! -x $stock/bin/javac ]]; then
  echo "skipped: $test needs STOCK_JDK=DIR, a JDK 17"
  return 0
fi
table=$here/../../tools.tsv
pooled_tools() { awk -F '\t' '$2 == "pooled" { print $1 }' "$table"; }
printf 'max_jvms 1000\n' >"$HOTTUB_DIR/$(id -u)/limits"
for tool in $(pooled_tools); do
  ln "$home/bin/java" "$home/bin/$tool"
  sed "s/\"cold /\"cold-$tool /" "$home/bin/java-cold" >"$home/bin/$tool-cold"
  chmod 755 "$home/bin/$tool-cold"
done

# Nothing in the JDK is missing in the table.
for program in "$stock"/bin/*; do
  [[ ${program##*/} == java ]] || grep -q "^${program##*/}"$'\t' "$table" && ok || fail "tools.tsv does not know ${program##*/}"
done

# What the launcher makes of a command line, every option in its order: it says so, up to where the VM refuses an option.
expected() { # TOOL ARGUMENT...
  _JAVA_LAUNCHER_DEBUG=1 "$stock/bin/$1" -J-XX:NoSuchOption "${@:2}" 2>/dev/null |
    sed -n "s/^    option\[ *[0-9]*\] = '\(.*\)'\$/\1/p" | grep -vE '^-(Dsun\.java\.launcher|Djava\.class\.path|XX:NoSuchOption)' |
    sed "s|^-Dapplication.home=.*|-Dapplication.home=$home|"
}
same_tool() { # TOOL ARGUMENT...
  (cd "$work/tools" && expected "$@") >"$work/expected"
  (cd "$work/tools" && "$home/bin/$1" "${@:2}") >"$work/lease" 2>&1
  {
    sed -n 's/^option=//p' "$work/lease"
    sed -n 's/^prop=\(sun\.java\.command=\)/-D\1/p' "$work/lease"
  } >"$work/out"
  if [[ ! -s $work/expected ]]; then
    fail "$*: the stock launcher says nothing"
  else
    diff "$work/expected" "$work/out" >"$work/diff" && ok || fail "$*: $(cat "$work/diff" "$work/lease")"
  fi
}
mkdir -p "$work/tools/lib"
touch "$work/tools/lib/a.jar" "$work/tools/lib/b.jar"
printf -- '-J-Dt.file=1 "a b" c' >"$work/tools/words"
for tool in $(pooled_tools); do
  same_tool "$tool"
  CLASSPATH='lib/*:other' same_tool "$tool" -J-Dt.a=1 -cp 'lib/*' '' -classpath 'x:lib/*' -J-mx64m --class-path='lib/*' \
    --class-path 'lib/*' -d out X.java 'two words' -cp
done
same_tool javac @words @@words @none
same_tool jar --create -C lib a.jar
same_tool jlink @words @@words
same_tool jlink --disable-@files @words
same_tool javac -J--add-modules -Jjdk.jartool -J-ea X.java
same_tool javac -J-server -J-cp -Jlib/a.jar -cp lib/a.jar X.java
JDK_JAVA_OPTIONS=-Dt.none=1 same_tool javac X.java
equal "$(JAVA_TOOL_OPTIONS=-Dt.a=1 JDK_JAVA_OPTIONS=-Dt.b=1 "$home/bin/javac" X.java 2>&1 | grep -E '^Picked|^NOTE|^prop=t')" \
  "Picked up JAVA_TOOL_OPTIONS: -Dt.a=1"$'\n'"prop=t.a=1" "variables that a tool reads"

# One JVM serves a tool again and again; with another option, or as another tool, it is another JVM.
served_by() {
  eventually none_busy || fail "the run before is not over"
  "$home/bin/$1" "${@:2}" >"$work/out" 2>&1
  last_trace | field jvm_pid
}
first=$(served_by javac -d a A.java)
equal "$(served_by javac -d b B.java)" "$first" "JVM of a second javac"
[[ $(served_by javac -J-Xmx99m A.java) != "$first" ]] && ok || fail "-J-Xmx99m was served by a JVM without it"
[[ $(served_by javap -d a A.java) != "$first" ]] && ok || fail "javap was served by a JVM of javac"

# Which tool it is, its file tells: not what the caller calls it, nor a link that leads to it.
ln -s "$home/bin/javac" "$work/tools/link"
ln -s "$work/tools/link" "$work/tools/jar"
main_of() { sed -n 's/^main=//p' "$work/out"; }
"$work/tools/jar" X.java >"$work/out" 2>&1
equal "$(main_of)" jdk.compiler/com.sun.tools.javac.Main "main of javac by links"
PATH=$work/tools jar X.java >"$work/out" 2>&1
equal "$(main_of)" jdk.compiler/com.sun.tools.javac.Main "main of javac by a link in PATH"
(exec -a java "$home/bin/javac" X.java) >"$work/out" 2>&1
equal "$(main_of)" jdk.compiler/com.sun.tools.javac.Main "main of javac that is called java"
(exec -a javac "$home/bin/java" X y) >"$work/out" 2>&1
equal "$(main_of)" X "main of java that is called javac"
ln "$home/bin/java" "$home/bin/java17"
"$home/bin/java17" X y >"$work/out" 2>&1
equal "$(main_of)" X "main of java under another name"
equal "$("$home/bin/java17" -version)" "cold -version" "a cold run of java under another name"
# Replaced by an upgrade after it was started.

exec 9<"$home/bin/serialver"
rm "$home/bin/serialver"
/proc/self/fd/9 X >"$work/out" 2>&1
equal "$(main_of)" jdk.compiler/sun.tools.serialver.SerialVer "main of a tool whose file was removed"
exec 9<&-

# Cold: the tool's own launcher, with the arguments as they were.
cold_tool() { # REASON TOOL ARGUMENT...
  "$home/bin/$2" "${@:3}" >"$work/out" 2>&1
  equal "$(last_trace | field reason)" "$1" "reason of: ${*:2}"
  equal "$(head -n 1 "$work/out")" "cold-$2 ${*:3}" "output of: ${*:2}"
}
HOTTUB=off cold_tool off javac -J-Dx=1 X.java
cold_tool prints javac -J-version
cold_tool agent jar -J-javaagent:x.jar c
cold_tool command-line javac -J X.java
cold_tool command-line javac --class-path= X.java
cold_tool argfile jlink @none
for argument in -server -client -zero -dcevm -jar -jre-restrict-search -jre-no-restrict-search -version:1 -splash:x -XXaltjvm=x; do
  cold_tool launcher-argument javac X.java "$argument"
done
cold_tool launcher-argument javac -cp -server X.java
