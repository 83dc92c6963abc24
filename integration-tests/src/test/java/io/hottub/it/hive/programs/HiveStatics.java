// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.metastore.Deadline;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.exec.tez.ObjectCache;
import org.apache.hadoop.hive.ql.log.PerfLogger;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.tez.dag.api.Scope;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.runtime.api.ObjectRegistry;
import org.apache.tez.runtime.common.objectregistry.ObjectRegistryImpl;

/**
 * Prints what Hive, Tez and Hadoop hold in statics and thread-locals, puts something else there,
 * and prints it again. A line begins with the name of its kind.
 */
public final class HiveStatics {
  private HiveStatics() {}

  public static void main(String[] arguments) throws Exception {
    String value = arguments[0];
    users(value);
    hiveConf(value);
    utilities(value);
    workMap(value);
    objectCache(value);
    tezConfiguration(value);
    defaultResources(value);
    sessionState(value);
    deadline(value);
    perfLogger();
  }

  private static void print(String kind, Object before, Object after) {
    System.out.println(kind + ": " + before + ", then " + after);
  }

  private static Object read(Class<?> holder, String name) throws Exception {
    Field field = holder.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(null);
  }

  private static void users(String value) throws Exception {
    Object before = read(UserGroupInformation.class, "conf");
    System.setProperty("HADOOP_USER_NAME", value);
    print("UserGroupInformation", before, UserGroupInformation.getLoginUser().getUserName());
  }

  private static void hiveConf(String value) throws Exception {
    String before = HiveConf.getHiveSiteLocation() + " " + HiveConf.isLoadMetastoreConfig();
    HiveConf.setHiveSiteLocation(Path.of("/none", value).toUri().toURL());
    HiveConf.setLoadMetastoreConfig(true);
    print(
        "HiveConf",
        before,
        HiveConf.getHiveSiteLocation() + " " + HiveConf.isLoadMetastoreConfig());
    // The others load it.
    HiveConf.setHiveSiteLocation(null);
  }

  private static void utilities(String value) {
    List<String> before = Utilities.reduceFieldNameList;
    Utilities.reduceFieldNameList = List.of(value);
    print("Utilities", before, Utilities.reduceFieldNameList);
  }

  @SuppressWarnings("unchecked")
  private static void workMap(String value) throws Exception {
    Object factory = read(Utilities.class, "gWorkMap");
    Method get = factory.getClass().getDeclaredMethod("get", Configuration.class);
    get.setAccessible(true);
    Map<Object, Object> works = (Map<Object, Object>) get.invoke(factory, new Configuration(false));
    String before = works.keySet().toString();
    works.put(new org.apache.hadoop.fs.Path("/" + value), new MapWork());
    print("works of Utilities", before, works.keySet());
  }

  private static void objectCache(String value) throws Exception {
    ObjectRegistry registry = (ObjectRegistry) read(ObjectCache.class, "staticRegistry");
    Object before = registry == null ? null : registry.get("key");
    boolean configured = ObjectCache.isObjectRegistryConfigured();
    ObjectRegistryImpl ours = new ObjectRegistryImpl();
    ours.cacheForSession("key", value);
    ObjectCache.setupObjectRegistry(ours);
    print("ObjectCache", configured, ObjectCache.isObjectRegistryConfigured());
    ObjectRegistry now = (ObjectRegistry) read(ObjectCache.class, "staticRegistry");
    print("ObjectRegistry", before, now.get("key"));
  }

  @SuppressWarnings("unchecked")
  private static void tezConfiguration(String value) throws Exception {
    Class.forName(TezConfiguration.class.getName());
    Map<String, Scope> scopes = (Map<String, Scope>) read(TezConfiguration.class, "PropertyScope");
    Object before = scopes.get("the one");
    scopes.put("the one", value.length() > 5 ? Scope.DAG : Scope.AM);
    print("TezConfiguration", before, scopes.get("the one"));
  }

  private static void defaultResources(String value) {
    String before = new TezConfiguration().toString();
    Configuration.addDefaultResource("none-" + value + ".xml");
    print("Configuration", before, new TezConfiguration());
  }

  private static void sessionState(String value) {
    SessionState before = SessionState.get();
    SessionState.setCurrentSessionState(new SessionState(new HiveConf(), value));
    print("SessionState", before, SessionState.get().getUserName());
  }

  private static void deadline(String value) throws Exception {
    ThreadLocal<?> deadlines = (ThreadLocal<?>) read(Deadline.class, "DEADLINE_THREAD_LOCAL");
    Object before = deadlines.get();
    Deadline.registerIfNot(100_000);
    Deadline.startTimer(value);
    print("Deadline", before, deadlines.get() != null);
  }

  private static void perfLogger() throws Exception {
    ThreadLocal<?> loggers = (ThreadLocal<?>) read(PerfLogger.class, "perfLogger");
    Object before = loggers.get();
    PerfLogger.getPerfLogger(new HiveConf(), false);
    print("PerfLogger", before, loggers.get() != null);
  }
}
