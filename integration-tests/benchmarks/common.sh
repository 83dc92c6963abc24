# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# What benchmarks and campaigns share: the workloads, a pool of its own, and its end. Sets $work, and
# after `prepare HOME STOCK`: $home, $stock, and for every workload an array of its arguments.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
tests=$root/integration-tests

# shellcheck disable=SC2034  # read by the scripts
all_workloads=(hello javac fsshell sparkpi sql)
# shellcheck disable=SC2034
declare -A titles=(
  [hello]="HelloWorld"
  [javac]="javac of a small file"
  [fsshell]="Hadoop FsShell -cat, 1 MB"
  [sparkpi]="SparkPi, local[2]"
  [sql]="Spark SQL group-by, local[2]"
)

die() {
  local name
  name=$(realpath "$0")
  echo "${name#"$tests"/}: $*" >&2
  exit 1
}

work=$(mktemp -d /tmp/hottub-run.XXXXXX)
pool=$work/pool

# Ends the keepers of this pool, and with them their JVMs.
end_pool() {
  local mark i
  # Templates first; a clone may be on its way even then, and shows its socket later.
  for mark in "$pool"/*/*/template; do
    [[ ! -L $mark ]] || kill -TERM "$(readlink "$mark")" 2>/dev/null || true
  done
  for ((i = 0; i < 20; i++)); do
    end_shown
    sleep 0.1
    compgen -G "$pool/*/*/[ib]-*" >/dev/null || break
  done
}
end_shown() {
  local socket pid
  for socket in "$pool"/*/*/[ib]-*; do
    [[ -S $socket ]] || continue
    pid=${socket##*-}
    if [[ $(readlink "/proc/$pid/exe") == */keeper ]]; then
      kill -TERM "$pid" 2>/dev/null || true
    fi
    for _ in {1..100}; do
      [[ -d /proc/$pid ]] || break
      sleep 0.05
    done
  done
}
finish() {
  # A child that is killed before it has become another program gets here, too.
  [[ $BASHPID == "$$" ]] || return 0
  end_pool
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# All JVMs of the pool are idle, or gone.
await_idle() {
  local i
  for ((i = 0; i < 3000; i++)); do
    compgen -G "$pool/*/*/b-*" >/dev/null || return 0
    sleep 0.01
  done
  die "the pooled JVM is not idle after 30 s"
}

# prepare_jdks HOME STOCK: what needs neither Hadoop nor Spark
prepare_jdks() {
  home=$(realpath -m "$1") stock=$(realpath -m "$2")
  [[ -x $home/bin/java-cold ]] || die "there is no HotTub home at $home; hottub-jvm/build/home makes one"
  [[ -x $stock/bin/javac ]] || die "there is no stock JDK at $stock; hottub-jvm/build/home makes one"
  mkdir -m 700 "$pool"
  mkdir "$work/classes" "$work/out"
  cp "$tests/src/test/java/io/hottub/it/jvm/programs/Small.java" "$work/Small.java"
  export HOTTUB_DIR=$pool HOTTUB_TRACE=$work/trace
  unset HOTTUB JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH
  touch "$work/trace"
}

prepare() {
  local hadoop spark
  prepare_jdks "$1" "$2"
  cp -r "$here/conf" "$work/conf"
  hadoop=$("$root/deploy/quickstart/fetch" hadoop) || die "no Hadoop"
  spark=$("$root/deploy/quickstart/fetch" spark) || die "no Spark"
  "$stock/bin/javac" -nowarn -proc:none -d "$work/classes" -cp "$spark/jars/*" "$here"/programs/*.java 2>"$work/javac.err" ||
    die "the programs do not compile: $(head -n 3 "$work/javac.err")"
  head -c 750000 /dev/urandom | base64 -w 99 >"$work/file"
  truncate -s 1000000 "$work/file"
  # The client trusts no digest of a file that is younger than 2 s.
  find "$work/classes" "$work/conf" -exec touch -d 2020-01-01 {} +
  # shellcheck disable=SC2034
  {
    hello=(-cp "$work/classes" Hello)
    javac=(com.sun.tools.javac.Main -d "$work/out" "$work/Small.java")
    fsshell=(-cp "$work/conf:$hadoop/*" org.apache.hadoop.fs.FsShell -cat "file://$work/file")
    sparkpi=("@$here/spark-options" -cp "$work/classes:$work/conf:$spark/jars/*" Pi)
    sql=("@$here/spark-options" -cp "$work/classes:$work/conf:$spark/jars/*" Sql)
  }
}

# The Java of benchmarks and campaigns, which is part of the test sources; compiled if need be.
compile_ours() {
  local source=$tests/src/test/java/io/hottub/it classes=$tests/target/test-classes
  if [[ -z $(find "$classes/io/hottub/it/benchmark" -name '*.class' 2>/dev/null) || -n $(find "$source/benchmark" "$source/campaign" \
    "$root/deploy/src/main/java/io/hottub/report" -newer "$classes/io/hottub/it/benchmark/JvmTable.class") ]]; then
    "$root/mvnw" -B -ntp -q -f "$root/pom.xml" test-compile -pl integration-tests -am -Dhottub.jvm.skip=true -Dhottub.checks.skip=true \
      -Dspotless.check.skip=true </dev/null >&2 || die "Maven cannot compile the programs"
  fi
}
# ours CLASS [ARGUMENT...]: a program of the package io.hottub.it on the stock JDK. What starts this in the background may
# have it ignore signals that its children are to end by.
ours() {
  local classes=$tests/target/test-classes
  compile_ours
  env --default-signal=INT,HUP "${stock:-$root/hottub-jvm/target/stock-jdk}/bin/java" -Xmx256m -cp "$classes:$root/deploy/target/classes:$root/hottub-jvm/target/classes" "io.hottub.it.$1" "${@:2}"
}

# Digest of what a run has written: its standard output, in the file $1, and its class files.
digest_of() { (cd "$work/out" && cat "$1" && find . -type f -print0 | sort -z | xargs -0r sha256sum) | sha256sum | cut -c1-16; }

machine() {
  local cpu
  cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
  echo "${cpu:-$(uname -m)}, $(nproc) cores, $(awk '/MemTotal/ {printf "%.0f", $2 / 1048576}' /proc/meminfo) GiB, Linux $(uname -r)"
}
versions() {
  local java
  java=$("$stock/bin/java" -version 2>&1 | sed -n '2s/^[^(]*(build \(.*\))$/\1/p')
  echo "JDK $java, Hadoop 3.4.3, Spark 3.5.9, HotTub commit $(git -C "$root" rev-parse --short HEAD)"
}
