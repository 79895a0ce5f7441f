// SPDX-License-Identifier: LGPL-2.1-or-later
/* `show cables` and `show switches` for people. */
#include <string.h>

#include "lib/base/macro.h"
#include "lib/report/facts.h"
#include "lib/report/table.h"

/* ---- show cables ---- */

static enum tint cable_tint(enum cable_verdict verdict)
{
	static const enum tint tints[] = {
		[CABLE_UNKNOWN] = TINT_CHANGE,	[CABLE_CONFIRMED] = TINT_GOOD,
		[CABLE_DIFFERS] = TINT_BAD,	[CABLE_UNSEEN] = TINT_CHANGE,
		[CABLE_ELSEWHERE] = TINT_NONE,	[CABLE_UNLISTED] = TINT_BAD,
	};
	static_assert(ARRAY_SIZE(tints) == CABLE_VERDICT_MAX, "a tint for each verdict");

	return tints[verdict];
}

/* What is not advertised is no word of its own here: a dash, and the note says it. */
static void advert_cell(struct table *table, size_t column, const struct advert *advert)
{
	static const enum tint tints[] = {
		[ADVERT_NONE] = TINT_NONE,
		[ADVERT_AGREES] = TINT_GOOD,
		[ADVERT_DIFFERS] = TINT_BAD,
		[ADVERT_MISSING] = TINT_NONE,
	};

	if (advert->verdict == ADVERT_AGREES || advert->verdict == ADVERT_DIFFERS)
		table_cell(table, column, tints[advert->verdict], "%s",
			   advert_verdict_name(advert->verdict));
}

static const char *cable_end(const struct cable *cable)
{
	return cable->here ? cable->device : cable->end;
}

static void cable_row(struct table *table, const struct cable *cable)
{
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", cable_end(cable));
	if (*cable->port)
		table_cell(table, 1, TINT_NONE, "%s/%s", cable->name, cable->port);
	if (table->n_columns == 2)
		return;
	table_cell(table, 2, cable_tint(cable->verdict), "%s", cable_verdict_name(cable->verdict));
	advert_cell(table, 3, &cable->pfc);
	advert_cell(table, 4, &cable->dscp);
}

static void write_cable_note(const struct cabling *cabling, size_t first,
			     const struct report_style *style, FILE *out)
{
	const char *note = cabling->list[first].note;
	_cleanup_free_ char *ends = NULL;
	size_t size;
	FILE *list = open_memstream(&ends, &size);

	for (size_t i = first; list && i < cabling->n; i++)
		if (strcmp(cabling->list[i].note, note) == 0)
			(void)fprintf(list, "%s%s", i > first ? ", " : "",
				      cable_end(&cabling->list[i]));
	if (list && fclose(list) == 0)
		line_put(style, out, "%s: %s", ends, note);
}

/* A sentence each, said once for all cables that it is so of. */
static void write_cable_notes(const struct cabling *cabling, const struct report_style *style,
			      FILE *out)
{
	for (size_t i = 0; i < cabling->n; i++) {
		size_t first = 0;

		while (strcmp(cabling->list[first].note, cabling->list[i].note) != 0)
			first++;
		if (*cabling->list[i].note && first == i)
			write_cable_note(cabling, i, style, out);
	}
}

void cabling_write_text(const struct cabling *cabling, bool heard,
			const struct report_style *style, FILE *out)
{
	static const struct table_column columns[] = {
		{ "PORT" }, { "SWITCH PORT" }, { "LLDP" }, { "PFC" }, { "DSCP" },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = heard ? ARRAY_SIZE(columns) : 2 };

	for (size_t i = 0; i < cabling->n; i++)
		cable_row(&table, &cabling->list[i]);
	if (cabling->n == 0)
		(void)fputs("no cable of the file ends on this node or on a switch of its\n", out);
	else
		table_write(&table, style, out);
	write_cable_notes(cabling, style, out);
}

/* ---- show switches ---- */

/* Of the knobs that the file wants there: a word for the dialect would be too good for some. */
static void verified_words(const struct switch_about *about, char *text, size_t size)
{
	static const char *const words[] = { "vendor", "field", "false" };

	text[0] = '\0';
	for (size_t word = 0, at = 0; word < ARRAY_SIZE(words); word++) {
		size_t n = 0;

		for (size_t i = 0; i < about->n; i++)
			n += strcmp(about->effects[i].verified, words[word]) == 0;
		if (n == about->n)
			(void)snprintf(text, size, "%s", n ? words[word] : about->verified);
		else if (n > 0 && at < size)
			at += (size_t)snprintf(text + at, size - at, "%s%zu %s", at ? ", " : "", n,
					       words[word]);
	}
}

