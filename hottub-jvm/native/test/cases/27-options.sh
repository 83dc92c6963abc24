# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# The tables of options are complete: whatever the JDK tells of is in one of them on purpose.
if [[ ! -x $stock/bin/java ]]; then
  echo "skipped: $test needs STOCK_JDK=DIR, a JDK 17"
  return 0
fi
printf 'max_jvms 1000\n' >"$HOTTUB_DIR/$(id -u)/limits"
reason_of() {
  "$java" "$@" -cp "$work/classes" X >"$work/out" 2>&1
  last_trace | field reason
}

# ---- what java tells of itself: no option of it is unknown

# From "-ea[:<package>...|:<class>]" or "-? -h -help" to the options themselves, with a value where they need one.
told_options() {
  "$stock/bin/java" --help-extra && "$stock/bin/java" --help
}
told_options | sed -nE 's/^ {4}(-[^ ].*)/\1/p' | sed -E 's/ {2,}.*//; s/ \| / /g' | tr '\t' ' ' >"$work/told"
[[ $(wc -l <"$work/told") -gt 60 ]] && ok || fail "java tells of few options: $(cat "$work/told")"
value_of() { # OPTION: one that is right
  case $1 in
    --add-reads) echo java.base=java.sql ;;
    --add-exports | --add-opens) echo java.base/sun.nio.ch=ALL-UNNAMED ;;
    --limit-modules | --add-modules | --enable-native-access | --describe-module | -d) echo java.sql ;;
    *) echo "$work" ;;
  esac
}
while read -r line; do
  for option in $line; do
    [[ $option == -* ]] || continue # a value
    case $option in
      -zero | -dcevm | -disable-@files) continue ;; # other VMs of this distribution; a misprint: it has two dashes
      -cp | -classpath | --class-path | -jar | -m | --module | --source) continue ;; # case 22
      -D* | -verbose:* | -Xlog:* | -splash:*) option=${option%%[:<]*}:x ;;
      *'['*) option=${option%%'['*} ;;
      *'<'*) option=${option%%<*} ;;
    esac
    option=${option/#-D:x/-Dx=y}
    arguments=("$option")
    [[ $option =~ ^-X(mn|ms|mx|ss)$ ]] && arguments=("${option}8m")
    [[ $line == "$option <"* ]] && arguments+=("$(value_of "$option")")
    [[ $option == --module-path ]] && arguments+=("$work/classes")
    reason=$(reason_of "${arguments[@]}")
    [[ $reason != unknown-option && $reason != command-line ]] && ok || fail "${arguments[*]}: $reason"
  done
done <"$work/told"

# ---- flags of the VM: what prints, or writes a file, is cold or known

"$stock/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:+UnlockExperimentalVMOptions -XX:+PrintFlagsFinal -version 2>/dev/null |
  sed 's/:=/=/' | awk '$1 ~ /^[a-z]/ && $3 == "=" { print $1, $2, $4 }' >"$work/flags"
[[ $(grep -c ^bool "$work/flags") -gt 400 ]] && ok || fail "few flags: $(wc -l <"$work/flags")"

# Part of the fingerprint although they sound like output, or name a file; and why a pooled JVM does as a stock JVM does.
known='
  # said when the VM starts, and repeated in each run; or only on request; or not at all
  PrintCommandLineFlags PrintClassHistogram PrintConcurrentLocks PrintExtendedThreadInfo PrintHeapAtSIGBREAK PrintWarnings
  LogEvents ShowCodeDetailsInExceptionMessages ShowHiddenFrames
  # how the VM says what it says anyway
  DisplayVMOutput DisplayVMOutputToStderr DisplayVMOutputToStdout SerializeVMOutput JavaMonitorsInStackTrace
  OmitStackTraceInFastThrow StackTraceInThrowable CompileOnly
  # of a crash: they say what is in its report, or how the process dies
  CreateCoredumpOnCrash DumpPrivateMappingsInCore DumpSharedMappingsInCore DumpReplayDataOnError ErrorFileToStderr
  ErrorFileToStdout EnableThreadSMRStatistics AbortVMOnCompilationFailure AbortVMOnSafepointTimeout AbortVMOnVMOperationTimeout
  # of each run: they come with the lease
  HeapDumpOnOutOfMemoryError HeapDumpBeforeFullGC HeapDumpAfterFullGC ExitOnOutOfMemoryError CrashOnOutOfMemoryError
  ErrorFile HeapDumpPath OnError OnOutOfMemoryError PrintGC PrintGCDetails
  # the VM looks at itself, and ends if something is wrong
  VerifyBeforeExit VerifyBeforeGC VerifyAfterGC VerifyDuringGC VerifyDuringStartup VerifyStringTableAtExit VerifySharedSpaces
  # they only matter beside an option that is cold
  InlineDataFile JVMCILibDumpJNIConfig JVMCILibPath PauseAtStartupFile PerfDataSaveFile
  PrintAssemblyOptions ReplayDataFile SharedArchiveConfigFile ExtraSharedClassListFile
  # words, no files
  ControlIntrinsic DisableIntrinsic VerifyGCType VerifySubSet CompilationMode MetaspaceReclaimPolicy NativeMemoryTracking ShenandoahGCHeuristics ShenandoahGCMode
  # counted inside, for the logs; seen from outside; other meanings of these words
  TLABStats NUMAStats DTraceAllocProbes DTraceMethodProbes DTraceMonitorProbes ExtendedDTraceProbes ThreadPriorityVerbose
  PerfAllowAtExitRegistration PerfBypassFileSystemCheck UseVectorMacroLogic
'
known=$(awk '{ sub(/#.*/, ""); printf " %s ", $0 }' <<<"$known")
like_output='Print|Trace|Log|Dump|Show|Display|Verbose|Stats|Statistics|Record|Pause|Exit|Crash|Abort|SaveToFile|CITime|File|Output'
unlock=(-XX:+UnlockDiagnosticVMOptions -XX:+UnlockExperimentalVMOptions)
mkdir "$work/empty"
# Whether a JVM that starts and ends says nothing but warnings, which are repeated in each run, and leaves no file. One that
# does not start is none of the pool's.
is_quiet() {
  (cd "$work/empty" && timeout 20 "$stock/bin/java" -Xmx64m "${unlock[@]}" "$1" -version >"$work/said" 2>&1) || return 0
  ! grep -vqE '^(openjdk version |OpenJDK |\[[0-9.]+s\]\[warning\])' "$work/said" && [[ -z $(ls -A "$work/empty") ]]
}
while read -r type flag value; do
  case $type:$value in
    bool:false) option=-XX:+$flag ;;
    bool:true) option=-XX:-$flag ;;
    ccstr*) option=-XX:$flag=x ;;
    *) continue ;;
  esac
  if [[ $known == *" $flag "* ]]; then
    reason=$(reason_of "${unlock[@]}" "$option")
    equal "$reason" null "$option, which is known"
  elif [[ $type == ccstr* || ($value == false && $flag =~ $like_output) ]] || ! is_quiet "$option"; then
    reason=$(reason_of "${unlock[@]}" "$option")
    [[ $reason != null ]] && ok || fail "$option is served, and nobody has said why"
  else
    ok
  fi
  rm -f "$work/empty"/*
done <"$work/flags"
for flag in $known; do
  grep -q " $flag " "$work/flags" && ok || fail "the JDK has no flag $flag"
done

# With this option the VM does not raise the soft limit of open files: it is that of the JVM's start.
fingerprint_with() { # LIMIT OPTION...
  (ulimit -Sn "$1" && "$java" "${@:2}" -cp "$work/classes" Exit 0 >/dev/null)
  last_trace | field fingerprint
}
equal "$(fingerprint_with 700)" "$(fingerprint_with 800)" "fingerprints for two limits of open files"
one=$(fingerprint_with 700 -XX:-MaxFDLimit)
[[ -n $one && $one != "$(fingerprint_with 800 -XX:-MaxFDLimit)" ]] && ok || fail "one JVM for two limits of open files"
