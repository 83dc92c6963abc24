// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package jdk.internal.loader;

import static jdk.internal.loader.HotTubFields.field;

import java.lang.reflect.Field;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLStreamHandler;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.SecureClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipFile;
import sun.net.util.URLUtil;

/**
 * Where classes and resources say that they come from. An entry of the class path may lie elsewhere
 * in each run, and where it was may be empty by then; what was made of it stays.
 */
final class HotTubPlaces {
  private static Field base;
  private static Field codeSource;
  private static Field handler;
  private static Field jar;
  private static Field zipName;
  private static Field location;
  private static Field locationText;
  private static Map<Object, ProtectionDomain> domains;
  private static Map<?, ?> packages;
  private static Field packageVersion;
  private static Field sealBase;

  private HotTubPlaces() {}

  /** Finds what knows a place; once, before S0. */
  @SuppressWarnings("unchecked")
  static void prepare() throws ReflectiveOperationException {
    Class<?> jarLoader = Class.forName("jdk.internal.loader.URLClassPath$JarLoader");
    base = field(Class.forName("jdk.internal.loader.URLClassPath$Loader"), "base");
    codeSource = field(jarLoader, "csu");
    handler = field(jarLoader, "handler");
    jar = field(jarLoader, "jar");
    zipName = field(ZipFile.class, "name");
    location = field(CodeSource.class, "location");
    locationText = field(CodeSource.class, "locationNoFragString");
    ClassLoader loader = ClassLoaders.appClassLoader();
    domains = (Map<Object, ProtectionDomain>) field(SecureClassLoader.class, "pdcache").get(loader);
    packages = (Map<?, ?>) HotTubFields.ofLoader(loader, "packages");
    packageVersion = field(Package.class, "versionInfo");
    sealBase = field(Class.forName("java.lang.Package$VersionInfo"), "sealBase");
  }

  /** Of a loader of a jar. */
  static URL of(Object jarLoader) throws ReflectiveOperationException {
    return (URL) codeSource.get(jarLoader);
  }

  static void moveJar(Object jarLoader, URL place)
      throws ReflectiveOperationException, MalformedURLException {
    URLStreamHandler ofJar = (URLStreamHandler) handler.get(jarLoader);
    base.set(jarLoader, new URL("jar", "", -1, place + "!/", ofJar));
    codeSource.set(jarLoader, place);
    Object file = jar.get(jarLoader);
    if (file != null) {
      zipName.set(file, place.getPath());
    }
  }

  /**
   * Of classes and packages.
   *
   * @param moved places that differ from those of the run before, by their text
   */
  static void moveClasses(Map<String, URL> moved) throws ReflectiveOperationException {
    List<Object> keys = new ArrayList<>(domains.keySet());
    List<ProtectionDomain> values = new ArrayList<>();
    for (Object key : keys) {
      ProtectionDomain domain = domains.remove(key); // found by the place
      CodeSource source = domain.getCodeSource();
      URL place = moved.get(URLUtil.urlNoFragString(source.getLocation()));
      if (place != null) {
        location.set(source, place);
        locationText.set(source, URLUtil.urlNoFragString(place));
      }
      values.add(domain);
    }
    for (int i = 0; i < keys.size(); i++) {
      domains.put(keys.get(i), values.get(i));
    }
    for (Object named : packages.values()) {
      Object version = named instanceof Package ? packageVersion.get(named) : null;
      URL sealed = version == null ? null : (URL) sealBase.get(version);
      URL place = sealed == null ? null : moved.get(URLUtil.urlNoFragString(sealed));
      if (place != null) {
        sealBase.set(version, place);
      }
    }
  }
}
