// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Jobs that hang, crash, lie and never stop talking, and people who do not listen: the loop of
 * losslessd-switch goes on. The name of the switch says what its job does.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/switch-loop.h"
#include "lib/base/macro.h"
#include "tests/support/cases.h"

enum { LONG_MS = 60 * 1000 };

/* ---- what jobs do ---- */

static int count_descriptors(const char *folder)
{
	const struct dirent *entry;
	DIR *dir = opendir(folder);
	int n = 0;

	while (dir && (entry = readdir(dir)))
		n += entry->d_name[0] != '.' && atoi(entry->d_name) > STDERR_FILENO;
	(void)closedir(dir);
	return n;
}

static void lie(const struct switch_work *work, size_t size, uint32_t job)
{
	struct switch_reply reply[2];

	switch_reply_encode(job, SWITCH_RESULT, VERDICT_IN_SYNC, "all is well", &reply[0]);
	(void)send(work->channel, reply, size, 0);
	(void)pause();
}

static enum verdict behave(const struct switch_work *work, char *words, size_t size)
{
	const struct switch_call *call = work->call;
	const char *name = call->name;

	if (strcmp(name, "hang") == 0)
		(void)pause();
	if (strcmp(name, "crash") == 0)
		(void)raise(SIGSEGV);
	if (strcmp(name, "leave") == 0)
		_exit(3);
	if (strcmp(name, "lie-short") == 0)
		lie(work, sizeof(struct switch_reply) - 1, call->job);
	if (strcmp(name, "lie-long") == 0)
		lie(work, sizeof(struct switch_reply) + 1, call->job);
	if (strcmp(name, "lie-job") == 0)
		lie(work, sizeof(struct switch_reply), call->job + 1);
	if (strcmp(name, "twice") == 0)
		lie(work, sizeof(struct switch_reply), call->job);
	if (strcmp(name, "mute") == 0) {
		(void)close(work->channel);
		(void)pause();
	}
	if (strcmp(name, "linger") == 0) {
		switch_say(work, SWITCH_RESULT, VERDICT_IN_SYNC, "all is well");
		(void)poll(NULL, 0, 300);
		_exit(0);
	}
	while (strcmp(name, "flood") == 0)
		switch_progress(work, "and on");
	if (strcmp(name, "steps") == 0) {
		switch_progress(work, "one");
		switch_progress(work, "two");
	}
	if (strcmp(name, "descriptors") == 0)
		(void)snprintf(words, size, "%d", count_descriptors("/proc/self/fd"));
	else
		(void)snprintf(words, size, "%s %zu", work->text, strlen(work->text));
	return VERDICT_DRIFT;
}

static const switch_run runs[SWITCH_VERB_MAX] = {
	[SWITCH_TEST] = behave,
	[SWITCH_RENDER] = behave,
	[SWITCH_PUSH] = behave,
	[SWITCH_READ] = behave,
};

/* ---- the loop, in a process of its own ---- */

struct bed {
	pid_t pid;
	int fd[2]; /* two who ask */
};

static void start(struct bed *bed)
{
	int first[2], second[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, first), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, second), 0);
	bed->pid = fork();
	assert_true(bed->pid >= 0);
	if (bed->pid == 0) {
		struct switch_loop loop = { .listener = -1, .idle_ms = -1, .runs = runs };
		const struct rlimit none = {};

		(void)setrlimit(RLIMIT_CORE, &none);
		(void)signal(SIGSEGV, SIG_DFL); /* not cmocka's */
		(void)close(first[0]);
		(void)close(second[0]);
		listen_allow(&loop.users, true);
		switch_loop_add(&loop, first[1]);
		switch_loop_add(&loop, second[1]);
		_exit(switch_loop_run(&loop) == 0 ? 0 : 1);
	}
	(void)close(first[1]);
	(void)close(second[1]);
	bed->fd[0] = first[0];
	bed->fd[1] = second[0];
}

static void end(struct bed *bed)
{
	int status;

	(void)close(bed->fd[0]);
	(void)close(bed->fd[1]);
	assert_int_equal(waitpid(bed->pid, &status, 0), bed->pid);
	assert_int_equal(status, 0);
}

/* ---- speaking ---- */

