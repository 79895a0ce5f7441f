// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Jobs as the bus sees them: asked for, followed, their results rendered once and kept for a while.
 * The report is written here, not by who asks, so that there is one text and one JSON of it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/bus-private.h"
#include "lib/base/cleanup.h"
#include "lib/reconcile/plan.h"

enum { WIDTH_MAX = 1000 };

/* What a job needs until it is done. */
struct asked {
	struct bus *bus;
	struct asked *next;
	enum job_kind kind;
	struct report_style style;
	uid_t uid;			/* who asks */
	sd_bus_message *answer;		/* to be filled; NULL: the result is kept, or he is gone */
};

void bus_job_path(uint64_t number, char path[64])
{
	(void)snprintf(path, 64, BUS_PATH "/job/%" PRIu64, number);
}

int bus_job_number(const char *path, uint64_t *ret)
{
	static const char prefix[] = BUS_PATH "/job/";
	char *end;

	if (strncmp(path, prefix, strlen(prefix)) != 0 || path[strlen(prefix)] < '0' ||
	    path[strlen(prefix)] > '9')
		return -EINVAL;
	errno = 0;
	*ret = strtoull(path + strlen(prefix), &end, 10);
	return errno || *end ? -EINVAL : 0;
}

static struct asked *asked_free(struct asked *asked)
{
	struct asked **at = &asked->bus->asked;

	while (*at && *at != asked)
		at = &(*at)->next;
	if (*at)
		*at = asked->next;
	(void)sd_bus_message_unref(asked->answer);
	free(asked);
	return NULL;
}

void bus_jobs_gone(const struct client *client)
{
	for (struct asked *asked = client->bus->asked; asked; asked = asked->next)
		if (asked->answer && sd_bus_message_get_bus(asked->answer) == client->connection)
			asked->answer = sd_bus_message_unref(asked->answer);
}

/* ---- results ---- */

static void result_done(struct result *result)
{
	free(result->text);
	free(result->json);
	free(result->errors);
	*result = (struct result){};
}

void bus_jobs_done(struct bus *bus)
{
	for (size_t i = 0; i < RESULTS_KEPT; i++)
		result_done(&bus->results[i]);
	while (bus->asked)
		(void)asked_free(bus->asked);
}

static struct result *find_result(struct bus *bus, uint64_t number)
{
	for (size_t i = 0; number && i < RESULTS_KEPT; i++)
		if (bus->results[i].number == number)
			return &bus->results[i];
	return NULL;
}

const struct result *bus_result(const struct bus *bus, uint64_t number)
{
	return find_result((struct bus *)bus, number);
}

static struct result *make_result(struct bus *bus, uint64_t number)
{
	struct result *result = &bus->results[bus->next_result++ % RESULTS_KEPT];

	result_done(result);
	result->number = number;
	return result;
}

static void render_errors(const struct job *job, const struct report *report,
			  const struct diags *diags, struct result *result)
{
	size_t size;
	FILE *out = open_memstream(&result->errors, &size);

	if (!out)
		return;
	if (diags && job->text)
		diags_write(diags, out, job->file, job->text, job->size);
	if (report && report->trouble)
		(void)fprintf(out, "losslessctl: %s\n", report->trouble);
	(void)fclose(out);
}

static void render(const struct job *job, const struct report *report, const struct diags *diags,
		   struct result *result)
{
	size_t size;
	FILE *out;

	result->done = true;
	result->exit = job->exit;
	render_errors(job, report, diags, result);
	out = open_memstream(&result->text, &size);
	if (out) {
		if (report && report->exit != STATUS_SPEC)
			report_write_text(report, &result->style, out);
		(void)fclose(out);
	}
	out = open_memstream(&result->json, &size);
	if (!out)
		return;
	if (report && report->exit != STATUS_SPEC)
		report_write_json(report, out);
	else if (diags)
		diags_write_json(diags, job->file, NULL, job->exit, out);
	(void)fclose(out);
}

/* ---- following ---- */

struct finished {
	char path[64];
	uint32_t exit;
};

static void send_finished(struct client *client, void *data)
{
	const struct finished *finished = data;

	(void)sd_bus_emit_signal(client->connection, finished->path, BUS_JOB, "Finished", "u",
				 finished->exit);
}

