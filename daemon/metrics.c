// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The text format of Prometheus, version 0.0.4: HELP, TYPE, then one line for each value. What
 * losslessd counts itself begins at 0 with each start, as counters there may.
 */
#include "daemon/metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/base/utf8.h"
#include "lib/base/write.h"
#include "lib/report/facts.h"
#include "lib/report/switches.h"

/* Names come and go on a node that makes VFs: beyond that no new one is counted by itself */
enum { DRIFTS_MAX = 4096 };

/* Upper bounds of repair_seconds. */
static const struct {
	int64_t us;
	const char *le;
} buckets[] = {
	{ 10000, "0.01" },  { 50000, "0.05" },   { 100000, "0.1" },   { 250000, "0.25" },
	{ 500000, "0.5" },  { 1000000, "1" },    { 2500000, "2.5" },  { 5000000, "5" },
	{ 10000000, "10" }, { 30000000, "30" },  { 60000000, "60" },
};

struct drift {
	char target[SWITCH_NAME_MAX_BYTES + SWITCH_PORT_MAX];
	char knob[NAME_MAX_BYTES];
	uint64_t n;
};

struct metrics {
	char *path;
	char *temporary;	/* beside it, without .prom at its end: no collector reads it */
	char *text;		/* in the file now; NULL: nothing is */
	size_t size;
	struct drift *drifts;
	size_t n_drifts;
	size_t drifts_room;
	uint64_t took[ARRAY_SIZE(buckets)];	/* repairs up to that bound, not those before it */
	uint64_t took_n;
	int64_t took_sum_us;
};

/* ---- counting ---- */

static struct drift *need_drift(struct metrics *metrics, const char *target, const char *knob)
{
	struct drift *drift;

	for (size_t i = 0; i < metrics->n_drifts; i++) {
		drift = &metrics->drifts[i];
		if (strcmp(drift->target, target) == 0 && strcmp(drift->knob, knob) == 0)
			return drift;
	}
	if (metrics->n_drifts == DRIFTS_MAX ||
	    array_grow(&metrics->drifts, metrics->n_drifts, &metrics->drifts_room,
		       sizeof(*metrics->drifts)) < 0)
		return NULL;
	drift = &metrics->drifts[metrics->n_drifts++];
	*drift = (struct drift){};
	(void)snprintf(drift->target, sizeof(drift->target), "%s", target);
	(void)snprintf(drift->knob, sizeof(drift->knob), "%s", knob);
	return drift;
}

static void count_repair(struct metrics *metrics, int64_t took_us)
{
	if (took_us < 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(buckets); i++) {
		if (took_us > buckets[i].us)
			continue;
		metrics->took[i]++;
		break;
	}
	metrics->took_n++;
	metrics->took_sum_us += took_us;
}

void metrics_happening(struct metrics *metrics, const struct manager_happening *happening)
{
	struct drift *drift;

	if (happening->event == EVENT_DRIFT_REPAIRED)
		count_repair(metrics, happening->took_us);
	if (happening->event != EVENT_DRIFT_FOUND)
		return;
	drift = need_drift(metrics, happening->target ?: "", happening->knob ?: "");
	if (drift)
		drift->n++;
}

/* ---- text ---- */

static void head(FILE *out, const char *name, const char *type, const char *help)
{
	(void)fprintf(out, "# HELP losslessd_%s %s\n# TYPE losslessd_%s %s\n", name, help, name,
		      type);
}

/* Characters at the beginning of @text that stand for themselves: printable ASCII, as names are. */
static size_t plain_length(const char *text)
{
	size_t n = 0;

	while (text[n] >= ' ' && text[n] < 0x7f && text[n] != '"' && text[n] != '\\')
		n++;
	return n;
}

/* name="text" with what the format wants escaped, and nothing that is not UTF-8. */
static void label(FILE *out, const char *name, const char *text)
{
	size_t size = strlen(text), length;
	uint32_t character;

	(void)fprintf(out, "%s=\"", name);
	for (size_t i = 0; i < size; i += MAX(length, (size_t)1)) {
		length = plain_length(text + i);
		if (length) {
			(void)fwrite(text + i, 1, length, out);
			continue;
		}
		length = utf8_decode(text + i, size - i, &character);
		if (!length)
			(void)fputs("\xef\xbf\xbd", out);
		else if (*(text + i) == '\n')
			(void)fputs("\\n", out);
		else if (*(text + i) == '"' || *(text + i) == '\\')
			(void)fprintf(out, "\\%c", *(text + i));
		else
			(void)fwrite(text + i, 1, length, out);
	}
	(void)fputc('"', out);
}

static void format_target(const char *name, const char *kind, bool in_sync, FILE *out)
{
	(void)fputs("losslessd_target_in_sync{", out);
	label(out, "target", name);
	(void)fputc(',', out);
	label(out, "kind", kind);
	(void)fprintf(out, "} %d\n", in_sync);
}

