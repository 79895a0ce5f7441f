// SPDX-License-Identifier: LGPL-2.1-or-later
/* The closed sets of characters, one row for each kind of name. */
#include "lib/spec/name.h"

#include <arpa/inet.h>
#include <string.h>

#include "lib/base/macro.h"

enum { LOWER = 1, UPPER = 2, DIGIT = 4, HEX_LETTER = 8 };
#define ALNUM	   (LOWER | UPPER | DIGIT)
#define HEX	   (DIGIT | HEX_LETTER)
#define HEX_DIGITS "0123456789abcdefABCDEF"
#define GLOB	   "*?[]!"

/* Classes of characters, and single ones. */
struct set {
	unsigned int classes;
	const char *others;
};

struct name_info {
	const char *what;
	struct set first; /* what it may begin with */
	struct set all; /* nothing in it: any character that is not a control */
	const char *shown; /* the set in words */
	size_t max;
};

static const struct name_info name_table[] = {
	[NAME_FABRIC] = { "name of a fabric",
			  { LOWER | DIGIT, "-" },
			  { LOWER | DIGIT, "-" },
			  "a-z 0-9 -",
			  63 },
	[NAME_HOST] = { "host name",
			{ ALNUM, "" },
			{ ALNUM, ".-" },
			"A-Z a-z 0-9 . - and begins with a letter or digit",
			253 },
	[NAME_ADDRESS] = { "address",
			   { ALNUM, ":" },
			   { ALNUM, ".-:%" },
			   "a host name, IPv4 or IPv6",
			   253 },
	[NAME_SWITCH_PORT] = { "switch port",
			       { ALNUM, "" },
			       { ALNUM, "/._: -" },
			       "A-Z a-z 0-9 / . _ : - space and begins with a letter or digit",
			       64 },
	[NAME_NETDEV] = { "network device",
			  { ALNUM, "" },
			  { ALNUM, "._:@-" },
			  "A-Z a-z 0-9 . _ : @ -",
			  63 },
	[NAME_CREDENTIAL] = { "name",
			      { ALNUM, "._-" },
			      { ALNUM, "._-" },
			      "A-Z a-z 0-9 . _ -",
			      255 },
	[NAME_DIALECT] = { "name of a dialect",
			   { LOWER | DIGIT, "" },
			   { LOWER | DIGIT, "-" },
			   "a-z 0-9 -",
			   63 },
	[NAME_VARIABLE] = { "name of a variable",
			    { LOWER | DIGIT, "" },
			    { LOWER | DIGIT, "_-" },
			    "a-z 0-9 _ -",
			    63 },
	[NAME_ALGORITHM] = { "name of an algorithm",
			     { ALNUM, "" },
			     { ALNUM, "@._-" },
			     "A-Z a-z 0-9 @ . _ -",
			     127 },
	[NAME_FINGERPRINT] = { "fingerprint",
			       { ALNUM, ":+/=." },
			       { ALNUM, ":+/=." },
			       "SHA256: and base64, as ssh-keygen -l shows it",
			       80 },
	[NAME_DRIVER] = { "driver", { ALNUM, "" }, { ALNUM, "_-" }, "A-Z a-z 0-9 _ -", 63 },
	[NAME_PORT_PATTERN] = { "device",
				{ ALNUM, GLOB },
				{ ALNUM, GLOB "._:@-" },
				"A-Z a-z 0-9 . _ : @ - and * ? []",
				63 },
	[NAME_PCI_PATTERN] = { "PCI address",
			       { HEX, GLOB ":.-" },
			       { HEX, GLOB ":.-" },
			       "as 0000:3b:00.0, and * ? []",
			       63 },
	[NAME_MAC_PATTERN] = { "MAC address",
			       { HEX, GLOB ":-" },
			       { HEX, GLOB ":-" },
			       "as 02:00:5e:10:00:01, and * ? []",
			       63 },
	[NAME_LINE] = { "text", {}, {}, "one line without control characters", 1024 },
};
static_assert(ARRAY_SIZE(name_table) == NAME_MAX, "one row for each kind of name");

