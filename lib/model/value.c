// SPDX-License-Identifier: LGPL-2.1-or-later
/* Values of each kind: compare, to text, from text. One row of functions a kind; pure. */
#include "lib/model/value.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/base/text.h"
#include "lib/model/knob.h"
#include "lib/model/rates.h"

enum { PRIORITIES_ALL = (1 << PRIORITIES) - 1 };

/* The next word of *@text, blanks passed over; its length, 0 at the end. */
static size_t next_word(const char **text)
{
	while (**text == ' ')
		(*text)++;
	return strcspn(*text, " ");
}

/* A decimal number of at most @max that ends at one of @ends; *@text is moved behind it. */
static int take_number(const char **text, uint32_t max, const char *ends, uint32_t *ret)
{
	unsigned long long number;
	char *end;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	errno = 0;
	number = strtoull(*text, &end, 10);
	if (errno || number > max || (*end && !strchr(ends, *end)))
		return -EINVAL;
	*text = end;
	*ret = (uint32_t)number;
	return 0;
}

/* ---- numbers ---- */

static uint64_t whole(bool equal)
{
	return equal ? 0 : UINT64_MAX;
}

static uint64_t number_difference(const struct value *a, const struct value *b)
{
	return whole(a->data.number == b->data.number);
}

static void number_format(const struct knob_info *knob, const struct value *value, uint64_t named,
			  struct text *out)
{
	text_put(out, "%u%s", value->data.number, knob->unit);
}

static int number_parse(const struct knob_info *knob, const char *text, struct value *ret)
{
	int r;

	r = take_number(&text, UINT32_MAX, knob->unit, &ret->data.number);
	if (r < 0)
		return r;
	return strcmp(text, knob->unit) == 0 ? 0 : -EINVAL;
}

static uint64_t optional_difference(const struct value *a, const struct value *b)
{
	if (a->data.optional.set != b->data.optional.set)
		return UINT64_MAX;
	return whole(!a->data.optional.set || a->data.optional.number == b->data.optional.number);
}

static void optional_format(const struct knob_info *knob, const struct value *value, uint64_t named,
			    struct text *out)
{
	if (value->data.optional.set)
		text_put(out, "%u%s", value->data.optional.number, knob->unit);
	else
		text_put(out, "unset");
}

static int optional_parse(const struct knob_info *knob, const char *text, struct value *ret)
{
	ret->data.optional.set = strcmp(text, "unset") != 0;
	ret->data.optional.number = 0;
	if (!ret->data.optional.set)
		return 0;
	return take_number(&text, UINT32_MAX, "", &ret->data.optional.number);
}

/* ---- words ---- */

static void word_format(const struct knob_info *knob, const struct value *value, uint64_t named,
			struct text *out)
{
	for (uint32_t i = 0; knob->words[i]; i++) {
		if (i == value->data.number) {
			text_put(out, "%s", knob->words[i]);
			return;
		}
	}
	text_put(out, "%u", value->data.number);
}

static int word_parse(const struct knob_info *knob, const char *text, struct value *ret)
{
	for (uint32_t i = 0; knob->words[i]; i++) {
		if (strcmp(knob->words[i], text) == 0) {
			ret->data.number = i;
			return 0;
		}
	}
	return -EINVAL;
}

/* ---- sets of priorities ---- */

static void put_priorities(struct text *out, uint32_t mask)
{
	const char *separator = "";

	for (unsigned int i = 0; i < PRIORITIES; i++) {
		if (!(mask & (1U << i)))
			continue;
		text_put(out, "%s%u", separator, i);
		separator = ",";
	}
}

static void priorities_format(const struct knob_info *knob, const struct value *value,
			      uint64_t named, struct text *out)
{
	if (value->data.number)
		put_priorities(out, value->data.number);
	else
		text_put(out, "none");
}

/* "3,4" up to a blank or the end */
static int take_priorities(const char **text, uint8_t *ret)
{
	uint32_t priority;
	int r;

	*ret = 0;
	for (;;) {
		r = take_number(text, PRIORITIES - 1, ", ", &priority);
		if (r < 0)
			return r;
		*ret |= 1U << priority;
		if (**text != ',')
			return 0;
		(*text)++;
	}
}

