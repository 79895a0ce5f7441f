// SPDX-License-Identifier: LGPL-2.1-or-later
/* The store in a folder of its own: generations, the undo record, the lock, damaged files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/node/store.h"
#include "tests/support/cases.h"
#include "tests/support/store-place.h"

static void test_empty(void **state)
{
	const struct place *place = *state;
	struct states undo = {};
	struct store *store;
	char holder[64];

	assert_int_equal(store_open(place->dir, NULL, &store, holder, sizeof(holder)), 0);
	assert_int_equal(store_generation(store), 0);
	assert_int_equal(STORE_IDLE, store_phase(store));
	expect_accepted(store, NULL);
	assert_int_equal(store_undo(store, &undo), -ENOENT);
	assert_null(store_close(store));
	assert_null(store_close(NULL));
}

static void test_generations(void **state)
{
	struct store *store = opened(*state);

	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	assert_int_equal(store_generation(store), 1);
	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	assert_int_equal(store_generation(store), 1);
	assert_int_equal(store_accept(store, "two", 3, &nothing), 0);
	(void)store_close(store);
	store = opened(*state);
	assert_int_equal(store_generation(store), 2);
	expect_accepted(store, "two");
	assert_int_equal(store_rolled_back(store), 0);
	expect_accepted(store, "one");
	(void)store_close(store);
	store = opened(*state);
	assert_int_equal(store_generation(store), 3);
	assert_int_equal(store_rolled_back(store), 0);
	expect_accepted(store, NULL);
	(void)store_close(store);
}

/*
 * The first apply of a generation makes the record; later ones only add objects that are not in it.
 */
static void test_undo(void **state)
{
	struct store *store = opened(*state);
	struct one first = {}, again = {}, other = {};
	struct states undo = {};

	one_build(&first, "a", KNOB_PFC, "none", "3");
	one_build(&again, "a", KNOB_PFC, "4", "3");
	one_build(&other, "r", KNOB_TRAFFIC_CLASS, "unset", "106");
	first.have.list[0].value[KNOB_CABLE_LENGTH] = known(KNOB_CABLE_LENGTH, "7m");
	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	assert_int_equal(store_begin(store, &first.plan, STORE_APPLYING), 0);
	assert_int_equal(store_begin(store, &again.plan, STORE_APPLYING), 0);
	assert_int_equal(store_begin(store, &other.plan, STORE_APPLYING), 0);
	assert_int_equal(STORE_APPLYING, store_phase(store));
	(void)store_close(store);
	store = opened(*state);
	assert_int_equal(STORE_APPLYING, store_phase(store));
	assert_int_equal(store_undo(store, &undo), 0);
	assert_int_equal(undo.n, 2);
	assert_int_equal(states_find(&undo, TARGET_PORT, "a")->value[KNOB_PFC].data.number, 0);
	assert_int_equal(states_find(&undo, TARGET_PORT, "a")->value[KNOB_CABLE_LENGTH].data.number,
			 7);
	assert_string_equal(states_find(&undo, TARGET_PORT, "a")->target.nic.pci, "0000:17:00.0");
	assert_false(
		states_find(&undo, TARGET_RDMA, "r")->value[KNOB_TRAFFIC_CLASS].data.optional.set);
	states_done(&undo);
	assert_int_equal(store_accept(store, "two", 3, &nothing), 0);
	assert_int_equal(store_undo(store, &undo), 0);
	assert_int_equal(undo.n, 0);
	(void)store_close(store);
	one_done(&first);
	one_done(&again);
	one_done(&other);
}

/* A port that was renamed since is in the record once; one that has its name now is another. */
static void test_renamed(void **state)
{
	struct store *store = opened(*state);
	struct one first = {}, renamed = {}, other = {};
	struct states undo = {};

	one_build(&first, "a", KNOB_PFC, "none", "3");
	one_build(&renamed, "b", KNOB_PFC, "5", "3");
	one_build(&other, "a", KNOB_PFC, "6", "3");
	(void)strcpy(other.have.list[0].target.nic.pci, "0000:17:00.1");
	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	assert_int_equal(store_begin(store, &first.plan, STORE_APPLYING), 0);
	assert_int_equal(store_begin(store, &renamed.plan, STORE_APPLYING), 0);
	assert_int_equal(store_begin(store, &other.plan, STORE_APPLYING), 0);
	(void)store_close(store);
	store = opened(*state);
	assert_int_equal(store_undo(store, &undo), 0);
	assert_int_equal(undo.n, 2);
	assert_int_equal(undo.list[0].value[KNOB_PFC].data.number, 0);
	assert_int_equal(undo.list[1].value[KNOB_PFC].data.number, 1 << 6);
	states_done(&undo);
	(void)store_close(store);
	one_done(&first);
	one_done(&renamed);
	one_done(&other);
}