/* Control characters were refused when the text was read, but for these two. */
static bool is_one_line(const char *text)
{
	return strpbrk(text, "\n\t") == NULL;
}

static bool is_mac(const char *text)
{
	for (size_t i = 0; i < 6; i++)
		if (strspn(text + 3 * i, HEX_DIGITS) != 2 ||
		    text[3 * i + 2] != (i < 5 ? ':' : '\0'))
			return false;
	return true;
}

/* Domain optional, as in lspci. */
static bool is_pci(const char *text)
{
	const char *bus = strlen(text) > 7 && text[4] == ':' && strspn(text, HEX_DIGITS) == 4 ?
				  text + 5 :
				  text;

	return strspn(bus, HEX_DIGITS) == 2 && bus[2] == ':' && strspn(bus + 3, HEX_DIGITS) == 2 &&
	       bus[5] == '.' && strspn(bus + 6, "01234567") == 1 && bus[7] == '\0';
}

static bool is_address(const char *text)
{
	struct in6_addr ipv6;
	char address[64];
	size_t size = strcspn(text, "%");

	if (!strchr(text, ':'))
		return !strchr(text, '%');
	if (size >= sizeof(address) || (text[size] && !text[size + 1]))
		return false;
	memcpy(address, text, size);
	address[size] = '\0';
	return inet_pton(AF_INET6, address, &ipv6) == 1;
}

static bool shape_check(enum name name, const char *text)
{
	switch (name) {
	case NAME_ADDRESS:
		return is_address(text);
	case NAME_CREDENTIAL:
		return strcmp(text, ".") != 0 && strcmp(text, "..") != 0;
	case NAME_FINGERPRINT:
		return strncmp(text, "SHA256:", 7) == 0 && text[7];
	case NAME_PCI_PATTERN:
		return name_is_pattern(text) || is_pci(text);
	case NAME_MAC_PATTERN:
		return name_is_pattern(text) || is_mac(text);
	case NAME_LINE:
		return is_one_line(text);
	case NAME_FABRIC:
	case NAME_HOST:
	case NAME_SWITCH_PORT:
	case NAME_NETDEV:
	case NAME_DIALECT:
	case NAME_VARIABLE:
	case NAME_ALGORITHM:
	case NAME_DRIVER:
	case NAME_PORT_PATTERN:
	case NAME_MAX:
		return true;
	}
	return true;
}

static bool set_has(const struct set *set, char c)
{
	unsigned int class = 0;

	if (c >= '0' && c <= '9')
		class = DIGIT;
	else if (c >= 'a' && c <= 'z')
		class = LOWER | (c <= 'f' ? HEX_LETTER : 0);
	else if (c >= 'A' && c <= 'Z')
		class = UPPER | (c <= 'F' ? HEX_LETTER : 0);
	return class ? set->classes & class : strchr(set->others, c) != NULL;
}

/* strspn() would make a table of such a set for every name. */
static bool characters_check(const struct name_info *info, const char *text)
{
	if (!info->all.others)
		return true;
	for (const char *c = text; *c; c++)
		if (!set_has(&info->all, *c))
			return false;
	return set_has(&info->first, text[0]);
}

bool name_check(enum name name, const char *text, struct trouble *ret_trouble)
{
	const struct name_info *info = &name_table[name];
	size_t size = strlen(text);

	if (size == 0)
		return trouble_set(ret_trouble, "the %s is empty", info->what);
	if (size > info->max)
		return trouble_set(ret_trouble, "'%s' has %zu characters, at most %zu are allowed",
				   shown(text).text, size, info->max);
	if (!characters_check(info, text) || !shape_check(name, text))
		return trouble_set(ret_trouble, "'%s' is not %s %s: %s", shown(text).text,
				   strchr("aeiou", info->what[0]) ? "an" : "a", info->what,
				   info->shown);
	return true;
}

const char *name_what(enum name name)
{
	return name_table[name].what;
}

const char *name_set(enum name name)
{
	return name_table[name].shown;
}

size_t name_max(enum name name)
{
	return name_table[name].max;
}

bool name_is_pattern(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}
