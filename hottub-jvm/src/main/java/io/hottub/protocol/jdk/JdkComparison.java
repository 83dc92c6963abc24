// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import io.hottub.protocol.ProtocolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What runs on one JDK miss that they would find on another.
 *
 * @param expected the one they know
 * @param home the one they get
 */
public record JdkComparison(Jdk expected, Jdk home) {
  /** Whether it lacks what an update of the other one has brought. */
  public boolean isOlder() throws IOException {
    return home.version().compareTo(expected.version()) < 0;
  }

  /**
   * How many certificates the one trusts and the other does not.
   *
   * @throws IOException if they cannot be read; the message names the file
   */
  public int untrusted() throws IOException {
    Set<Certificate> missing = trusted(expected);
    missing.removeAll(trusted(home));
    return missing.size();
  }

  /**
   * Files with settings that are others, or not there.
   *
   * @return their names in a JDK, in order
   * @throws IOException if files cannot be read
   */
  public List<Path> otherSettings() throws IOException {
    List<Path> others = new ArrayList<>();
    for (Path file : MachineSettings.of(expected.folder())) {
      if (file.startsWith(MachineSettings.SETTINGS) && isOther(file)) {
        others.add(file);
      }
    }
    return others;
  }

  /** Where a package keeps the settings of the home for operators to change, if one does. */
  public Optional<Path> keptSettings() throws IOException {
    Path settings = home.folder().resolve(MachineSettings.SETTINGS);
    return Files.isSymbolicLink(settings) ? Optional.of(settings.toRealPath()) : Optional.empty();
  }

  private boolean isOther(Path file) throws IOException {
    Path own = home.folder().resolve(file);
    return !Files.isReadable(own) || Files.mismatch(expected.folder().resolve(file), own) >= 0;
  }

  private static Set<Certificate> trusted(Jdk jdk) throws IOException {
    Path file = MachineSettings.trusted(jdk.folder());
    try {
      KeyStore store = KeyStore.getInstance(file.toFile(), (char[]) null);
      Set<Certificate> trusted = new HashSet<>();
      for (String alias : Collections.list(store.aliases())) {
        trusted.add(store.getCertificate(alias));
      }
      trusted.remove(null); // a key of its own, or what needs a password
      return trusted;
    } catch (GeneralSecurityException e) {
      throw new ProtocolException(file + " is no store of certificates: " + e.getMessage(), e);
    }
  }
}
