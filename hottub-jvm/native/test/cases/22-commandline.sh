# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# A program sees the same command line as with the stock launcher.
if [[ ! -x $stock/bin/javac ]]; then
  echo "skipped: $test needs STOCK_JDK=DIR, a JDK 17"
  return 0
fi
mkdir -p "$work/cl/lib" "$work/cl/star" "$work/cl/other"
"$stock/bin/javac" -d "$work/cl" "$here/Dump.java" || fail "javac"
cp "$work/cl/Dump.class" "$work/cl/other"
for name in a.jar b.JAR c.Jar d.txt .jar; do : >"$work/cl/lib/$name"; done
printf 'Main-Class: Dump\nClass-Path: lib/a.jar\n' >"$work/mf"
(cd "$work/cl" && "$stock/bin/jar" -c -f app.jar -m "$work/mf" Dump.class)
mkdir "$work/cl/module" && echo 'module m { exports p; }' >"$work/module-info.java"
mkdir "$work/p" && sed 's/^public class/package p; public class/' "$here/Dump.java" >"$work/p/Dump.java"
"$stock/bin/javac" -d "$work/cl/module" "$work/module-info.java" "$work/p/Dump.java" || fail "javac of the module"

printf 'max_jvms 1000\n' >"$HOTTUB_DIR/$(id -u)/limits"

# The double's lease, told as the program would: the last property of a name counts, others than these are not compared.
normal() {
  grep '^arg=' "$1"
  grep -E '^prop=(t\.|sun\.java\.command=|java\.class\.path=)' "$1" |
    awk -F= '{ last[$2] = $0 } END { for (n in last) print last[n] }' | LC_ALL=C sort
}
same() {
  (cd "$work/cl" && "$stock/bin/java" "$@") >"$work/expected" 2>"$work/expected-err"
  (cd "$work/cl" && "$java" "$@") >"$work/lease" 2>"$work/err"
  normal "$work/lease" >"$work/out"
  if ! diff "$work/expected" "$work/out" >"$work/diff"; then
    fail "$*: $(cat "$work/diff")"
  elif ! diff "$work/expected-err" "$work/err" >"$work/diff"; then
    fail "$*: on stderr: $(cat "$work/diff")"
  else
    ok
  fi
}
cat >"$work/cl/args" <<'ARGS'
# a comment
-Dt.file=plain   # another
"-Dt.quoted=with space" '-Dt.single=a"b'
-Dt.mixed="a b"c'd e'
"-Dt.escaped=\\ \" \t|\n|\x"
"-Dt.continued=one \
     two"
"-Dt.open=to the end of line
-Dt.back=c:\dir
-Dt.hash=ab#cd
ARGS
same -cp . Dump
same Dump one 'two words' '' -x @none
same -cp ".:lib/a.jar:none::$work/cl/star" Dump
same -cp '.:lib/*' Dump
same -cp 'lib/*:.' Dump
same -cp '*:.' Dump
same -cp 'none/*:star/*:.' Dump
same -classpath . Dump
same --class-path . Dump
same --class-path=. Dump
same -cp none -cp . Dump
same -cp . -Dt.a=1 -Dt.a=2 -Dt.b -Dt.c= -Dt.d=x=y Dump
same -Djava.class.path=. Dump
same -Djava.class.path=none -cp . Dump
same -cp none -Djava.class.path=.:other Dump
same -Xverify:all -cp . Dump
same -server -client -Xmx32m -cp . -ea -ea:p... Dump
same -jar app.jar one
same -Dt.x=1 -jar -Dt.y=2 app.jar one -jar two
same -cp none -jar app.jar
same --add-opens java.base/java.lang=ALL-UNNAMED --add-exports=java.base/sun.nio.ch=ALL-UNNAMED -cp . Dump
same -XX:+IgnoreUnrecognizedVMOptions --sun-misc-unsafe-memory-access=allow -cp . Dump
same -p module -m m/p.Dump x
same --module-path=module --module m/p.Dump
same --module-path module --module=m/p.Dump -y
same -cp lib/a.jar -p module -m m/p.Dump
same -ms8m -mx32m -ss512k -cp . Dump
same -XX:+UseSerialGC -XX:HeapDumpPath=/tmp -XX:OnOutOfMemoryError='kill %p' -cp . Dump
CLASSPATH=.:lib/a.jar same Dump
CLASSPATH='lib/*:other:' same Dump
CLASSPATH=none same -cp . Dump
CLASSPATH=none same -jar app.jar
CLASSPATH='' same -cp . Dump
JDK_JAVA_OPTIONS='-Dt.a="x y" -Dt.b=1' same -cp . -Dt.b=2 Dump
JDK_JAVA_OPTIONS='' same -cp . Dump
JAVA_TOOL_OPTIONS='-Dt.a=tool "-Dt.q=a b" -Dt.b=tool' same -cp . -Dt.b=line Dump
_JAVA_OPTIONS='-Dt.a=last' JAVA_TOOL_OPTIONS='-Dt.a=tool' same -cp . -Dt.a=line Dump
_JAVA_OPTIONS='-Djava.class.path=other' same -cp none Dump
JDK_JAVA_OPTIONS='@args' JAVA_TOOL_OPTIONS=-Dt.z=1 _JAVA_OPTIONS=-Dt.y=1 same -cp . Dump

same @args -cp . Dump
printf -- '-cp . Dump @args "" x' >"$work/cl/main"
same @main y @args
printf -- '-cp\n.\r\nDump' >"$work/cl/short"
same @short @@x
same -cp . Dump @@x
printf -- '-jar app.jar' >"$work/cl/jarfile"
same @jarfile @args
printf -- '"' >"$work/cl/quote"
same -cp . @quote Dump

# A source file is compiled and run by a module of the JDK: the launcher says what it makes of the command line, up to where
# the VM refuses an option.
cp "$here/Dump.java" "$work/cl/Dump.java"
cp "$here/Dump.java" "$work/cl/dump"
source_line() { # ARGUMENT...
  (cd "$work/cl" && _JAVA_LAUNCHER_DEBUG=1 "$stock/bin/java" -XX:NoSuchOption "$@" 2>/dev/null) |
    sed -n "s/^    option\[ *[0-9]*\] = '\(.*\)'\$/\1/p" | grep -vE '^-(Dsun\.java\.launcher|XX:NoSuchOption)' >"$work/expected"
  (cd "$work/cl" && "$java" "$@") >"$work/lease" 2>&1
  {
    sed -n 's/^option=//p' "$work/lease"
    sed -n 's/^prop=\(java\.class\.path=\|sun\.java\.command=\)/-D\1/p' "$work/lease"
  } | grep -vx -e '-Djava\.class\.path=' | LC_ALL=C sort >"$work/out" # that of the VM itself
  if [[ ! -s $work/expected ]]; then
    fail "$*: the stock launcher says nothing"
  else
    if LC_ALL=C sort "$work/expected" | diff - "$work/out" >"$work/diff"; then ok; else fail "$*: $(cat "$work/diff" "$work/lease")"; fi
  fi
}
source_line Dump.java one 'two words' -x
source_line -cp lib/a.jar Dump.java
source_line --source 17 Dump.java
source_line --source=11 dump one
source_line --source 17 -cp lib/a.jar -Dt.a=1 dump
source_line -cp lib/a.jar --source 17 dump
source_line '--source 17  -Dt.a="1"' dump one
CLASSPATH=lib/a.jar source_line Dump.java
equal "$(sed -n 's/^main=//p' "$work/lease")" jdk.compiler/com.sun.tools.javac.launcher.Main "main of a source file"
