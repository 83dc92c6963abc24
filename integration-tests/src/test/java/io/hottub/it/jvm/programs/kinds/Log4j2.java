// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.MarkerManager;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.ConsoleAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.layout.PatternLayout;

/** Log4j 2: contexts, levels, markers, appenders, what threads carry. */
public class Log4j2 extends Kind {
  private static LoggerContext context() {
    return (LoggerContext) LogManager.getContext(false);
  }

  private static ConsoleAppender addAppender(String name, String pattern) {
    ConsoleAppender appender =
        ConsoleAppender.newBuilder()
            .setName(name)
            .setTarget(ConsoleAppender.Target.SYSTEM_OUT)
            .setLayout(PatternLayout.newBuilder().withPattern(pattern).build())
            .build();
    appender.start();
    context().getRootLogger().addAppender(appender);
    return appender;
  }

  @Override
  protected void dirty() throws Exception {
    Level.forName("DIRTY", 350);
    MarkerManager.getMarker("DIRTY");
    ThreadContext.put("dirty", "yes");
    ThreadContext.push("dirty");
    Configurator.setRootLevel(Level.TRACE);
    Configurator.setLevel("kinds", Level.OFF);
    KEPT.add(addAppender("dirty", "WRONG %m%n"));
    context().getConfiguration().getProperties().put("dirty", "yes");
    context().setName("dirty");
    System.setProperty("log4j2.level", "TRACE");
    KEPT.add(LogManager.getLogger("dirty"));
  }

  @Override
  protected void probe() throws Exception {
    Logger logger = LogManager.getLogger("kinds");
    show("level", logger::getLevel);
    show("root", () -> LogManager.getRootLogger().getLevel());
    show("own level", () -> Level.getLevel("DIRTY"));
    show("levels", Level::values);
    show("marker", () -> MarkerManager.exists("DIRTY"));
    show("thread", () -> ThreadContext.getImmutableContext() + " " + ThreadContext.getDepth());
    show("appenders", () -> context().getConfiguration().getAppenders().size());
    show("properties", () -> context().getConfiguration().getProperties().get("dirty"));
    show("named", () -> context().getName().equals("dirty"));
    show("loggers", () -> context().hasLogger("dirty"));
    show("contexts", () -> Map.of("some", context().isStarted()));
    context()
        .getRootLogger()
        .getAppenders()
        .values()
        .forEach(context().getRootLogger()::removeAppender);
    addAppender("probe", "%level %logger %X %m%n");
    logger.error("an error");
    logger.info("nothing");
    LogManager.shutdown();
    show("after its end", () -> context().isStarted());
  }
}
