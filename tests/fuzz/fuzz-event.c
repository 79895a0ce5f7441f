// SPDX-License-Identifier: LGPL-2.1-or-later
/* Any datagram of a monitor's socket: the first byte chooses the socket, the rest is what came. */
#include <stdlib.h>
#include <string.h>

#include "lib/os/monitor.h"
#include "tests/fuzz/fuzz.h"

enum { FAMILY = 0x15 };

/* What the header promises of every event. */
static int check(const struct os_event *event, void *data)
{
	bool named = event->kind == OS_EVENT_DCB || event->kind == OS_EVENT_RDMA;

	if (named && (!event->name[0] || !memchr(event->name, 0, sizeof(event->name))))
		abort();
	if (!named && event->link.ifindex <= 0)
		abort();
	if (!memchr(event->link.name, 0, sizeof(event->link.name)))
		abort();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, size };
	enum os_monitor_source source = input_byte(&input) % OS_MONITOR_MAX;
	/* aligned, and exactly as large as it is */
	void *datagram = malloc(input.size ? input.size : 1);

	if (!datagram)
		return 0;
	memcpy(datagram, input.data, input.size);
	(void)os_event_parse(source, FAMILY, datagram, input.size, check, NULL);
	free(datagram);
	return 0;
}
