/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A job with one switch, in its child: what the file says of it, its dialect, its credentials, the
 * connection. What is done there is the verb's.
 */
#pragma once

#include "daemon/switch-job.h"
#include "lib/spec/switch.h"
#include "lib/switch/credential.h"
#include "lib/switch/drive.h"
#include "lib/switch/ssh.h"

struct visit {
	const struct switch_work *work;
	char *words;			/* of the result */
	size_t size;
	const char *record;		/* what came behind the file */
	struct spec *spec;
	struct switch_wish wish;
	struct dialect *dialect;
	struct credential key, password, enable;
	struct ssh_peer *peer;
	struct session *session;
	struct session_ask *answers;
	struct drive drive;
};

void visit_done(struct visit *visit);

/*
 * The file, the switch in it, and its dialect. Returns 0; or -1 with the words of the result and
 * @ret_verdict.
 */
int visit_prepare(struct visit *visit, const struct switch_work *work, char *words, size_t size,
		  enum verdict *ret_verdict);

/* Log in. The same. */
int visit_open(struct visit *visit, enum verdict *ret_verdict);

/* Log in once more, with the words of the result as they are. Returns false if it cannot be. */
bool visit_open_again(struct visit *visit);

/* How its host is reached and its key is checked; what is in @ret is the visit's. */
int visit_ssh_options(struct visit *visit, struct ssh_options *ret, enum verdict *ret_verdict);
void visit_ssh_done(struct ssh_options *options);

/* What the end of a line, or of a connection, means for a knob that was to be read. */
enum verdict visit_session_verdict(enum session_end end);
enum verdict visit_ssh_verdict(enum ssh_end end);

/* The job is to end: set by SIGTERM. */
extern volatile sig_atomic_t visit_cancelled;
