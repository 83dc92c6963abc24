# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154  # sourced by run-tests.sh, which sets these
# shellcheck disable=SC2015 # ok does not fail

# Every function by which the class library reaches files has been looked at: the host program has its own of it
# (process-files.c), or it needs none. A JDK update that calls another one fails here.
looked_at=$(
  cat <<'FUNCTIONS'
__open_2       for folders that are read by descriptor
chdir          of children
chmod          changes, which nothing below /proc/PID knows of these files
chown          changes
dlopen         libraries (opened.c)
fchmod         by descriptor
fchown         by descriptor
fgetxattr      by descriptor
fileno         by descriptor
flistxattr     by descriptor
fopen          how the class library looks at processes (identity.c)
fremovexattr   by descriptor
fsetxattr      by descriptor
fstat64        by descriptor
fstatvfs64     by descriptor
lchown         changes
link           changes
mkdir          changes
open           of the class library's own files
pathconf       of file systems
readdir        by stream
rename         changes
rmdir          changes
sendfile64     by descriptor
statvfs64      of file systems
symlink        changes
tcgetattr      by descriptor
tcsetattr      by descriptor
unlink         changes
utimes         changes
fstatat64      relative to folders that are open
futimesat      changes
openat64       relative to folders that are open
renameat       changes
unlinkat       changes
FUNCTIONS
)
if [[ ! -e $native/pooled-java || ! -e $stock/lib/libnio.so ]]; then
  echo "skipped: $test needs pooled-java, and STOCK_JDK=DIR, a JDK 17"
  return 0
fi
{
  for library in java nio; do
    nm -D --undefined-only "$stock/lib/lib$library.so" | awk '{ sub(/@.*/, "", $2); print $2 }'
  done
  # Those that libnio looks up by their names.
  strings -a "$stock/lib/libnio.so" | grep -xE '[a-z]+at(64)?|statx'
} | grep -E 'open|stat|access|link|path|dir$|file|rename|chmod|chown|times|attr' | sort -u >"$work/called"
{
  nm -D --defined-only "$native/pooled-java" | awk '{ print $3 }'
  awk '{ print $1 }' <<<"$looked_at"
} | sort -u >"$work/known"
equal "$(comm -23 "$work/called" "$work/known" | tr '\n' ' ')" "" "functions that nobody has looked at"
equal "$(grep -cxE 'open64|stat64|opendir|readlink|access' "$work/called")" 5 "what the class library calls"

# What has been mounted over the working directory is not the run's.
if unshare --mount true 2>/dev/null; then
  export java work
  # shellcheck disable=SC2016 # for the other shell
  unshare --mount bash -euc 'mkdir "$work/covered" && cd "$work/covered" && mount -t tmpfs none "$work/covered" && "$java" -cp "$work/classes" Exit 7 >/dev/null'
  equal "$?, $(last_trace | field reason)" "7, no-working-directory" "a run in a folder that something is mounted over"
else
  echo "skipped: $test: unshare --mount is not permitted"
fi
