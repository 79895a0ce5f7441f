// SPDX-License-Identifier: LGPL-2.1-or-later
/* Values of switches as text: for people, and back again out of a record. Pure. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/base/text.h"
#include "lib/model/switch.h"

/* ---- to text ---- */

const char *switch_value_nothing(const struct switch_knob_info *info)
{
	for (const char *const *word = info->field[0].words; word && *word; word++)
		if (strcmp(*word, "none") == 0)
			return "unset";
	return "none";
}

/* In the largest unit that leaves it whole, like the fabric file says it. */
static void put_bytes(struct text *out, uint64_t bytes)
{
	static const struct {
		uint64_t factor;
		const char *name;
	} units[] = {
		{ UINT64_C(1) << 30, "GiB" },
		{ UINT64_C(1) << 20, "MiB" },
		{ UINT64_C(1) << 10, "KiB" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!bytes || bytes % units[i].factor)
			continue;
		text_put(out, "%" PRIu64 "%s", bytes / units[i].factor, units[i].name);
		return;
	}
	text_put(out, "%" PRIu64 "B", bytes);
}

static void put_field(struct text *out, const struct switch_field *field, uint64_t number)
{
	switch (field->unit) {
	case UNIT_NUMBER:
		text_put(out, "%" PRIu64, number);
		break;
	case UNIT_BOOL:
		text_put(out, "%s", number ? "on" : "off");
		break;
	case UNIT_WORD:
		text_put(out, "%s", field->words[MIN(number, field->max)]);
		break;
	case UNIT_BYTES:
		put_bytes(out, number);
		break;
	case UNIT_MS:
		text_put(out, "%" PRIu64 "ms", number);
		break;
	case UNIT_PERCENT:
		text_put(out, "%" PRIu64 "%%", number);
		break;
	}
}

/* "150KiB to 1500KiB, 100%", "200ms, 400ms, drop", "3"; what is left open is left out */
static void put_fields(struct text *out, const struct switch_knob_info *info,
		       const struct switch_entry *entry)
{
	const char *between = "";

	for (size_t i = 0; i < info->n_fields; i++) {
		if (entry->field[i] == SWITCH_ABSENT)
			continue;
		text_put(out, "%s", between);
		put_field(out, &info->field[i], entry->field[i]);
		between = i == 0 && info->field[0].unit == UNIT_BYTES ? " to " : ", ";
	}
}

/* Is it a map of all DSCPs, say, in which neighbours may be told as one: "0-7:1"? */
static bool has_runs(const struct switch_knob_info *info)
{
	return info->shape == SHAPE_MAP && info->n_fields == 1;
}

/* How many entries from @i on have keys in a row and the same number. */
static size_t run_at(const struct switch_knob_info *info, const struct switch_value *value,
		     size_t i)
{
	const struct switch_entry *first = &value->entry[i];
	size_t n = 1;

	while (has_runs(info) && i + n < value->n && first[n].key == first->key + n &&
	       first[n].field[0] == first->field[0])
		n++;
	return n;
}

/* @run entries, of which this is the first. */
static void put_entry(struct text *out, const struct switch_knob_info *info,
		      const struct switch_entry *entry, size_t run)
{
	if (info->shape != SHAPE_SINGLE)
		text_put(out, "%" PRIu32, entry->key);
	if (run > 1)
		text_put(out, "-%" PRIu32, entry[run - 1].key);
	if (info->shape == SHAPE_MAP)
		text_put(out, "%s", info->n_fields > 1 ? ": " : ":");
	put_fields(out, info, entry);
}

/* What stands between entries. */
static const char *separator(const struct switch_knob_info *info)
{
	if (info->shape == SHAPE_LIST)
		return ",";
	return info->n_fields > 1 ? "; " : " ";
}

void switch_value_format(enum switch_knob knob, const struct switch_value *value, char *ret,
			 size_t size)
{
	static const char *const status_words[] = {
		[SWITCH_UNMANAGED] = "unmanaged",
		[SWITCH_UNREADABLE] = "unreadable",
	};
	const struct switch_knob_info *info = &switch_knob_table[knob];
	struct text out = { .text = ret, .size = size };

	if (!size)
		return;
	ret[0] = '\0';
	if (value->status != SWITCH_KNOWN) {
		text_put(&out, "%s", status_words[value->status]);
		return;
	}
	if (value->n == 0)
		text_put(&out, "%s", switch_value_nothing(info));
	for (size_t i = 0; i < value->n; i += run_at(info, value, i)) {
		text_put(&out, "%s", i > 0 ? separator(info) : "");
		put_entry(&out, info, &value->entry[i], run_at(info, value, i));
	}
	if (value->not_operational)
		text_put(&out, " (not operational)");
}

/* ---- and back ---- */

static bool take_text(const char **text, const char *expected)
{
	size_t n = strlen(expected);

	if (strncmp(*text, expected, n) != 0)
		return false;
	*text += n;
	return true;
}

