// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBATTACH_HPP
#define SHARE_HOTTUB_HOTTUBATTACH_HPP

#include <sys/socket.h>

#include "memory/allStatic.hpp"

class JavaThread;

// Tools that attach (jcmd, jstack) make the VM start a thread and open sockets, one of them for as
// long as the thread lives. A later run may bring a descriptor of the same number, and sees the
// thread.
class HotTubAttach : AllStatic {
 public:
  // Moves a socket to where no run has descriptors. Takes -1, and returns what it got if it cannot.
  static int lift(int socket);

  // As accept(2), which would hold the lowest free number for as long as it waits.
  static int accept(int listener, struct sockaddr* address, socklen_t* length);

  // Ends thread and socket; the next tool gets others. A tool that is being served keeps them, and
  // they end after it. With options by which the VM starts with the thread (-Xrs), it stays.
  static void end(JavaThread* current);
};

#endif  // SHARE_HOTTUB_HOTTUBATTACH_HPP
