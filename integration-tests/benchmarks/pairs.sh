# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# Pairs of runs: the same command on the stock JDK and on HotTub in turn. The script that reads this after common.sh has
# command_of WORKLOAD JDK, which sets $command, and result_of WORKLOAD STDOUT, which prints a digest of what a run has made.
# In place of hottub the sides may be its isolations, reuse and clone.
pair_sides=(stock hottub)

prepare_pairs() {
  cc -O2 -o "$work/measure" "$here/measure.c" || die "no C compiler: apt-get install gcc libc6-dev"
  results=$work/results.tsv
  : >"$results"
}

# one SIDE WORKLOAD PAIR: appends a line to the results
one() {
  local side=$1 workload=$2 pair=$3 jdk=$stock digest status=0 command=()
  local measure=("$work/measure")
  if [[ $side != stock ]]; then
    jdk=$home
    measure+=(--pool "$pool")
  fi
  [[ $side == stock || $side == hottub ]] || export HOTTUB_ISOLATION=$side
  rm -rf "$work/out"
  mkdir "$work/out"
  command_of "$workload" "$jdk"
  "${measure[@]}" "${command[@]}" >"$work/stdout" 2>"$work/stderr" 3>"$work/numbers" </dev/null || status=$?
  ((status == 0)) || die "$workload on $side: exit status $status: $(cat "$work/stderr" "$work/stdout" | head -n 3)"
  digest=$(result_of "$workload" "$work/stdout")
  printf '%s\t%s\t%s\t%s\t%s\n' "$workload" "$side" "$pair" "$(<"$work/numbers")" "$digest" >>"$results"
  [[ -z ${reference:=$digest} || $digest == "$reference" ]] || die "$workload on $side, pair $pair: another result"
}

# pairs_of WORKLOAD WARM_UP PAIRS: leaves the trace of the measured runs, and the pool to its end
pairs_of() {
  local i pair side count=${#pair_sides[@]}
  reference=
  one stock "$1" 0 # fills the file cache
  for side in "${pair_sides[@]}"; do
    [[ $side != stock ]] || continue
    for ((i = 0; i < $2; i++)); do one "$side" "$1" 0; done
  done
  : >"$HOTTUB_TRACE"
  for ((pair = 0; pair < $3; pair++)); do
    # Who goes first changes.
    for ((i = 0; i < count; i++)); do one "${pair_sides[(pair + i) % count]}" "$1" $((pair + 1)); done
  done
  for log in "$pool"/*/*/*.log; do [[ ! -f $log ]] || cp "$log" "$work/$1.log"; done
}
