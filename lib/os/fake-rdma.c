// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The attributes of a simulated ib_device that can be written: MLNX_OFED's traffic_class
 * (drivers/infiniband/hw/mlx5/ main_ext.c of OFED 24.07) and the RDMA-CM defaults
 * (drivers/infiniband/core/cma_configfs.c).
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

enum {
	TEXT_MAX = 100, /* a longer write is refused */
	PREFIX_MAX = 32,
	TCLASS_MAX = 0xff,
	ECN_BITS = 3,
};

/* kstrtoll(): base by prefix, one newline may follow, no blanks. */
static int parse_number(const char *text, long long *ret)
{
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '-' && *text != '+')
		return -EINVAL;
	errno = 0;
	*ret = strtoll(text, &end, 0);
	if (end == text || (*end == '\n' ? end[1] : *end))
		return -EINVAL;
	return errno ? -ERANGE : 0;
}

/* ---- traffic_class ---- */

/* Rules are told apart by the text that stands before "tclass=". */
struct rule_text {
	char match[sizeof(((struct fake_rule *)NULL)->match)];
	long long tclass;
	bool has_tclass;
	bool has_v4;
	bool has_v6;
};

static int add_match(struct rule_text *rule, const char *key, const char *value)
{
	size_t used = strlen(rule->match);
	int n = snprintf(rule->match + used, sizeof(rule->match) - used, "%s%s,", key, value);

	return n < 0 || (size_t)n >= sizeof(rule->match) - used ? -EINVAL : 0;
}

/* "a.b.c.d" or "a.b.c.d/len"; shown always with its length */
static int parse_v4(struct rule_text *rule, const char *key, const char *value, bool with_prefix)
{
	char address[INET_ADDRSTRLEN + sizeof("/32")];
	const char *slash = with_prefix ? strchr(value, '/') : NULL;
	size_t length = slash ? (size_t)(slash - value) : strlen(value);
	long long prefix = PREFIX_MAX;
	struct in_addr binary;

	if (length >= INET_ADDRSTRLEN)
		return -EINVAL;
	memcpy(address, value, length);
	address[length] = '\0';
	if (inet_pton(AF_INET, address, &binary) != 1)
		return -EINVAL;
	if (slash && (parse_number(slash + 1, &prefix) < 0 || prefix < 0 || prefix > PREFIX_MAX))
		return -EINVAL;
	if (with_prefix)
		(void)snprintf(address + length, sizeof(address) - length, "/%d",
			       prefix ? (int)prefix : PREFIX_MAX);
	rule->has_v4 = true;
	return add_match(rule, key, address);
}

static int parse_v6(struct rule_text *rule, const char *key, const char *value)
{
	struct in6_addr binary;

	if (inet_pton(AF_INET6, value, &binary) != 1)
		return -EINVAL;
	rule->has_v6 = true;
	return add_match(rule, key, value);
}

static const char *after(const char *word, const char *key)
{
	size_t length = strlen(key);

	return !strncmp(word, key, length) && word[length] ? word + length : NULL;
}

static int parse_word(struct rule_text *rule, const char *word)
{
	const char *value;

	value = after(word, "src_ip=");
	if (value)
		return parse_v4(rule, "src_ip=", value, false);
	value = after(word, "dst_ip=");
	if (value)
		return parse_v4(rule, "dst_ip=", value, true);
	value = after(word, "src_ip6=");
	if (value)
		return parse_v6(rule, "src_ip6=", value);
	value = after(word, "dst_ip6=");
	if (value)
		return parse_v6(rule, "dst_ip6=", value);
	value = after(word, "tclass=");
	rule->has_tclass = true;
	if (parse_number(value ? value : word, &rule->tclass) < 0 || rule->tclass > TCLASS_MAX)
		return -EINVAL;
	return 0;
}

static char *trim(char *word)
{
	size_t length;

	while (isspace((unsigned char)*word))
		word++;
	length = strlen(word);
	while (length > 0 && isspace((unsigned char)word[length - 1]))
		word[--length] = '\0';
	return word;
}