static void format_targets(const struct plan *plan, const struct switch_states *switches, FILE *out)
{
	head(out, "target_in_sync", "gauge",
	     "1 if all that the fabric file wants of this target is so, 0 if not.");
	for (size_t i = 0; plan && i < plan->want->n; i++) {
		const struct target *target = &plan->want->list[i].target;
		bool in_sync = true;

		for (size_t j = 0; j < plan->n_findings; j++)
			in_sync &= plan->findings[j].target != i ||
				   plan->findings[j].exit == STATUS_OK;
		format_target(target->name, target_kind_name(target->kind), in_sync, out);
	}
	for (size_t i = 0; switches && i < switches->n; i++)
		if (switches->list[i].calm == SWITCH_ASKED)
			format_target(switches->list[i].name, "switch",
				      switch_state_exit(&switches->list[i]) == STATUS_OK, out);
}

static void format_finding(const char *name, const char *kind, const char *knob,
			   enum verdict verdict, FILE *out)
{
	(void)fputs("losslessd_finding{", out);
	label(out, "target", name);
	(void)fputc(',', out);
	label(out, "kind", kind);
	(void)fputc(',', out);
	label(out, "knob", knob);
	(void)fputc(',', out);
	label(out, "verdict", verdict_name(verdict));
	(void)fputs("} 1\n", out);
}

/* Of a switch as a whole, if nothing is known of it; else of its ports. */
static void format_switch_findings(const struct switch_state *state, FILE *out)
{
	char name[SWITCH_NAME_MAX_BYTES + SWITCH_PORT_MAX];

	if (state->verdict != VERDICT_IN_SYNC)
		format_finding(state->name, "switch", "", state->verdict, out);
	for (size_t i = 0; i < state->n; i++) {
		const struct switch_finding *finding = &state->findings[i];

		if (switch_finding_exit(finding) == STATUS_OK)
			continue;
		switch_target_name(state, finding->port, name, sizeof(name));
		format_finding(name, "switch", switch_knob_name(finding->knob), finding->verdict,
			       out);
	}
}

static void format_findings(const struct plan *plan, const struct switch_states *switches,
			    FILE *out)
{
	head(out, "finding", "gauge",
	     "1 for each value that is not as the fabric file wants it, and why.");
	for (size_t i = 0; plan && i < plan->n_findings; i++) {
		const struct finding *finding = &plan->findings[i];
		const struct target *target = &plan->want->list[finding->target].target;

		if (finding->exit != STATUS_OK)
			format_finding(target->name, target_kind_name(target->kind),
				       knob_name(finding->knob), finding->verdict, out);
	}
	for (size_t i = 0; switches && i < switches->n; i++)
		if (switches->list[i].calm == SWITCH_ASKED)
			format_switch_findings(&switches->list[i], out);
}

static void format_drifts(const struct metrics *metrics, FILE *out)
{
	head(out, "drift_total", "counter", "How often this was found to differ from the file.");
	for (size_t i = 0; i < metrics->n_drifts; i++) {
		const struct drift *drift = &metrics->drifts[i];

		(void)fputs("losslessd_drift_total{", out);
		label(out, "target", drift->target);
		(void)fputc(',', out);
		label(out, "knob", drift->knob);
		(void)fprintf(out, "} %" PRIu64 "\n", drift->n);
	}
}

static void format_repairs(const struct metrics *metrics, FILE *out)
{
	uint64_t n = 0;

	head(out, "repair_seconds", "histogram", "From the event to the value that was read back.");
	for (size_t i = 0; i < ARRAY_SIZE(buckets); i++) {
		n += metrics->took[i];
		(void)fprintf(out, "losslessd_repair_seconds_bucket{le=\"%s\"} %" PRIu64 "\n",
			      buckets[i].le, n);
	}
	(void)fprintf(out,
		      "losslessd_repair_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\n"
		      "losslessd_repair_seconds_sum %" PRId64 ".%06" PRId64 "\n"
		      "losslessd_repair_seconds_count %" PRIu64 "\n",
		      metrics->took_n, metrics->took_sum_us / 1000000,
		      metrics->took_sum_us % 1000000, metrics->took_n);
}

static void format_pause(const struct manager_port *port, enum counter counter,
			 const char *direction, FILE *out)
{
	for (unsigned int i = 0; i < PRIORITIES; i++) {
		if (port->counters.source[counter][i] == COUNTER_UNKNOWN)
			continue;
		(void)fputs("losslessd_pfc_pause_frames_total{", out);
		label(out, "port", port->nic.name);
		(void)fprintf(out, ",priority=\"%u\",direction=\"%s\"} %" PRIu64 "\n", i, direction,
			      port->counters.value[counter][i]);
	}
}

static void format_storms(const struct manager_port *port, FILE *out)
{
	for (unsigned int i = 0; i < PRIORITIES; i++) {
		if (port->counters.source[COUNTER_RX_PAUSE][i] == COUNTER_UNKNOWN)
			continue;
		(void)fputs("losslessd_pfc_storm{", out);
		label(out, "port", port->nic.name);
		(void)fprintf(out, ",priority=\"%u\"} %d\n", i, port->storm[i].on);
	}
}

