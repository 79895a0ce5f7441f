// SPDX-License-Identifier: LGPL-2.1-or-later
/* The child of a job, from both sides. */
#include "daemon/switch-job.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

/* ---- in the child ---- */

static void say(int channel, uint32_t job, enum switch_kind kind, enum verdict verdict,
		const char *words)
{
	struct switch_reply reply;

	switch_reply_encode(job, kind, verdict, words, &reply);
	(void)send(channel, &reply, sizeof(reply), MSG_NOSIGNAL);
}

void switch_progress(const struct switch_work *work, const char *words)
{
	say(work->channel, work->call->job, SWITCH_PROGRESS, VERDICT_IN_SYNC, words);
}

void switch_say(const struct switch_work *work, enum switch_kind kind, enum verdict verdict,
		const char *words)
{
	say(work->channel, work->call->job, kind, verdict, words);
}

/* Nothing of the other jobs, and nothing of who asks. */
static void close_but(int a, int b)
{
	int low = MIN(a, b), high = MAX(a, b);

	if (low < 0)
		low = high;
	if (low > STDERR_FILENO + 1)
		(void)close_range(STDERR_FILENO + 1, (unsigned int)low - 1, 0);
	if (high > low + 1)
		(void)close_range((unsigned int)low + 1, (unsigned int)high - 1, 0);
	(void)close_range((unsigned int)high + 1, ~0U, 0);
}

static void work(const struct switch_call *call, int text_fd, int channel,
		 const switch_run runs[SWITCH_VERB_MAX])
{
	char words[SWITCH_REPLY_MAX] = "", *text = malloc((size_t)call->text_size + 1);
	struct switch_work work = { .call = call, .text = text, .channel = channel };
	enum verdict verdict = VERDICT_FAILED;

	close_but(channel, text_fd);
	if (text && (!call->text_size ||
		     pread(text_fd, text, call->text_size, 0) == (ssize_t)call->text_size)) {
		text[call->text_size] = '\0';
		verdict = runs[call->verb](&work, words, sizeof(words));
	} else {
		(void)snprintf(words, sizeof(words), "cannot read the text that came along");
	}
	say(channel, call->job, SWITCH_RESULT, verdict, words);
}

/* ---- its begin ---- */

static int64_t now_ms(void)
{
	struct timespec now = {};

	(void)clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The child, in which it does not return; or a negative errno. */
static pid_t start_child(const struct switch_call *call, int text_fd, int channel,
			 const switch_run runs[SWITCH_VERB_MAX])
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		/* Without us nobody would end it; what it has staged it drops */
		if (prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) == 0 && getppid() == parent)
			work(call, text_fd, channel, runs);
		_exit(EXIT_SUCCESS);
	}
	return pid;
}

int switch_job_start(struct switch_job *job, const struct switch_call *call, int text_fd,
		     const switch_run runs[SWITCH_VERB_MAX])
{
	int ends[2], pidfd, r;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	pid = start_child(call, text_fd, ends[1], runs);
	(void)close(ends[1]);
	if (pid < 0) {
		(void)close(ends[0]);
		return pid;
	}
	pidfd = pidfd_open(pid, 0);
	if (pidfd < 0) {
		r = -errno;
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
		(void)close(ends[0]);
		return r;
	}
	*job = (struct switch_job){
		.pid = pid,
		.pidfd = pidfd,
		.channel = ends[0],
		.number = call->job,
		.deadline_ms = call->deadline_ms,
		.until_ms = now_ms() + call->deadline_ms,
	};
	return 0;
}

/* ---- its end ---- */

/* A result of ours, unless there was one. Returns 1 if it is to be told. */
static int conclude(struct switch_job *job, enum verdict verdict, const char *words,
		    struct switch_reply *ret)
{
	if (job->told)
		return 0;
	job->told = true;
	switch_reply_encode(job->number, SWITCH_RESULT, verdict, words, ret);
	return 1;
}

static void hang_up(struct switch_job *job)
{
	if (job->channel >= 0)
		(void)close(job->channel);
	job->channel = -1;
}

int switch_job_hear(struct switch_job *job, struct switch_reply *ret)
{
	char bytes[sizeof(struct switch_reply) + 1]; /* so that a longer one shows */
	ssize_t n;

	if (job->channel < 0)
		return -EPIPE;
	n = recv(job->channel, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0 || job->told) {
		hang_up(job);
		return -EPIPE;
	}
	if (switch_reply_decode(bytes, (size_t)n, ret) < 0 || ret->job != job->number) {
		hang_up(job);
		(void)kill(job->pid, SIGKILL);
		return conclude(job, VERDICT_UNKNOWN, "its process said what is no reply: killed",
				ret);
	}
	job->told = ret->kind == SWITCH_RESULT;
	return 1;
}

static void late_words(const struct switch_job *job, char *words, size_t size)
{
	uint32_t ms = job->deadline_ms;

	if (ms % 1000)
		(void)snprintf(words, size, "timed out after %u.%03u s", ms / 1000, ms % 1000);
	else
		(void)snprintf(words, size, "timed out after %u s", ms / 1000);
}

int switch_job_expire(struct switch_job *job, int64_t at_ms, struct switch_reply *ret)
{
	char words[64];

	if (at_ms < job->until_ms)
		return 0;
	if (!job->late) {
		job->late = true;
		job->until_ms = at_ms + SWITCH_GRACE_MS;
		(void)kill(job->pid, SIGTERM);
		return 0;
	}
	job->until_ms = INT64_MAX;
	hang_up(job);
	(void)kill(job->pid, SIGKILL);
	late_words(job, words, sizeof(words));
	return conclude(job, VERDICT_UNKNOWN, words, ret);
}
int switch_job_reap(struct switch_job *job, struct switch_reply *ret)
{
	siginfo_t info = {};
	char words[128];
	int status = 0;

	/* What is ours of it is given up first: whoever sees no child sees nothing of it */
	if (waitid(P_PID, (id_t)job->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || !info.si_pid)
		return -EAGAIN;
	hang_up(job);
	(void)close(job->pidfd);
	(void)waitpid(job->pid, &status, 0);
	job->pid = 0;
	if (job->late)
		late_words(job, words, sizeof(words));
	else if (WIFSIGNALED(status))
		(void)snprintf(words, sizeof(words), "died by signal %d (%s)", WTERMSIG(status),
			       sigdescr_np(WTERMSIG(status)) ?: "unknown");
	else
		(void)snprintf(words, sizeof(words), "ended without a result, exit status %d",
			       WEXITSTATUS(status));
	return conclude(job, VERDICT_UNKNOWN, words, ret);
}
