// SPDX-License-Identifier: LGPL-2.1-or-later
/* See scripted.h. */
#include "tests/switch/scripted.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "tests/support/cases.h"

enum { WORDS_MAX = 512, SPLITS = 20 };

enum split { WHOLE, BYTES, RANDOM };

struct scripted {
	struct channel channel;
	const struct scenario *scenario;
	size_t step, at; /* where it is */
	int paused_ms;
	int64_t now_ms;
	enum split split;
	unsigned int seed;
	size_t said, cut; /* bytes; closed behind .cut of them */
	bool closed;
	char wrong[256]; /* what should not have been sent */
};

static const struct step *step_of(const struct scripted *scripted)
{
	return &scripted->scenario->steps[scripted->step];
}

static void next(struct scripted *scripted)
{
	scripted->step++;
	scripted->at = 0;
	scripted->paused_ms = 0;
}

static size_t piece(struct scripted *scripted, size_t there)
{
	switch (scripted->split) {
	case WHOLE:
		return there;
	case BYTES:
		return 1;
	case RANDOM:
		return 1 + (size_t)rand_r(&scripted->seed) % there;
	}
	return there;
}

static long say(struct scripted *scripted, char *data, size_t size)
{
	const struct step *step = step_of(scripted);
	size_t left = strlen(step->text) - scripted->at, n;

	if (scripted->said == scripted->cut) {
		scripted->closed = true;
		return 0;
	}
	n = piece(scripted, MIN(left, size));
	n = MIN(n, scripted->cut - scripted->said);
	memcpy(data, step->text + scripted->at, n);
	scripted->at += n;
	scripted->said += n;
	if (n == left)
		next(scripted);
	return (long)n;
}

static long wait_for(struct scripted *scripted, int ms, int timeout_ms)
{
	int left = ms - scripted->paused_ms;

	if (ms >= 0 && left <= timeout_ms) {
		scripted->now_ms += left;
		next(scripted);
		return 1;
	}
	scripted->paused_ms += timeout_ms;
	scripted->now_ms += timeout_ms;
	return -ETIMEDOUT;
}

static long scripted_read(struct channel *channel, char *data, size_t size, int timeout_ms)
{
	struct scripted *scripted = (struct scripted *)channel;

	while (!scripted->closed) {
		const struct step *step = step_of(scripted);

		switch (step->kind) {
		case STEP_SAYS:
			return say(scripted, data, size);
		case STEP_PAUSE:
			if (wait_for(scripted, step->ms, timeout_ms) < 0)
				return -ETIMEDOUT;
			timeout_ms = MAX(timeout_ms - step->ms, 1);
			break;
		case STEP_CANCELS:
			next(scripted);
			return -ECANCELED;
		case STEP_BREAKS:
			return -ECONNRESET;
		case STEP_CLOSES:
			scripted->closed = true;
			break;
		case STEP_HEARS:
		case STEP_END:
			return wait_for(scripted, -1, timeout_ms);
		}
	}
	return 0;
}

static int scripted_write(struct channel *channel, const char *data, size_t size)
{
	struct scripted *scripted = (struct scripted *)channel;
	const struct step *step = step_of(scripted);

	if (scripted->closed)
		return -EPIPE;
	if (step->kind != STEP_HEARS || strlen(step->text) != size ||
	    memcmp(step->text, data, size) != 0)
		(void)snprintf(scripted->wrong, sizeof(scripted->wrong), "\"%.*s\" at step %zu",
			       (int)size, data, scripted->step);
	else
		next(scripted);
	return 0;
}

static int64_t scripted_now(struct channel *channel)
{
	return ((struct scripted *)channel)->now_ms;
}

static const struct channel_ops scripted_ops = {
	.read = scripted_read,
	.write = scripted_write,
	.now_ms = scripted_now,
};

/* ---- what has to come of it ---- */

static bool unfinished(enum session_end end)
{
	return end == SESSION_LOST || end == SESSION_TRUNCATED;
}

