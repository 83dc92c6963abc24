// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "endpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "worth.h"

struct name {
  char text[32];
};

static struct name name_for(const char *prefix, pid_t keeper) {
  struct name name;
  snprintf(name.text, sizeof name.text, "%s%d", prefix, (int)keeper);
  return name;
}

// The name of a socket of this keeper.
static struct name name_of(const char *prefix) { return name_for(prefix, getpid()); }

static const char *shown_prefix(bool idle) { return idle ? POOL_IDLE_PREFIX : POOL_BUSY_PREFIX; }

static void remove_socket(int dir, const char *prefix) { unlinkat(dir, name_of(prefix).text, 0); }

static int listen_for(int dir, const char *prefix) {
  remove_socket(dir, prefix);  // of our pid it can only be left over from a dead keeper
  return pool_listen(dir, name_of(prefix).text);
}

int endpoint_open(struct keeper *k) {
  if (mkdirat(k->user_dir, k->fingerprint, 0700) != 0 && errno != EEXIST) return -1;
  k->pool_dir =
      openat(k->user_dir, k->fingerprint, O_DIRECTORY | O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  // The JVM rests there, so that this is where the report of a crash between runs goes.
  if (k->pool_dir < 0 || fchdir(k->pool_dir) != 0 || log_open(k) != 0) return -1;

  // Clients read a folder of its own, where nothing is ever renamed: a rename waits for those who
  // are reading, and others who want to read wait behind it.
  if (mkdirat(k->pool_dir, POOL_OFFERS, 0700) != 0 && errno != EEXIST) return -1;
  k->offers_dir = openat(k->pool_dir, POOL_OFFERS, O_DIRECTORY | O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (k->offers_dir < 0) return -1;

  k->claims = pool_claims_open(k->user_dir);
  if (k->claims < 0) return -1;
  if (!endpoint_claim(k)) {  // by a client that takes us for a dead keeper of our pid
    errno = EAGAIN;
    return -1;
  }
  remove_socket(k->pool_dir, POOL_IDLE_PREFIX);
  // First the one by which others see that we live.
  k->listener = listen_for(k->pool_dir, POOL_BUSY_PREFIX);
  k->wake = listen_for(k->offers_dir, POOL_WAKE_PREFIX);
  k->offers = listen_for(k->offers_dir, POOL_OFFER_PREFIX);
  return k->wake < 0 || k->offers < 0 || k->listener < 0 ? -1 : 0;
}

bool endpoint_claim(struct keeper *k) { return pool_claim(k->claims, getpid()); }

static void release_claim(struct keeper *k) {
  if (k->run_claim >= 0) close(k->run_claim);
  k->run_claim = -1;
  pool_unclaim(k->claims, getpid());
}

static void rename_socket(struct keeper *k, bool idle) {
  if (k->shown_idle == idle) return;
  struct name from = name_of(shown_prefix(k->shown_idle)), to = name_of(shown_prefix(idle));
  if (renameat(k->pool_dir, from.text, k->pool_dir, to.text) != 0) {
    // Nobody can reach us any more. The lease, if there is one, may end in peace.
    log_line(k, "cannot rename socket %s: %s; retiring after the lease", from.text,
             strerror(errno));
    k->retire_after_lease = true;
    k->retire_reason = RETIRED_SOCKET_LOST;
  }
  k->shown_idle = idle;
}

void endpoint_show(struct keeper *k, bool idle) {
  if (idle) {
    // Clients take the one used last. A clone goes after a JVM that is to follow its template.
    static const struct timespec never[2] = {{0}};
    utimensat(k->offers_dir, name_of(POOL_OFFER_PREFIX).text, k->is_clone ? never : NULL,
              AT_SYMLINK_NOFOLLOW);
    // Before the name says so: who has seen the JVM idle can have it.
    release_claim(k);
  }
  rename_socket(k, idle);
}

void endpoint_clear_up(struct keeper *k, pid_t dead) {
  unlinkat(k->pool_dir, name_for(POOL_IDLE_PREFIX, dead).text, 0);
  unlinkat(k->pool_dir, name_for(POOL_BUSY_PREFIX, dead).text, 0);
  unlinkat(k->offers_dir, name_for(POOL_OFFER_PREFIX, dead).text, 0);
  unlinkat(k->offers_dir, name_for(POOL_WAKE_PREFIX, dead).text, 0);
  worth_remove(k->pool_dir, dead);
}

bool endpoint_is_lost(struct keeper *k) {
  struct stat info;
  bool is_lost = fstat(k->pool_dir, &info) == 0 && info.st_nlink == 0;
  if (is_lost) k->retire_reason = RETIRED_SOCKET_LOST;
  return is_lost;
}

void endpoint_remove(struct keeper *k) {
  remove_socket(k->pool_dir, shown_prefix(k->shown_idle));
  remove_socket(k->offers_dir, POOL_OFFER_PREFIX);
  remove_socket(k->offers_dir, POOL_WAKE_PREFIX);
}
