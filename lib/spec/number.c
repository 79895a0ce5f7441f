// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Whole numbers and quantities. The number is read in full width, larger ones saturate; the range
 * is checked before anything is cast, since 362 in eight bits is 106. What people write instead
 * gets a hint (field cases Y01, Y05).
 */
#include "lib/spec/number.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char digits[] = "0123456789";
static const char hex_digits[] = "0123456789abcdefABCDEF";

const struct unit size_units[] = {
	{ "KB", 1000 }, { "KiB", 1024 }, { "MB", 1000 * 1000 }, { "MiB", 1024 * 1024 }, {},
};
const struct unit time_units[] = { { "ms", 1 },
				   { "s", 1000 },
				   { "m", 60 * 1000 },
				   { "h", 3600 * 1000 },
				   {} };
const struct unit rate_units[] = { { "Mbit/s", 1000 }, { "Gbit/s", 1000 * 1000 }, {} };
const struct unit percent_units[] = { { "%", 1 }, {} };
const struct unit length_units[] = { { "m", 1 }, {} };

bool trouble_set(struct trouble *trouble, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(trouble->text, sizeof(trouble->text), format, ap);
	va_end(ap);
	return false;
}

struct shown shown(const char *text)
{
	enum { SHOWN_BYTES = 48 };
	struct shown ret;
	size_t size = strlen(text);

	if (size <= SHOWN_BYTES) {
		memcpy(ret.text, text, size + 1);
		return ret;
	}
	size = SHOWN_BYTES;
	while (size > 0 &&
	       ((unsigned char)text[size] & 0xc0) == 0x80) /* do not cut a character in two */
		size--;
	(void)snprintf(ret.text, sizeof(ret.text), "%.*s...", (int)size, text);
	return ret;
}

/* @value in the largest unit that divides it. */
static struct shown quantity_shown(uint64_t value, const struct unit *units)
{
	const struct unit *best = units;
	struct shown ret;

	if (!units) {
		(void)snprintf(ret.text, sizeof(ret.text), "%" PRIu64, value);
		return ret;
	}
	for (const struct unit *unit = units; unit->name; unit++)
		if (value > 0 && value % unit->factor == 0 && unit->factor >= best->factor)
			best = unit;
	(void)snprintf(ret.text, sizeof(ret.text), "%" PRIu64 "%s", value / best->factor,
		       best->name);
	return ret;
}

struct shown range_shown(uint64_t min, uint64_t max, const struct unit *units)
{
	struct shown low = quantity_shown(min, units), high = quantity_shown(max, units), ret;

	if (min == max)
		return low;
	(void)snprintf(ret.text, sizeof(ret.text), "%.28s..%.28s", low.text, high.text);
	return ret;
}

/* What is said of a number outside: "is not in 0..63", "is not 1". */
static const char *outside(uint64_t min, uint64_t max)
{
	return min == max ? "is not" : "is not in";
}

static struct shown units_shown(const struct unit *units)
{
	struct shown ret = {};
	size_t used = 0;

	for (const struct unit *unit = units; unit->name; unit++)
		used += (size_t)snprintf(ret.text + used, sizeof(ret.text) - used, "%s%s",
					 used ? " " : "", unit->name);
	return ret;
}

/* Digits of @base at @text into *@ret, saturating. */
static uint64_t digits_value(const char *text, size_t size, unsigned int base)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size; i++) {
		unsigned int digit = text[i] <= '9' ? text[i] - '0' : (text[i] | 0x20) - 'a' + 10;

		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return UINT64_MAX;
	}
	return value;
}

/* @size digits, then a unit or nothing. */
static bool leading_zero(const char *text, size_t size, struct trouble *trouble)
{
	size_t zeros = strspn(text, "0");
	const char *unit = text + size;
	const char *rest = zeros < size ? text + zeros : "0";
	int length = zeros < size ? (int)(size - zeros) : 1;

	if (length > 20)
		return trouble_set(trouble, "'%s' has a leading zero", shown(text).text);
	if (strspn(text, "01") == size && size == 8)
		return trouble_set(
			trouble,
			"'%s' has a leading zero; if it is a string of bits, write a list of "
			"priorities, such as [3]",
			shown(text).text);
	if (strspn(text, "01234567") >= size && digits_value(text, size, 8) > 7)
		return trouble_set(
			trouble,
			"'%s' has a leading zero: write %.*s%s, or %" PRIu64 "%s if octal is meant",
			shown(text).text, length, rest, unit, digits_value(text, size, 8), unit);
	return trouble_set(trouble, "'%s' has a leading zero: write %.*s%s", shown(text).text,
			   length, rest, unit);
}

