// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.security;

import io.hottub.it.harness.Application;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * A client of a cluster with Kerberos: a process of its own, because a JVM can log in only to one
 * world. Arguments: principal, keytab, the user to submit as (or {@code -} for the principal's
 * own), file for the trace, and what the container runs. Writes the application's id and state.
 */
final class SubmitAs {
  private SubmitAs() {}

  public static void main(String[] args) throws Exception {
    YarnConfiguration conf = new YarnConfiguration();
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab(args[0], args[1]);
    UserGroupInformation login = UserGroupInformation.getLoginUser();
    UserGroupInformation user =
        args[2].equals("-") ? login : UserGroupInformation.createProxyUser(args[2], login);
    user.doAs((PrivilegedExceptionAction<Void>) () -> submit(conf, args[3], args[4]));
  }

  private static Void submit(YarnConfiguration conf, String trace, String command)
      throws Exception {
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(conf);
      client.start();
      Application application =
          new Application(client).environment("HOTTUB_TRACE", trace).submit(command);
      System.out.println(application.id() + " " + application.awaitEnd());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return null;
  }
}
