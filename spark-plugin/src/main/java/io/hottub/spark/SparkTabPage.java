// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.spark.status.AppStatusStore;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils$;
import org.apache.spark.ui.WebUIPage;
import scala.Function0;
import scala.collection.immutable.List;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.xml.Node;
import scala.xml.Unparsed;

/**
 * The page of the tab. Its two methods are one to Spark: releases before 4 have the servlets of
 * Java EE, later ones those of Jakarta. A class of the other kind is not there, and not needed
 * either. What has changed in between otherwise is called by its name.
 */
final class SparkTabPage extends WebUIPage {
  private static final String FRAME = "headerSparkPage";
  private static final int ARGUMENTS = 4;

  private final SparkUITab tab;
  private final AppStatusStore store;

  SparkTabPage(SparkUITab tab, AppStatusStore store) {
    super("");
    this.tab = tab;
    this.store = store;
  }

  @Override
  public Seq<Node> render(javax.servlet.http.HttpServletRequest request) {
    return page(request);
  }

  /** To Spark 4 what the other one is to Spark 3. */
  public Seq<Node> render(jakarta.servlet.http.HttpServletRequest request) {
    return page(request);
  }

  @SuppressWarnings("unchecked")
  private Seq<Node> page(Object request) {
    Function0<Seq<Node>> content = () -> nodes(ServedTable.of(store).html());
    try {
      Method frame =
          Arrays.stream(UIUtils$.class.getMethods())
              .filter(method -> method.getName().equals(FRAME))
              .findFirst()
              .orElseThrow(() -> new NoSuchMethodException(FRAME));
      Object[] arguments = new Object[frame.getParameterCount()];
      System.arraycopy(new Object[] {request, "HotTub", content, tab}, 0, arguments, 0, ARGUMENTS);
      for (int i = ARGUMENTS; i < arguments.length; i++) {
        Method preset = UIUtils$.class.getMethod(FRAME + "$default$" + (i + 1));
        arguments[i] = preset.invoke(UIUtils$.MODULE$);
      }
      return (Seq<Node>) frame.invoke(UIUtils$.MODULE$, arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this release of Spark frames its pages otherwise", e);
    }
  }

  @SuppressWarnings("unchecked")
  private static Seq<Node> nodes(String html) {
    return ((List<Node>) (List<?>) Nil$.MODULE$).$colon$colon(new Unparsed(html));
  }
}
