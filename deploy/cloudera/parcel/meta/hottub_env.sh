#!/bin/bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# Read by Cloudera Manager's agent before it starts a process, or writes the settings of clients, of a service that takes
# plug-ins for YARN, MapReduce, Spark or Tez. It may be read twice, and must never end the shell that reads it.

HOTTUB_DIRNAME=${PARCEL_DIRNAME:-HOTTUB-@VERSION@}
HOTTUB_PARCEL=${PARCELS_ROOT:-/opt/cloudera/parcels}/$HOTTUB_DIRNAME

# Puts an entry at the end of a class path, unless it is there.
hottub_append() { # VARIABLE ENTRY
  case ":${!1:-}:" in
    *":$2:"*) ;;
    *) export "$1=${!1:+${!1}:}$2" ;;
  esac
}

# NodeManager and ResourceManager.
hottub_append HADOOP_CLASSPATH "$HOTTUB_PARCEL/lib/yarn/*"
# Spark itself hands the first on to its containers; Cloudera's scripts make the first from the second.
hottub_append SPARK_DIST_CLASSPATH "$HOTTUB_PARCEL/lib/spark/*"
hottub_append CDH_SPARK_CLASSPATH "$HOTTUB_PARCEL/lib/spark/*"