static int priorities_parse(const struct knob_info *knob, const char *text, struct value *ret)
{
	uint8_t mask = 0;
	int r;

	if (strcmp(text, "none") != 0) {
		r = take_priorities(&text, &mask);
		if (r < 0)
			return r;
		if (*text)
			return -EINVAL;
	}
	ret->data.number = mask;
	return 0;
}

/* ---- pause ---- */

static const struct {
	uint32_t bit;
	const char *word;
} pause_words[] = {
	{ PAUSE_RX, "rx" },
	{ PAUSE_TX, "tx" },
	{ PAUSE_AUTONEG, "autoneg" },
};

static void pause_format(const struct knob_info *knob, const struct value *value, uint64_t named,
			 struct text *out)
{
	const char *separator = "";

	if (!value->data.number)
		text_put(out, "off");
	for (size_t i = 0; i < ARRAY_SIZE(pause_words); i++) {
		if (!(value->data.number & pause_words[i].bit))
			continue;
		text_put(out, "%s%s", separator, pause_words[i].word);
		separator = " ";
	}
}

static int pause_parse(const struct knob_info *knob, const char *text, struct value *ret)
{
	size_t size, i;

	ret->data.number = 0;
	if (strcmp(text, "off") == 0)
		return 0;
	while ((size = next_word(&text)) > 0) {
		for (i = 0; i < ARRAY_SIZE(pause_words); i++)
			if (strlen(pause_words[i].word) == size &&
			    !strncmp(text, pause_words[i].word, size))
				break;
		if (i == ARRAY_SIZE(pause_words))
			return -EINVAL;
		ret->data.number |= pause_words[i].bit;
		text += size;
	}
	return ret->data.number ? 0 : -EINVAL;
}

/* ---- DSCP to priority ---- */

static uint64_t map_difference(const struct value *want, const struct value *have)
{
	uint64_t parts = 0;

	for (unsigned int i = 0; i < DSCPS; i++)
		if (want->data.map.priorities[i] != have->data.map.priorities[i])
			parts |= dscp_bit(i);
	return parts & want->data.map.named;
}

static void map_format(const struct knob_info *knob, const struct value *value, uint64_t named,
		       struct text *out)
{
	const struct dscp_map *map = &value->data.map;
	const char *separator = "";

	for (unsigned int i = 0; i < DSCPS; i++) {
		if (!(map->named & named & dscp_bit(i)) || !map->priorities[i])
			continue;
		text_put(out, "%s%u:", separator, i);
		put_priorities(out, map->priorities[i]);
		separator = " ";
	}
	if (!*separator)
		text_put(out, "none");
}

/* The text does not say which DSCPs are named and have no entry: all 64 are. */
static int map_parse(const struct knob_info *knob, const char *text, struct value *ret)
{
	struct dscp_map map = { .named = UINT64_MAX };
	uint32_t dscp;
	int r;

	while (strcmp(text, "none") != 0 && next_word(&text) > 0) {
		r = take_number(&text, DSCPS - 1, ":", &dscp);
		if (r < 0)
			return r;
		if (*text++ != ':')
			return -EINVAL;
		r = take_priorities(&text, &map.priorities[dscp]);
		if (r < 0)
			return r;
	}
	ret->data.map = map;
	return 0;
}

/* ---- ETS ---- */

static const char *const ets_words[ETS_ALGORITHM_MAX] = {
	[ETS_STRICT] = "strict",
	[ETS_SHARE] = "ets",
	[ETS_VENDOR] = "vendor",
	[ETS_SHAPER] = "shaper",
};

/*
 * Only the classes that a priority uses are part of the value: what the others hold has no effect.
 */
static uint64_t ets_difference(const struct value *want, const struct value *have)
{
	const struct ets_map *a = &want->data.ets, *b = &have->data.ets;

	for (unsigned int i = 0; i < PRIORITIES; i++) {
		unsigned int class = a->class_of[i];

		if (!(a->named & (1U << i)))
			continue;
		if (class != b->class_of[i] || a->algorithm[class] != b->algorithm[class])
			return UINT64_MAX;
		if (a->algorithm[class] == ETS_SHARE && a->share[class] != b->share[class])
			return UINT64_MAX;
	}
	return 0;
}

static void put_algorithm(struct text *out, const struct ets_map *ets, unsigned int class)
{
	if (ets->algorithm[class] == ETS_SHARE)
		text_put(out, "%u%%", ets->share[class]);
	else
		text_put(out, "%s", ets_words[ets->algorithm[class] % ETS_ALGORITHM_MAX]);
}

