# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# All that the kernel tells of a process, all that prctl sets, all data of the C library, all variables of the environment and
# all files of the machine that it and the JDK's native code read, all variables of the JDK's libraries that stay: each has its
# verdict in state.tsv.
state=$here/../../state.tsv
listed() { awk -F '\t' -v list="$1" '$1 == list { print $2 }' "$state" | sort; }
# unknown LIST: names of stdin that the list does not have
unknown() { sort -u | comm -23 - <(listed "$1") | paste -sd ' '; }

options_of_prctl() { sed -nE 's/^#define (PR_[A-Z0-9_]+)[[:space:]]+[0-9].*/\1/p' /usr/include/linux/prctl.h; }
data_of_libc() {
  nm -D --defined-only "$(ldd /bin/sh | awk '/libc\.so/ { print $3 }')" | awk '$2 ~ /^[BDGV]$/ { sub(/@.*/, "", $3); print $3 }'
}
files() { ls /proc/self; }
status() { cut -d: -f1 /proc/self/status; }
limits() { sed '1d; s/^\(.\{26\}\).*/\1/; s/ *$//' /proc/self/limits; }
fields_of_stat() { sed 's/.*) //' /proc/self/stat | wc -w; }

# Variables whose names code gives to getenv: constants that are loaded at most twelve instructions before the call.
variables_of() {
  objdump -d --no-show-raw-insn "$1" | awk '
    /lea .*%rip\),%rdi +# / { split($0, part, "# "); sub(/ .*/, "", part[2]); name = part[2]; at = NR }
    /(call|jmp) .*<(secure_)?getenv@/ { if (at && NR - at < 12) print name; at = 0 }' | sort -u |
    while read -r name; do tail -c +$((0x$name + 1)) "$1" | head -c 60 | tr '\0' '\n' | head -n 1; done
}
variables() {
  local library
  variables_of "$(ldd /bin/sh | awk '/libc\.so/ { print $3 }')"
  while read -r library; do variables_of "$library"; done < <(find -L "$stock/lib" -name '*.so')
}

# Absolute paths among the constants of libraries. Fonts are many folders.
paths() {
  local library
  {
    ldd /bin/sh | awk '/libc\.so/ { print $3 }'
    echo /lib64/ld-linux-x86-64.so.2
    find -L "$stock/lib" -name '*.so'
  } | while read -r library; do
    readelf -p .rodata "$library" 2>/dev/null |
      sed -nE 's/^ +\[ *[0-9a-f]+\]  (\/(dev|etc|lib|lib64|proc|run|sys|tmp|usr|var)\/[^ :,]+)$/\1/p'
  done | sed -E 's#^/proc/(self|%[ds])(/task/%[du])?#/proc/PID#; s#^(/sys/[^/]*/[^/]*/[^/]*)/.*#\1#; s#/+$##
    s#^/(usr|var)/(X11R6|lib/defoma|share/fonts).*#fonts#'
}

# Libraries of the JDK that stay after a run: those that say so, and those that the VM is started with.
staying=$(sed -n '/define HOTTUB_STAYING_LIBRARIES/,/[^\\]$/p' "$here/../../hotspot/src/share/hottub/hottubExports.h" |
  grep -o '"lib[a-z_]*\.so"' | sed 's/^"lib//; s/\.so"$//'; echo java)
variables_of_natives() {
  # shellcheck disable=SC2086 # words
  "$here/../../build/native-variables" $staying
}
# Classes with native methods in libraries that go with a run, as in a class file.
holders() {
  local library name
  while read -r library; do
    name=${library##*/lib}
    if grep -qx "${name%.so}" <<<"$staying"; then continue; fi
    nm -D --defined-only "$library" | sed -nE 's/^.* Java_(.*)_[A-Za-z0-9]+$/\1/p' | tr _ /
  done < <(find -L "$stock/lib" -name '*.so') | sort -u
}
# Those of them that the reset leaves as they are. Usage: holders | kept
kept() {
  awk -F '\t' 'NR == FNR { if ($2 ~ /^(kept|given|never_reset)$/) rules[$1]; next }
    { for (rule in rules) { sub(/\*$/, "", rule); if (index($0, rule) == 1) { print; next } } }' "$here/../../classes.tsv" -
}

(($(options_of_prctl | wc -l) > 50 && $(data_of_libc | wc -l) > 50 && $(status | wc -l) > 30 && $(files | wc -l) > 30)) && ok || fail "a list is empty"
equal "$(status | unknown status)" "" "lines of /proc/self/status without a verdict"
equal "$(files | unknown proc)" "" "files of /proc/self without a verdict"
equal "$(limits | unknown limits)" "" "limits without a verdict"
equal "$(($(fields_of_stat) + 2))" "$(listed stat | wc -l)" "fields of /proc/self/stat"
variables >"$work/variables"
(($(wc -l <"$work/variables") > 30)) && ok || fail "too few variables: $(<"$work/variables")"
equal "$(unknown environment <"$work/variables")" "" "variables of the environment without a verdict"
paths >"$work/paths"
(($(sort -u "$work/paths" | wc -l) > 80)) && ok || fail "too few paths: $(<"$work/paths")"
equal "$(unknown paths <"$work/paths")" "" "paths without a verdict"
equal "$(options_of_prctl | unknown prctl)" "" "options of prctl without a verdict"
equal "$(data_of_libc | unknown libc)" "" "data of the C library without a verdict"
variables_of_natives >"$work/natives"
(($(wc -l <"$work/natives") > 80)) && ok || fail "too few variables of libraries: $(<"$work/natives")"
equal "$(unknown native <"$work/natives")" "" "variables of the JDK's libraries without a verdict"
(($(holders | wc -l) > 30)) && ok || fail "too few classes with native methods: $(holders)"
equal "$(holders | kept)" "" "classes that stay, whose native methods do not"
equal "$(echo sun/nio/fs/UnixNativeDispatcher | kept)" "sun/nio/fs/UnixNativeDispatcher" "a class that stays"
equal "$(echo NoSuchLine | unknown status)" "NoSuchLine" "an unknown line"

# What is said to be compared at the end of a run is.
awk -F '\t' '$3 == "audit" && $1 == "status" { print "\"" $2 ":\"" }
  $3 == "audit" && $1 == "prctl" && /controls/ { sub("PR_SET_", "PR_GET_", $2); sub("PR_MCE_KILL$", "PR_MCE_KILL_GET", $2); print $2 }' \
  "$state" >"$work/audited"
while read -r what; do
  grep -qF "$what" "$here/../common/attributes.c" && ok || fail "attributes.c does not look at $what"
done <"$work/audited"
