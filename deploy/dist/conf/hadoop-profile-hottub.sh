# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# Puts Hadoop's command line (hdfs, hadoop, yarn, mapred) on HotTub, whatever JAVA_HOME hadoop-env.sh sets. Hadoop 3 reads
# shell profiles after that file, so none of Hadoop's own files changes. For all users, a new file beside hadoop-env.sh:
#
#   mkdir -p $HADOOP_CONF_DIR/shellprofile.d
#   echo '. /opt/hottub/conf/hadoop-profile-hottub.sh' >$HADOOP_CONF_DIR/shellprofile.d/hottub.sh
#
# For one user, the line in quotes in ~/.hadooprc. Daemons keep their java, and JAVA_HOME in the environment stays.

# Hadoop calls it last, when it knows the subcommand; scripts that are not Hadoop's own have none.
_hottub_hadoop_finalize() {
  local java=${BASH_SOURCE[0]%/conf/*}/home/bin/java
  if [[ -n ${HADOOP_SUBCMD:-} && ${HADOOP_SUBCMD_SUPPORTDAEMONIZATION:-} != true && -x $java ]]; then
    # shellcheck disable=SC2034 # what Hadoop then runs
    JAVA=$java
  fi
}
hadoop_add_profile hottub
