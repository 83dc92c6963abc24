# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# A JVM is in the control groups of the container that it works for, and else in none of a container.
# Of version 1, or of version 2 where the root gives its groups processor time to share.
mount=/sys/fs/cgroup/cpu line='[0-9]*:cpu\(,cpuacct\)\{0,1\}'
limit() { echo "$2" >"$1/cpu.cfs_quota_us"; } # FOLDER MICROSECONDS of processor time in 100 ms
if [[ ! -e $mount ]]; then
  mount=/sys/fs/cgroup line=0:
  limit() { echo "$2 100000" >"$1/cpu.max"; }
fi
if [[ ! -w $mount/cgroup.procs || $mount == /sys/fs/cgroup && ! $(cat $mount/cgroup.subtree_control) =~ (^| )cpu( |$) ]]; then
  echo "skipped: $test needs control groups that limit processor time, and the right to make some"
  return 0
fi
groups=$mount/hottub-test-$$
mkdir "$groups"
[[ $line != 0: ]] || echo +cpu >"$groups/cgroup.subtree_control"
cat >"$work/inside" <<'INSIDE'
#!/bin/sh
echo $$ >"$1/cgroup.procs" && shift && exec "$@"
INSIDE
chmod 755 "$work/inside"
group_of() { sed -n "s/^$line://p" "/proc/$1/cgroup"; }
container() { # NAME [MICROSECONDS]
  mkdir "$groups/$1"
  [[ ! ${2:-} ]] || limit "$groups/$1" "$2"
}
run_in() { # NAME: a run of a container, whose JVM has to be where the container is
  start_wait Wait "$work/inside" "$groups/$1"
  equal "$(group_of "$jvm")" "${groups#"$mount"}/$1" "the group of the JVM of a run in $1"
}
end_run() { # NAME SIGNAL STATUS
  kill -"$2" "$client"
  ends "$client" "$3" "status of a run in $1"
  eventually none_busy || fail "the run in $1 has not been reset"
  rmdir "$groups/$1" && ok || fail "something is left in $1"
}

# Without the group that the pool service makes, what a container with limits leaves would stay in its group.
container container_1 150000
"$work/inside" "$groups/container_1" "$java" -cp "$work/classes" Exit 3 >"$work/out"
equal "$(last_trace | field reason)" cgroup-limits "a container with limits, and no way out of it"

mkdir "$groups/hottub"
run_in container_1
first=$jvm
equal "$(group_of "$keeper")" "${groups#"$mount"}/hottub" "the group of the keeper"
end_run container_1 TERM 143
equal "$(group_of "$first")" "${groups#"$mount"}/hottub" "the group of a JVM that is idle"

# Equal limits: the same JVM. Its container ends in every way.
container container_2 150000
run_in container_2
equal "$jvm" "$first" "the JVM for equal limits"
end_run container_2 KILL 137
container container_3 150000
run_in container_3
"$poke" "$socket" revoke >/dev/null
ends "$client" 137 "status of a revoked run"
eventually none_busy
rmdir "$groups/container_3" && ok || fail "something is left in container_3"

# Other limits, or none: another JVM, whatever else they are.
container container_4 50000
run_in container_4
[[ $jvm != "$first" ]] && ok || fail "a JVM for other limits was used"
end_run container_4 TERM 143
container container_5
run_in container_5
unlimited=$jvm
[[ $jvm != "$first" ]] && ok || fail "a JVM for limits was used without"
end_run container_5 TERM 143
start_wait
equal "$jvm" "$unlimited" "a JVM without limits outside containers"
equal "$(group_of "$jvm")" "$(group_of $$)" "the group of the JVM of a run outside"
kill -TERM "$client"
ends "$client" 143 "status of a run outside"
eventually none_busy

# A limit above both is in both.
limit "$groups" 190000
container container_6
run_in container_6
[[ $jvm != "$unlimited" ]] && ok || fail "a JVM without the limits of a group above was used"
end_run container_6 TERM 143

# Another limit of threads, here in the hierarchy of version 1 that has it: another JVM. Where it is the same, the place is not
# asked for.
pids=/sys/fs/cgroup/pids/hottub-test-$$
if [[ $line != 0: ]] && mkdir "$pids" 2>/dev/null; then
  mkdir "$pids"/{few,more,"as few"}
  fingerprint_in() { "$work/inside" "$pids/$1" "$java" -cp "$work/classes" Exit 0 >"$work/out" && last_trace | field fingerprint; }
  echo 1000 >"$pids/few/pids.max"
  echo 1000 >"$pids/as few/pids.max"
  echo 2000 >"$pids/more/pids.max"
  few=$(fingerprint_in few)
  equal "$(fingerprint_in "as few")" "$few" "the same limit of threads in another group"
  [[ $few && $(fingerprint_in more) != "$few" ]] && ok || fail "a JVM for few threads was used"
  echo 900 >"$pids/pids.max"
  [[ $(fingerprint_in more) != "$few" ]] && ok || fail "a JVM without the limit of a group above was used"
  # None is started where it would take what programs need.
  echo 200 >"$pids/as few/pids.max"
  fingerprint_in "as few" >/dev/null
  equal "$(last_trace | field reason)" few-tasks "where 200 threads may be"
  retire_all
  rmdir "$pids"/{few,more,"as few"} "$pids" && ok || fail "something is left in the groups with limits of threads"
else
  echo "skipped: limits of threads in $test, of which there is no hierarchy"
fi

# A machine may have both; what is in a group of version 2, too, is there as well.
unified=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
if [[ $unified == "$mount" ]]; then
  unified=
elif [[ -w $unified/cgroup.procs ]]; then
  unified_of() { sed -n 's/^0:://p' "/proc/$1/cgroup"; }
  mkdir -p "$unified/hottub-test-$$"/{container_7,hottub}
  start_wait Wait "$work/inside" "$unified/hottub-test-$$/container_7"
  equal "$(unified_of "$jvm")" "/hottub-test-$$/container_7" "the group of the JVM in version 2"
  kill -TERM "$client"
  ends "$client" 143 "status of a run in a group of version 2"
  eventually none_busy
  rmdir "$unified/hottub-test-$$/container_7" && ok || fail "something is left in container_7"
else
  echo "skipped: version 2 in $test, which is not mounted, or not to be written"
fi

retire_all
if [[ -n $unified && -d $unified/hottub-test-$$ ]]; then rmdir "$unified/hottub-test-$$"/{hottub,}; fi
rmdir "$groups/hottub" "$groups" && ok || fail "something is left in the test's groups"
