// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import com.sun.tools.attach.VirtualMachine;

/** Starts a management agent on the thread of its own JVM that serves attached tools. */
public class Attaches {
  public static void main(String[] args) throws Exception {
    VirtualMachine vm = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
    System.out.println("agent: " + vm.startLocalManagementAgent().startsWith("service:jmx:"));
    vm.detach();
  }
}