/* Advice has to be good: digits without a leading zero, and in the range. */
static bool would_do(const char *text, size_t size, uint64_t min, uint64_t max)
{
	uint64_t value = digits_value(text, size, 10);

	return size > 0 && (size == 1 || text[0] != '0') && value >= min && value <= max;
}

/* "1,500", "1 500": other groups than thousands are several numbers, such as "106 107". */
static bool are_thousands(const char *text)
{
	size_t size = strspn(text, digits);

	if (size == 0 || size > 3)
		return false;
	for (text += size; *text; text += 4)
		if (strspn(text + 1, digits) != 3)
			return false;
	return true;
}

/* "1,500", "1 500", "1_06": the digits without what is between them, if that is all there is. */
static bool separated(const char *text, char *joined, size_t size)
{
	size_t n = 0;

	if (!strchr(digits, text[0]) || (strpbrk(text, ", '") && !are_thousands(text)))
		return false;
	for (const char *c = text; *c; c++) {
		if (strchr("_, '", *c))
			continue;
		if (!strchr(digits, *c) || n + 1 == size)
			return false;
		joined[n++] = *c;
	}
	joined[n] = '\0';
	return n > 0;
}

/* The number that is plainly meant, as it should be written; "" if there is none. */
static struct shown number_meant(const char *text)
{
	size_t n = strspn(text, digits);
	struct shown ret = {};

	if (text[0] == '+' && strlen(text) < sizeof(ret.text))
		(void)snprintf(ret.text, sizeof(ret.text), "%.*s",
			       strspn(text + 1, digits) == strlen(text + 1) ? 20 : 0, text + 1);
	else if (n > 0 && n <= 20 && text[n] == '.' && text[n + 1] &&
		 n + 1 + strspn(text + n + 1, "0") == strlen(text))
		(void)snprintf(ret.text, sizeof(ret.text), "%.*s", (int)n, text);
	else if (!separated(text, ret.text, 24))
		ret.text[0] = '\0';
	return ret;
}

static bool is_octal(const char *text)
{
	return text[0] == '0' && (text[1] == 'o' || text[1] == 'O') && text[2] &&
	       strspn(text + 2, "01234567") == strlen(text + 2);
}

/* What people write instead of a plain number. Always false. */
static bool number_trouble(const char *text, uint64_t min, uint64_t max, struct trouble *trouble)
{
	struct shown as_written = shown(text), range = range_shown(min, max, NULL);
	struct shown meant = number_meant(text);
	size_t n = strspn(text, digits);
	uint64_t octal;

	if (would_do(meant.text, strlen(meant.text), min, max))
		return trouble_set(trouble, "'%s' %s: write %s", as_written.text,
				   text[0] == '+' ? "has a sign" : "is not a whole number",
				   meant.text);
	if (text[0] == '-' && text[1] && strchr(digits, text[1]))
		return trouble_set(trouble, "'%s' %s %s", as_written.text, outside(min, max),
				   range.text);
	octal = is_octal(text) ? digits_value(text + 2, strlen(text + 2), 8) : UINT64_MAX;
	if (octal >= min && octal <= max && octal < UINT64_MAX)
		return trouble_set(trouble, "'%s' is octal: write %" PRIu64 " or 0x%" PRIx64,
				   as_written.text, octal, octal);
	if (n > 0 && text[n] && strchr(".eE", text[n]))
		return trouble_set(
			trouble,
			"'%s' is not a whole number: write it without fraction and exponent (%s)",
			as_written.text, range.text);
	return trouble_set(trouble, "'%s' is not a whole number (%s)", as_written.text, range.text);
}

static bool range_trouble(const char *text, uint64_t min, uint64_t max, const struct unit *units,
			  struct trouble *trouble)
{
	return trouble_set(trouble, "%s %s %s", shown(text).text, outside(min, max),
			   range_shown(min, max, units).text);
}

