// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.status.InfoStatus;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.MarkerFactory;

/** slf4j and logback: the bound context, markers, what threads carry. */
public class Logback extends Kind {
  static class Loud extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      System.out.println("WRONG: heard of " + event);
    }
  }

  private static LoggerContext context() {
    return (LoggerContext) LoggerFactory.getILoggerFactory();
  }

  private static Logger root() {
    return context().getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  @Override
  protected void dirty() throws Exception {
    MDC.put("dirty", "yes");
    MarkerFactory.getMarker("DIRTY").add(MarkerFactory.getMarker("OTHER"));
    context().setName("dirty");
    context().putProperty("dirty", "yes");
    context().putObject("dirty", new Object());
    context().getStatusManager().add(new InfoStatus("dirty", this));
    root().detachAndStopAllAppenders();
    root().setLevel(Level.OFF);
    Loud loud = new Loud();
    loud.setContext(context());
    loud.start();
    root().addAppender(loud);
    LoggerFactory.getLogger("dirty").error("not heard");
  }

  @Override
  protected void probe() throws Exception {
    org.slf4j.Logger logger = LoggerFactory.getLogger("kinds");
    show("thread", MDC::getCopyOfContextMap);
    show("marker", () -> MarkerFactory.getIMarkerFactory().exists("DIRTY"));
    show("name", () -> context().getName());
    show("properties", () -> context().getCopyOfPropertyMap().get("dirty"));
    show("object", () -> context().getObject("dirty"));
    show(
        "loggers",
        () -> context().getLoggerList().stream().map(Logger::getName).collect(Collectors.toList()));
    show("level", () -> root().getLevel() + " " + logger.isDebugEnabled());
    show("appenders", () -> root().iteratorForAppenders().next().getName());
    show(
        "status",
        () ->
            context().getStatusManager().getCopyOfStatusList().stream()
                .anyMatch(status -> status.getMessage().equals("dirty")));
    MDC.put("probe", "yes");
    context().stop();
    show("after its end", () -> context().isStarted());
  }
}
