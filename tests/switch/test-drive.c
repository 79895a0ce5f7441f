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

/* What has no effect without another one is not written where nothing is known of that. */
static void test_needs(void **state)
{
	static const struct {
		const char *name;
		const char *have; /* of pfc.priorities; NULL: cannot be read */
		const char *lines;
	} waits[] = {
		{ "known", "3", "interface 100GE1/0/1\ndcb pfc enable mode manual\nquit\n" },
		{ "unknown", NULL, "" },
	};
	struct dialect *dialect = case_dialect("huawei-cloudengine");

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		struct switch_target targets[2] = { { .port = "" }, { .port = "100GE1/0/1" } };
		struct switch_wish wish = { .name = "sw", .targets = targets, .n_targets = 2 };
		struct drive drive = { .dialect = dialect, .wish = &wish };
		char text[256] = "";

		targets[1].want[SWITCH_PFC_PRIORITIES] = case_value(SWITCH_PFC_PRIORITIES, "3");
		targets[1].want[SWITCH_PFC_ENABLED] = case_value(SWITCH_PFC_ENABLED, "1");
		case_equal(waits[i].name, drive_want(&drive), 0);
		targets[0].have[SWITCH_PFC_PRIORITIES].status = SWITCH_UNREADABLE;
		if (waits[i].have)
			targets[0].have[SWITCH_PFC_PRIORITIES] =
				case_value(SWITCH_PFC_PRIORITIES, waits[i].have);
		targets[1].have[SWITCH_PFC_ENABLED] = case_value(SWITCH_PFC_ENABLED, "0");
		case_equal(waits[i].name, drive_compare(&drive), 0);
		for (size_t k = 0; k < drive.script.n; k++)
			(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s\n",
				       drive.script.list[k].text);
		case_string(waits[i].name, text, waits[i].lines);
		drive_done(&drive);
	}
	(void)dialect_free(dialect);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