/* A second file that changes nothing does not cost the way back of the first. */
static void test_chain(void **state)
{
	struct store *store = opened(*state);
	struct one one = {};
	struct states undo = {};

	one_build(&one, "a", KNOB_PFC, "none", "3");
	assert_int_equal(store_undo(store, &undo), -ENOENT);
	assert_int_equal(store_accept(store, "one", 3, &one.plan), 0);
	assert_int_equal(STORE_APPLYING, store_phase(store));
	assert_int_equal(store_end(store, &one.plan, "apply"), 0);
	assert_int_equal(store_accept(store, "two", 3, &nothing), 0);
	assert_int_equal(STORE_IDLE, store_phase(store));
	(void)store_close(store);
	store = opened(*state);
	assert_int_equal(store_undo(store, &undo), 0);
	assert_int_equal(undo.n, 0);
	assert_int_equal(store_rolled_back(store), 0);
	expect_accepted(store, "one");
	(void)store_close(store);
	store = opened(*state);
	assert_int_equal(store_undo(store, &undo), 0);
	assert_int_equal(undo.n, 1);
	states_done(&undo);
	assert_int_equal(store_rolled_back(store), 0);
	expect_accepted(store, NULL);
	assert_int_equal(store_undo(store, &undo), -ENOENT);
	(void)store_close(store);
	one_done(&one);
}

static void test_history(void **state)
{
	const struct place *place = *state;
	struct store *store = opened(place);
	struct one one = {};
	char path[256], line[512];
	FILE *file;

	one_build(&one, "a\xff", KNOB_PFC, "none", "3");
	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	assert_int_equal(store_begin(store, &one.plan, STORE_APPLYING), 0);
	one.plan.steps[0].outcome = STEP_FAILED;
	assert_int_equal(store_end(store, &one.plan, "apply"), 0);
	one.plan.steps[0].outcome = STEP_DONE;
	assert_int_equal(store_end(store, &one.plan, "apply"), 0);
	assert_int_equal(STORE_IDLE, store_phase(store));
	(void)snprintf(path, sizeof(path), "%s/history", place->dir);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	assert_non_null(strstr(line, "\"cause\":\"apply\""));
	/* What is no UTF-8 is escaped, as in reports */
	assert_non_null(strstr(line, "\"target\":\"a\\\\xff\""));
	assert_non_null(strstr(line, "\"from\":\"none\""));
	assert_non_null(strstr(line, "\"to\":\"3\""));
	assert_null(fgets(line, sizeof(line), file));
	(void)fclose(file);
	(void)store_close(store);
	one_done(&one);
}

/* Whoever is repaired every minute for years must not fill the disk. */
static void test_history_is_bounded(void **state)
{
	enum { LINES = 20000, SIZE_MAX_BYTES = 1024 * 1024 };
	const struct place *place = *state;
	struct store *store = opened(place);
	struct one one = {};
	char path[256], line[512], last[512] = "";
	unsigned int first = 0, n = 0;
	struct stat info;
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/history", place->dir);
	file = fopen(path, "w");
	assert_non_null(file);
	for (unsigned int i = 0; i < LINES; i++)
		(void)fprintf(file, "{\"number\":%u,\"filled\":\"%060u\"}\n", i, i);
	assert_int_equal(fclose(file), 0);
	one_build(&one, "a", KNOB_PFC, "none", "3");
	one.plan.steps[0].outcome = STEP_DONE;
	assert_int_equal(store_end(store, &one.plan, "drift"), 0);
	assert_int_equal(stat(path, &info), 0);
	assert_in_range(info.st_size, SIZE_MAX_BYTES / 2 - 512, SIZE_MAX_BYTES / 2);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	assert_int_equal(sscanf(line, "{\"number\":%u,", &first), 1);
	for (n = 1; fgets(last, sizeof(last), file); n++)
		;
	(void)fclose(file);
	/* none but the oldest is gone, and the new one is there */
	assert_int_equal(first + n, LINES + 1);
	assert_non_null(strstr(last, "\"cause\":\"drift\""));
	(void)store_close(store);
	one_done(&one);
}

