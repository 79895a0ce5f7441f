// SPDX-License-Identifier: LGPL-2.1-or-later
/* Asks losslessd-switch, and keeps what it says. */
#include "lib/node/switches.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

/* ---- what the file says ---- */

static void say(struct switch_state *state, enum switch_calm calm, enum verdict verdict,
		const char *words)
{
	state->calm = calm;
	state->verdict = verdict;
	(void)snprintf(state->reason, sizeof(state->reason), "%.*s",
		       (int)sizeof(state->reason) - 1, words);
}

struct listing {
	const struct spec *spec;
	const char *node;
	struct switch_state *state;
};

/* Those of this node. */
static int list_cable(const struct spec_cable *from, void *data)
{
	const struct listing *listing = data;
	struct switch_cable cable = {};

	if (!spec_node_is(listing->spec, from->node, listing->node))
		return 0;
	(void)snprintf(cable.port, sizeof(cable.port), "%s", from->port);
	(void)snprintf(cable.device, sizeof(cable.device), "%s", from->device);
	return switch_state_add_cable(listing->state, &cable);
}

static int list_one(const struct spec *spec, size_t index, const char *node,
		    struct switch_states *ret)
{
	struct switch_state *state = switch_states_add(ret, spec_switch_name(spec, index));
	struct switch_wish wish = {};
	struct listing listing = { spec, node, state };
	char words[FINDING_TEXT_MAX];
	int r;

	if (!state)
		return -ENOMEM;
	spec_switch_owner(spec, index, state->owner, sizeof(state->owner));
	state->mine = spec_node_is(spec, state->owner, node);
	r = spec_switch_access(spec, index, &wish);
	if (r < 0)
		return r;
	(void)snprintf(state->dialect, sizeof(state->dialect), "%s", wish.dialect);
	(void)snprintf(state->address, sizeof(state->address), "%s", wish.address);
	state->manage = wish.manage;
	switch_wish_done(&wish);
	/* Another node's are not read here: nothing to compare with */
	if (state->mine)
		r = spec_switch_cables(spec, index, list_cable, &listing);
	if (r < 0)
		return r;
	if (!state->mine) {
		(void)snprintf(words, sizeof(words), "owner is %s", state->owner);
		say(state, SWITCH_OF_ANOTHER, VERDICT_UNKNOWN, words);
	} else if (state->manage == MANAGE_RENDER)
		say(state, SWITCH_NOT_ASKED, VERDICT_UNKNOWN,
		    "manage is render: losslessctl switch render has the lines to paste");
	else
		say(state, SWITCH_ASKED, VERDICT_UNKNOWN, "not asked yet");
	return 0;
}

int switches_list(const struct spec *spec, const char *node, struct switch_states *ret)
{
	struct switch_states states = {};
	int r = 0;

	for (size_t i = 0; r == 0 && i < spec_switch_count(spec); i++)
		r = list_one(spec, i, node, &states);
	if (r < 0)
		switch_states_done(&states);
	else
		*ret = states;
	return r;
}

void switches_say(struct switch_states *states, enum switch_calm calm, const char *words)
{
	for (size_t i = 0; i < states->n; i++) {
		struct switch_state *state = &states->list[i];

		if (state->calm != SWITCH_ASKED)
			continue;
		switch_state_clear(state);
		say(state, calm, VERDICT_UNKNOWN, words);
	}
}

enum exit_status switches_exit(const struct switch_states *states)
{
	enum exit_status worst = STATUS_OK;

	for (size_t i = 0; i < states->n; i++)
		worst = exit_worse(worst, switch_state_exit(&states->list[i]));
	return worst;
}

bool switches_drift(const struct switch_states *states)
{
	for (size_t i = 0; i < states->n; i++)
		for (size_t k = 0; k < states->list[i].n; k++)
			if (switch_finding_is_change(&states->list[i],
						     &states->list[i].findings[k]))
				return true;
	return false;
}

int switch_record_format(const struct switch_state *before, char **ret)
{
	size_t size;
	FILE *out = open_memstream(ret, &size);

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < before->n; i++)
		if (switch_finding_is_change(before, &before->findings[i]))
			(void)fprintf(out, "%s\t%s\t%s\n", before->findings[i].port,
				      switch_knob_table[before->findings[i].knob].name,
				      before->findings[i].have);
	return fclose(out) == 0 ? 0 : -ENOMEM;
}

/* ---- asking ---- */

void switch_run_done(struct switch_run *run)
{
	free(TAKE_PTR(run->job));
	run->n_open = 0;
}

/* The file, and behind a zero the record, in a memfd that nobody can change any more. */
static int seal_text(const char *text, size_t size, const char *record)
{
	_cleanup_close_ int fd = memfd_create("fabric", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	size_t more = record ? strlen(record) + 1 : 0;
	int ret;

	if (fd < 0 || pwrite(fd, text, size, 0) != (ssize_t)size)
		return -EIO;
	if (more && (pwrite(fd, "", 1, (off_t)size) != 1 ||
		     pwrite(fd, record, more - 1, (off_t)size + 1) != (ssize_t)more - 1))
		return -EIO;
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0)
		return -errno;
	ret = fd;
	fd = -1;
	return ret;
}

