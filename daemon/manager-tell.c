// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What is told, and when: a finding once when it begins and once when it is another, never once for
 * each look. The marks remember what was told, and since when it is so.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/manager-private.h"
#include "lib/base/array.h"
#include "lib/base/macro.h"

static void tell(struct manager *manager, const struct manager_happening *happening)
{
	struct manager_happening complete = *happening;

	complete.generation = store_generation(manager->store);
	if (manager->hook)
		manager->hook(&complete, manager->hook_data);
}

void manager_tell_event(struct manager *manager, enum manager_event event, const char *format, ...)
{
	char words[1024];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	tell(manager, &(struct manager_happening){ .event = event, .words = words, .took_us = -1 });
}

void manager_tell_knob(struct manager *manager, enum manager_event event, const char *target,
		       const char *knob, const char *want, const char *have, const char *words)
{
	if (event == EVENT_DRIFT_FOUND)
		manager->drifts++;
	tell(manager, &(struct manager_happening){
			      .event = event,
			      .target = target,
			      .knob = knob,
			      .want = want,
			      .have = have,
			      .words = words,
			      .took_us = -1,
		      });
}

void manager_tell_changed(struct manager *manager)
{
	tell(manager, &(struct manager_happening){ .event = EVENT_CHANGED, .took_us = -1 });
}

void manager_tell_port(struct manager *manager, enum manager_event event, const char *port,
		       const char *format, ...)
{
	char words[512];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	tell(manager, &(struct manager_happening){
			      .event = event, .target = port, .words = words, .took_us = -1 });
}

/* ---- marks ---- */

static struct mark *find_mark(const struct manager *manager, const struct target *target,
			      enum knob knob)
{
	for (size_t i = 0; i < manager->n_marks; i++) {
		struct mark *mark = &manager->marks[i];

		if (mark->kind == target->kind && mark->knob == knob &&
		    strcmp(mark->name, target->name) == 0)
			return mark;
	}
	return NULL;
}

int64_t manager_since_s(const struct manager *manager, const struct target *target, enum knob knob)
{
	const struct mark *mark = find_mark(manager, target, knob);

	return mark ? mark->since_s : 0;
}

static struct mark *need_mark(struct manager *manager, const struct target *target, enum knob knob)
{
	struct mark *mark = find_mark(manager, target, knob);

	if (mark)
		return mark;
	if (array_grow(&manager->marks, manager->n_marks, &manager->marks_room,
		       sizeof(*manager->marks)) < 0)
		return NULL;
	mark = &manager->marks[manager->n_marks++];
	*mark = (struct mark){ .kind = target->kind, .knob = knob, .verdict = VERDICT_IN_SYNC };
	(void)snprintf(mark->name, sizeof(mark->name), "%s", target->name);
	return mark;
}

enum manager_event manager_event_of(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_DRIFT:
		return EVENT_DRIFT_FOUND;
	case VERDICT_CONTESTED:
		return EVENT_CONTESTED;
	case VERDICT_FAILED:
	case VERDICT_UNKNOWN:
		return EVENT_REPAIR_FAILED;
	case VERDICT_IN_SYNC:
	case VERDICT_PENDING:
	case VERDICT_UNSUPPORTED:
	case VERDICT_NOT_APPLICABLE:
	case VERDICT_MAX:
		break;
	}
	return EVENT_MAX;
}

static enum manager_event event_of(enum knob knob, enum verdict verdict)
{
	if (verdict == VERDICT_PENDING)
		return knob == KNOB_NONE ? EVENT_DEVICE_PENDING : EVENT_HELD;
	return manager_event_of(verdict);
}

static void tell_finding(struct manager *manager, const struct plan *plan,
			 const struct finding *finding, enum manager_event event)
{
	const struct state *want = &plan->want->list[finding->target];
	char want_text[VALUE_TEXT_MAX] = "", have_text[VALUE_TEXT_MAX] = "", words[2400];
	bool whole = finding->knob >= KNOB_MAX;

	if (!whole) {
		const struct knob_info *info = &knob_table[finding->knob];
		const struct value *have = &plan->have->list[finding->target].value[finding->knob];

		value_format(info, &want->value[finding->knob], want_text, sizeof(want_text));
		if (have->status == VALUE_KNOWN)
			value_format_beside(info, have, &want->value[finding->knob], have_text,
					    sizeof(have_text));
	}
	(void)snprintf(words, sizeof(words), "%s%s%s: %s%s%s%s%s%s%s", want->target.name,
		       whole ? "" : " ", whole ? "" : knob_table[finding->knob].name,
		       verdict_name(finding->verdict), *want_text ? ", want " : "", want_text,
		       *have_text ? ", have " : "", have_text, *finding->reason ? ": " : "",
		       finding->reason);
	tell(manager, &(struct manager_happening){
			      .event = event,
			      .target = want->target.name,
			      .knob = whole ? NULL : knob_table[finding->knob].name,
			      .want = want_text,
			      .have = have_text,
			      .words = words,
			      .took_us = -1,
		      });
}

