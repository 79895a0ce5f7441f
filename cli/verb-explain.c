// SPDX-License-Identifier: LGPL-2.1-or-later
/* explain: a row of the knob table. */
#include <string.h>

#include "cli/verbs.h"
#include "lib/report/report.h"

static int unknown_knob(const struct options *options)
{
	(void)fprintf(stderr, "losslessctl: no knob '%s'; there are:", options->argument);
	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		(void)fprintf(stderr, " %s", knob_table[knob].name);
	(void)fputc('\n', stderr);
	return STATUS_USAGE;
}

int verb_explain(const struct options *options)
{
	enum knob knob = knob_find(options->argument);

	if (knob == KNOB_MAX)
		return unknown_knob(options);
	if (option_given(options, OPTION_JSON))
		knob_write_json(knob, stdout);
	else
		knob_write_text(knob, stdout);
	return STATUS_OK;
}
