// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.mapreduce;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * MapReduce's application master with one small job, whose tasks it runs itself, as it does with
 * small jobs that ask for it. It has no YARN and no clients, and listens on loopback only.
 */
final class MasterOfOne extends MRAppMaster {
  private static final long LONGEST_SECONDS = 120;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final NodeOfOne node = new NodeOfOne();

  private MasterOfOne(ApplicationAttemptId attempt) {
    super(
        attempt,
        ContainerId.newContainerId(attempt, 1),
        NodeOfOne.HOST,
        NodeOfOne.PORT,
        NodeOfOne.PORT,
        System.currentTimeMillis());
  }

  /** Runs a job with one reducer to its end. */
  static void run(Job job) throws Exception {
    // Outputs of maps are below LOCAL_DIRS, for recipes this folder; and what is new in it is
    // removed after each task.
    Files.createDirectories(java.nio.file.Path.of("output"));
    ApplicationId application = ApplicationId.newInstance(System.currentTimeMillis(), 1);
    JobConf conf = new JobConf(job.getConfiguration());
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    conf.set(MRJobConfig.USER_NAME, user);
    conf.setBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, true);
    conf.setUseNewMapper(true);
    conf.setUseNewReducer(true);
    write(job, conf, new Path(MRApps.getStagingAreaDir(conf, user), idOf(application)));
    MasterOfOne master = new MasterOfOne(ApplicationAttemptId.newInstance(application, 1));
    initAndStartAppMaster(master, conf, user);
    boolean ended = master.ended.await(LONGEST_SECONDS, TimeUnit.SECONDS);
    JobState state = master.getContext().getAllJobs().values().iterator().next().getState();
    if (!ended || state != JobState.SUCCEEDED) {
      throw new IOException("the job of the application master is " + state);
    }
  }

  private static String idOf(ApplicationId application) {
    return TypeConverter.fromYarn(application).toString();
  }

  /** What the client of a job leaves for its master. */
  private static void write(Job job, JobConf conf, Path folder) throws Exception {
    FileSystem files = FileSystem.getLocal(conf);
    files.mkdirs(folder);
    InputFormat<?, ?> format = ReflectionUtils.newInstance(job.getInputFormatClass(), conf);
    List<InputSplit> splits = format.getSplits(job);
    JobSplitWriter.createSplitFiles(folder, conf, files, splits);
    conf.setNumMapTasks(splits.size());
    conf.set(MRJobConfig.MAPREDUCE_JOB_DIR, folder.toString());
    try (OutputStream settings = files.create(new Path(folder, MRJobConfig.JOB_CONF_FILE))) {
      conf.writeXml(settings);
    }
  }

  @Override
  protected ContainerAllocator createContainerAllocator(ClientService clients, AppContext context) {
    node.use(context);
    return node;
  }

  @Override
  protected RMHeartbeatHandler getRMHeartbeatHandler() {
    return node;
  }

  @Override
  protected ClientService createClientService(AppContext context) {
    return new NoClients();
  }

  @Override
  protected TaskAttemptListener createTaskAttemptListener(
      AppContext context, AMPreemptionPolicy preemption) {
    return new LoopbackListener(context, jobTokenSecretManager, node, preemption);
  }

  /** Without its five seconds for clients that have not asked yet, and without an exit. */
  @Override
  public void shutDownJob() {
    isLastAMRetry = true;
    notifyIsLastAMRetry(true);
    stop();
    successfullyUnregistered.set(true);
    ended.countDown();
  }
}