/*
 * Priority, class, and how the class is served: "0:0/50% 1:0/50% ... 6:6/strict"; then, as
 * "-:5/20%", the classes that no priority uses, where they are more than strict. What is not named
 * is not shown.
 */
static void ets_format(const struct knob_info *knob, const struct value *value, uint64_t named,
		       struct text *out)
{
	const struct ets_map *ets = &value->data.ets;
	const char *separator = "";
	unsigned int used = 0;

	named &= ets->named;
	if (!named)
		text_put(out, "any");
	for (unsigned int i = 0; i < PRIORITIES; i++) {
		unsigned int class = ets->class_of[i] % PRIORITIES;

		if (!(named & (1U << i)))
			continue;
		text_put(out, "%s%u:%u/", separator, i, class);
		put_algorithm(out, ets, class);
		used |= 1U << class;
		separator = " ";
	}
	if (named != PRIORITIES_ALL)
		return;
	for (unsigned int class = 0; class < PRIORITIES; class++) {
		if ((used & (1U << class)) || ets->algorithm[class] == ETS_STRICT)
			continue;
		text_put(out, " -:%u/", class);
		put_algorithm(out, ets, class);
	}
}

/* "50%" or a word */
static int take_algorithm(const char **text, uint8_t *algorithm, uint8_t *share)
{
	size_t size = strcspn(*text, " ");
	uint32_t number;

	*share = 0;
	for (unsigned int i = 0; i < ETS_ALGORITHM_MAX; i++) {
		if (strlen(ets_words[i]) != size || strncmp(*text, ets_words[i], size) != 0)
			continue;
		*text += size;
		*algorithm = (uint8_t)i;
		return 0;
	}
	if (take_number(text, 100, "%", &number) < 0 || *(*text)++ != '%')
		return -EINVAL;
	*algorithm = ETS_SHARE;
	*share = (uint8_t)number;
	return 0;
}

static int ets_parse(const struct knob_info *knob, const char *text, struct value *ret)
{
	struct ets_map ets = { .named = PRIORITIES_ALL };
	uint32_t priority, class;
	unsigned int seen = 0;
	int r;

	while (next_word(&text) > 0) {
		priority = PRIORITIES;
		if (*text == '-')
			text++;
		else if (take_number(&text, PRIORITIES - 1, ":", &priority) < 0)
			return -EINVAL;
		if (*text++ != ':' || take_number(&text, PRIORITIES - 1, "/", &class) < 0 ||
		    *text++ != '/')
			return -EINVAL;
		if (priority < PRIORITIES)
			ets.class_of[priority] = (uint8_t)class;
		seen |= 1U << priority;
		r = take_algorithm(&text, &ets.algorithm[class], &ets.share[class]);
		if (r < 0)
			return r;
	}
	if ((seen & PRIORITIES_ALL) != PRIORITIES_ALL)
		return -EINVAL;
	ret->data.ets = ets;
	return 0;
}

static void put_rates(const struct knob_info *knob, const struct value *value, uint64_t named,
		      struct text *out)
{
	rates_format(&value->data.rates, named, out->text, out->size);
}

/* ---- a switch for each priority ---- */

static uint64_t switches_difference(const struct value *want, const struct value *have)
{
	return (want->data.switches.on ^ have->data.switches.on) & want->data.switches.named;
}

/*
 * None is switched off while any shall be on: they are one switch of the port, and would all go off
 * (field case N10).
 */
static uint64_t port_switches_difference(const struct value *want, const struct value *have)
{
	if (want->data.switches.on)
		return want->data.switches.on & (uint8_t)~have->data.switches.on;
	return have->data.switches.on & want->data.switches.named;
}

static void switches_format(const struct knob_info *knob, const struct value *value, uint64_t named,
			    struct text *out)
{
	uint32_t on = value->data.switches.on & (uint32_t)named;

	if (on)
		put_priorities(out, on);
	else
		text_put(out, "none");
}

/* The text does not say which priorities are named and off: all are. */
static int switches_parse(const struct knob_info *knob, const char *text, struct value *ret)
{
	struct value value = {};
	int r;

	r = priorities_parse(knob, text, &value);
	if (r < 0)
		return r;
	ret->data.switches.named = PRIORITIES_ALL;
	ret->data.switches.on = (uint8_t)value.data.number;
	return 0;
}

/* ---- the table of kinds ---- */