static int send_with(int fd, const struct switch_request *request, int text_fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {};
	struct iovec from = { (void *)request, sizeof(*request) };
	struct msghdr message = {
		.msg_iov = &from,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &text_fd, sizeof(text_fd));
	return sendmsg(fd, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static uint32_t deadline(enum switch_verb verb)
{
	return verb == SWITCH_PUSH || verb == SWITCH_RETURN ? SWITCH_PUSH_MS : SWITCH_READ_MS;
}

int switch_run_ask(struct switch_run *run, size_t index, enum switch_verb verb, const char *text,
		   size_t size, const char *record, uint32_t trial_s)
{
	struct switch_state *state = &run->states->list[index];
	_cleanup_close_ int text_fd = seal_text(text, size, record);
	struct switch_call call = {
		.job = run->last_job + 1,
		.deadline_ms = deadline(verb),
		.text_size = (uint32_t)(size + (record ? strlen(record) + 1 : 0)),
		.trial_s = trial_s,
		.verb = verb,
	};
	struct switch_request request;
	int r;

	if (text_fd < 0)
		return text_fd;
	if (!run->job)
		run->job = calloc(MAX(run->states->n, (size_t)1), sizeof(*run->job));
	if (!run->job)
		return -ENOMEM;
	(void)snprintf(call.name, sizeof(call.name), "%s", state->name);
	switch_request_encode(&call, &request);
	r = send_with(run->fd, &request, text_fd);
	if (r < 0)
		return r;
	*state->warning = '\0';
	/* Nothing of it is known until it answers */
	if (!state->read_s)
		say(state, SWITCH_ASKED, VERDICT_PENDING, "is being asked");
	run->n_open += !run->job[index];
	run->job[index] = run->last_job = call.job;
	return 0;
}

/* ---- what comes back ---- */

/* The first finding, or the result: what was known is no longer so. */
static void begin_anew(struct switch_state *state)
{
	char warning[sizeof(state->warning)];

	if (!state->read_s)
		return;
	memcpy(warning, state->warning, sizeof(warning));
	switch_state_clear(state);
	memcpy(state->warning, warning, sizeof(warning));
}

static void take_finding(struct switch_state *state, const struct switch_reply *reply)
{
	struct switch_finding finding;

	if (switch_finding_parse(reply->text, reply->verdict, &finding) == 0)
		(void)switch_state_add(state, &finding);
}

static void take_result(struct switch_state *state, const struct switch_reply *reply)
{
	say(state, SWITCH_ASKED, reply->verdict, reply->text);
	state->read_s = time(NULL);
}

static void take(struct switch_run *run, size_t index, const struct switch_reply *reply)
{
	struct switch_state *state = &run->states->list[index];

	switch ((enum switch_kind)reply->kind) {
	case SWITCH_PROGRESS:
		if (run->progress)
			run->progress(state, reply->text, run->data);
		return;
	case SWITCH_WARNING:
		(void)snprintf(state->warning, sizeof(state->warning), "%.*s",
			       (int)sizeof(state->warning) - 1, reply->text);
		return;
	case SWITCH_LINE:
	case SWITCH_UNDO:
		if (run->line)
			run->line(state, reply->kind == SWITCH_UNDO, reply->text, run->data);
		return;
	case SWITCH_FINDING:
		begin_anew(state);
		take_finding(state, reply);
		return;
	case SWITCH_RESULT:
		begin_anew(state);
		take_result(state, reply);
		run->job[index] = 0;
		run->n_open--;
		return;
	case SWITCH_KIND_MAX:
		break;
	}
}

/* Its jobs will not be answered any more. */
static int lose(struct switch_run *run)
{
	for (size_t i = 0; run->job && i < run->states->n; i++) {
		if (!run->job[i])
			continue;
		begin_anew(&run->states->list[i]);
		say(&run->states->list[i], SWITCH_ASKED, VERDICT_UNKNOWN,
		    "losslessd-switch went away before it answered");
		run->job[i] = 0;
	}
	run->n_open = 0;
	return -ECONNRESET;
}

int switch_run_hear(struct switch_run *run)
{
	while (run->n_open > 0) {
		char bytes[sizeof(struct switch_reply) + 1]; /* so that a longer one shows */
		struct switch_reply reply;
		ssize_t n;

		n = recv(run->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (n <= 0 || switch_reply_decode(bytes, (size_t)n, &reply) < 0)
			return lose(run);
		for (size_t i = 0; i < run->states->n; i++)
			if (reply.job && run->job[i] == reply.job) {
				take(run, i, &reply);
				break;
			}
	}
	return (int)run->n_open;
}

static int64_t now_ms(void)
{
	struct timespec now = {};

	(void)clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int switch_run_wait(struct switch_run *run, size_t most, unsigned int timeout_ms)
{
	int64_t end_ms = now_ms() + timeout_ms;
	int r;

	while ((r = switch_run_hear(run)) > (int)most) {
		int64_t left_ms = end_ms - now_ms();

		if (left_ms <= 0)
			return r;
		r = run->wait(run->fd, (unsigned int)left_ms, run->wait_data);
		if (r < 0 && r != -EINTR)
			return r;
	}
	return r;
}

int switch_run_poll(int fd, unsigned int timeout_ms, void *data)
{
	struct pollfd poll_fd = { fd, POLLIN, 0 };
	int r = poll(&poll_fd, 1, (int)timeout_ms);

	return r < 0 ? -errno : r;
}
