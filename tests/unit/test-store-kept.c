// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the store keeps when a file cannot be written, or the process is killed or stopped. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/node/store-switch.h"
#include "tests/support/cases.h"
#include "tests/support/store-place.h"

/* Until allowed() the file @name of the store cannot be replaced. */
static void forbid(const struct place *place, const char *name, char path[256])
{
	(void)snprintf(path, 256, "%s/%s", place->dir, name);
	assert_int_equal(mkdir(path, 0755), 0);
}

static void allowed(const char *path)
{
	assert_int_equal(rmdir(path), 0);
}

static void expect_store(const struct store *store, const char *text, uint64_t generation,
			 enum store_phase phase, size_t n_undo)
{
	struct states undo = {};

	expect_accepted(store, text);
	assert_int_equal(store_generation(store), generation);
	assert_int_equal(phase, store_phase(store));
	assert_int_equal(store_undo(store, &undo), text ? 0 : -ENOENT);
	assert_int_equal(undo.n, n_undo);
	states_done(&undo);
}

/* The file cannot be put in force: the one before is, with its record, here and on disk. */
static void test_accept_refused(void **state)
{
	static const struct {
		const char *name;
		int error;
	} files[] = {
		{ ".accepted.yaml.new", -EEXIST },
		{ ".undo.new", -EEXIST },
		{ "undo.1", -EEXIST },
	};
	const struct place *place = *state;
	struct store *store = opened(place);
	struct one one = {}, other = {};
	char path[256];

	one_build(&one, "a", KNOB_PFC, "none", "3");
	one_build(&other, "b", KNOB_PFC, "none", "3");
	(void)strcpy(other.have.list[0].target.nic.pci, "0000:17:00.1");
	assert_int_equal(store_accept(store, "one", 3, &one.plan), 0);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		forbid(place, files[i].name, path);
		case_equal(files[i].name, store_accept(store, "two", 3, &other.plan),
			   files[i].error);
		allowed(path);
		expect_store(store, "one", 1, STORE_APPLYING, 1);
		(void)store_close(store);
		store = opened(place);
		expect_store(store, "one", 1, STORE_APPLYING, 1);
	}
	forbid(place, ".accepted.yaml.new", path);
	assert_int_equal(store_accept(store, "two", 3, &nothing), -EEXIST);
	assert_int_equal(store_begin(store, &other.plan, STORE_IDLE), 0);
	allowed(path);
	(void)store_close(store);
	store = opened(place);
	expect_store(store, "one", 1, STORE_APPLYING, 2);
	(void)store_close(store);
	one_done(&one);
	one_done(&other);
}

/* What could not be recorded is not taken for recorded. */
static void test_begin_refused(void **state)
{
	const struct place *place = *state;
	struct store *store = opened(place);
	struct one one = {};
	char path[256];

	one_build(&one, "a", KNOB_PFC, "none", "3");
	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	forbid(place, ".undo.new", path);
	assert_int_equal(store_begin(store, &one.plan, STORE_RETURNING), -EEXIST);
	assert_int_equal(STORE_IDLE, store_phase(store));
	assert_int_equal(store_begin(store, &one.plan, STORE_IDLE), -EEXIST);
	assert_int_equal(store_begin(store, &one.plan, STORE_IDLE), -EEXIST);
	allowed(path);
	assert_int_equal(store_begin(store, &one.plan, STORE_IDLE), 0);
	(void)store_close(store);
	store = opened(place);
	expect_store(store, "one", 1, STORE_IDLE, 1);
	(void)store_close(store);
	one_done(&one);
}

/* The file in force again, with nothing to do: what it ends is ended on disk too. */
static void test_same_again(void **state)
{
	const struct place *place = *state;
	struct store *store = opened(place);
	struct one one = {};

	one_build(&one, "a", KNOB_PFC, "none", "3");
	store_set_confirm(store, (struct store_confirm){ 1790000000, 120 });
	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	store_set_confirm(store, (struct store_confirm){});
	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	(void)store_close(store);
	store = opened(place);
	assert_int_equal(store_get_confirm(store).until_s, 0);
	assert_int_equal(store_begin(store, &one.plan, STORE_RETURNING), 0);
	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	assert_int_equal(STORE_IDLE, store_phase(store));
	(void)store_close(store);
	store = opened(place);
	expect_store(store, "one", 1, STORE_IDLE, 1);
	(void)store_close(store);
	one_done(&one);
}

/* A confirm that could not be kept waits, so that it can be said again. */
static void test_confirm_refused(void **state)
{
	const struct place *place = *state;
	struct store *store = opened(place);
	char path[256];

	store_set_confirm(store, (struct store_confirm){ 1790000000, 120 });
	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	forbid(place, ".undo.new", path);
	assert_int_equal(store_confirm(store), -EEXIST);
	assert_int_equal(store_get_confirm(store).until_s, 1790000000);
	allowed(path);
	assert_int_equal(store_confirm(store), 0);
	(void)store_close(store);
	store = opened(place);
	assert_int_equal(store_get_confirm(store).until_s, 0);
	(void)store_close(store);
}