static void about_row(struct table *table, const struct switch_about *about)
{
	char verified[64];

	verified_words(about, verified, sizeof(verified));
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", about->name);
	table_cell(table, 1, TINT_NONE, "%s", about->dialect);
	table_cell(table, 2, *about->trouble ? TINT_BAD : TINT_NONE, "%s", verified);
	table_cell(table, 3, TINT_NONE, "%s", about->address);
	table_cell(table, 4, TINT_NONE, "%s", about->owner);
	table_cell(table, 5, TINT_NONE, "%s", manage_name(about->manage));
	table_cell(table, 6, TINT_NONE, "%zu", about->n_ports);
}

/* Is it for more than the one port? */
static bool is_global(const struct switch_effect *effect)
{
	return effect->whole || *effect->impact;
}

static const struct switch_effect *same_effect(const struct switch_about *about,
					       const struct switch_effect *effect)
{
	for (size_t i = 0; i < about->n; i++)
		if (about->effects[i].knob == effect->knob &&
		    about->effects[i].whole == effect->whole &&
		    strcmp(about->effects[i].impact, effect->impact) == 0)
			return &about->effects[i];
	return NULL;
}

static bool is_told(const struct switch_abouts *abouts, size_t index,
		    const struct switch_effect *effect)
{
	for (size_t i = 0; i < index; i++)
		if (same_effect(&abouts->list[i], effect))
			return true;
	return false;
}

/* Said once for all switches that it is so of. */
static void effect_row(struct table *table, const struct switch_abouts *abouts, size_t index,
		       const struct switch_effect *effect)
{
	_cleanup_free_ char *names = NULL;
	size_t size;
	FILE *out = open_memstream(&names, &size);

	for (size_t i = index; out && i < abouts->n; i++)
		if (same_effect(&abouts->list[i], effect))
			(void)fprintf(out, "%s%s", i > index ? ", " : "", abouts->list[i].name);
	if (!out || fclose(out) != 0) {
		table->oom = true;
		return;
	}
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", switch_knob_table[effect->knob].name);
	table_cell(table, 1, TINT_NONE, "%s", names);
	table_cell(table, 2, TINT_NONE, "%s%s%s", effect->whole ? "one for the whole switch" : "",
		   effect->whole && *effect->impact ? "; " : "", effect->impact);
}

static void effect_rows(struct table *table, const struct switch_abouts *abouts, size_t index,
			enum switch_knob knob)
{
	const struct switch_about *about = &abouts->list[index];

	for (size_t i = 0; i < about->n; i++)
		if (about->effects[i].knob == knob && is_global(&about->effects[i]) &&
		    !is_told(abouts, index, &about->effects[i]))
			effect_row(table, abouts, index, &about->effects[i]);
}

static void write_effects(const struct switch_abouts *abouts, const struct report_style *style,
			  FILE *out)
{
	static const struct table_column columns[] = {
		{ "KNOB" },
		{ "SWITCH", TABLE_SHRINKS_LAST },
		{ "FOR MORE THAN ONE PORT", TABLE_SHRINKS_FIRST },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };

	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
		for (size_t i = 0; i < abouts->n; i++)
			effect_rows(&table, abouts, i, knob);
	if (table.n_rows == 0 && !table.oom)
		return;
	(void)fputc('\n', out);
	table_write(&table, style, out);
}

void switch_abouts_write_text(const struct switch_abouts *abouts, const struct report_style *style,
			      FILE *out)
{
	static const struct table_column columns[] = {
		{ "SWITCH" },
		{ "DIALECT" },
		{ "VERIFIED" },
		{ "ADDRESS", TABLE_SHRINKS_LAST },
		{ "OWNER" },
		{ "MANAGE" },
		{ "PORTS" },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };

	if (abouts->n == 0) {
		(void)fputs("the file has no switches\n", out);
		return;
	}
	for (size_t i = 0; i < abouts->n; i++)
		about_row(&table, &abouts->list[i]);
	table_write(&table, style, out);
	write_effects(abouts, style, out);
	for (size_t i = 0; i < abouts->n; i++)
		if (*abouts->list[i].trouble)
			line_put(style, out, "%s: %s", abouts->list[i].name,
				 abouts->list[i].trouble);
}
