// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Whatever comes from the other end of a verification: what is taken for a report is exactly one,
 * and can be judged; what is taken for a line of a listener is that line. The corpus has one each.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/model/traffic-wire.h"
#include "tests/fuzz/fuzz.h"

static void try_report(const uint8_t *data, size_t size)
{
	static struct traffic traffic;
	static uint8_t again[TRAFFIC_REPORT_SIZE];

	traffic = (struct traffic){ .tos_sent = 0x6a, .want_priority = 3, .packets = 1 };
	if (traffic_report_decode(data, size, &traffic) < 0)
		return;
	traffic_report_encode(&traffic, again);
	if (size != sizeof(again) || memcmp(data, again, size) != 0)
		abort();
	traffic_judge(&traffic);
}

static void try_line(const uint8_t *data, size_t size)
{
	char line[TRAFFIC_LINE_MAX] = "", again[TRAFFIC_LINE_MAX];
	struct traffic_place place;

	memcpy(line, data, size < sizeof(line) ? size : sizeof(line) - 1);
	if (traffic_place_parse(line, &place) < 0)
		return;
	traffic_place_format(&place, again);
	if (strcmp(line, again) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct traffic_welcome welcome;
	struct traffic_hello hello;

	try_report(data, size);
	try_line(data, size);
	if (traffic_hello_decode(data, size, &hello) == 0 &&
	    hello.messages > TRAFFIC_MESSAGES_MAX)
		abort();
	(void)traffic_welcome_decode(data, size, &welcome);
	(void)traffic_end_decode(data, size);
	if (size >= GRH_SIZE && traffic_grh_tos(data) > 0xff)
		abort();
	return 0;
}
