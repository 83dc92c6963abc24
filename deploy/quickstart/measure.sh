# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2153,SC2154 # the variables are those of "run", which reads this file
# Measuring one run of one job. Results go to $out/results.tsv, one line a run:
# job, side, pair, wall ms, CPU ms, settled, digest of the result, containers, containers served by the pool, of these warm,
# client JVMs, client JVMs served by the pool, of these warm, ms that the job itself counted (or nothing)

lines() { wc -l <"$1"; }
count_served() { tail -n "+$(($2 + 1))" "$1" | grep -c '"served": *"pool"' || true; }
count_warm() { tail -n "+$(($2 + 1))" "$1" | grep -c '"warm": *true' || true; }
containers() { find "$state/cluster/yarn/logs" -mindepth 2 -maxdepth 2 -name 'container_*' 2>/dev/null | wc -l; }

digest_of_result() { # JOB PAIR SIDE
  case $1 in
    tez* | mapreduce* | distcp) JAVA_HOME=$STOCK_JDK hdfs dfs -cat "/counts/$1-$2-$3/{part,words}*" 2>/dev/null ;;
    *) cat "$out/results/$1-$2-$3.out" ;;
  esac | sha256sum | cut -c1-16
}

measure() { # JOB SIDE PAIR
  local job=$1 side=$2 pair=$3 status=0 isolation=""
  local name=$job-$pair-$side client containers traced log=$out/logs/$job-$pair-$side.log record digest
  local settings=(SPARK_EXTRA="" TEZ_EXTRA="" MAPREDUCE_EXTRA="")
  if [[ $side == reuse || $side == clone ]]; then isolation=$side; fi
  client=$(lines "$trace_client")
  traced=$(lines "$trace_containers")
  containers=$(containers)
  if [[ $side == stock ]]; then
    settings+=(JAVA_HOME="$STOCK_JDK")
  else
    settings+=(JAVA_HOME="$install/home" HOTTUB_TRACE="$trace_client")
    settings+=(TEZ_EXTRA="-Dtez.hottub.enabled=true" MAPREDUCE_EXTRA="-Dmapreduce.hottub.enabled=true")
    settings+=(SPARK_EXTRA="spark.hottub.enabled=true${isolation:+ spark.hottub.isolation=$isolation}")
  fi
  record=$state/record
  rm -f "$record"
  # A job is a function of this script: the meter starts it in a shell of its own.
  export -f run_job spark_submit in_cluster_mode spark_job spark_cluster_job tpc_query tpc_job tez_example tez_job tez_join_job \
    mapreduce_program mapreduce_job mapreduce_sort_job distcp_job hdfs_job
  export state CLUSTER_FS job_jar mapreduce_jars tpc_mode
  env "${settings[@]}" "$METER" run --root "$HOTTUB_QUICKSTART_GUARD" "${skip[@]}" --node "$node" --pool "$HOTTUB_DIR" \
    --out "$record" bash -c 'run_job "$@"' bash "$job" "$pair-$side" \
    >"$out/results/$name.out" 2>"$log" 9>&- </dev/null &
  step_pid=$!
  wait "$step_pid" || status=$?
  step_pid=
  ((status == 0)) || fail "the $job job ended with status $status on $side, pair $pair: $(tail -n 1 "$log" | cut -c1-200) (log: $log)"
  digest=$(digest_of_result "$job" "$pair" "$side")
  printf '%s\t' "$job" "$side" "$pair" "$(field wall_ms)" "$(field cpu_ms)" "$(field settled)" "$digest" \
    $(($(containers) - containers)) "$(count_served "$trace_containers" "$traced")" "$(count_warm "$trace_containers" "$traced")" \
    $(($(lines "$trace_client") - client)) "$(count_served "$trace_client" "$client")" >>"$out/results.tsv"
  printf '%s\t%s\n' "$(count_warm "$trace_client" "$client")" \
    "$(sed -n 's/^in-application ms: //p' "$log" | tail -n 1)" >>"$out/results.tsv"
  tail -n "+$((client + 1))" "$trace_client" >"$out/results/$name.trace-client.jsonl"
  tail -n "+$((traced + 1))" "$trace_containers" >"$out/results/$name.trace-containers.jsonl"
  say_run
}

field() { sed -E "s/.*\"$1\":([^,}]*).*/\1/" "$state/record"; }

say_run() { # the last line of the results
  local text
  text=$(tail -n 1 "$out/results.tsv" | awk -F'\t' -v pairs="$pairs" '{
    printf "  %s %-6s %6.2f s, CPU %6.2f s", $3 == 0 ? "warm-up    " : sprintf("pair %d of %d", $3, pairs),
      $2 == "hottub" ? "HotTub" : $2, $4 / 1000, $5 / 1000
    if ($2 != "stock" && $8) printf "; warm containers: %d of %d", $10, $8
    if ($2 != "stock" && $11) printf "; warm client JVMs: %d of %d", $13, $11
    if ($6 != "true") printf " (not at rest)"
  }')
  say "$text"
}

say_pair() { # JOB PAIR
  awk -F'\t' -v job="$1" -v pair="$2" '
    $1 == job && $3 == pair { wall[$2] = $4; digest[$2] = $7 }
    END {
      printf "%22s %.1fx, results %s\n", "", wall["stock"] / wall["hottub"],
        digest["stock"] == digest["hottub"] ? "equal" : "DIFFER"
    }' "$out/results.tsv"
}

# Is the home a real HotTub home? A plain JDK may stand in for it while developing.
has_pool() { [[ -x $install/home/lib/hottub/keeper ]]; }

write_facts() {
  echo "hottub=$(cat "$install/VERSION")"
  echo "commit=$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)"
  echo "pool=$(has_pool && echo yes || echo no)"
  echo "jdk=$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"/\1/p' "$STOCK_JDK/release")"
  echo "home_jdk=$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"/\1/p' "$install/home/release")"
  echo "hadoop=$(basename "$HADOOP_JARS"/hadoop-common-*.jar .jar | sed 's/.*-//')"
  echo "spark=${spark_cached##*/pyspark-}"
  echo "tez=$(basename "$tez_jars"/tez-api-*.jar .jar | sed 's/.*-//')"
  echo "rows=$rows"
  echo "scale=$scale"
  echo "tpc_mode=$tpc_mode"
  local given=${CLUSTER_SETTINGS:-none}
  echo "cluster_settings=${given//$'\n'/ }"
  [[ ! -f $out/limits ]] || sed -E 's|^(\S+)/(\S+) ([0-9]+)$|limit.\1-\2=\3|' "$out/limits"
  echo "text_bytes=$(stat -c %s "$state/text")"
  echo "pairs=$pairs"
  echo "cores=$(nproc)"
  echo "memory_mb=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)"
  echo "cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
  echo "kernel=$(uname -r)"
  echo "date=$(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "seconds=$SECONDS"
}