static void test_lock(void **state)
{
	const struct place *place = *state;
	struct store *store = opened(place), *second;
	char holder[64], want[64];
	struct stat info;

	assert_int_equal(store_open(place->dir, place->lock, &second, holder, sizeof(holder)),
			 -EAGAIN);
	(void)snprintf(want, sizeof(want), "%s, process %d", program_invocation_short_name,
		       (int)getpid());
	assert_string_equal(holder, want);
	/* nobody else may take it and stop us */
	assert_int_equal(stat(place->lock, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	assert_int_equal(store_open(place->dir, NULL, &second, holder, sizeof(holder)), 0);
	(void)store_close(second);
	(void)store_close(store);
	(void)store_close(opened(place));
}

#define HEAD "losslessd undo 1\ngeneration 7\nphase idle\n"

static const struct {
	const char *name;
	const char *text;
	int error;
} files[] = {
	{ "good", HEAD "port\ta\t\t1\tpfc\t3\nprevious 3\none", 0 },
	{ "no spec before", HEAD "previous none\n", 0 },
	{ "empty", "", -EBADMSG },
	{ "other magic", "losslessd undo 2\n", -EBADMSG },
	{ "cut in the head", "losslessd undo 1\ngeneration", -EBADMSG },
	{ "cut before the spec", HEAD "port\ta\t\t1\tpfc\t3\n", -EBADMSG },
	{ "cut in the spec", HEAD "previous 30\none", -EBADMSG },
	{ "unknown knob", HEAD "port\ta\t\t1\tpfd\t3\nprevious none\n", -EBADMSG },
	{ "unknown kind", HEAD "prot\ta\t\t1\tpfc\t3\nprevious none\n", -EBADMSG },
	{ "bad value", HEAD "port\ta\t\t1\tpfc\t8\nprevious none\n", -EBADMSG },
	{ "field missing", HEAD "port\ta\tpfc\t3\nprevious none\n", -EBADMSG },
	{ "length that is no number", HEAD "previous x\n", -EBADMSG },
	{ "more than the spec", HEAD "previous 3\nonetwo", -EBADMSG },
	{ "something behind no spec", HEAD "previous none\none", -EBADMSG },
	{ "negative generation", "losslessd undo 1\ngeneration -1\nprevious none\n", -EBADMSG },
	{ "no name", HEAD "port\t\t\t1\tpfc\t3\nprevious none\n", -EBADMSG },
	{ "port that is no number", HEAD "port\ta\t\tx\tpfc\t3\nprevious none\n", -EBADMSG },
	{ "blank line", HEAD "\nprevious none\n", -EBADMSG },
};

static void test_damaged(void **state)
{
	const struct place *place = *state;

	(void)store_close(opened(place));
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct store *store;
		char holder[8];
		int r;

		case_equal(files[i].name,
			   raw_write(place, "undo", files[i].text, strlen(files[i].text)), 0);
		r = store_open(place->dir, NULL, &store, holder, sizeof(holder));
		case_equal(files[i].name, r, files[i].error);
		if (r == 0) {
			case_equal(files[i].name, store_generation(store), 7);
			(void)store_close(store);
		}
	}
}

/* What is no file is neither waited for nor called too large. */
static void test_no_file(void **state)
{
	const struct place *place = *state;
	struct store *store = opened(place);
	char path[256], *text;
	size_t size;

	(void)snprintf(path, sizeof(path), "%s/accepted.yaml", place->dir);
	(void)alarm(10);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(store_accepted(store, &text, &size), -EINVAL);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(store_accepted(store, &text, &size), -EISDIR);
	(void)alarm(0);
	(void)store_close(store);
}

/* Killed before the rename: the old file is whole, the leftover does not disturb. */
static void test_leftover(void **state)
{
	const struct place *place = *state;
	struct store *store = opened(place);

	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	assert_int_equal(raw_write(place, ".accepted.yaml.new", "tw", 2), 0);
	assert_int_equal(raw_write(place, ".undo.new", "lo", 2), 0);
	expect_accepted(store, "one");
	assert_int_equal(store_accept(store, "two", 3, &nothing), 0);
	expect_accepted(store, "two");
	(void)store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORE_TEST(test_empty),
		STORE_TEST(test_generations),
		STORE_TEST(test_undo),
		STORE_TEST(test_chain),
		STORE_TEST(test_renamed),
		STORE_TEST(test_history),
		STORE_TEST(test_history_is_bounded),
		STORE_TEST(test_lock),
		STORE_TEST(test_damaged),
		STORE_TEST(test_no_file),
		STORE_TEST(test_leftover),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
