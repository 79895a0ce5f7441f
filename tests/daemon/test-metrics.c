// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The text of the metrics, character by character, and how its file is replaced. With --text it is
 * printed, for a judge that is not ours.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/metrics.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "tests/support/cases.h"

enum { TEXT_ROOM = 8192 };

static const char expected[] =
	"# HELP losslessd_target_in_sync 1 if all that the fabric file wants of this target is so,"
	" 0 if not.\n"
	"# TYPE losslessd_target_in_sync gauge\n"
	"losslessd_target_in_sync{target=\"eth0\",kind=\"port\"} 0\n"
	"losslessd_target_in_sync{target=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\xc3\xa4\",kind=\"port\"} 1\n"
	"losslessd_target_in_sync{target=\"mlx5_0\",kind=\"rdma\"} 1\n"
	"# HELP losslessd_finding 1 for each value that is not as the fabric file wants it, and"
	" why.\n"
	"# TYPE losslessd_finding gauge\n"
	"losslessd_finding{target=\"eth0\",kind=\"port\",knob=\"pfc\",verdict="
	"\"contested\"} 1\n"
	"# HELP losslessd_drift_total How often this was found to differ from the file.\n"
	"# TYPE losslessd_drift_total counter\n"
	"losslessd_drift_total{target=\"eth0\",knob=\"pfc\"} 2\n"
	"losslessd_drift_total{target=\"mlx5_0\",knob=\"cm_tos\"} 1\n"
	"# HELP losslessd_repairs_total Values that were written.\n"
	"# TYPE losslessd_repairs_total counter\n"
	"losslessd_repairs_total 4\n"
	"# HELP losslessd_repair_seconds From the event to the value that was read back.\n"
	"# TYPE losslessd_repair_seconds histogram\n"
	"losslessd_repair_seconds_bucket{le=\"0.01\"} 1\n"
	"losslessd_repair_seconds_bucket{le=\"0.05\"} 2\n"
	"losslessd_repair_seconds_bucket{le=\"0.1\"} 2\n"
	"losslessd_repair_seconds_bucket{le=\"0.25\"} 2\n"
	"losslessd_repair_seconds_bucket{le=\"0.5\"} 2\n"
	"losslessd_repair_seconds_bucket{le=\"1\"} 2\n"
	"losslessd_repair_seconds_bucket{le=\"2.5\"} 2\n"
	"losslessd_repair_seconds_bucket{le=\"5\"} 2\n"
	"losslessd_repair_seconds_bucket{le=\"10\"} 2\n"
	"losslessd_repair_seconds_bucket{le=\"30\"} 2\n"
	"losslessd_repair_seconds_bucket{le=\"60\"} 2\n"
	"losslessd_repair_seconds_bucket{le=\"+Inf\"} 3\n"
	"losslessd_repair_seconds_sum 61.020001\n"
	"losslessd_repair_seconds_count 3\n"
	"# HELP losslessd_pfc_pause_frames_total PFC pause frames as the driver counts them, at the"
	" last look at everything.\n"
	"# TYPE losslessd_pfc_pause_frames_total counter\n"
	"losslessd_pfc_pause_frames_total{port=\"eth0\",priority=\"3\",direction=\"rx\"}"
	" 18446744073709551615\n"
	"losslessd_pfc_pause_frames_total{port=\"eth0\",priority=\"0\",direction=\"tx\"} 7\n"
	"# HELP losslessd_pfc_storm 1 while the peer stops this priority for much of the time,"
	" else 0.\n"
	"# TYPE losslessd_pfc_storm gauge\n"
	"losslessd_pfc_storm{port=\"eth0\",priority=\"3\"} 1\n"
	"# HELP losslessd_spec_info 1 for the fabric file in force; hash is its SHA-256.\n"
	"# TYPE losslessd_spec_info gauge\n"
	"losslessd_spec_info{fabric=\"pod-a\",hash=\"0a1b\"} 1\n"
	"# HELP losslessd_spec_waits 1 if fabric.yaml is another file than the one in force,"
	" else 0.\n"
	"# TYPE losslessd_spec_waits gauge\n"
	"losslessd_spec_waits 1\n"
	"# HELP losslessd_last_error 1 if the last reload or apply was"
	" refused, or something keeps the"
	" node from the file in force, else 0.\n"
	"# TYPE losslessd_last_error gauge\n"
	"losslessd_last_error 1\n"
	"# HELP losslessd_spec_generation The generation in force, 0 for none.\n"
	"# TYPE losslessd_spec_generation gauge\n"
	"losslessd_spec_generation 12\n"
	"# HELP losslessd_events_lost_total How often the kernel said more than was heard, and"
	" everything was read again.\n"
	"# TYPE losslessd_events_lost_total counter\n"
	"losslessd_events_lost_total 5\n"
	"# HELP losslessd_last_read_seconds When everything was read last, in seconds since 1970; 0"
	" for never.\n"
	"# TYPE losslessd_last_read_seconds gauge\n"
	"losslessd_last_read_seconds 1760000000\n";

