// SPDX-License-Identifier: LGPL-2.1-or-later
/* Values of switches from the text that switch_value_format() makes: the form of a record. Pure. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/model/switch.h"

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

static bool take_entry(const char **text, const struct switch_knob_info *info,
		       struct switch_entry *entry)
{
	uint64_t key = 0;

	if (info->shape != SHAPE_SINGLE && !take_number(text, info->key_max, &key))
		return false;
	entry->key = (uint32_t)key;
	if (info->shape == SHAPE_MAP && !take_text(text, info->n_fields > 1 ? ": " : ":"))
		return false;
	return take_fields(text, info, entry);
}

static const char *separator(const struct switch_knob_info *info)
{
	if (info->shape == SHAPE_LIST)
		return ",";
	return info->n_fields > 1 ? "; " : " ";
}

static bool is_end(const char *text)
{
	return !*text || strcmp(text, " (not operational)") == 0;
}

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
		struct switch_entry entry = {};

		if (!take_entry(&text, info, &entry) || switch_value_add(&value, &entry) < 0)
			return -EINVAL;
		if (is_end(text)) {
			*ret = value;
			return 0;
		}
	} while (take_text(&text, separator(info)));
	return -EINVAL;
}
