// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.web;

import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.config.SupportedHadoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the page into the NodeManager's web server, behind its authentication. A filter, since an
 * auxiliary service cannot reach the web server; entered by the container executor into the
 * configuration of this process, since {@code yarn-site.xml} is also read by daemons that do not
 * have our classes, and those would not start.
 */
public final class NodePageInitializer extends FilterInitializer {
  private static final Logger LOG = LoggerFactory.getLogger(NodePageInitializer.class);
  private static final String INITIALIZERS = HttpServer2.FILTER_INITIALIZER_PROPERTY;
  private static final String OURS = NodePageInitializer.class.getName();
  private static final String AUTHENTICATION = AuthenticationFilterInitializer.class.getName();

  /**
   * Adds the page to the web server that will be made of a configuration.
   *
   * @param conf the NodeManager's own
   */
  public static void addTo(Configuration conf) {
    if (!HotTubConfig.NODE_PAGE.read(conf) || !SupportedHadoop.supports(VersionInfo.getVersion())) {
      return;
    }
    List<String> names = new ArrayList<>(conf.getTrimmedStringCollection(INITIALIZERS));
    names.remove(OURS);
    if (!names.contains(AUTHENTICATION)) {
      names.add(AUTHENTICATION); // as the NodeManager would do, but behind ours
    }
    names.add(OURS);
    conf.set(INITIALIZERS, String.join(",", names));
  }

  @Override
  public void initFilter(FilterContainer container, Configuration conf) {
    List<String> names = List.copyOf(conf.getTrimmedStringCollection(INITIALIZERS));
    if (names.contains(AUTHENTICATION) && names.indexOf(OURS) == names.size() - 1) {
      container.addFilter("hottub-node-page", NodePageFilter.class.getName(), Map.of());
    } else {
      LOG.warn(
          "There is no page about the pool: it has to be last in {} = {}", INITIALIZERS, names);
    }
  }
}