static const struct manager_happening happenings[] = {
	{ .event = EVENT_DRIFT_FOUND, .target = "eth0", .knob = "pfc", .took_us = -1 },
	{ .event = EVENT_DRIFT_REPAIRED, .target = "eth0", .knob = "pfc", .took_us = 10000 },
	{ .event = EVENT_DRIFT_FOUND, .target = "mlx5_0", .knob = "cm_tos", .took_us = -1 },
	{ .event = EVENT_DRIFT_REPAIRED, .target = "mlx5_0", .knob = "cm_tos", .took_us = 10001 },
	{ .event = EVENT_CONTESTED, .target = "eth0", .knob = "pfc", .took_us = 99 },
	{ .event = EVENT_DRIFT_FOUND, .target = "eth0", .knob = "pfc", .took_us = -1 },
	{ .event = EVENT_DRIFT_REPAIRED, .target = "eth0", .knob = "pfc", .took_us = 61000000 },
	{ .event = EVENT_DRIFT_REPAIRED, .target = "eth0", .knob = "pfc", .took_us = -1 },
	{ .event = EVENT_RESYNC, .took_us = -1 },
};

/* A node with something of everything. */
struct node {
	struct states want;
	struct finding findings[3];
	struct plan plan;
	struct manager_facts facts;
	struct manager_port port;
	struct metrics_view view;
};

static void node_done(struct node *node)
{
	states_done(&node->want);
}

static void node_init(struct node *node)
{
	static const struct nic nic = { .ifindex = 4, .name = "eth0" };

	*node = (struct node){
		.findings = { { .target = 0,
				.knob = KNOB_PFC,
				.verdict = VERDICT_CONTESTED,
				.exit = STATUS_DRIFT },
			      { .target = 0, .verdict = VERDICT_UNSUPPORTED },
			      { .target = 1, .verdict = VERDICT_IN_SYNC } },
		.facts = { .generation = 12, .repairs = 4, .resyncs = 5, .read_s = 1760000000,
			   .fabric = "pod-a", .hash = "0a1b", .file_differs = true,
			   .last_error = "fabric.yaml:1:1: error" },
		.port = { .nic = nic },
	};
	(void)states_add(&node->want, TARGET_PORT, &nic, "eth0");
	(void)states_add(&node->want, TARGET_PORT, &nic, "a\"b\\c\nd\xff\xc3\xa4");
	(void)states_add(&node->want, TARGET_RDMA, &nic, "mlx5_0");
	node->plan = (struct plan){ .want = &node->want,
				    .findings = node->findings,
				    .n_findings = ARRAY_SIZE(node->findings) };
	node->port.counters.source[COUNTER_RX_PAUSE][3] = COUNTER_FROM_DRIVER;
	node->port.counters.value[COUNTER_RX_PAUSE][3] = UINT64_MAX;
	node->port.storm[3].on = true;
	node->port.counters.source[COUNTER_TX_PAUSE][0] = COUNTER_FROM_DCB;
	node->port.counters.value[COUNTER_TX_PAUSE][0] = 7;
	node->view = (struct metrics_view){
		.facts = &node->facts, .plan = &node->plan, .ports = &node->port, .n_ports = 1
	};
}

static struct metrics *counted(const char *path)
{
	struct metrics *metrics = metrics_new(path);

	for (size_t i = 0; metrics && i < ARRAY_SIZE(happenings); i++)
		metrics_happening(metrics, &happenings[i]);
	return metrics;
}

