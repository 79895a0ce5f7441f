// SPDX-License-Identifier: LGPL-2.1-or-later
/* `show cables` and `show switches` for people. */
#include <string.h>

#include "lib/base/macro.h"
#include "lib/report/facts.h"
#include "lib/report/table.h"
#include "lib/report/width.h"

/* ---- show cables ---- */

/* What neighbours say is not for a terminal as it is. */
static void write_printable(const char *before, const char *text, FILE *out)
{
	_cleanup_free_ char *clean = text_printable(text);

	(void)fprintf(out, "%s%s", before, clean ?: "");
}

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

/* A sentence each, said once for all cables that it is so of. */
static void write_cable_notes(const struct cabling *cabling, FILE *out)
{
	for (size_t i = 0; i < cabling->n; i++) {
		const struct cable *cable = &cabling->list[i];
		size_t first = 0;

		while (strcmp(cabling->list[first].note, cable->note) != 0)
			first++;
		if (!*cable->note || first < i)
			continue;
		for (size_t k = i; k < cabling->n; k++)
			if (strcmp(cabling->list[k].note, cable->note) == 0)
				write_printable(k > i ? ", " : "", cable_end(&cabling->list[k]),
						out);
		write_printable(": ", cable->note, out);
		(void)fputc('\n', out);
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
	write_cable_notes(cabling, out);
}
