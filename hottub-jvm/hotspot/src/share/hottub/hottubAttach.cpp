// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubAttach.hpp"
#include "hottub/hottubStopwatch.hpp"
#include "runtime/atomic.hpp"
#include "runtime/globals.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/os.hpp"
#include "runtime/threadSMR.hpp"
#include "services/attachListener.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

static const int first_lifted = 512;  // native/host/descriptors.c gives runs what is below
// A busy machine needs some time for it; what a tool asks for can take any.
static const long patience_us = 200 * 1000;

static JavaThread* volatile _listener = NULL;

int HotTubAttach::lift(int socket) {
  if (!UseHotTub || socket < 0 || socket >= first_lifted) {
    return socket;
  }
  const int lifted = ::fcntl(socket, F_DUPFD_CLOEXEC, first_lifted);
  if (lifted < 0) {
    return socket;
  }
  ::close(socket);
  return lifted;
}

int HotTubAttach::accept(int listener, struct sockaddr* address, socklen_t* length) {
  Atomic::release_store(&_listener, JavaThread::current());
  if (UseHotTub && listener >= 0) {
    struct pollfd waiting = {listener, POLLIN, 0};
    if (::poll(&waiting, 1, -1) < 0) {
      return -1;
    }
  }
  return lift(::accept(listener, address, length));
}

// As Threads::create_vm.
static bool is_there_from_the_start() {
  return StartAttachListener || AttachListener::init_at_startup();
}

void HotTubAttach::end(JavaThread* current) {
  if (!AttachListener::is_initialized() || is_there_from_the_start()) {
    return;
  }
  JavaThread* listener = Atomic::load_acquire(&_listener);
  AttachListener::abort();
  HotTubStopwatch watch;
  while (ThreadsListHandle().includes(listener) && watch.us() < patience_us) {
    ThreadBlockInVM blocked(current);
    os::naked_short_nanosleep(50 * 1000);
  }
}