static void text_of(const struct metrics *metrics, const struct metrics_view *view,
		    char text[TEXT_ROOM])
{
	FILE *out = fmemopen(text, TEXT_ROOM, "w");

	assert_non_null(out);
	metrics_format(metrics, view, out);
	assert_int_equal(fclose(out), 0);
}

/* One in sync, one that cannot be reached, one of another node, one with a port that drifted. */
static void switches_init(struct switch_states *states)
{
	static const struct switch_finding findings[] = {
		{ .port = "swp1", .knob = SWITCH_PFC, .verdict = VERDICT_DRIFT },
		{ .port = "swp2", .knob = SWITCH_PFC, .verdict = VERDICT_IN_SYNC },
	};
	struct switch_state *state = switch_states_add(states, "leaf-1");

	state->verdict = VERDICT_IN_SYNC;
	state->took_ms = 3207;
	(void)switch_states_add(states, "leaf-2");
	switch_states_add(states, "leaf-3")->calm = SWITCH_OF_ANOTHER;
	state = switch_states_add(states, "leaf-4");
	state->verdict = VERDICT_IN_SYNC;
	for (size_t i = 0; i < ARRAY_SIZE(findings); i++)
		(void)switch_state_add(state, &findings[i]);
}

/* Beside the targets of the node: each switch that is asked, and how long that took. */
static void test_switches(void **state)
{
	static const char *const expected_lines[] = {
		"_in_sync{target=\"leaf-1\",kind=\"switch\"} 1\n",
		"_in_sync{target=\"leaf-2\",kind=\"switch\"} 0\n",
		"_in_sync{target=\"leaf-4\",kind=\"switch\"} 0\n",
		"_switch_session_seconds{switch=\"leaf-1\"} 3.207\n",
		"_finding{target=\"leaf-2\",kind=\"switch\",knob=\"\",verdict=\"unknown\"} 1\n",
		("_finding{target=\"leaf-4/swp1\",kind=\"switch\",knob=\"pfc\","
		 "verdict=\"drift\"} 1\n"),
	};
	struct switch_states states = {};
	struct metrics *metrics = metrics_new("/nowhere");
	struct node node;
	char text[TEXT_ROOM];

	switches_init(&states);
	node_init(&node);
	node.view.switches = &states;
	text_of(metrics, &node.view, text);
	for (size_t i = 0; i < ARRAY_SIZE(expected_lines); i++)
		if (!strstr(text, expected_lines[i]))
			fail_msg("no line with %s", expected_lines[i]);
	assert_null(strstr(text, "leaf-3"));
	assert_null(strstr(text, "swp2"));
	assert_null(strstr(text, "_finding{target=\"leaf-1\""));
	assert_null(strstr(text, "_finding{target=\"leaf-4\""));
	assert_null(strstr(text, "{switch=\"leaf-2\"}"));
	node_done(&node);
	switch_states_done(&states);
	(void)metrics_free(metrics);
}

static void test_text(void **state)
{
	_cleanup_(node_done) struct node node;
	struct metrics *metrics = counted("unused");
	char text[TEXT_ROOM] = "";

	node_init(&node);
	text_of(metrics, &node.view, text);
	assert_string_equal(text, expected);
	assert_null(metrics_free(metrics));
}

/* Names as long as those of switch ports may be are counted whole: none is another's beginning. */
static void test_long_names(void **state)
{
	struct metrics *metrics = metrics_new("unused");
	char first[SWITCH_NAME_MAX_BYTES + SWITCH_PORT_MAX] = "", second[sizeof(first)], line[512];
	struct manager_happening happening = { .event = EVENT_DRIFT_FOUND, .knob = "pfc" };
	struct manager_facts facts = { .fabric = "", .last_error = "" };
	struct metrics_view view = { .facts = &facts };
	char text[TEXT_ROOM] = "";

	memset(first, 'x', sizeof(first) - 1);
	memcpy(second, first, sizeof(first));
	second[sizeof(second) - 2] = 'y';
	for (int i = 0; i < 5; i++) {
		happening.target = i < 3 ? first : second;
		metrics_happening(metrics, &happening);
	}
	text_of(metrics, &view, text);
	(void)snprintf(line, sizeof(line), "{target=\"%s\",knob=\"pfc\"} 3\n", first);
	assert_non_null(strstr(text, line));
	(void)snprintf(line, sizeof(line), "{target=\"%s\",knob=\"pfc\"} 2\n", second);
	assert_non_null(strstr(text, line));
	(void)metrics_free(metrics);
}

