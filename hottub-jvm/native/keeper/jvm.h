// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_JVM_H_
#define HOTTUB_JVM_H_

// The pooled JVM, which is a child of the keeper: start it, talk to it, signal it, reap it.

#include <stdbool.h>
#include <sys/types.h>

#include "keeper.h"

int jvm_start(struct keeper *k);  // 0, or -1 after a line in the log

// Takes a clone, which is a child of this process already.
void jvm_adopt(struct keeper *k, pid_t jvm, int control, int control_number, uint32_t generation);

// Its next message, without waiting; false if there is none.
bool jvm_receive(struct keeper *k, struct control_message *message);

// No more messages: its end of the socket is closed, or it has sent what it must not send.
void jvm_hang_up(struct keeper *k, bool malformed);

// Takes what it has printed into the log.
void jvm_output_readable(struct keeper *k);

// Its pid if it has ended, with the status of waitpid; else 0.
pid_t jvm_reap(struct keeper *k, int *status);

int jvm_send_run(struct keeper *k);
void jvm_say(struct keeper *k, enum control_type type, const char *text);  // text may be NULL
void jvm_kill(struct keeper *k, const char *why);
void jvm_signal(struct keeper *k, int number);

// What it would do about a signal.
enum jvm_disposition { JVM_DEFAULT, JVM_IGNORES, JVM_CATCHES };
enum jvm_disposition jvm_disposition(const struct keeper *k, int number);
enum jvm_disposition disposition_of(pid_t process, int number);

#endif  // HOTTUB_JVM_H_
