// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.ResourceBundle;
import java.util.ServiceLoader;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.zip.ZipFile;

/** JDBC drivers, file systems, zip files, bundles, zones, loggers, XML. */
public class Services extends Kind {
  static class OwnDriver implements Driver {
    @Override
    public Connection connect(String url, Properties info) {
      return null;
    }

    @Override
    public boolean acceptsURL(String url) {
      return true;
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
      return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
      return 1;
    }

    @Override
    public int getMinorVersion() {
      return 0;
    }

    @Override
    public boolean jdbcCompliant() {
      return false;
    }

    @Override
    public Logger getParentLogger() {
      return null;
    }
  }

  public static class Bundle extends java.util.ListResourceBundle {
    static int made;

    @Override
    protected Object[][] getContents() {
      return new Object[][] {{"made", "number " + ++made}};
    }
  }

  private static final Path ZIP = Path.of("some.zip");

  private static FileSystem zipFileSystem() throws Exception {
    return FileSystems.newFileSystem(URI.create("jar:" + ZIP.toUri()), Map.of());
  }

  @Override
  protected void dirty() throws Exception {
    DriverManager.registerDriver(new OwnDriver());
    DriverManager.setLogWriter(new java.io.PrintWriter(System.err));
    KEPT.add(new ZipFile(ZIP.toFile()));
    KEPT.add(zipFileSystem());
    KEPT.add(new URL("jar:" + ZIP.toUri() + "!/entry").openStream());
    ResourceBundle.getBundle("kinds.Services$Bundle").getString("made");
    Locale.setDefault(Locale.JAPAN);
    LogManager.getLogManager()
        .readConfiguration(
            new java.io.ByteArrayInputStream(
                "handlers=\n.level=ALL\nkinds.level=FINEST".getBytes()));
    Logger.getLogger("kinds").setLevel(Level.FINEST);
    LogManager.getLogManager().reset();
    System.setProperty("javax.xml.parsers.SAXParserFactory", "no.such.Class");
    System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "7");
    java.util.concurrent.ForkJoinPool.commonPool().submit(() -> {}).get();
  }

  @Override
  protected void probe() throws Exception {
    show("drivers", () -> Collections.list(DriverManager.getDrivers()).size());
    show("log of drivers", DriverManager::getLogWriter);
    show(
        "zip file",
        () -> {
          try (ZipFile zip = new ZipFile(ZIP.toFile())) {
            return new String(zip.getInputStream(zip.getEntry("entry")).readAllBytes());
          }
        });
    show(
        "zip file system",
        () -> {
          try (FileSystem zip = zipFileSystem()) {
            return Files.readString(zip.getPath("entry"));
          }
        });
    show(
        "zip URL",
        () -> {
          URL url = new URL("jar:" + ZIP.toUri() + "!/entry");
          return new String(url.openStream().readAllBytes());
        });
    show("bundle", () -> ResourceBundle.getBundle("kinds.Services$Bundle").getString("made"));
    show("zone", ZoneId::systemDefault);
    show("time", () -> LocalDateTime.of(2020, 1, 1, 0, 0).atZone(ZoneId.systemDefault()));
    show("date", () -> java.text.DateFormat.getDateInstance().format(new java.util.Date(0)));
    show("level", () -> Logger.getLogger("kinds").getLevel());
    show("handlers", () -> Logger.getLogger("").getHandlers().length);
    show("sax", () -> nameOf(javax.xml.parsers.SAXParserFactory.newInstance()));
    show("loaded", () -> ServiceLoader.load(Driver.class).findFirst());
    show("parallelism", java.util.concurrent.ForkJoinPool::getCommonPoolParallelism);
    show("timer", () -> timerThread());
    show("delayer", () -> delayed());
  }

  private static String timerThread() throws Exception {
    java.util.concurrent.CompletableFuture<String> name =
        new java.util.concurrent.CompletableFuture<>();
    java.util.Timer timer = new java.util.Timer();
    timer.schedule(
        new java.util.TimerTask() {
          @Override
          public void run() {
            name.complete(Thread.currentThread().getName());
          }
        },
        1);
    String result = name.get();
    timer.cancel();
    return result;
  }

  private static String delayed() throws Exception {
    return java.util.concurrent.CompletableFuture.supplyAsync(
            () -> "late",
            java.util.concurrent.CompletableFuture.delayedExecutor(
                1, java.util.concurrent.TimeUnit.MILLISECONDS))
        .get();
  }
}
