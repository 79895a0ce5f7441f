// SPDX-License-Identifier: LGPL-2.1-or-later
/* What differs, on the way there and on the way back: the lines of it. Reaches no switch. */
#include <stdlib.h>
#include <string.h>

#include "lib/switch/drive-private.h"
#include "tests/support/cases.h"
#include "tests/switch/dialect-case.h"

#define DIALECT "linux-switchdev"
#define PORT	"swp1"

struct drive_case {
	const char *name;
	enum switch_knob knob;
	const char *want;
	const char *have;
	const char *record;	/* NULL: the way there */
	const char *lines;
};

static const struct drive_case cases[] = {
	{ "an MTU that is too small", SWITCH_MTU, "4222", "1500", NULL,
	  "sudo ip link set dev 'swp1' mtu 4222\n" },
	{ "room for more", SWITCH_MTU, "4222", "9216", NULL, "" },
	{ "back to a smaller MTU", SWITCH_MTU, "4222", "4222", PORT "\tmtu\t1500\n",
	  "sudo ip link set dev 'swp1' mtu 1500\n" },
	{ "back to the MTU that is there", SWITCH_MTU, "4222", "1500", PORT "\tmtu\t1500\n", "" },
	{ "priorities of somebody else", SWITCH_PFC, "3", "3,5", NULL,
	  "sudo dcb pfc set dev 'swp1' prio-pfc 5:off\n" },
	{ "a rule of somebody else", SWITCH_DSCP_MAP, "26:3", "26:3 48:6", NULL, "" },
	{ "beside a rule of somebody else", SWITCH_DSCP_MAP, "26:3", "48:6", NULL,
	  "sudo dcb app replace dev 'swp1' dscp-prio 26:3\n" },
	{ "back beside it", SWITCH_DSCP_MAP, "26:3", "26:3 48:6",
	  PORT "\tdscp_to_priority\t48:6\n", "sudo dcb app del dev 'swp1' dscp-prio 26:3\n" },
};

static void check(const struct dialect *dialect, const struct drive_case *c)
{
	struct switch_target targets[2] = { { .port = "" }, { .port = PORT } };
	struct switch_wish wish = { .name = "sw", .targets = targets, .n_targets = 2 };
	struct drive drive = { .dialect = dialect, .wish = &wish };
	char *text = NULL;
	size_t size;
	FILE *out;

	targets[1].want[c->knob] = case_value(c->knob, c->want);
	case_equal(c->name,
		   c->record ? drive_return(&drive, c->record, strlen(c->record)) :
			       drive_want(&drive), 0);
	targets[1].have[c->knob] = case_value(c->knob, c->have);
	case_equal(c->name, drive_compare(&drive), 0);
	out = open_memstream(&text, &size);
	assert_non_null(out);
	for (size_t i = 0; i < drive.script.n; i++)
		(void)fprintf(out, "%s\n", drive.script.list[i].text);
	(void)fclose(out);
	case_string(c->name, text, c->lines);
	free(text);
	drive_done(&drive);
}

static void test_lines(void **state)
{
	struct dialect *dialect = case_dialect(DIALECT);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(dialect, &cases[i]);
	(void)dialect_free(dialect);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