static int ask(int fd, uint32_t job, const char *name, uint32_t deadline_ms)
{
	struct switch_call call = { .job = job, .deadline_ms = deadline_ms, .verb = SWITCH_TEST };
	struct switch_request request;

	(void)snprintf(call.name, sizeof(call.name), "%s", name);
	switch_request_encode(&call, &request);
	return send(fd, &request, sizeof(request), MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* Returns false at the end of the connection. */
static bool hear(int fd, struct switch_reply *ret)
{
	char bytes[sizeof(*ret) + 1];
	ssize_t n = recv(fd, bytes, sizeof(bytes), 0);

	if (n <= 0)
		return false;
	assert_int_equal(switch_reply_decode(bytes, (size_t)n, ret), 0);
	return true;
}

static void want_result(const char *name, int fd, uint32_t job, enum verdict verdict,
			const char *text)
{
	struct switch_reply reply;

	case_true(name, hear(fd, &reply));
	case_string(name, reply.text, text);
	case_equal(name, reply.kind, SWITCH_RESULT);
	case_equal(name, reply.job, job);
	case_equal(name, reply.verdict, verdict);
}

static bool is_quiet(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return poll(&poll_fd, 1, 50) == 0;
}

/* The children of @pid, as the kernel lists them; also the dead ones. */
static void children_of(pid_t pid, char *ret, size_t size)
{
	char path[64];
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	file = fopen(path, "re");
	if (!file)
		skip(); /* a kernel without them */
	ret[fread(ret, 1, size - 1, file)] = '\0';
	(void)fclose(file);
}

static void want_no_children(pid_t pid)
{
	char list[512];

	for (int i = 0; i < 1000; i++) {
		children_of(pid, list, sizeof(list));
		if (!*list)
			return;
		(void)usleep(10 * 1000);
	}
	fail_msg("still there: %s", list);
}

/* ---- the cases ---- */

static const struct {
	const char *name;
	uint32_t deadline_ms;
	enum verdict verdict;
	const char *text;
} jobs[] = {
	{ "well", LONG_MS, VERDICT_DRIFT, " 0" },
	{ "crash", LONG_MS, VERDICT_UNKNOWN, "died by signal 11 (Segmentation fault)" },
	{ "leave", LONG_MS, VERDICT_UNKNOWN, "ended without a result, exit status 3" },
	{ "hang", 100, VERDICT_UNKNOWN, "timed out after 0.100 s" },
	{ "hang", 1000, VERDICT_UNKNOWN, "timed out after 1 s" },
	{ "mute", 100, VERDICT_UNKNOWN, "timed out after 0.100 s" },
	{ "lie-short", LONG_MS, VERDICT_UNKNOWN, "its process said what is no reply: killed" },
	{ "lie-long", LONG_MS, VERDICT_UNKNOWN, "its process said what is no reply: killed" },
	{ "lie-job", LONG_MS, VERDICT_UNKNOWN, "its process said what is no reply: killed" },
	{ "twice", 100, VERDICT_IN_SYNC, "all is well" },
	/* its channel and the folder that it reads, nobody else's */
	{ "descriptors", LONG_MS, VERDICT_DRIFT, "2" },
};

static void test_jobs(void **state)
{
	struct bed bed;

	start(&bed);
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++) {
		assert_int_equal(ask(bed.fd[0], (uint32_t)i + 1, jobs[i].name, jobs[i].deadline_ms),
				 0);
		want_result(jobs[i].name, bed.fd[0], (uint32_t)i + 1, jobs[i].verdict,
			    jobs[i].text);
		want_no_children(bed.pid);
		case_true(jobs[i].name, is_quiet(bed.fd[0]));
		case_true(jobs[i].name, is_quiet(bed.fd[1]));
	}
	end(&bed);
}

static void test_steps(void **state)
{
	struct switch_reply reply;
	struct bed bed;

	start(&bed);
	assert_int_equal(ask(bed.fd[1], 9, "steps", LONG_MS), 0);
	assert_true(hear(bed.fd[1], &reply));
	assert_int_equal(reply.kind, SWITCH_PROGRESS);
	assert_int_equal(reply.job, 9);
	assert_string_equal(reply.text, "one");
	assert_true(hear(bed.fd[1], &reply));
	assert_string_equal(reply.text, "two");
	want_result("steps", bed.fd[1], 9, VERDICT_DRIFT, " 0");
	assert_true(is_quiet(bed.fd[0]));
	end(&bed);
}

/* As many as there may be, one more, and all over again. */
static void test_many(void **state)
{
	struct switch_reply reply;
	struct bed bed;

	start(&bed);
	for (uint32_t i = 1; i <= SWITCH_JOBS_MAX; i++)
		assert_int_equal(ask(bed.fd[0], i, "hang", 2000), 0);
	assert_int_equal(ask(bed.fd[0], 65, "well", LONG_MS), 0);
	want_result("one more", bed.fd[0], 65, VERDICT_PENDING, "64 jobs already: try again");
	for (uint32_t i = 1; i <= SWITCH_JOBS_MAX; i++) {
		assert_true(hear(bed.fd[0], &reply));
		assert_string_equal(reply.text, "timed out after 2 s");
	}
	want_no_children(bed.pid);
	assert_int_equal(ask(bed.fd[0], 66, "well", LONG_MS), 0);
	want_result("again", bed.fd[0], 66, VERDICT_DRIFT, " 0");
	end(&bed);
}

/* All have told their results and none is gone: who asks then waits for a place. */
static void test_again_at_once(void **state)
{
	struct switch_reply reply;
	struct bed bed;

	start(&bed);
	for (uint32_t i = 1; i <= SWITCH_JOBS_MAX; i++)
		assert_int_equal(ask(bed.fd[0], i, "linger", LONG_MS), 0);
	for (uint32_t i = 1; i <= SWITCH_JOBS_MAX; i++) {
		assert_true(hear(bed.fd[0], &reply));
		assert_string_equal(reply.text, "all is well");
	}
	assert_int_equal(ask(bed.fd[0], 65, "well", LONG_MS), 0);
	want_result("at once", bed.fd[0], 65, VERDICT_DRIFT, " 0");
	end(&bed);
}

static bool is_hung_up(int fd)
{
	struct pollfd poll_fd = { .fd = fd };

	assert_true(poll(&poll_fd, 1, 0) >= 0);
	return poll_fd.revents & POLLHUP;
}

/*
 * What is said waits for who does not read until the job's time is over; nobody else waits, and
 * then its place is free.
 */
static void test_slow(void **state)
{
	struct switch_reply reply;
	uint32_t n = 0;
	struct bed bed;

	start(&bed);
	assert_int_equal(ask(bed.fd[0], 1, "flood", 1000), 0);
	do {
		assert_int_equal(ask(bed.fd[1], ++n, "well", LONG_MS), 0);
		want_result("beside it", bed.fd[1], n, VERDICT_DRIFT, " 0");
	} while (!is_hung_up(bed.fd[0]));
	assert_true(n > 1);
	want_no_children(bed.pid);
	while (hear(bed.fd[0], &reply))
		assert_int_equal(reply.job, 1);
	end(&bed);
}

/* Who has asked and says that this was all is answered. */
static void test_half_closed(void **state)
{
	struct switch_reply reply;
	struct bed bed;

	start(&bed);
	assert_int_equal(ask(bed.fd[0], 1, "hang", 200), 0);
	assert_int_equal(ask(bed.fd[0], 2, "well", LONG_MS), 0);
	assert_int_equal(shutdown(bed.fd[0], SHUT_WR), 0);
	want_result("the second", bed.fd[0], 2, VERDICT_DRIFT, " 0");
	want_result("the first", bed.fd[0], 1, VERDICT_UNKNOWN, "timed out after 0.200 s");
	assert_false(hear(bed.fd[0], &reply));
	end(&bed);
}

/* The loop ends when the last job has, though nobody hears of it. */
static void test_gone(void **state)
{
	struct bed bed;

	start(&bed);
	assert_int_equal(ask(bed.fd[0], 1, "hang", 300), 0);
	assert_int_equal(ask(bed.fd[1], 2, "crash", LONG_MS), 0);
	end(&bed);
}

/* No job outlives the loop. */
static void test_killed(void **state)
{
	char list[64];
	struct bed bed;
	pid_t child;
	int status;

	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	start(&bed);
	assert_int_equal(ask(bed.fd[0], 1, "hang", LONG_MS), 0);
	assert_int_equal(ask(bed.fd[0], 2, "well", LONG_MS), 0);
	/* The first has begun when the second is answered */
	want_result("the second", bed.fd[0], 2, VERDICT_DRIFT, " 0");
	do
		children_of(bed.pid, list, sizeof(list));
	while (strchr(list, ' ') != strrchr(list, ' '));
	child = atoi(list);
	assert_true(child > 0);
	assert_int_equal(kill(bed.pid, SIGKILL), 0);
	assert_int_equal(waitpid(bed.pid, &status, 0), bed.pid);
	/* "hang" never ends by itself: killed, or it saw that it has no parent before it began */
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGTERM : WEXITSTATUS(status) == 0);
	(void)close(bed.fd[0]);
	(void)close(bed.fd[1]);
}