/* Before the first look there is nothing to say of targets and ports. */
static void test_nothing_read(void **state)
{
	static const struct manager_facts facts = { .fabric = "", .last_error = "" };
	const struct metrics_view view = { .facts = &facts };
	struct metrics *metrics = metrics_new("unused");
	char text[TEXT_ROOM] = "";

	text_of(metrics, &view, text);
	assert_null(strstr(text, "_in_sync{"));
	assert_null(strstr(text, "_frames_total{"));
	assert_null(strstr(text, "losslessd_finding{"));
	assert_null(strstr(text, "losslessd_spec_info{"));
	assert_non_null(strstr(text, "\nlosslessd_last_error 0\n"));
	assert_non_null(strstr(text, "\nlosslessd_last_read_seconds 0\n"));
	assert_null(metrics_free(metrics));
}

/* ---- the file ---- */

static int entries(const char *folder)
{
	DIR *dir = opendir(folder);
	int n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	(void)closedir(dir);
	return n - 2;
}

static void test_file(void **state)
{
	_cleanup_(node_done) struct node node;
	char folder[] = "/tmp/test-metrics.XXXXXX", path[64], text[TEXT_ROOM] = "";
	struct stat first, second;
	struct metrics *metrics;
	mode_t mask = umask(0077);
	int fd;

	node_init(&node);
	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/metrics.prom", folder);
	metrics = counted(path);
	assert_int_equal(metrics_write(metrics, &node.view), 1);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, text, sizeof(text) - 1), sizeof(expected) - 1);
	assert_string_equal(text, expected);
	assert_int_equal(fstat(fd, &first), 0);
	assert_int_equal(first.st_mode & 0777, 0644);

	/* The same again: not touched */
	assert_int_equal(metrics_write(metrics, &node.view), 0);
	assert_int_equal(stat(path, &second), 0);
	assert_int_equal(first.st_ino, second.st_ino);

	/* Another text: another file, and who reads the old one reads all of it */
	node.facts.generation++;
	assert_int_equal(metrics_write(metrics, &node.view), 1);
	assert_int_equal(stat(path, &second), 0);
	assert_true(first.st_ino != second.st_ino);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(read(fd, text, sizeof(text) - 1), sizeof(expected) - 1);
	assert_string_equal(text, expected);
	assert_int_equal(entries(folder), 1);
	(void)close(fd);

	/* Who ends takes it away */
	assert_null(metrics_free(metrics));
	assert_int_equal(entries(folder), 0);
	assert_int_equal(rmdir(folder), 0);
	(void)umask(mask);
}

static void test_no_folder(void **state)
{
	_cleanup_(node_done) struct node node;
	struct metrics *metrics = metrics_new("/nonexistent/metrics.prom");

	node_init(&node);
	assert_int_equal(metrics_write(metrics, &node.view), -ENOENT);
	/* It is tried again, though nothing changed */
	assert_int_equal(metrics_write(metrics, &node.view), -ENOENT);
	assert_null(metrics_free(metrics));
}

/* What stands there and cannot be replaced stays, and nothing is left beside it. */
static void test_not_replaced(void **state)
{
	_cleanup_(node_done) struct node node;
	char folder[] = "/tmp/test-metrics.XXXXXX", path[64];
	struct metrics *metrics;

	node_init(&node);
	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/metrics.prom", folder);
	assert_int_equal(mkdir(path, 0755), 0);
	metrics = metrics_new(path);
	assert_int_equal(metrics_write(metrics, &node.view), -EISDIR);
	assert_int_equal(entries(folder), 1);
	assert_null(metrics_free(metrics));
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

static int print_text(void)
{
	struct metrics *metrics = counted("unused");
	struct switch_states states = {};
	struct node node;

	switches_init(&states);
	node_init(&node);
	node.view.switches = &states;
	metrics_format(metrics, &node.view, stdout);
	node_done(&node);
	switch_states_done(&states);
	(void)metrics_free(metrics);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_switches),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_nothing_read),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_no_folder),
		cmocka_unit_test(test_not_replaced),
	};

	if (argc == 2 && strcmp(argv[1], "--text") == 0)
		return print_text();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
