// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.ServicePermission;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import org.ietf.jgss.GSSManager;

/** The Kerberos configuration, ticket caches and logins from them. */
public class Kerberos extends Kind {
  private static final int VERSION = 0x0504;
  private static final int AES_256 = 18;

  /** A ticket cache with a ticket that has a year to live, as kinit writes it. */
  private static void writeCache(Path file, String user, String realm) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(VERSION);
    out.writeShort(0); // no header
    writePrincipal(out, realm, user);
    writePrincipal(out, realm, user);
    writePrincipal(out, realm, "krbtgt", realm);
    out.writeShort(AES_256);
    writeData(out, new byte[32]);
    int now = (int) (System.currentTimeMillis() / 1000);
    for (int time : new int[] {now, now, now + 365 * 86_400, 0}) {
      out.writeInt(time);
    }
    out.writeByte(0); // no session key of another user
    out.writeInt(0x40000000); // forwardable
    out.writeInt(0); // addresses
    out.writeInt(0); // data of authorization
    writeData(out, ticket(realm));
    writeData(out, new byte[0]);
    Files.write(file, bytes.toByteArray());
  }

  private static void writePrincipal(DataOutputStream out, String realm, String... names)
      throws IOException {
    out.writeInt(1);
    out.writeInt(names.length);
    writeData(out, realm.getBytes(StandardCharsets.US_ASCII));
    for (String name : names) {
      writeData(out, name.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static void writeData(DataOutputStream out, byte[] data) throws IOException {
    out.writeInt(data.length);
    out.write(data);
  }

  /** Ticket of RFC 4120, in DER. */
  private static byte[] ticket(String realm) {
    byte[] name = text(realm);
    byte[] names = der(0x30, text("krbtgt"), name);
    byte[] server = der(0x30, der(0xa0, number(2)), der(0xa1, names));
    byte[] sealed = der(0x30, der(0xa0, number(AES_256)), der(0xa2, der(0x04, new byte[16])));
    return der(
        0x61,
        der(0x30, der(0xa0, number(5)), der(0xa1, name), der(0xa2, server), der(0xa3, sealed)));
  }

  private static byte[] text(String text) {
    return der(0x1b, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] number(int number) {
    return der(0x02, new byte[] {(byte) number});
  }

  private static byte[] der(int tag, byte[]... contents) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] content : contents) {
      all.writeBytes(content);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (all.size() > 127) {
      out.write(0x81);
    }
    out.write(all.size());
    out.writeBytes(all.toByteArray());
    return out.toByteArray();
  }

  private static String principal(Subject subject) {
    return subject.getPrincipals().iterator().next().getName();
  }

  private static Subject login(String cache) throws Exception {
    Configuration configuration =
        new Configuration() {
          @Override
          public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
            return new AppConfigurationEntry[] {
              new AppConfigurationEntry(
                  "com.sun.security.auth.module.Krb5LoginModule",
                  AppConfigurationEntry.LoginModuleControlFlag.REQUIRED,
                  cache == null
                      ? Map.of("useTicketCache", "true", "doNotPrompt", "true")
                      : Map.of(
                          "useTicketCache", "true", "doNotPrompt", "true", "ticketCache", cache))
            };
          }
        };
    LoginContext context = new LoginContext("some", new Subject(), null, configuration);
    context.login();
    return context.getSubject();
  }

  private static void use(String name, String realm) throws IOException {
    Path file = Path.of(name);
    Files.writeString(
        file,
        "[libdefaults]\ndefault_realm = %s\n[realms]\n%s = {\nkdc = 127.0.0.1:9\n}\n"
            .formatted(realm, realm));
    System.setProperty("java.security.krb5.conf", file.toAbsolutePath().toString());
  }

  @Override
  protected void dirty() throws Exception {
    use("dirty.conf", "DIRTY");
    writeCache(Path.of("dirty.cache"), "someone", "DIRTY");
    Subject subject = login(Path.of("dirty.cache").toAbsolutePath().toString());
    if (!principal(subject).equals("someone@DIRTY") || subject.getPrivateCredentials().isEmpty()) {
      System.out.println("WRONG: not logged in: " + subject);
    }
    KEPT.add(subject);
    Subject.doAs(
        subject, (java.security.PrivilegedAction<Boolean>) () -> KEPT.add(Thread.currentThread()));
    System.setProperty("javax.security.auth.useSubjectCredsOnly", "false");
    KEPT.add(GSSManager.getInstance().createName("someone@DIRTY", null));
  }

  @Override
  @SuppressWarnings("removal")
  protected void probe() throws Exception {
    use("probe.conf", "HERE");
    show("realm", () -> new KerberosPrincipal("someone").getRealm());
    show("service", () -> new ServicePermission("some/host@HERE", "initiate").getName());
    writeCache(Path.of("probe.cache"), "other", "HERE");
    show("cache", () -> principal(login(Path.of("probe.cache").toAbsolutePath().toString())));
    show("default cache", () -> principal(login(null)));
    show("another cache", () -> principal(login("/none")));
    show("subject", () -> Subject.getSubject(java.security.AccessController.getContext()));
    show("name", () -> GSSManager.getInstance().createName("someone", null).canonicalize(null));
    show("mechanisms", () -> GSSManager.getInstance().getMechs());
  }
}