/* ---- what comes along ---- */

static int text_with(const char *text, int seals)
{
	int fd = memfd_create("text", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

static void ask_with(int fd, uint32_t text_size, int text_fd, unsigned int n)
{
	struct switch_call call = { .job = 1, .deadline_ms = LONG_MS, .text_size = text_size,
				    .verb = SWITCH_RENDER, .name = "well" };
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(16 * sizeof(int))];
	} control = {};
	struct switch_request request;
	struct iovec from = { &request, sizeof(request) };
	struct msghdr message = { .msg_iov = &from, .msg_iovlen = 1 };

	switch_request_encode(&call, &request);
	if (n) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(n * sizeof(int));
		control.head = (struct cmsghdr){ CMSG_LEN(n * sizeof(int)), SOL_SOCKET,
						 SCM_RIGHTS };
		for (unsigned int i = 0; i < n; i++)
			memcpy(CMSG_DATA(&control.head) + i * sizeof(int), &text_fd, sizeof(int));
	}
	assert_int_equal(sendmsg(fd, &message, 0), sizeof(request));
}

enum { ALL = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

static const struct {
	const char *name;
	uint32_t size;
	int seals;
	unsigned int n;
	const char *text; /* what is answered to it */
} texts[] = {
	{ "as it should be", 6, ALL, 1, "leaf-1 6" },
	{ "all seals", 6, ALL | F_SEAL_SEAL, 1, "leaf-1 6" },
	{ "no text", 0, ALL, 0, " 0" },
	{ "not sealed", 6, 0, 1, "no request: the text is in no sealed memfd" },
	{ "may be written", 6, ALL & ~F_SEAL_WRITE, 1,
	  "no request: the text is in no sealed memfd" },
	{ "may grow", 6, ALL & ~F_SEAL_GROW, 1, "no request: the text is in no sealed memfd" },
	{ "may shrink", 6, ALL & ~F_SEAL_SHRINK, 1,
	  "no request: the text is in no sealed memfd" },
	{ "shorter", 7, ALL, 1, "no request: the text has another size" },
	{ "longer", 5, ALL, 1, "no request: the text has another size" },
	{ "no size", 0, ALL, 1,
	  "no request: a text without its size, or a size without its text" },
	{ "only a size", 6, ALL, 0,
	  "no request: a text without its size, or a size without its text" },
	{ "two", 6, ALL, 2, "no request: more than one descriptor" },
	{ "three", 6, ALL, 3, "no request: more than one descriptor" },
	{ "many", 6, ALL, 16, "no request: more than one descriptor" },
};

static void test_texts(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		bool refused = strncmp(texts[i].text, "no request", 10) == 0;
		struct switch_reply reply;
		char folder[64];
		struct bed bed;
		int fd, before;

		start(&bed);
		/* Both are served */
		assert_int_equal(ask(bed.fd[1], 1, "well", LONG_MS), 0);
		want_result("before", bed.fd[1], 1, VERDICT_DRIFT, " 0");
		want_no_children(bed.pid);
		(void)snprintf(folder, sizeof(folder), "/proc/%d/fd", bed.pid);
		before = count_descriptors(folder);
		fd = text_with("leaf-1", texts[i].seals);
		ask_with(bed.fd[0], texts[i].size, fd, texts[i].n);
		(void)close(fd);
		want_result(texts[i].name, bed.fd[0], !refused,
			    refused ? VERDICT_FAILED : VERDICT_DRIFT, texts[i].text);
		if (refused)
			case_true(texts[i].name, !hear(bed.fd[0], &reply));
		want_no_children(bed.pid);
		/* And nothing of it is kept */
		assert_int_equal(ask(bed.fd[1], 2, "well", LONG_MS), 0);
		want_result("after", bed.fd[1], 2, VERDICT_DRIFT, " 0");
		want_no_children(bed.pid);
		case_equal(texts[i].name, count_descriptors(folder), before - refused);
		end(&bed);
	}
}

static void test_other_descriptors(void **state)
{
	static const char *const paths[] = { "/dev/null", "/proc/self/status", "/tmp" };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC);
		struct bed bed;

		start(&bed);
		ask_with(bed.fd[0], 6, fd, 1);
		want_result(paths[i], bed.fd[0], 0, VERDICT_FAILED,
			    "no request: the text is in no sealed memfd");
		(void)close(fd);
		end(&bed);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jobs),	    cmocka_unit_test(test_steps),
		cmocka_unit_test(test_many),	    cmocka_unit_test(test_slow),
		cmocka_unit_test(test_again_at_once),
		cmocka_unit_test(test_half_closed), cmocka_unit_test(test_gone),
		cmocka_unit_test(test_killed),	    cmocka_unit_test(test_texts),
		cmocka_unit_test(test_other_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
