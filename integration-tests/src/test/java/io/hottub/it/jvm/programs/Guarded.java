// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** What System.setSecurityManager does, as the property java.security.manager says. */
@SuppressWarnings("removal")
public class Guarded {
  static class Denies extends SecurityManager {
    @Override
    public void checkPermission(java.security.Permission permission) {
      if (permission.getName().equals("secret")) {
        throw new SecurityException("denied: " + permission.getName());
      }
    }
  }

  public static void main(String[] args) {
    System.out.println(System.getProperty("java.security.manager"));
    System.out.println(System.getSecurityManager());
    try {
      System.setSecurityManager(new Denies());
      System.out.println(System.getSecurityManager().getClass());
      System.getProperty("secret");
    } catch (UnsupportedOperationException | SecurityException e) {
      System.out.println(e);
    }
  }
}