struct progress {
	char path[64];
	const char *target, *what;
	char knobs[256];	/* names with a blank between */
	uint32_t number, total;
};

static void send_progress(struct client *client, void *data)
{
	const struct progress *progress = data;

	(void)sd_bus_emit_signal(client->connection, progress->path, BUS_JOB, "Progress", "sssuu",
				 progress->target, progress->knobs, progress->what,
				 progress->number, progress->total);
}

static const char *outcome_word(enum step_outcome outcome)
{
	switch (outcome) {
	case STEP_PLANNED:
		return "begun";
	case STEP_DONE:
	case STEP_ALREADY:
		return "done";
	case STEP_STALE:
	case STEP_FAILED:
	case STEP_SKIPPED:
	case STEP_OUTCOME_MAX:
		break;
	}
	return "failed";
}

static void on_progress(struct job *job, const struct plan *plan, const struct step *step,
			size_t number, void *data)
{
	struct asked *asked = data;
	struct progress progress = {
		.target = plan->want->list[step->target].target.name,
		.what = outcome_word(step->outcome),
		.number = (uint32_t)number + 1,
		.total = (uint32_t)plan->n_steps,
	};

	for (size_t i = 0, at = 0; i < step->n_knobs && at < sizeof(progress.knobs); i++)
		at += (size_t)snprintf(progress.knobs + at, sizeof(progress.knobs) - at, "%s%s",
				       i ? " " : "", knob_table[step->knob[i]].name);
	bus_job_path(job->number, progress.path);
	bus_each(asked->bus, send_progress, &progress);
}

static void on_done(struct job *job, const struct report *report, const struct diags *diags,
		    void *data)
{
	struct asked *asked = data;
	struct result *result = find_result(asked->bus, job->number);
	struct finished finished = { .exit = job->exit };

	if (result)
		render(job, report, diags, result);
	bus_job_path(job->number, finished.path);
	bus_each(asked->bus, send_finished, &finished);
	job->data = asked_free(asked);
}

/* Nobody follows that: it is the answer. */
static void on_answer(struct job *job, const struct report *report, const struct diags *diags,
		      void *data)
{
	struct asked *asked = data;
	struct result result = { .style = asked->style };

	if (asked->answer) {
		render(job, report, diags, &result);
		if (sd_bus_message_append(asked->answer, "usss", (uint32_t)result.exit,
					  result.text ?: "", result.json ?: "",
					  result.errors ?: "") >= 0)
			(void)sd_bus_send(sd_bus_message_get_bus(asked->answer), asked->answer,
					  NULL);
		result_done(&result);
	}
	job->data = asked_free(asked);
}

/* ---- asking ---- */

static int take_option(sd_bus_message *message, const char *name, struct job *job,
		       struct report_style *style)
{
	const char *text;
	uint32_t number;
	int flag, r;

	if (strcmp(name, "file") == 0) {
		r = sd_bus_message_read(message, "v", "s", &text);
		if (r >= 0)
			(void)snprintf(job->file, sizeof(job->file), "%s", text);
		return r;
	}
	if (strcmp(name, "confirm-msec") == 0) {
		r = sd_bus_message_read(message, "v", "t", &job->confirm_ms);
		return r >= 0 && job->confirm_ms > CONFIRM_MAX_MS ? -ERANGE : r;
	}
	if (strcmp(name, "colour") == 0) {
		r = sd_bus_message_read(message, "v", "b", &flag);
		style->colour = r >= 0 && flag;
		return r;
	}
	if (strcmp(name, "width") == 0) {
		r = sd_bus_message_read(message, "v", "u", &number);
		style->width = r >= 0 && number <= WIDTH_MAX ? number : 0;
		return r;
	}
	return -EINVAL;
}

static int take_options(sd_bus_message *message, struct job *job, struct report_style *style)
{
	int r;

	r = sd_bus_message_enter_container(message, 'a', "{sv}");
	while (r >= 0 && (r = sd_bus_message_enter_container(message, 'e', "sv")) > 0) {
		const char *name;

		r = sd_bus_message_read(message, "s", &name);
		if (r >= 0)
			r = take_option(message, name, job, style);
		if (r >= 0)
			r = sd_bus_message_exit_container(message);
	}
	return r < 0 ? r : sd_bus_message_exit_container(message);
}

