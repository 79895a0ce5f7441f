// SPDX-License-Identifier: LGPL-2.1-or-later
/* Where traffic goes to: addresses, and the line by which a listener says where it is. Pure. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/model/traffic.h"

void traffic_address_format(const struct in6_addr *address, char text[INET6_ADDRSTRLEN])
{
	const char *shown =
		IN6_IS_ADDR_V4MAPPED(address) ?
			inet_ntop(AF_INET, &address->s6_addr[12], text, INET6_ADDRSTRLEN) :
			inet_ntop(AF_INET6, address, text, INET6_ADDRSTRLEN);

	if (!shown)
		text[0] = '\0';
}

int traffic_address_parse(const char *text, struct in6_addr *ret)
{
	struct in6_addr address = { .s6_addr = { [10] = 0xff, [11] = 0xff } };

	if (inet_pton(AF_INET, text, &address.s6_addr[12]) != 1 &&
	    inet_pton(AF_INET6, text, &address) != 1)
		return -EINVAL;
	*ret = address;
	return 0;
}

/* How many bits are equal from the left. */
static unsigned int equal_bits(const struct in6_addr *a, const struct in6_addr *b)
{
	unsigned int n = 0;

	while (n < 128 && !((a->s6_addr[n / 8] ^ b->s6_addr[n / 8]) & 0x80 >> n % 8))
		n++;
	return n;
}

const struct traffic_place *traffic_nearest(const struct in6_addr *from,
					    const struct traffic_place *places, size_t n)
{
	const struct traffic_place *best = NULL;
	unsigned int best_bits = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned int bits = equal_bits(from, &places[i].address);

		if (!IN6_IS_ADDR_V4MAPPED(from) != !IN6_IS_ADDR_V4MAPPED(&places[i].address))
			continue;
		if (best && bits <= best_bits)
			continue;
		best = &places[i];
		best_bits = bits;
	}
	return best;
}

void traffic_place_format(const struct traffic_place *place, char text[TRAFFIC_LINE_MAX])
{
	char address[INET6_ADDRSTRLEN];

	traffic_address_format(&place->address, address);
	(void)snprintf(text, TRAFFIC_LINE_MAX, "listening on %s (%s) %s port %u", place->name,
		       place->rdma, address, place->port);
}

/* It has to be the very line that the format makes of it: nothing hides in it. */
int traffic_place_parse(const char *text, struct traffic_place *ret)
{
	char address[INET6_ADDRSTRLEN], again[TRAFFIC_LINE_MAX];
	struct traffic_place place = {};

	if (sscanf(text, "listening on %63[!-~] (%63[!'*-~]) %45[0-9a-f:.] port %hu", place.name,
		   place.rdma, address, &place.port) != 4 ||
	    !place.port || traffic_address_parse(address, &place.address) < 0)
		return -EINVAL;
	traffic_place_format(&place, again);
	if (strcmp(text, again) != 0)
		return -EINVAL;
	*ret = place;
	return 0;
}