static bool integer_parse(const char *text, uint64_t min, uint64_t max, uint64_t *ret,
			  struct trouble *trouble)
{
	size_t size = strlen(text);
	uint64_t value;

	if (strncmp(text, "0x", 2) == 0 && size > 2 && strspn(text + 2, hex_digits) == size - 2) {
		value = digits_value(text + 2, size - 2, 16);
	} else if (size > 0 && strspn(text, digits) == size) {
		if (text[0] == '0' && size > 1)
			return leading_zero(text, size, trouble);
		value = digits_value(text, size, 10);
	} else {
		return number_trouble(text, min, max, trouble);
	}
	if (value < min || value > max)
		return range_trouble(text, min, max, NULL, trouble);
	*ret = value;
	return true;
}

static const struct unit *unit_find(const struct unit *units, const char *name)
{
	for (const struct unit *unit = units; unit->name; unit++)
		if (strcmp(unit->name, name) == 0)
			return unit;
	return NULL;
}

static const struct unit *unit_find_nearly(const struct unit *units, const char *name)
{
	size_t size = strlen(name);

	for (const struct unit *unit = units; unit->name; unit++)
		if (size > 0 && strncasecmp(unit->name, name, strlen(unit->name)) == 0 &&
		    (size == strlen(unit->name) || unit->name[1] == '\0'))
			return unit;
	for (const struct unit *unit = units; unit->name; unit++) /* 1500k */
		if (size == 1 && strncasecmp(unit->name, name, 1) == 0)
			return unit;
	return NULL;
}

static bool unit_trouble(const char *text, size_t n, const struct unit *units, const char *range,
			 struct trouble *trouble)
{
	const char *name = text + n + strspn(text + n, " ");
	const struct unit *nearly = unit_find(units, name);
	struct shown as_written = shown(text), known = units_shown(units);
	bool plain = n == 1 || text[0] != '0'; /* a leading zero is no advice */

	if (n > 0 && text[n] == '\0' && n < 20 && plain)
		return trouble_set(trouble, "%s needs a unit (%s): write %s%s if that is meant",
				   as_written.text, known.text, text, units->name);
	if (n > 0 && text[n] == '\0')
		return trouble_set(trouble, "%s needs a unit (%s)%s", as_written.text, known.text,
				   plain ? "" : ", and no leading zero");
	if (n == 0 || strchr(".,_eE'", text[n]) || (text[n] == ' ' && strchr(digits, *name)))
		return trouble_set(trouble, "'%s' is not a whole number with a unit (%s), %s",
				   as_written.text, known.text, range);
	if (!nearly)
		nearly = unit_find_nearly(units, name);
	if (nearly && n < 20 && plain)
		return trouble_set(trouble, "'%s': write %.*s%s (units: %s)", as_written.text,
				   (int)n, text, nearly->name, known.text);
	return trouble_set(trouble, "'%s' has no unit that is known here (%s), %s", as_written.text,
			   known.text, range);
}

static bool quantity_parse(const char *text, uint64_t min, uint64_t max, const struct unit *units,
			   uint64_t *ret, struct trouble *trouble)
{
	size_t n = strspn(text, digits);
	const struct unit *unit = unit_find(units, text + n);
	uint64_t value;

	if (n == 0 || !unit)
		return unit_trouble(text, n, units, range_shown(min, max, units).text, trouble);
	if (text[0] == '0' && n > 1)
		return leading_zero(text, n, trouble);
	if (__builtin_mul_overflow(digits_value(text, n, 10), unit->factor, &value))
		value = UINT64_MAX;
	if (value < min || value > max)
		return range_trouble(text, min, max, units, trouble);
	*ret = value;
	return true;
}

bool number_parse(const char *text, uint64_t min, uint64_t max, const struct unit *units,
		  uint64_t *ret, struct trouble *ret_trouble)
{
	if (units)
		return quantity_parse(text, min, max, units, ret, ret_trouble);
	return integer_parse(text, min, max, ret, ret_trouble);
}

bool number_has_colon(const char *text, size_t *ret_split)
{
	const char *colon = strchr(text, ':');

	if (!colon || colon == text || colon[1] == '\0' || colon[1] == ' ')
		return false;
	*ret_split = colon - text;
	return true;
}