static void format_ports(const struct metrics_view *view, FILE *out)
{
	head(out, "pfc_pause_frames_total", "counter",
	     "PFC pause frames as the driver counts them, at the last look at everything.");
	for (size_t i = 0; i < view->n_ports; i++) {
		format_pause(&view->ports[i], COUNTER_RX_PAUSE, "rx", out);
		format_pause(&view->ports[i], COUNTER_TX_PAUSE, "tx", out);
	}
	head(out, "pfc_storm", "gauge",
	     "1 while the peer stops this priority for much of the time, else 0.");
	for (size_t i = 0; i < view->n_ports; i++)
		format_storms(&view->ports[i], out);
}

static void number(FILE *out, const char *name, const char *type, const char *help, uint64_t value)
{
	head(out, name, type, help);
	(void)fprintf(out, "losslessd_%s %" PRIu64 "\n", name, value);
}

static void format_switches(const struct switch_states *switches, FILE *out)
{
	if (!switches)
		return;
	head(out, "switch_session_seconds", "gauge", "How long the last work on a switch took.");
	for (size_t i = 0; i < switches->n; i++) {
		const struct switch_state *state = &switches->list[i];

		if (!state->took_ms)
			continue;
		(void)fputs("losslessd_switch_session_seconds{", out);
		label(out, "switch", state->name);
		(void)fprintf(out, "} %" PRId64 ".%03" PRId64 "\n", state->took_ms / 1000,
			      state->took_ms % 1000);
	}
}

/* Generations are counted by each node for itself: it is the hash that can be compared. */
static void format_spec(const struct manager_facts *facts, FILE *out)
{
	head(out, "spec_info", "gauge", "1 for the fabric file in force; hash is its SHA-256.");
	if (*facts->hash) {
		(void)fputs("losslessd_spec_info{", out);
		label(out, "fabric", facts->fabric);
		(void)fputc(',', out);
		label(out, "hash", facts->hash);
		(void)fputs("} 1\n", out);
	}
	number(out, "spec_waits", "gauge",
	       "1 if fabric.yaml is another file than the one in force, else 0.",
	       facts->file_differs);
	number(out, "last_error", "gauge",
	       "1 if the last reload or apply was refused, or something keeps the node from the "
	       "file in force, else 0.",
	       *facts->last_error != '\0');
	number(out, "spec_generation", "gauge", "The generation in force, 0 for none.",
	       facts->generation);
}

void metrics_format(const struct metrics *metrics, const struct metrics_view *view, FILE *out)
{
	const struct manager_facts *facts = view->facts;

	format_targets(view->plan, view->switches, out);
	format_findings(view->plan, view->switches, out);
	format_drifts(metrics, out);
	number(out, "repairs_total", "counter", "Values that were written.", facts->repairs);
	format_repairs(metrics, out);
	format_ports(view, out);
	format_switches(view->switches, out);
	format_spec(facts, out);
	number(out, "events_lost_total", "counter",
	       "How often the kernel said more than was heard, and everything was read again.",
	       facts->resyncs);
	number(out, "last_read_seconds", "gauge",
	       "When everything was read last, in seconds since 1970; 0 for never.",
	       (uint64_t)facts->read_s);
}

/* ---- the file ---- */

/* Nothing is synced: after a crash of the machine all of it is counted anew. */
static int replace(const struct metrics *metrics, const char *text, size_t size)
{
	_cleanup_close_ int fd = -1;
	int r;

	fd = open(metrics->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	/* The collector is another user, whatever the umask of a service is */
	r = fchmod(fd, 0644) < 0 ? -errno : write_whole(fd, text, size);
	if (r == 0 && rename(metrics->temporary, metrics->path) < 0)
		r = -errno;
	if (r < 0)
		(void)unlink(metrics->temporary);
	return r;
}

int metrics_write(struct metrics *metrics, const struct metrics_view *view)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	FILE *out;
	int r;

	out = open_memstream(&text, &size);
	if (!out)
		return -ENOMEM;
	metrics_format(metrics, view, out);
	if (fclose(out) != 0)
		return -ENOMEM;
	if (metrics->text && metrics->size == size && memcmp(metrics->text, text, size) == 0)
		return 0;
	r = replace(metrics, text, size);
	if (r < 0)
		return r;
	free(metrics->text);
	metrics->text = TAKE_PTR(text);
	metrics->size = size;
	return 1;
}

/* ---- life ---- */

struct metrics *metrics_free(struct metrics *metrics)
{
	if (!metrics)
		return NULL;
	if (metrics->text)
		(void)unlink(metrics->path);
	free(metrics->path);
	free(metrics->temporary);
	free(metrics->text);
	free(metrics->drifts);
	free(metrics);
	return NULL;
}

struct metrics *metrics_new(const char *path)
{
	struct metrics *metrics = calloc(1, sizeof(*metrics));

	if (!metrics)
		return NULL;
	metrics->path = strdup(path);
	if (metrics->path && asprintf(&metrics->temporary, "%s.new", path) < 0)
		metrics->temporary = NULL;
	return metrics->temporary ? metrics : metrics_free(metrics);
}
