// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/** Every attribute of every bean of the platform, but for those that no two JVMs have in common. */
public class Attributes extends Kind {
  /** Of this process and this moment; how much has been used, which two stock JVMs differ in. */
  private static final Pattern OF_THE_MOMENT =
      Pattern.compile(
          "MBeanServerDelegate,MBeanServerId|Runtime,(Name|Pid|StartTime|Uptime)"
              + "|Compilation,TotalCompilationTime"
              + "|OperatingSystem,(.*Load|SystemLoadAverage|ProcessCpuTime|Free.*Size"
              + "|CommittedVirtualMemorySize)"
              + "|Threading,(Current|Total)Thread.*(Bytes|Time)");

  /** What goes on over runs, as docs/differences.md says. */
  private static final Pattern GOES_ON =
      Pattern.compile(
          "ClassLoading,(LoadedClassCount|TotalLoadedClassCount)"
              + "|OperatingSystem,OpenFileDescriptorCount");

  /** Parts of values that are of the moment; of what a collection has left they are of none. */
  private static final Pattern PARTS_OF_THE_MOMENT = Pattern.compile("committed|used|id");

  private static final String NOT_OF_THE_MOMENT = "CollectionUsage";

  private static String text(Object value) {
    if (value instanceof CompositeData data) {
      return data.getCompositeType().keySet().stream()
          .filter(key -> !PARTS_OF_THE_MOMENT.matcher(key).matches())
          .sorted()
          .map(key -> key + "=" + text(data.get(key)))
          .collect(Collectors.joining(",", "{", "}"));
    } else if (value instanceof TabularData table) {
      return table.values().stream().map(Attributes::text).sorted().toList().toString();
    } else if (value instanceof Object[] array) {
      return Arrays.stream(array).map(Attributes::text).toList().toString();
    } else if (value instanceof long[] array) {
      return Arrays.toString(array);
    }
    return String.valueOf(value);
  }

  private static List<MBeanAttributeInfo> sorted(MBeanAttributeInfo[] attributes) {
    return Arrays.stream(attributes)
        .sorted(Comparator.comparing(MBeanAttributeInfo::getName))
        .toList();
  }

  @Override
  protected void dirty() throws Exception {
    KEPT.add(new byte[100][1 << 20]);
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    for (ObjectName name : server.queryNames(null, null)) {
      for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
        if (attribute.isWritable() && attribute.getType().equals("boolean")) {
          boolean now = (Boolean) server.getAttribute(name, attribute.getName());
          server.setAttribute(name, new Attribute(attribute.getName(), !now));
        }
      }
    }
    new Beans().dirty(); // those that are not boolean
  }

  @Override
  protected void probe() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    for (ObjectName name : new TreeSet<>(server.queryNames(null, null))) {
      // Their order is that of getMethods.
      for (MBeanAttributeInfo attribute : sorted(server.getMBeanInfo(name).getAttributes())) {
        String full = name.getKeyProperty("type") + "," + attribute.getName();
        if (OF_THE_MOMENT.matcher(full).matches() || GOES_ON.matcher(full).matches()) {
          show(name + " " + attribute.getName(), () -> "-");
        } else {
          show(
              name + " " + attribute.getName(),
              () -> {
                Object value = server.getAttribute(name, attribute.getName());
                return attribute.getName().equals(NOT_OF_THE_MOMENT)
                    ? ((CompositeData) value).values()
                    : text(value);
              });
        }
      }
    }
  }
}