static int parse_rule(const char *text, struct rule_text *ret)
{
	char copy[TEXT_MAX + 1];
	char *rest = copy;
	char *word;
	int r;

	if (strlen(text) > TEXT_MAX)
		return -EINVAL;
	strcpy(copy, text);
	while ((word = strsep(&rest, ","))) {
		word = trim(word);
		r = *word ? parse_word(ret, word) : 0;
		if (r < 0)
			return r;
	}
	return ret->has_tclass && !(ret->has_v4 && ret->has_v6) ? 0 : -EINVAL;
}

static int store_rule(struct fake_rdma *rdma, const struct rule_text *rule)
{
	struct fake_rule *slot = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(rdma->rule) && !slot; i++)
		if (!strcmp(rdma->rule[i].match, rule->match))
			slot = &rdma->rule[i];
	for (size_t i = 0; i < ARRAY_SIZE(rdma->rule) && !slot; i++)
		if (!rdma->rule[i].match[0])
			slot = &rdma->rule[i];
	if (!slot)
		return -ENOMEM;
	if (rule->tclass < 0) {
		*slot = (struct fake_rule){};
		return 0;
	}
	memcpy(slot->match, rule->match, sizeof(slot->match));
	slot->tclass = (int)rule->tclass;
	return 0;
}

static int store_traffic_class(struct fake_device *device, unsigned int index, const char *text,
			       bool less)
{
	struct rule_text rule = {};
	int r;

	r = parse_rule(text, &rule);
	if (r < 0)
		return r;
	if (rule.match[0])
		return store_rule(&device->rdma, &rule);
	device->rdma.tclass = rule.tclass < 0 ? -1 : (int)rule.tclass & (less ? ~ECN_BITS : ~0);
	return 0;
}

static int show_traffic_class(struct fake_device *device, unsigned int index, char *text,
			      size_t size)
{
	const struct fake_rdma *rdma = &device->rdma;
	int n = 0;

	text[0] = '\0';
	if (rdma->tclass >= 0)
		n = snprintf(text, size, "Global tclass=%d\n", rdma->tclass);
	for (size_t i = 0; i < ARRAY_SIZE(rdma->rule); i++)
		if (rdma->rule[i].match[0] && (size_t)n + sizeof(rdma->rule[i].match) < size)
			n += snprintf(text + n, size - (size_t)n, "%stclass=%d\n",
				      rdma->rule[i].match, rdma->rule[i].tclass);
	return n;
}

const struct fake_attribute fake_traffic_class = { "traffic_class", show_traffic_class,
						   store_traffic_class };

/* ---- RDMA-CM: the group in configfs outlives the device, its values do not ---- */

static const char mode_v1[] = "IB/RoCE v1";
static const char mode_v2[] = "RoCE v2";

static int show_mode(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	if (!device->rdma.present)
		return -ENODEV;
	return snprintf(text, size, "%s\n", device->rdma.cm_v1 ? mode_v1 : mode_v2);
}

static int store_mode(struct fake_device *device, unsigned int index, const char *text, bool less)
{
	size_t length = strcspn(text, "\n");

	if (!device->rdma.present)
		return -ENODEV;
	if (text[length] && text[length + 1])
		return -EINVAL;
	if (less)
		return 0; /* a word knows no less */
	if (length == sizeof(mode_v1) - 1 && !memcmp(text, mode_v1, length))
		device->rdma.cm_v1 = true;
	else if (length == sizeof(mode_v2) - 1 && !memcmp(text, mode_v2, length))
		device->rdma.cm_v1 = false;
	else
		return -EINVAL;
	return 0;
}

const struct fake_attribute fake_cm_mode = { "default_roce_mode", show_mode, store_mode };

static int show_tos(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	return device->rdma.present ? snprintf(text, size, "%u\n", device->rdma.cm_tos) : -ENODEV;
}

static int store_tos(struct fake_device *device, unsigned int index, const char *text, bool less)
{
	long long value;
	int r;

	if (*text == '-')
		return -EINVAL; /* kstrtou8() */
	r = parse_number(text, &value);
	if (r < 0)
		return r;
	if (value > UINT8_MAX)
		return -ERANGE;
	if (!device->rdma.present)
		return -ENODEV;
	device->rdma.cm_tos = (uint8_t)(less ? value & ~ECN_BITS : value);
	return 0;
}

const struct fake_attribute fake_cm_tos = { "default_roce_tos", show_tos, store_tos };
