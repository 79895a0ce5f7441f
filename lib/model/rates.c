// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rate limits as the kernel has them: kbit/s for each traffic class, 0 for none (struct
 * ieee_maxrate, include/uapi/linux/dcbnl.h).
 */
#include "lib/model/rates.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"

enum { ALL = (1 << PRIORITIES) - 1 };

static const char unlimited[] = "unlimited", class_prefix[] = "tc";

static const struct {
	const char *name;
	uint64_t kbit;
} units[] = {
	{ "Gbit/s", 1000 * 1000 },
	{ "Mbit/s", 1000 },
	{ "kbit/s", 1 },
};

struct rates rates_beside(const struct rates *rates, const struct rates *other)
{
	struct rates ret = *rates;

	if (!other->of_priorities || rates->of_priorities)
		return ret;
	ret.of_priorities = true;
	for (unsigned int i = 0; i < PRIORITIES; i++)
		ret.kbit[i] = rates->kbit[rates->class_of[i] % PRIORITIES];
	return ret;
}

uint64_t rates_difference(const struct value *want, const struct value *have)
{
	const struct rates *a = &want->data.rates;
	const struct rates b = rates_beside(&have->data.rates, a);

	if (a->of_priorities != b.of_priorities)
		return UINT64_MAX;
	for (unsigned int i = 0; i < PRIORITIES; i++)
		if ((a->named & (1U << i)) && a->kbit[i] != b.kbit[i])
			return UINT64_MAX;
	return 0;
}

/* In the largest unit that divides it. */
static int rate_format(uint64_t kbit, char *text, size_t size)
{
	size_t unit = 0;

	if (!kbit)
		return snprintf(text, size, "%s", unlimited);
	while (kbit % units[unit].kbit != 0)
		unit++;
	return snprintf(text, size, "%" PRIu64 "%s", kbit / units[unit].kbit, units[unit].name);
}

void rates_format(const struct rates *rates, uint64_t named, char *text, size_t size)
{
	const bool all = (named & rates->named) == ALL;
	size_t used = 0;

	if (!size)
		return;
	text[0] = '\0';
	for (unsigned int i = 0; i < PRIORITIES && used < size; i++) {
		char rate[32];

		if (!(named & rates->named & (1U << i)) || (all && !rates->kbit[i]))
			continue;
		(void)rate_format(rates->kbit[i], rate, sizeof(rate));
		used += (size_t)snprintf(text + used, size - used, "%s%s%u:%s", used ? " " : "",
					 rates->of_priorities ? "" : class_prefix, i, rate);
	}
	if (!used)
		(void)snprintf(text, size, "%s", unlimited);
}

/* "10Gbit/s" or "unlimited" up to a blank or the end */
static int take_rate(const char **text, uint64_t *ret)
{
	const size_t size = strcspn(*text, " ");
	const char *unit;
	char *end;

	*ret = 0;
	if (size == strlen(unlimited) && strncmp(*text, unlimited, size) == 0) {
		*text += size;
		return 0;
	}
	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(*text, &end, 10);
	if (errno || !*ret)
		return -EINVAL;
	unit = end;
	*text += size;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strlen(units[i].name) == (size_t)(*text - unit) &&
		    strncmp(unit, units[i].name, (size_t)(*text - unit)) == 0)
			return __builtin_mul_overflow(*ret, units[i].kbit, ret) ? -EINVAL : 0;
	return -EINVAL;
}

/* "tc3:10Gbit/s", "3:10Gbit/s" */
static int take_place(const char **text, struct rates *rates, unsigned int *seen)
{
	const size_t prefix = strlen(class_prefix);
	const bool of_class = strncmp(*text, class_prefix, prefix) == 0;
	unsigned int place;

	if (*seen && rates->of_priorities == of_class)
		return -EINVAL;
	rates->of_priorities = !of_class;
	*text += of_class ? prefix : 0;
	if (**text < '0' || **text >= '0' + PRIORITIES || (*text)[1] != ':')
		return -EINVAL;
	place = (unsigned int)(**text - '0');
	if (*seen & (1U << place))
		return -EINVAL;
	*seen |= 1U << place;
	*text += 2;
	return take_rate(text, &rates->kbit[place]);
}

/* Classes that the text does not name have no limit; of other priorities it does not speak. */
int rates_parse(const struct knob_info *knob, const char *text, struct value *ret)
{
	struct rates rates = {};
	unsigned int seen = 0;
	int r;

	if (!*text)
		return -EINVAL;
	while (strcmp(text, unlimited) != 0 && *text) {
		r = take_place(&text, &rates, &seen);
		if (r < 0)
			return r;
		text += *text == ' ';
		if (seen && strcmp(text, unlimited) == 0)
			return -EINVAL;
	}
	rates.named = rates.of_priorities ? (uint8_t)seen : ALL;
	ret->data.rates = rates;
	return 0;
}
