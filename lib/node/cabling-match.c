// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of switches and ports as people write them, and as switches tell them. What a port's id is
 * depends on the vendor: an interface name with most, an alias with the name as description on
 * SONiC (lldpmgrd), a number or a MAC address with some, which nothing can be compared with.
 */
#include "lib/node/cabling.h"

#include <arpa/inet.h>
#include <string.h>

#include "lib/base/macro.h"

/* ---- switches ---- */

static bool address_equal(const char *a, const char *b)
{
	unsigned char left[sizeof(struct in6_addr)] = {}, right[sizeof(left)] = {};

	for (size_t i = 0; i < 2; i++) {
		int family = i ? AF_INET6 : AF_INET;

		if (inet_pton(family, a, left) == 1 && inet_pton(family, b, right) == 1)
			return memcmp(left, right, sizeof(left)) == 0;
	}
	return false;
}

static bool is_address(const char *text)
{
	return address_equal(text, text);
}

/* Whole, or up to the first dot where the other has none. */
static bool host_equal(const char *a, const char *b)
{
	size_t n = strcspn(a, "."), m = strcspn(b, ".");

	if (a[n] && b[m])
		return strcasecmp(a, b) == 0;
	return n == m && strncasecmp(a, b, n) == 0;
}

enum match chassis_match(const struct lldp_neighbor *neighbor, const char *name,
			 const char *address)
{
	if (*neighbor->chassis && host_equal(neighbor->chassis, name))
		return MATCH_YES;
	for (size_t i = 0; i < neighbor->n_addresses; i++)
		if (address_equal(neighbor->address[i], address))
			return MATCH_YES;
	if (*neighbor->chassis || (neighbor->n_addresses && is_address(address)))
		return MATCH_NO;
	return MATCH_UNCLEAR;
}

/* ---- ports ---- */

static const char digits[] = "0123456789";
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";

/* "100GE1/0/1": how many bytes "100" has, and "GE". */
struct port_name {
	size_t speed;
	size_t type;
};

static struct port_name port_split(const char *name)
{
	size_t speed = strspn(name, digits);

	return (struct port_name){ speed, strspn(name + speed, letters) };
}

/* Blanks between the kind of port and its number are not told apart: "Ethernet 1/7". */
static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
}

enum { ABBREVIATION_MIN = 2 };

/* Is one kind of port the beginning of the other, and all else equal? */
static bool port_abbreviates(const char *a, const char *b)
{
	struct port_name left = port_split(a), right = port_split(b);
	size_t shorter = MIN(left.type, right.type);

	return shorter >= ABBREVIATION_MIN && left.speed == right.speed &&
	       strncmp(a, b, left.speed) == 0 &&
	       strncasecmp(a + left.speed, b + right.speed, shorter) == 0 &&
	       strcmp(skip_blanks(a + left.speed + left.type),
		      skip_blanks(b + right.speed + right.type)) == 0;
}

/* Other words and the same number: "1/7", "E1/7", "Ethernet1/7"; "HundredGigE0/1", "100GE0/1". */
static bool port_resembles(const char *a, const char *b)
{
	struct port_name left = port_split(a), right = port_split(b);
	const char *x = left.type ? a + left.speed + left.type : a;
	const char *y = right.type ? b + right.speed + right.type : b;

	if (strcmp(skip_blanks(x), skip_blanks(y)) != 0)
		return false;
	if (!left.type || !right.type || !left.speed != !right.speed)
		return true;
	return left.speed == right.speed && strncasecmp(a, b, left.speed + 1) == 0;
}

/* The one of the switch's ports that @told is or may be short for; "" if there are several. */
static const char *port_find(const char *told, const char *const *ports, size_t n)
{
	const char *found = NULL;

	for (size_t i = 0; i < n; i++)
		if (strcasecmp(told, ports[i]) == 0)
			return ports[i];
	for (size_t i = 0; i < n; i++)
		if (port_abbreviates(told, ports[i]))
			found = found ? "" : ports[i];
	return found;
}

static bool is_type(const struct lldp_neighbor *neighbor, const char *type)
{
	return strcmp(neighbor->port_type, type) == 0;
}

enum match port_match(const struct lldp_neighbor *neighbor, const char *port,
		      const char *const *ports, size_t n)
{
	bool named = is_type(neighbor, "ifname");
	/* A description is what people typed, unless the id is no name */
	const char *told[] = { neighbor->port, named ? "" : neighbor->port_text };

	for (size_t i = 0; i < ARRAY_SIZE(told); i++) {
		const char *found = *told[i] ? port_find(told[i], ports, n) : NULL;

		if (found && *found)
			return strcmp(found, port) == 0 ? MATCH_YES : MATCH_NO;
		if (*told[i] && port_resembles(told[i], port))
			return MATCH_UNCLEAR;
	}
	if (named || (is_type(neighbor, "local") && neighbor->port[strspn(neighbor->port, digits)]))
		return MATCH_NO;
	return MATCH_UNCLEAR;
}
