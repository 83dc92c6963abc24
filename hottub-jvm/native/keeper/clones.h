// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_CLONES_H_
#define HOTTUB_CLONES_H_

// Clones: copies of a JVM that is trained and rests for good, its template. Each serves one run,
// and has a keeper of its own, which is a child of the template's.

#include "keeper.h"

// Whether the JVM, which is about to be idle, is trained.
bool clones_may_begin(struct keeper *k);

// The JVM is the template of its fingerprint, or is it still. False if there is another one.
bool clones_begin(struct keeper *k);
void clones_end(struct keeper *k);

// Whether the JVM is trained in vain: another one of its fingerprint is the template.
bool clones_is_spare(const struct keeper *k);

// Whether clones have been refused just now: then asking for more would cost every run a try.
bool clones_are_refused(const struct keeper *k);
void clones_refused(struct keeper *k, const char *why);

// Asks the template for a clone. Its keeper gets `connection`, or -1: then it is ready for whoever
// comes. With a generation above 0 the clone is to be trained further. False if it cannot be asked.
bool clones_request(struct keeper *k, int connection, uint32_t generation);

// The template has answered to one request.
void clones_answered(struct keeper *k);

// Makes a clone for the client with that connection, and keeps one more ready from now on; or, for
// -1, one that is ready, if the pool has room for it.
void clones_serve(struct keeper *k, int connection);

// Asks for one that is trained further, if the pool has room for it.
bool clones_train(struct keeper *k, uint32_t generation);

// As clones_serve, but once the first clone is made. Takes the connection; if it is given up, the
// client sees its end, and runs cold. False if there are too many.
bool clones_ask_later(struct keeper *k, int connection);
void clones_serve_askers(struct keeper *k);
void clones_give_up_askers(struct keeper *k);

// Of a clone: a run has it, and its template is to make another one; or the run has ended.
void clones_taken(struct keeper *k);
void clones_ran(struct keeper *k);

// Of a template that has ended because it was asked to: so are the clones that wait for a run.
// Those that have one, or were made for one, go on.
void clones_retire(const struct keeper *k);

#endif  // HOTTUB_CLONES_H_