static const struct {
	uint64_t (*difference)(const struct value *want, const struct value *have);
	/* @named: the DSCPs or priorities to be shown, all ones for all */
	void (*format)(const struct knob_info *knob, const struct value *value, uint64_t named,
		       struct text *out);
	int (*parse)(const struct knob_info *knob, const char *text, struct value *ret);
	bool parts;
} kinds[] = {
	[VALUE_NUMBER] = { number_difference, number_format, number_parse },
	[VALUE_OPTIONAL] = { optional_difference, optional_format, optional_parse },
	[VALUE_WORD] = { number_difference, word_format, word_parse },
	[VALUE_PRIORITIES] = { number_difference, priorities_format, priorities_parse },
	[VALUE_PAUSE] = { number_difference, pause_format, pause_parse },
	[VALUE_DSCP_MAP] = { map_difference, map_format, map_parse, .parts = true },
	[VALUE_ETS] = { ets_difference, ets_format, ets_parse },
	[VALUE_RATES] = { rates_difference, put_rates, rates_parse },
	[VALUE_SWITCHES] = { switches_difference, switches_format, switches_parse, .parts = true },
	[VALUE_PORT_SWITCHES] = { port_switches_difference, switches_format, switches_parse,
				  .parts = true },
};
static_assert(ARRAY_SIZE(kinds) == VALUE_KIND_MAX, "one row for each kind of value");

uint64_t value_difference(const struct knob_info *knob, const struct value *want,
			  const struct value *have)
{
	return kinds[knob->kind].difference(want, have);
}

bool value_equal(const struct knob_info *knob, const struct value *want, const struct value *have)
{
	return value_difference(knob, want, have) == 0;
}

bool value_has_parts(enum value_kind kind)
{
	return kinds[kind].parts;
}

/* What a value speaks of: DSCPs or priorities as bits. */
static uint64_t value_named(const struct knob_info *knob, const struct value *value)
{
	if (value->status != VALUE_KNOWN)
		return UINT64_MAX;
	switch (knob->kind) {
	case VALUE_DSCP_MAP:
		return value->data.map.named;
	case VALUE_ETS:
		return value->data.ets.named;
	case VALUE_RATES:
		return value->data.rates.named;
	case VALUE_SWITCHES:
		return value->data.switches.named;
	case VALUE_NUMBER:
	case VALUE_OPTIONAL:
	case VALUE_WORD:
	case VALUE_PRIORITIES:
	case VALUE_PAUSE:
	case VALUE_PORT_SWITCHES:
	case VALUE_KIND_MAX:
		break;
	}
	return UINT64_MAX;
}

static const char *const status_words[VALUE_STATUS_MAX] = {
	[VALUE_UNMANAGED] = "unmanaged",
	[VALUE_UNSUPPORTED] = "unsupported",
	[VALUE_NOT_APPLICABLE] = "not applicable",
	[VALUE_UNREADABLE] = "unreadable",
	[VALUE_NEEDS_ROOT] = "needs root",
};

static void format_named(const struct knob_info *knob, const struct value *value, uint64_t named,
			 char *text, size_t size)
{
	struct text out = { .text = text, .size = size };

	if (!size)
		return;
	text[0] = '\0';
	if (value->status == VALUE_KNOWN)
		kinds[knob->kind].format(knob, value, named, &out);
	else
		text_put(&out, "%s", status_words[value->status]);
}

void value_format(const struct knob_info *knob, const struct value *value, char *text, size_t size)
{
	format_named(knob, value, UINT64_MAX, text, size);
}

void value_format_beside(const struct knob_info *knob, const struct value *value,
			 const struct value *other, char *text, size_t size)
{
	struct value beside = *value;

	if (knob->kind == VALUE_RATES && value->status == VALUE_KNOWN &&
	    other->status == VALUE_KNOWN)
		beside.data.rates = rates_beside(&value->data.rates, &other->data.rates);
	format_named(knob, &beside, value_named(knob, other), text, size);
}

int value_parse(const struct knob_info *knob, const char *text, struct value *ret)
{
	struct value value = { .status = VALUE_KNOWN };
	int r;

	r = kinds[knob->kind].parse(knob, text, &value);
	if (r < 0)
		return r;
	*ret = value;
	return 0;
}

void value_note(struct value *value, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(value->note, sizeof(value->note), format, args);
	va_end(args);
}
