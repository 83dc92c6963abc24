# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# For spark-env.sh on the machines where spark-submit runs:
#
#   . /opt/hottub/conf/spark-env-hottub.sh
#
# With spark.hottub.enabled=true (--conf, --properties-file, or spark-defaults.conf), spark-submit and what is made of
# it (spark-shell, spark-sql, pyspark, SparkLauncher) run their JVMs on HotTub; else nothing changes.

# In a subshell: spark-env.sh exports every name that it sees.
if (
  file=$SPARK_CONF_DIR/spark-defaults.conf
  setting=
  [[ ${1:-} == org.apache.spark.* ]] && shift
  # spark-submit's own options end at the application.
  while [[ ${1:-} == -* ]]; do
    case $1 in
      --conf | -c) [[ ${2:-} == spark.hottub.enabled=* ]] && setting=${2#*=} ;;
      --conf=spark.hottub.enabled=*) setting=${1#*=*=} ;;
      --properties-file) file=${2:-} ;;
      --properties-file=*) file=${1#*=} ;;
    esac
    case $1 in
      *=* | -v | --verbose | -h | --help | --version | --supervise) shift ;;
      *) shift && shift ;;
    esac
  done
  if [[ -z $setting && -r $file ]]; then
    setting=$(sed -nE 's/^[[:space:]]*spark\.hottub\.enabled[[:space:]]*[=:[:space:]][[:space:]]*//p' "$file" | tail -n 1)
  fi
  [[ ${setting,,} =~ ^true[[:space:]]*$ && -x ${BASH_SOURCE[0]%/*}/../home/bin/java ]]
); then
  export JAVA_HOME="${BASH_SOURCE[0]%/conf/*}/home"
fi
