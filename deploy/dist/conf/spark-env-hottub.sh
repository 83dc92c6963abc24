# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# For spark-env.sh on the machines where spark-submit runs:
#
#   . /opt/hottub/conf/spark-env-hottub.sh
#
# With spark.hottub.enabled=true (--conf, --properties-file, or spark-defaults.conf), spark-submit and what is made of
# it (spark-shell, spark-sql, pyspark, run-example, SparkLauncher, Connect and Thrift server) run their JVMs on HotTub,
# with spark.hottub.isolation as HOTTUB_ISOLATION unless that is set; else nothing changes.

# In a subshell: spark-env.sh exports every name that it sees.
if HOTTUB_ISOLATION=$(
  file=$SPARK_CONF_DIR/spark-defaults.conf
  others= # has what the file has not
  setting=
  isolation=
  [[ ${1:-} == org.apache.spark.deploy.* ]] && shift
  # Where Spark lets its own options stand among those of a shell (SparkSubmitCommandBuilder), these go on to the end;
  # else they end at the application, whose arguments are its own.
  mixed=
  case ${0##*/} in pyspark | sparkR | spark-daemon.sh | start-*.sh) mixed=yes ;; esac
  case ${1:-} in pyspark-shell-main | sparkr-shell-main | run-example) mixed=yes ;; esac
  while (($# > 0)); do
    case $1 in
      --class | --class=*)
        class=${1#--class=}
        [[ $1 == --class ]] && class=${2:-}
        case $class in org.apache.spark.repl.Main | org.apache.spark.sql.*.thriftserver.* | org.apache.spark.sql.*.SparkConnectServer)
          mixed=yes ;;
        esac
        ;;
      --conf | -c)
        [[ ${2:-} == spark.hottub.enabled=* ]] && setting=${2#*=}
        [[ ${2:-} == spark.hottub.isolation=* ]] && isolation=${2#*=}
        ;;
      --conf=spark.hottub.enabled=* | -c=spark.hottub.enabled=*) setting=${1#*=*=} ;;
      --conf=spark.hottub.isolation=* | -c=spark.hottub.isolation=*) isolation=${1#*=*=} ;;
      --properties-file) file=${2:-} ;;
      --properties-file=*) file=${1#*=} ;;
      --load-spark-defaults) others=$SPARK_CONF_DIR/spark-defaults.conf ;;
    esac
    # SparkSubmitOptionParser: all that take a value. What is not known belongs to a shell, or is the application.
    case $1 in
      --archives | --class | --conf | -c | --deploy-mode | --driver-class-path | --driver-cores | --driver-java-options | \
        --driver-library-path | --driver-memory | --exclude-packages | --executor-cores | --executor-memory | --files | --jars | \
        --keytab | --kill | --master | --name | --num-executors | --packages | --principal | --properties-file | --proxy-user | \
        --py-files | --queue | --remote | --repositories | --status | --total-executor-cores)
        shift && shift
        ;;
      --*=* | -v | --verbose | -h | --help | --version | --supervise | --usage-error | --load-spark-defaults) shift ;;
      *)
        [[ -n $mixed ]] || break
        shift
        ;;
    esac
  done
  # A pipe (--properties-file <(...)) can be read once, by Spark.
  of_file() {
    [[ -f $2 && -r $2 ]] || return
    sed -nE "s/^[[:space:]]*spark\\.hottub\\.$1[[:space:]]*[=:[:space:]][[:space:]]*//p" "$2" | tail -n 1
  }
  setting=${setting:-$(of_file enabled "$file")}
  setting=${setting:-$(of_file enabled "$others")}
  isolation=${isolation:-$(of_file isolation "$file")}
  isolation=${isolation:-$(of_file isolation "$others")}
  [[ ${setting,,} =~ ^true[[:space:]]*$ && -x ${BASH_SOURCE[0]%/*}/../home/bin/java ]]
  asks=$?
  ((asks == 0)) && [[ $isolation =~ ^(reuse|clone|strict)[[:space:]]*$ ]] && : "${HOTTUB_ISOLATION:=${BASH_REMATCH[1]}}"
  echo "${HOTTUB_ISOLATION:-}"
  exit "$asks"
); then
  export JAVA_HOME="${BASH_SOURCE[0]%/conf/*}/home"
fi
[[ -n $HOTTUB_ISOLATION ]] || unset HOTTUB_ISOLATION
