// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import org.apache.spark.launcher.SparkLauncher;

/** Launches an application by Spark's library for that: {@code ASKED JAR RESULT}. */
public class SparkLaunches {
  public static void main(String[] args) throws Exception {
    Process process =
        new SparkLauncher()
            .setConf("spark.hottub.enabled", args[0])
            .setMainClass("SparkJob")
            .setAppResource(args[1])
            .addAppArgs("sums", args[2])
            .redirectToLog(SparkLaunches.class.getName())
            .launch();
    System.exit(process.waitFor());
  }
}
