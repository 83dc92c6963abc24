// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.io.File;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Sources of random numbers: each run has to get its own numbers. */
public class Randoms extends Kind {
  @Override
  protected void dirty() throws Exception {
    probe();
  }

  @Override
  protected void probe() throws Exception {
    show("Math", Math::random);
    show("Random", () -> new Random().nextLong());
    show("ThreadLocalRandom", () -> ThreadLocalRandom.current().nextLong());
    show("SplittableRandom", () -> new SplittableRandom().nextLong());
    show("SecureRandom", () -> new SecureRandom().nextLong());
    show("SHA1PRNG", () -> SecureRandom.getInstance("SHA1PRNG").nextLong());
    show("DRBG", () -> SecureRandom.getInstance("DRBG").nextLong());
    show("UUID", UUID::randomUUID);
    List<Integer> list = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      list.add(i);
    }
    Collections.shuffle(list);
    show("shuffle", () -> list);
    show("file", () -> File.createTempFile("pre", "post").getName());
    Thread thread =
        new Thread(() -> show("of a thread", () -> ThreadLocalRandom.current().nextLong()));
    thread.start();
    thread.join();
  }
}
