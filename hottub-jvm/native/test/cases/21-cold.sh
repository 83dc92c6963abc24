# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# What cannot be served runs cold, with its reason in the trace.
cold() {
  local reason=$1
  shift
  "$java" "$@" >"$work/out" 2>&1
  equal "$(last_trace | field reason)" "$reason" "reason of: $*"
  grep -q '^cold ' "$work/out" && ok || fail "not cold: $*"
}
touch "$work/Source.java"
cold prints -version
cold prints -Xinternalversion
cold unknown-option -J-Xmx1g X
cold unknown-option --sun-misc-unsafe-memory-access=allow X
cold unknown-option -XX:+IgnoreUnrecognizedVMOptions --sun-misc-unsafe-memory-access=allow -XX:-IgnoreUnrecognizedVMOptions X
cold unknown-option -XX:+IgnoreUnrecognizedVMOptions -Xnosuch X
cold command-line
cold command-line -cp
cold command-line --add-opens -cp x X
cold agent -javaagent:x.jar X
cold agent -agentlib:jdwp=transport=dt_socket X
cold log -Xlog:class+load X
cold log -verbose:class X
cold log -Xloggc: X
cold log "-Xloggc:$work/none/gc.log" X
cold debug -Xdebug X
cold debug -debug X
cold debug -Xcheck:jni X
cold debug -XX:+CheckJNICalls X
cold debug -XX:SelfDestructTimer=5 X
cold cds-dump -XX:+DumpSharedSpaces X
cold jmx-remote -Dcom.sun.management.agent.class=x X
cold flight-recorder -XX:StartFlightRecording=x X
cold collector -XX:+UseZGC X
cold heap-file "-XX:AllocateHeapAt=$work" X
cold user-dir -Duser.dir=/etc X
cold user-dir -Duser.dir=/etc -cp "$work:x" X
cold user-dir -Duser.dir=/etc -cp ":$work" X
cold security-manager -Djava.security.manager X
cold security-manager -Djava.security.manager= X
cold security-manager -Djava.security.manager=default X
cold security-manager -Djava.security.manager=allow -Djava.security.manager=p.Manager X
cold options-file -XX:Flags=x X
cold prints -XX:+PrintFlagsFinal X
cold prints -Xfuture X
cold prints -XX:DiagnoseSyncOnValueBasedClasses=2 X
cold prints -XX:+PrintCommandLineFlags -Dcom.sun.management.jmxremote X
cold prints -XX:+PrintGC -XX:+PrintCommandLineFlags X
cold splash -splash:x.png X
cold command-line --source
cold command-line --source 17 -jar "$work/none.jar"
cold command-line --source=17 -m m/p.X
cold command-line --source= "$work/Source.java"
cold jar-unreadable -jar "$work/none.jar"
cold argfile "@$work/none"
HOTTUB=off cold off X
JDK_JAVA_OPTIONS='-jar x' cold jdk-java-options X
JDK_JAVA_OPTIONS='"open' cold jdk-java-options X
_JAVA_LAUNCHER_DEBUG=1 cold launcher-variable X
for variable in LD_PRELOAD LD_AUDIT LD_DEBUG LD_PROFILE LD_SHOW_AUXV GLIBC_TUNABLES; do
  env "$variable=" "$java" -cp "$work/classes" Exit 0
  equal "$(last_trace | field served)" pool "served with an empty $variable"
done
GLIBC_TUNABLES=glibc.malloc.check=0 cold linker-variable X
LD_PRELOAD=/none.so cold linker-variable X 2>/dev/null
cold dumps "-Djdk.internal.lambda.dumpProxyClasses=$work" X
cold dumps -Djava.security.debug=scl X
cold dumps -Djdk.proxy.ProxyGenerator.saveGeneratedFiles=true X
cold dumps -Djava.lang.invoke.MethodHandle.DUMP_CLASS_FILES=true X
cold stdio-closed X <&-
ulimit -Sf 2000
cold file-limit X
ulimit -Sf 1  # the trace is longer
"$java" 7 >"$work/out" 2>&1
equal $? 7 "status where files may have 1 KiB"
ulimit -Sf unlimited
ulimit -St 1000
cold cpu-limit X
ulimit -St unlimited
(ulimit -n 600 && exec "$java" X >"$work/out" 2>&1)
equal "$(last_trace | field reason)" open-files "reason where 600 files may be open"
ulimit -Sn 600
"$java" -cp "$work/classes" Exit 0
equal "$(last_trace | field reason)" null "where 600 files may be open until the VM raises that"
cold open-files -XX:-MaxFDLimit X
ulimit -Sn "$(ulimit -Hn)"
mkdir "$work/warned"
cd "$work/warned" || fail "no folder"
for file in .hotspotrc .hotspot_compiler; do
  touch $file
  cold hotspot-file X
  rm $file
done
cd "$OLDPWD" || fail "no folder to go back to"

# A JVM that cannot start, or that declines.
cold jvm-fallback -Dsun.fake.start=die X
cold jvm-fallback -cp "$work/classes" Fallback
mv "$home/lib/hottub/keeper" "$home/lib/hottub/away"
cold keeper-gone -Xmx77m X
mv "$home/lib/hottub/away" "$home/lib/hottub/keeper"

# Original arguments and environment.
equal "$(JDK_JAVA_OPTIONS=-Dx=1 "$java" -verbose "@$work/none" 'a b')" "cold -verbose @$work/none a b" "arguments of a cold run"

# Switched off by the pool service.
echo disabled >"$HOTTUB_DIR/$(id -u)/limits"
cold disabled -cp "$work/classes" X
rm "$HOTTUB_DIR/$(id -u)/limits"

# A JVM that does not answer in time: the run is not lost, and the keeper has got rid of it.
"$java" -cp "$work/classes" Silent 5 >"$work/out" 2>&1
equal $? 5 "status after a deadline"
equal "$(last_trace | field reason)" jvm-fallback "reason after a deadline"