/* Killed with the record on disk and the file not: that generation never was. */
static void test_unborn(void **state)
{
	const struct place *place = *state;
	struct store *store = opened(place), *reader;
	struct one one = {};
	const struct plan *const plans[] = { &nothing, &one.plan };
	char path[256], holder[8];

	one_build(&one, "a", KNOB_PFC, "none", "3");
	(void)snprintf(path, sizeof(path), "%s/accepted.yaml", place->dir);
	for (size_t i = 0; i < ARRAY_SIZE(plans); i++) {
		assert_int_equal(store_accept(store, "one", 3, plans[i]), 0);
		(void)store_close(store);
		assert_int_equal(unlink(path), 0);
		store = opened(place);
		expect_store(store, NULL, 0, STORE_IDLE, 0);
		assert_int_equal(store_unborn(store), 1);
	}
	assert_int_equal(store_accept(store, "one", 3, &one.plan), 0);
	one.plan.steps[0].outcome = STEP_DONE;
	assert_int_equal(store_end(store, &one.plan, "apply"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(plans); i++) {
		store_set_confirm(store, (struct store_confirm){ 1790000000, 120 });
		assert_int_equal(store_accept(store, "two", 3, plans[i]), 0);
		(void)store_close(store);
		assert_int_equal(raw_write(place, "accepted.yaml", "one", 3), 0);
		assert_int_equal(store_open(place->dir, NULL, &reader, holder, sizeof(holder)), 0);
		expect_store(reader, "one", 1, STORE_IDLE, 1);
		(void)store_close(reader);
		store = opened(place);
		assert_int_equal(store_unborn(store), 2);
		(void)store_close(store);
		store = opened(place);
		assert_int_equal(store_unborn(store), 0);
		expect_store(store, "one", 1, STORE_IDLE, 1);
		assert_int_equal(store_get_confirm(store).until_s, 0);
	}
	/* A rollback to nothing is none */
	assert_int_equal(store_rolled_back(store), 0);
	(void)store_close(store);
	store = opened(place);
	assert_int_equal(store_unborn(store), 0);
	expect_store(store, NULL, 2, STORE_IDLE, 0);
	(void)store_close(store);
	one_done(&one);
}

/* A step that was not begun: the apply has not ended; who stopped it is asked. */
static void test_stopped(void **state)
{
	const struct place *place = *state;
	struct store *store = opened(place);
	struct one one = {};

	one_build(&one, "a", KNOB_PFC, "none", "3");
	assert_int_equal(store_stop(store), 0);
	assert_int_equal(STORE_IDLE, store_phase(store));
	assert_int_equal(store_accept(store, "one", 3, &one.plan), 0);
	assert_int_equal(store_end(store, &one.plan, "apply"), 0);
	(void)store_close(store);
	store = opened(place);
	assert_int_equal(STORE_APPLYING, store_phase(store));
	assert_int_equal(store_stop(store), 0);
	(void)store_close(store);
	store = opened(place);
	assert_int_equal(STORE_STOPPED, store_phase(store));
	one.plan.steps[0].outcome = STEP_DONE;
	assert_int_equal(store_end(store, &one.plan, "drift"), 0);
	assert_int_equal(STORE_STOPPED, store_phase(store));
	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	assert_int_equal(STORE_IDLE, store_phase(store));
	(void)store_close(store);
	one_done(&one);
}

static void expect_records(const struct store *store, const char *text)
{
	_cleanup_free_ char *records = NULL;

	assert_int_equal(store_switch_records(store, &records), text ? 0 : -ENOENT);
	if (text)
		assert_string_equal(records, text);
}

/* Switches that a rollback did not return: the next one goes on, and goes back further first. */
static void test_switches_left(void **state)
{
	struct store *store = opened(*state);

	assert_int_equal(store_accept(store, "one", 3, &nothing), 0);
	assert_int_equal(store_accept(store, "two", 3, &nothing), 0);
	assert_int_equal(store_switch_add(store, "leaf", "1\tpfc\tnone\n"), 0);
	assert_int_equal(store_rolled_back(store), 0);
	expect_records(store, "leaf\t1\tpfc\tnone\n");
	assert_int_equal(store_accept(store, "two", 3, &nothing), 0);
	assert_int_equal(store_switch_add(store, "leaf", "1\tpfc\t3\n"), 0);
	assert_int_equal(store_rolled_back(store), 0);
	expect_records(store, "leaf\t1\tpfc\tnone\n");
	store_switch_returned(store);
	expect_records(store, NULL);
	assert_int_equal(store_rolled_back(store), 0);
	expect_records(store, NULL);
	(void)store_close(store);
}

static size_t history_read(const struct place *place, char *text, size_t size)
{
	char path[256];
	FILE *file;
	size_t n;

	(void)snprintf(path, sizeof(path), "%s/history", place->dir);
	file = fopen(path, "r");
	assert_non_null(file);
	n = fread(text, 1, size - 1, file);
	text[n] = '\0';
	(void)fclose(file);
	return n;
}

/* A line that was not written whole is taken back, or ends before the next one. */
static void test_history_torn(void **state)
{
	static const char torn[] = "{\"cause\":\"app";
	const struct place *place = *state;
	struct store *store = opened(place);
	struct rlimit old, small;
	struct one one = {};
	char text[1024];

	one_build(&one, "a", KNOB_PFC, "none", "3");
	one.plan.steps[0].outcome = STEP_DONE;
	assert_int_equal(raw_write(place, "history", torn, strlen(torn)), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){ strlen(torn) + 20, old.rlim_max };
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(store_end(store, &one.plan, "apply"), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(history_read(place, text, sizeof(text)), strlen(torn));
	assert_int_equal(store_end(store, &one.plan, "apply"), 0);
	(void)history_read(place, text, sizeof(text));
	assert_memory_equal(text, torn, strlen(torn));
	assert_memory_equal(text + strlen(torn), "\n{\"cause\":\"apply\"", 17);
	(void)store_close(store);
	one_done(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORE_TEST(test_accept_refused),
		STORE_TEST(test_begin_refused),
		STORE_TEST(test_same_again),
		STORE_TEST(test_confirm_refused),
		STORE_TEST(test_unborn),
		STORE_TEST(test_stopped),
		STORE_TEST(test_switches_left),
		STORE_TEST(test_history_torn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