/* Returns the job with its options, NULL with @error. Consumes @text. */
static struct job *make_job(struct client *client, enum job_kind kind, char *text, size_t size,
			    sd_bus_message *options, sd_bus_error *error)
{
	struct asked *asked = calloc(1, sizeof(*asked));
	struct job *job = calloc(1, sizeof(*job));

	if (!asked || !job) {
		free(asked);
		free(job);
		free(text);
		(void)sd_bus_error_set_errno(error, ENOMEM);
		return NULL;
	}
	*asked = (struct asked){
		.bus = client->bus,
		.next = client->bus->asked,
		.kind = kind,
		.uid = client->uid,
	};
	client->bus->asked = asked;
	*job = (struct job){ .kind = kind, .text = text, .size = size, .data = asked };
	if (take_options(options, job, &asked->style) < 0) {
		(void)sd_bus_error_set(error, SD_BUS_ERROR_INVALID_ARGS,
				       "an option is not known, of another type, or out of range");
		(void)asked_free(asked);
		return job_free(job);
	}
	return job;
}

static int refuse_too_many(sd_bus_error *error)
{
	return sd_bus_error_set(error, SD_BUS_ERROR_LIMITS_EXCEEDED,
				"too much is asked already: try again");
}

static int hand_over(struct bus *bus, struct job *job, uint64_t *ret_number, sd_bus_error *error)
{
	struct asked *asked = job->data;

	*ret_number = manager_ask(bus->manager, job);
	if (*ret_number)
		return 0;
	(void)asked_free(asked);
	(void)job_free(job);
	return refuse_too_many(error);
}

int bus_ask(struct client *client, enum job_kind kind, char *text, size_t size,
	    sd_bus_message *message, uint64_t *ret_number, sd_bus_error *error)
{
	struct job *job = make_job(client, kind, text, size, message, error);
	struct result *result;
	struct asked *asked;
	int r;

	if (!job)
		return -sd_bus_error_get_errno(error);
	asked = job->data;
	job->done = on_done;
	job->progress = on_progress;
	r = hand_over(client->bus, job, ret_number, error);
	if (r < 0)
		return r;
	result = make_result(client->bus, *ret_number);
	result->style = asked->style;
	if (client->is_system)
		(void)snprintf(result->owner, sizeof(result->owner), "%s",
			       sd_bus_message_get_sender(message) ?: "");
	return 0;
}

/* Others than root only ask, and the count of who has gone stays his. */
static bool asks_too_much(const struct client *client, enum job_kind kind)
{
	size_t most = client->is_system ? QUESTIONS_OF_THE_BUS : QUESTIONS_OF_A_USER;
	size_t own = 0, others = 0, plans = 0;

	if (client->uid == 0)
		return false;
	for (const struct asked *asked = client->bus->asked; asked; asked = asked->next) {
		own += asked->uid == client->uid;
		others += asked->uid != 0;
		plans += asked->uid != 0 && asked->kind == JOB_PLAN;
	}
	return own >= most || others >= QUESTIONS_OF_OTHERS ||
	       (kind == JOB_PLAN && plans >= PLANS_OF_OTHERS);
}

int bus_ask_at_once(struct client *client, enum job_kind kind, char *text, size_t size,
		    sd_bus_message *message, sd_bus_error *error)
{
	struct asked *asked;
	uint64_t number;
	struct job *job;
	int r;

	if (!sd_bus_message_get_expect_reply(message)) {
		free(text);
		return 1;
	}
	if (asks_too_much(client, kind)) {
		free(text);
		return refuse_too_many(error);
	}
	job = make_job(client, kind, text, size, message, error);
	if (!job)
		return -sd_bus_error_get_errno(error);
	asked = job->data;
	job->done = on_answer;
	/* Not the message itself, and all the files that may have come with it */
	r = sd_bus_message_new_method_return(message, &asked->answer);
	if (r < 0) {
		(void)asked_free(asked);
		(void)job_free(job);
		return r;
	}
	r = hand_over(client->bus, job, &number, error);
	return r < 0 ? r : 1;
}
