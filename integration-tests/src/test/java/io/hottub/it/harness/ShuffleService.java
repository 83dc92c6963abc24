// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.File;
import java.nio.file.Path;

/** MapReduce's shuffle service, which serves Tez, too, on loopback. */
public final class ShuffleService {
  private ShuffleService() {}

  /** Sets it up for a NodeManager, and returns what that needs at the end of its class path. */
  public static String install(YarnNode node) throws Exception {
    Path jars = SparkHome.fetchOfThisHadoop("mapreduce");
    Path classes =
        Programs.compileWith(
            Programs.jarsIn(jars), node.dir().resolve("shuffle"), "LoopbackShuffle");
    node.set("yarn.nodemanager.aux-services.mapreduce_shuffle.class", "LoopbackShuffle");
    node.set("loopback.shuffle.port", Integer.toString(Ports.free(1).get(0)));
    return File.pathSeparator + classes + File.pathSeparator + jars + "/*";
  }
}
