// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.net.CacheRequest;
import java.net.CacheResponse;
import java.net.InetAddress;
import java.net.ResponseCache;
import java.net.URI;
import java.net.URLConnection;
import java.security.CodeSource;
import java.security.PermissionCollection;
import java.security.Permissions;
import java.security.Policy;
import java.security.ProtectionDomain;
import java.security.Security;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;

/** Policy, JAAS, Kerberos, TLS, caches of the network. */
@SuppressWarnings("removal")
public class Securities extends Kind {
  static class AllowAll extends SecurityManager {
    @Override
    public void checkPermission(java.security.Permission permission) {}
  }

  static class OwnPolicy extends Policy {
    @Override
    public PermissionCollection getPermissions(CodeSource source) {
      return new Permissions();
    }

    @Override
    public boolean implies(ProtectionDomain domain, java.security.Permission permission) {
      return true;
    }
  }

  static class OwnConfiguration extends Configuration {
    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
      return new AppConfigurationEntry[] {
        new AppConfigurationEntry(
            "dirty", AppConfigurationEntry.LoginModuleControlFlag.OPTIONAL, Map.of())
      };
    }
  }

  static class OwnCache extends ResponseCache {
    @Override
    public CacheResponse get(URI uri, String method, Map<String, List<String>> headers) {
      return null;
    }

    @Override
    public CacheRequest put(URI uri, URLConnection connection) {
      return null;
    }
  }

  @Override
  protected void dirty() throws Exception {
    Configuration.setConfiguration(new OwnConfiguration());
    System.setProperty("java.security.krb5.realm", "DIRTY");
    System.setProperty("java.security.krb5.kdc", "dirty");
    new javax.security.auth.kerberos.KerberosPrincipal("someone").getRealm();
    HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true);
    HttpsURLConnection.setDefaultSSLSocketFactory(SSLContext.getDefault().getSocketFactory());
    ResponseCache.setDefault(new OwnCache());
    URLConnection.setContentHandlerFactory(type -> null);
    Security.setProperty("jdk.tls.disabledAlgorithms", "all of them");
    Security.addProvider(
        new java.security.Provider("Later", "1", "") {
          private static final long serialVersionUID = 1;
        });
    InetAddress.getByName("localhost");
    Policy.setPolicy(new OwnPolicy());
    System.setSecurityManager(new AllowAll());
  }

  @Override
  protected void probe() throws Exception {
    show("manager", System::getSecurityManager);
    show("policy", () -> nameOf(Policy.getPolicy()));
    show("jaas", () -> Configuration.getConfiguration().getAppConfigurationEntry("x"));
    show(
        "principal",
        () -> new javax.security.auth.kerberos.KerberosPrincipal("someone@HERE").getRealm());
    show("realm", () -> new javax.security.auth.kerberos.KerberosPrincipal("someone"));
    show("verifier", () -> nameOf(HttpsURLConnection.getDefaultHostnameVerifier()));
    show("responses", ResponseCache::getDefault);
    show(
        "content handlers",
        () -> {
          URLConnection.setContentHandlerFactory(type -> null);
          return "could be set";
        });
    show("algorithms", () -> Security.getProperty("jdk.tls.disabledAlgorithms"));
    show("providers", Security::getProviders);
    show("digest", () -> java.security.MessageDigest.getInstance("SHA-256").getProvider());
    show("cipher", () -> javax.crypto.Cipher.getInstance("AES/CBC/PKCS5Padding").getProvider());
  }
}
