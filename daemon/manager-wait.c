// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waiting: a pass is not made in a callback, so the loop may run while a driver settles, a link
 * comes back or the NIC worker answers. What arrives meanwhile is marked, and questions are
 * answered.
 */
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>

#include "daemon/manager-private.h"
#include "lib/nic/nic.h"

static void wait_ms(struct provider *provider, unsigned int ms)
{
	struct manager *manager = ((struct manager_provider *)provider)->manager;
	int64_t end_ms = manager_now_ms(manager) + ms;

	for (int64_t left = ms; left > 0; left = end_ms - manager_now_ms(manager))
		if (sd_event_run(manager->event, (uint64_t)left * 1000) < 0)
			break;
}

static int on_answer(sd_event_source *source, int fd, uint32_t events, void *data)
{
	*(bool *)data = true;
	return 0;
}

/* Returns 1 if @fd can be read, 0 after @timeout_ms, a negative errno. */
int manager_wait_fd(int fd, unsigned int timeout_ms, void *data)
{
	struct manager *manager = data;
	int64_t end_ms = manager_now_ms(manager) + timeout_ms;
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	sd_event_source *source = NULL;
	bool answered = false;
	int r;

	/* Most answers are there at once: the loop is only for those that are not */
	r = poll(&poll_fd, 1, 1);
	if (r > 0)
		return 1;
	r = sd_event_add_io(manager->event, &source, fd, EPOLLIN, on_answer, &answered);
	for (int64_t left = timeout_ms; r >= 0 && !answered && left > 0;
	     left = end_ms - manager_now_ms(manager))
		r = sd_event_run(manager->event, (uint64_t)left * 1000);
	sd_event_source_disable_unref(source);
	if (r < 0)
		return r;
	return answered;
}

int manager_provider_init(struct manager *manager)
{
	struct manager_provider *provider = &manager->provider;
	int r = 0;

	if (manager->places.nic_socket)
		r = nic_remote_init(&manager->remote, &provider->provider, manager->os,
				    manager->places.nic_socket);
	else
		nic_provider_init(&provider->provider, manager->os);
	if (r < 0)
		return r;
	manager->remote.wait = manager_wait_fd;
	manager->remote.wait_data = manager;
	provider->manager = manager;
	provider->ops = *provider->provider.ops;
	provider->ops.sleep_ms = wait_ms;
	provider->provider.ops = &provider->ops;
	return 0;
}

void manager_provider_done(struct manager *manager)
{
	if (manager->places.nic_socket && manager->provider.manager)
		nic_remote_done(&manager->remote);
}
