// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A flag set by a signal. SA_RESTART, because the step that is under way has to end as if nothing
 * had happened.
 */
#include "cli/stop.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/macro.h"

const char stop_after_step[] =
	"\nlosslessctl: stopping after this step; once more stops at once\n";

static volatile sig_atomic_t requested;
static const char *to_say;

static void on_signal(int number)
{
	int error = errno;

	requested = 1;
	if (to_say && write(STDERR_FILENO, to_say, strlen(to_say)) < 0)
		errno = 0; /* nobody is left to be told */
	errno = error;
}

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

static void set_action(int number, const struct sigaction *action)
{
	struct sigaction old;

	if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		(void)sigaction(number, action, NULL);
}

void stop_watch(const char *words)
{
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = SA_RESTART | (int)SA_RESETHAND };
	sigset_t set;

	to_say = words;
	(void)sigemptyset(&action.sa_mask);
	(void)sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		set_action(signals[i], &action);
		(void)sigaddset(&set, signals[i]);
	}
	/* A mask may come from whoever started this process; then nobody could stop it. */
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void stop_unwatch(void)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		set_action(signals[i], &action);
}

bool stop_requested(void)
{
	return requested;
}
