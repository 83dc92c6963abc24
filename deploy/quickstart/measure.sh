# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154 # the variables are those of "run", which reads this file
# Measuring one run of one job. Results go to $out/results.tsv, one line a run:
# job, side, pair, wall ms, CPU ms, settled, digest of the result, containers, containers served by the pool, of these warm,
# client JVMs, client JVMs served by the pool, of these warm

lines() { wc -l <"$1"; }
count_served() { tail -n "+$(($2 + 1))" "$1" | grep -c '"served": *"pool"' || true; }
count_warm() { tail -n "+$(($2 + 1))" "$1" | grep '"served": *"pool"' | grep -cE '"run": *([2-9]|[1-9][0-9]+)' || true; }
containers() { find "$state/cluster/yarn/logs" -mindepth 2 -maxdepth 2 -name 'container_*' 2>/dev/null | wc -l; }

digest_of_result() { # JOB PAIR SIDE
  case $1 in
    tez) JAVA_HOME=$STOCK_JDK hdfs dfs -cat "/counts/$2-$3/part*" 2>/dev/null ;;
    *) cat "$out/results/$1-$2-$3.out" ;;
  esac | sha256sum | cut -c1-16
}

measure() { # JOB SIDE PAIR
  local job=$1 side=$2 pair=$3 status=0
  local name=$job-$pair-$side client containers traced log=$out/logs/$job-$pair-$side.log record digest
  local settings=(SPARK_EXTRA="" TEZ_EXTRA="")
  client=$(lines "$trace_client")
  traced=$(lines "$trace_containers")
  containers=$(containers)
  if [[ $side == stock ]]; then
    settings+=(JAVA_HOME="$STOCK_JDK")
  else
    settings+=(JAVA_HOME="$install/home" HOTTUB_TRACE="$trace_client")
    if has_pool; then
      settings+=(SPARK_EXTRA="spark.hottub.enabled=true" TEZ_EXTRA="-Dtez.hottub.enabled=true")
    fi
  fi
  printf '\r         %s pair %s: %-8s' "$job" "$pair" "$side"
  record=$state/record
  rm -f "$record"
  # A job is a function of this script: the meter starts it in a shell of its own.
  export -f spark_submit spark_job tez_job hdfs_job
  export state CLUSTER_FS job_class job_jar
  env "${settings[@]}" "$METER" run --root "$HOTTUB_QUICKSTART_GUARD" "${skip[@]}" --node "$node" --pool "$HOTTUB_DIR" \
    --out "$record" bash -c "${job}_job \"\$1\"" bash "$pair-$side" \
    >"$out/results/$name.out" 2>"$log" 9>&- </dev/null &
  step_pid=$!
  wait "$step_pid" || status=$?
  step_pid=
  printf '\r%60s\r' ''
  ((status == 0)) || fail "the $job job ended with status $status on $side, pair $pair: $(tail -n 1 "$log" | cut -c1-200) (log: $log)"
  digest=$(digest_of_result "$job" "$pair" "$side")
  printf '%s\t' "$job" "$side" "$pair" "$(field wall_ms)" "$(field cpu_ms)" "$(field settled)" "$digest" \
    $(($(containers) - containers)) "$(count_served "$trace_containers" "$traced")" "$(count_warm "$trace_containers" "$traced")" \
    $(($(lines "$trace_client") - client)) "$(count_served "$trace_client" "$client")" >>"$out/results.tsv"
  printf '%s\n' "$(count_warm "$trace_client" "$client")" >>"$out/results.tsv"
  tail -n "+$((client + 1))" "$trace_client" >"$out/results/$name.trace-client.jsonl"
  tail -n "+$((traced + 1))" "$trace_containers" >"$out/results/$name.trace-containers.jsonl"
}

field() { sed -E "s/.*\"$1\":([^,}]*).*/\1/" "$state/record"; }

say_pair() { # JOB PAIR PAIRS
  local text
  text=$(awk -F'\t' -v job="$1" -v pair="$2" '
    $1 == job && $3 == pair { wall[$2] = $4; cpu[$2] = $5; digest[$2] = $7; n = $8; warm = $10; served = $9 }
    END {
      printf "stock %.2f s (CPU %.2f s), HotTub %.2f s (CPU %.2f s), %.1fx", wall["stock"] / 1000, cpu["stock"] / 1000,
        wall["hottub"] / 1000, cpu["hottub"] / 1000, wall["stock"] / wall["hottub"]
      if (digest["stock"] != digest["hottub"]) printf ", RESULTS DIFFER"
    }' "$out/results.tsv")
  if (($2 == 0)); then say "  warm-up: $text"; else say "  pair $2 of $3: $text"; fi
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
  echo "spark=${spark_cached##*/spark-}"
  echo "tez=$(basename "$tez_jars"/tez-api-*.jar .jar | sed 's/.*-//')"
  echo "rows=$rows"
  echo "text_bytes=$(stat -c %s "$state/text")"
  echo "pairs=$pairs"
  echo "cores=$(nproc)"
  echo "memory_mb=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)"
  echo "cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
  echo "kernel=$(uname -r)"
  echo "date=$(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "seconds=$SECONDS"
}
