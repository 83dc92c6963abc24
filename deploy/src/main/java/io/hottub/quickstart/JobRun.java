// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

/** One run of one job: a line of {@code results.tsv}. */
record JobRun(
    String job,
    boolean hotTub,
    int pair,
    double wallMs,
    double cpuMs,
    boolean settled,
    String digest,
    int containers,
    int containersServed,
    int containersWarm,
    int clientJvms,
    int clientServed,
    int clientWarm,
    double ownMs) {

  static JobRun parse(String... f) {
    if (f.length != 14) {
      throw new IllegalArgumentException("not a line of results: " + String.join("\t", f));
    }
    return new JobRun(
        f[0],
        f[1].equals("hottub"),
        Integer.parseInt(f[2]),
        Double.parseDouble(f[3]),
        Double.parseDouble(f[4]),
        Boolean.parseBoolean(f[5]),
        f[6],
        Integer.parseInt(f[7]),
        Integer.parseInt(f[8]),
        Integer.parseInt(f[9]),
        Integer.parseInt(f[10]),
        Integer.parseInt(f[11]),
        Integer.parseInt(f[12]),
        f[13].isEmpty() ? Double.NaN : Double.parseDouble(f[13]));
  }
}