static void tell_change(struct manager *manager, const struct plan *plan,
			const struct finding *finding, struct mark *mark)
{
	enum verdict before = mark->verdict;
	enum manager_event event = event_of(finding->knob, finding->verdict);

	mark->verdict = finding->verdict;
	mark->since_s = time(NULL);
	if (event == EVENT_DRIFT_FOUND)
		manager->drifts++;
	if (event != EVENT_MAX)
		tell_finding(manager, plan, finding, event);
	else if (before == VERDICT_CONTESTED)
		tell_finding(manager, plan, finding, EVENT_CONTEST_OVER);
	else if (before == VERDICT_PENDING && finding->knob == KNOB_NONE)
		tell_finding(manager, plan, finding, EVENT_DEVICE_BACK);
}

/* What failed and is tried again is no drift that begins: nothing is said until it is over. */
static bool is_retry(const struct mark *mark, const struct finding *finding)
{
	return mark->verdict == VERDICT_FAILED && finding->verdict == VERDICT_DRIFT;
}

/*
 * A device that is no longer a target, or one that came back, whose finding is gone. Where nothing
 * is known any more, nothing came back.
 */
static bool drop_unseen(struct manager *manager)
{
	size_t before = manager->n_marks, n = 0;

	for (size_t i = 0; i < manager->n_marks; i++) {
		const struct mark *mark = &manager->marks[i];

		if (mark->seen)
			manager->marks[n++] = *mark;
		else if (manager->has_now && mark->knob == KNOB_NONE &&
			 mark->verdict == VERDICT_PENDING)
			manager_tell_event(manager, EVENT_DEVICE_BACK, "%s: is there", mark->name);
	}
	manager->n_marks = n;
	return n != before;
}

void manager_tell(struct manager *manager)
{
	const struct plan *plan = &manager->now.plan;
	bool changed = false;

	for (size_t i = 0; i < manager->n_marks; i++)
		manager->marks[i].seen = false;
	for (size_t i = 0; manager->has_now && i < plan->n_findings; i++) {
		const struct finding *finding = &plan->findings[i];
		struct mark *mark = need_mark(manager, &plan->want->list[finding->target].target,
					      finding->knob);

		if (!mark)
			return;
		mark->seen = true;
		if (mark->verdict == finding->verdict || is_retry(mark, finding))
			continue;
		tell_change(manager, plan, finding, mark);
		changed = true;
	}
	changed |= drop_unseen(manager);
	if (changed)
		manager_tell_changed(manager);
}

/* ---- what was done ---- */

void manager_tell_step(struct manager *manager, const struct plan *plan, const struct step *step,
		       const char *cause, int64_t took_us)
{
	const struct state *want = &plan->want->list[step->target];
	const struct state *have = &plan->have->list[step->target];

	for (size_t i = 0; i < step->n_knobs; i++) {
		const struct knob_info *info = &knob_table[step->knob[i]];
		char from[VALUE_TEXT_MAX], to[VALUE_TEXT_MAX], words[2400];

		value_format_beside(info, &have->value[step->knob[i]], &want->value[step->knob[i]],
				    from, sizeof(from));
		value_format(info, &want->value[step->knob[i]], to, sizeof(to));
		(void)snprintf(words, sizeof(words), "%s %s: %s to %s (%s)", want->target.name,
			       info->name, from, to, cause);
		manager->repairs++;
		tell(manager, &(struct manager_happening){
				      .event = EVENT_DRIFT_REPAIRED,
				      .target = want->target.name,
				      .knob = info->name,
				      .want = to,
				      .have = from,
				      .cause = cause,
				      .words = words,
				      .took_us = took_us,
			      });
	}
}
