// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.URL;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** A YARN application of one container, in which a shell command runs. */
public final class Application {
  private final YarnClient client;
  private final Map<String, LocalResource> files = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();
  private int memoryMb = 128;
  private String queue = "default";
  private ApplicationId id;

  public Application(YarnClient client) {
    this.client = client;
  }

  public Application file(String link, Path file) throws IOException {
    return resource(link, file, LocalResourceType.FILE);
  }

  public Application archive(String link, Path file) throws IOException {
    return resource(link, file, LocalResourceType.ARCHIVE);
  }

  private Application resource(String link, Path file, LocalResourceType type) throws IOException {
    files.put(
        link,
        LocalResource.newInstance(
            URL.fromURI(file.toUri()),
            type,
            LocalResourceVisibility.APPLICATION,
            Files.size(file),
            Files.getLastModifiedTime(file).toMillis()));
    return this;
  }

  public Application environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  public Application memoryMb(int size) {
    memoryMb = size;
    return this;
  }

  public Application queue(String name) {
    queue = name;
    return this;
  }

  public Application submit(String command) throws IOException, YarnException {
    YarnClientApplication application = client.createApplication();
    ApplicationSubmissionContext context = application.getApplicationSubmissionContext();
    id = context.getApplicationId();
    context.setApplicationName("test");
    context.setQueue(queue);
    context.setMaxAppAttempts(1);
    context.setResource(Resource.newInstance(memoryMb, 1));
    context.setAMContainerSpec(
        ContainerLaunchContext.newInstance(files, environment, List.of(command), null, null, null));
    client.submitApplication(context);
    return this;
  }

  /** Waits for the end; the application never registers, so that end is FAILED or KILLED. */
  public YarnApplicationState awaitEnd() throws InterruptedException, IOException, YarnException {
    Await.until(
        id + " ends",
        () ->
            switch (client.getApplicationReport(id).getYarnApplicationState()) {
              case FAILED, FINISHED, KILLED -> true;
              default -> false;
            });
    return client.getApplicationReport(id).getYarnApplicationState();
  }

  public ApplicationId id() {
    return id;
  }

  /** What YARN says about its end. */
  public String diagnostics() throws IOException, YarnException {
    return client.getApplicationReport(id).getDiagnostics();
  }

  public void kill() throws IOException, YarnException {
    client.killApplication(id);
  }
}
