// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Answers requests for the page about the pool, and lets all others pass. */
public final class NodePageFilter implements Filter {
  /** Where the page is. */
  public static final String PATH = "/node/hottub";

  @Override
  public void init(FilterConfig config) {}

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<NodePage> page = NodePage.published();
    if (page.isPresent()
        && request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer
        && http.getMethod().equals("GET")
        && PATH.equals(http.getRequestURI())) {
      answer.setContentType("text/html; charset=utf-8");
      answer.setHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
      answer.getOutputStream().write(page.get().html().getBytes(StandardCharsets.UTF_8));
    } else {
      chain.doFilter(request, response);
    }
  }

  @Override
  public void destroy() {}
}