static void check_words(const char *name, const char *got, const char *want, const char *secret)
{
	if (want && !strstr(got, want))
		fail_msg("%s: the words are \"%s\", want \"%s\"", name, got, want);
	if (secret && strstr(got, secret))
		fail_msg("%s: a secret is in the words", name);
}

/* Returns false if the stream was cut there. */
static bool act(const char *name, const struct scripted *scripted, struct session *session,
		const struct action *action)
{
	const char *secret = scripted->scenario->password;
	_cleanup_free_ char *answer = NULL;
	char words[WORDS_MAX], what[WORDS_MAX];
	enum session_end end;
	size_t size = 0;

	(void)snprintf(what, sizeof(what), "%s: \"%s\"", name, action->line);
	end = session_line(session, action->line, action->where, action->mode, &answer, &size,
			   words, sizeof(words));
	if (scripted->cut != SIZE_MAX && scripted->closed && unfinished(end))
		return false;
	check_words(what, words, action->words, secret);
	case_equal(what, end, action->end);
	if (action->answer) {
		case_string(what, answer ? answer : "(none)", action->answer);
		case_equal(what, size, strlen(action->answer));
	}
	if (action->is_mode)
		case_string(what, session_mode(session), action->is_mode);
	if (action->is_mark)
		case_string(what, session_mark(session), action->is_mark);
	return true;
}

static void check_open(const char *name, const struct scenario *scenario,
		       const struct session *session)
{
	const char *warning = session_warning(session, 0);

	if (scenario->host)
		case_string(name, session_host(session), scenario->host);
	if (!scenario->warning)
		case_string(name, warning ? warning : "no warning", "no warning");
	else if (!warning || !strstr(warning, scenario->warning))
		fail_msg("%s: the warning is \"%s\"", name, warning ? warning : "");
}

static void play(const char *name, struct scripted *scripted)
{
	const struct scenario *scenario = scripted->scenario;
	struct session *session = NULL;
	char words[WORDS_MAX];
	enum session_end end;
	size_t n_allowed = 0;

	while (n_allowed < ASKS_MAX && scenario->allowed[n_allowed].pattern)
		n_allowed++;
	end = session_open(scenario->rules, &scripted->channel, &scripted_limits, scenario->allowed,
			   n_allowed, scenario->password, &session, words, sizeof(words));
	if (scripted->cut != SIZE_MAX && scripted->closed && unfinished(end))
		return;
	check_words(name, words, scenario->words, scenario->password);
	case_equal(name, end, scenario->open);
	if (!session)
		return;
	check_open(name, scenario, session);
	for (size_t i = 0; i < ACTIONS_MAX && scenario->actions[i].line; i++)
		if (!act(name, scripted, session, &scenario->actions[i]))
			break;
	(void)session_free(session);
}

static size_t play_split(const struct scenario *scenario, enum split split, unsigned int seed,
			 size_t cut)
{
	static const char *const names[] = { "whole", "byte by byte", "split at random" };
	struct scripted scripted = {
		.channel = { &scripted_ops },
		.scenario = scenario,
		.split = split,
		.seed = seed,
		.cut = cut,
	};
	char name[256];

	(void)snprintf(name, sizeof(name), "%s (%s, %u, cut %zd)", scenario->name, names[split],
		       seed, (ssize_t)cut);
	play(name, &scripted);
	if (scripted.wrong[0])
		fail_msg("%s: it was sent %s", name, scripted.wrong);
	if (cut == SIZE_MAX && step_of(&scripted)->kind != STEP_END &&
	    step_of(&scripted)->kind != STEP_CLOSES && step_of(&scripted)->kind != STEP_BREAKS)
		fail_msg("%s: step %zu was not reached", name, scripted.step);
	return scripted.said;
}

void scenario_run(const struct scenario *scenario)
{
	size_t all = play_split(scenario, WHOLE, 0, SIZE_MAX);

	(void)play_split(scenario, BYTES, 0, SIZE_MAX);
	for (unsigned int seed = 1; seed <= SPLITS; seed++)
		(void)play_split(scenario, RANDOM, seed, SIZE_MAX);
	for (size_t cut = 0; cut < all; cut++)
		(void)play_split(scenario, WHOLE, 0, cut);
}
