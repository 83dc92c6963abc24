// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_POOL_H_
#define HOTTUB_POOL_H_

// What client and keeper both know of a user's folder in the pool: limits, and sockets by name.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reason.h"

#define POOL_FINGERPRINT_CHARS 32  // hex digits in the name of a fingerprint's folder
#define POOL_IDLE_PREFIX "i-"
#define POOL_BUSY_PREFIX "b-"
#define POOL_OFFERS "offers"    // folder below that of a fingerprint; nothing in it is renamed
#define POOL_OFFER_PREFIX "l-"  // socket in it where runs are offered
#define POOL_WAKE_PREFIX "w-"   // socket in it that wakes the keeper
#define POOL_WORTH_PREFIX "v-"  // file about a JVM, see worth.h
#define POOL_DRAFT_PREFIX "d-"  // that file before it is complete
#define POOL_TEMPLATE \
  "template"                    // symbolic link: the pid of the keeper of a fingerprint's template
#define POOL_DRAINED "drained"  // mark in the user's folder, or in that of a fingerprint
#define POOL_CRASHING "crashing"  // mark in the folder of a fingerprint, until its time
#define POOL_CONFLICT "conflict"  // likewise

// How much of a process that has served another run a run may be served by.
enum isolation {
  ISOLATION_REUSE,  // the process itself, reset
  ISOLATION_CLONE,  // a copy of one, which ends with the run
  // A copy of one in which nothing has run but recipes.
  ISOLATION_STRICT,
};

struct pool_limits {
  bool disabled;
  enum isolation isolation;
  uint32_t training_runs;  // at most, before a JVM becomes a template
  uint32_t max_jvms;
  uint32_t max_jvms_per_fingerprint;
  uint32_t idle_seconds;
  uint32_t max_leases;
  uint64_t memory_kb;  // of all idle JVMs
};

// The optional file of the limits. False if there is none, or it is empty.
#define POOL_LIMITS "limits"
#define POOL_LIMITS_MAX_BYTES 4096
bool pool_limits_text(int user_dir, char text[POOL_LIMITS_MAX_BYTES + 1]);

// Puts a file into its place, by way of a draft, at once or not at all. False with errno.
bool pool_replace(int folder, const char *name, const char *draft, const char *text, size_t length);

// Reads the optional file `limits`; what it does not say keeps its default, which depends on the
// memory of the machine.
void pool_limits_read(int user_dir, struct pool_limits *limits);

// What they are on a machine of that much memory.
struct pool_limits pool_limits_of_machine(uint64_t memory_kb);

// Why no JVM may be leased or started for a fingerprint now; COLD_NONE if nothing speaks against
// it. Somebody has drained the node or the fingerprint, the pool service has seen its JVMs crash
// too often, or a keeper that one run's classes were in the way of another's: closed until the time
// that the mark carries.
enum cold_reason pool_closed(int user_dir, const char *fingerprint);

// Closes a fingerprint by this mark in its folder, for as long as such a mark is valid. False with
// errno.
bool pool_close_for_a_day(int fingerprint_dir, const char *mark);

// The pid of the keeper that has a file of that name.
int32_t pool_keeper_of(const char *name);

// Whether there is a keeper of that pid, without asking it. The number of a dead one may belong to
// another process by now.
bool pool_keeper_lives(int32_t keeper);

// Whether the keeper lives that has its sockets in a fingerprint's folder `dir`. One of another pid
// namespace, which is not to be seen, is asked: that wakes it.
bool pool_keeper_answers(int dir, int32_t keeper);

// The keeper of the template of a fingerprint, whose folder `dir` is; 0 if there is none, or it has
// ended.
int32_t pool_template(int dir);

// Whether it is the name of a fingerprint's folder.
bool pool_is_fingerprint(const char *name);

// Connects to the socket `name` in `dir` without waiting (a descriptor instead of a path: the path
// may be longer than an address allows, and cannot be exchanged meanwhile). The descriptor,
// non-blocking and close-on-exec, or -1 with errno: ECONNREFUSED means that nobody listens any
// more, EPERM that another user does.
int pool_connect(int dir, const char *name);

// Makes a listening socket `name` in `dir`, mode 0600, non-blocking and close-on-exec. -1 with
// errno.
int pool_listen(int dir, const char *name);

// Opens the file `claims` and makes it where it is missing: a descriptor (close-on-exec), or -1.
int pool_claims_open(int user_dir);

// Takes the lock of a JVM, by the pid of its keeper: whoever has it may use the JVM. A lock belongs
// to the open file, not to the process: it goes with the descriptor to whom that is sent, and ends
// when the last one is closed. False if somebody else has it. Where there are no such locks, the
// keeper alone decides: true.
bool pool_claim(int claims, int32_t keeper);
void pool_unclaim(int claims, int32_t keeper);

// True if somebody else has the lock: then the keeper lives, and the JVM is in use.
bool pool_is_claimed(int claims, int32_t keeper);

// True if the other end runs under our effective uid. *pid (may be NULL) is its process.
bool pool_peer_is_own(int socket, int32_t *pid);

#endif  // HOTTUB_POOL_H_
