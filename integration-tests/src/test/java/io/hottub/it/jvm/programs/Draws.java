// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import javax.crypto.KeyGenerator;

/**
 * Prints what every source of randomness of the class library gives first, a name and a value each.
 */
public class Draws {
  private static void print(String name, Object value) {
    System.out.println(name + "=" + value);
  }

  private static SecureRandom secure(String algorithm) throws Exception {
    return SecureRandom.getInstance(algorithm);
  }

  public static void main(String[] args) throws Exception {
    print("pid", ProcessHandle.current().pid());
    print("Random", new Random().nextLong());
    print("Math", Double.doubleToLongBits(Math.random()));
    print("ThreadLocalRandom", ThreadLocalRandom.current().nextLong());
    print("SplittableRandom", new SplittableRandom().nextLong());
    print("RandomGenerator", RandomGenerator.getDefault().nextLong());
    print("Xoroshiro", RandomGenerator.of("Xoroshiro128PlusPlus").nextLong());
    for (String algorithm :
        new String[] {"NativePRNG", "NativePRNGNonBlocking", "SHA1PRNG", "DRBG"}) {
      print(algorithm, secure(algorithm).nextLong());
    }
    print("UUID", UUID.randomUUID());
    print(
        "key",
        new java.math.BigInteger(KeyGenerator.getInstance("AES").generateKey().getEncoded()));
    Path file = Files.createTempFile("draws", "");
    Files.delete(file);
    print("file", file);
    Thread thread = new Thread(() -> print("thread", ThreadLocalRandom.current().nextLong()));
    thread.start();
    thread.join();
    Field salt = Class.forName("java.util.ImmutableCollections").getDeclaredField("SALT32L");
    salt.setAccessible(true);
    print("salt", salt.getLong(null));
  }
}