static bool take_number(const char **text, uint64_t max, uint64_t *ret)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*ret = strtoull(*text, &end, 10);
	*text = end;
	return errno == 0 && *ret <= max;
}

static bool take_bytes(const char **text, uint64_t max, uint64_t *ret)
{
	static const struct {
		const char *name;
		unsigned int shift;
	} units[] = { { "GiB", 30 }, { "MiB", 20 }, { "KiB", 10 }, { "B", 0 } };

	if (!take_number(text, max, ret))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!take_text(text, units[i].name))
			continue;
		if (*ret > max >> units[i].shift)
			return false;
		*ret <<= units[i].shift;
		return true;
	}
	return false;
}

/* The longest that fits: no word is the begin of another here. */
static bool take_word(const char **text, const char *const *words, uint64_t *ret)
{
	for (uint64_t i = 0; words[i]; i++)
		if (take_text(text, words[i])) {
			*ret = i;
			return true;
		}
	return false;
}

static bool take_field(const char **text, const struct switch_field *field, uint64_t *ret)
{
	static const char *const on_off[] = { "off", "on", NULL };

	switch (field->unit) {
	case UNIT_NUMBER:
		return take_number(text, field->max, ret);
	case UNIT_BOOL:
		return take_word(text, on_off, ret);
	case UNIT_WORD:
		return take_word(text, field->words, ret);
	case UNIT_BYTES:
		return take_bytes(text, field->max, ret);
	case UNIT_MS:
		return take_number(text, field->max, ret) && take_text(text, "ms");
	case UNIT_PERCENT:
		return take_number(text, field->max, ret) && take_text(text, "%");
	}
	return false;
}

static bool take_fields(const char **text, const struct switch_knob_info *info,
			struct switch_entry *entry)
{
	const char *between = "";

	for (size_t i = 0; i < info->n_fields; i++) {
		const char *rest = *text;

		if (take_text(&rest, between) &&
		    take_field(&rest, &info->field[i], &entry->field[i])) {
			*text = rest;
			between = i == 0 && info->field[0].unit == UNIT_BYTES ? " to " : ", ";
			continue;
		}
		/* What is left open was left out */
		if (!info->field[i].optional)
			return false;
		entry->field[i] = SWITCH_ABSENT;
	}
	return true;
}

/* One entry, or a run of them. */
static bool take_entry(const char **text, const struct switch_knob_info *info,
		       struct switch_value *ret)
{
	struct switch_entry entry = {};
	uint64_t key = 0, last;

	if (info->shape != SHAPE_SINGLE && !take_number(text, info->key_max, &key))
		return false;
	last = key;
	if (has_runs(info) && take_text(text, "-") &&
	    (!take_number(text, info->key_max, &last) || last < key))
		return false;
	if (info->shape == SHAPE_MAP && !take_text(text, info->n_fields > 1 ? ": " : ":"))
		return false;
	if (!take_fields(text, info, &entry))
		return false;
	for (; key <= last; key++) {
		entry.key = (uint32_t)key;
		if (switch_value_add(ret, &entry) < 0)
			return false;
	}
	return true;
}

static bool is_end(const char *text)
{
	return !*text || strcmp(text, " (not operational)") == 0;
}

/* Nothing is there, rather than a word. */
static bool is_nothing(const struct switch_knob_info *info, const char *text)
{
	return take_text(&text, switch_value_nothing(info)) && is_end(text);
}

int switch_value_parse(enum switch_knob knob, const char *text, struct switch_value *ret)
{
	const struct switch_knob_info *info = &switch_knob_table[knob];
	struct switch_value value = { .status = SWITCH_KNOWN };

	if (is_nothing(info, text)) {
		*ret = value;
		return 0;
	}
	do {
		if (!take_entry(&text, info, &value))
			return -EINVAL;
		if (is_end(text)) {
			*ret = value;
			return 0;
		}
	} while (take_text(&text, separator(info)));
	return -EINVAL;
}

/* ---- beside what is wanted ---- */

/* What @have has of the keys of @want, where that is something else. */
static struct switch_value others(const struct switch_value *want, const struct switch_value *have)
{
	struct switch_value ret = { .status = SWITCH_KNOWN };

	for (size_t i = 0; i < want->n; i++) {
		const struct switch_entry *found = switch_value_find(have, want->entry[i].key);

		if (found && found->field[0] != want->entry[i].field[0])
			(void)switch_value_add(&ret, found);
	}
	return ret;
}

void switch_have_format(enum switch_knob knob, const char *want, const char *have, char *ret,
			size_t size)
{
	struct switch_value wanted, there, differing;

	(void)snprintf(ret, size, "%s", have);
	if (knob >= SWITCH_KNOB_MAX || !has_runs(&switch_knob_table[knob]) ||
	    switch_value_parse(knob, want, &wanted) < 0 ||
	    switch_value_parse(knob, have, &there) < 0)
		return;
	differing = others(&wanted, &there);
	if (differing.n > 0)
		switch_value_format(knob, &differing, ret, size);
}
