// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A flag set by a signal. SA_RESTART, because the step that is under way has to end as if nothing
 * had happened.
 */
#include "cli/stop.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "lib/base/macro.h"

static volatile sig_atomic_t requested;

static void on_signal(int number)
{
	static const char text[] =
		"\nlosslessctl: stopping after this step; once more stops at once\n";
	int error = errno;

	requested = 1;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		errno = 0; /* nobody is left to be told */
	errno = error;
}

void stop_watch(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = SA_RESTART | (int)SA_RESETHAND };

	(void)sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		(void)sigaction(signals[i], &action, NULL);
}

bool stop_requested(void)
{
	return requested;
}
