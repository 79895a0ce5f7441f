// SPDX-License-Identifier: LGPL-2.1-or-later
/* Placeholders: how they are read, and how each filter writes a value. */
#include "lib/switch/template.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

/* What a filter can be put behind. */
enum {
	TAKES_BYTES = 1 << 0,
	TAKES_TIME = 1 << 1,
	TAKES_LIST = 1 << 2,
	TAKES_VALUE = 1 << 3, /* any single one */
	TAKES_TEXT = 1 << 4,
};

static const struct filter_info {
	const char *name;
	unsigned int takes;
} filters[] = {
	[FILTER_BYTES] = { "bytes", TAKES_BYTES },
	[FILTER_KBYTES] = { "kbytes", TAKES_BYTES },
	[FILTER_MBYTES] = { "mbytes", TAKES_BYTES },
	[FILTER_SECONDS] = { "seconds", TAKES_TIME },
	[FILTER_TENTHS] = { "tenths", TAKES_TIME },
	[FILTER_CLOCK] = { "hh:mm:ss", TAKES_TIME },
	[FILTER_JOIN] = { "join", TAKES_LIST },
	[FILTER_WORDS] = { "words", TAKES_VALUE },
	[FILTER_BITMASK] = { "bitmask", TAKES_LIST },
	[FILTER_RANGES] = { "ranges", TAKES_LIST },
	[FILTER_SHELL] = { "shell", TAKES_VALUE | TAKES_TEXT },
	[FILTER_JSON_POINTER] = { "json-pointer", TAKES_VALUE | TAKES_TEXT },
};
static_assert(ARRAY_SIZE(filters) == FILTER_MAX, "one row for each filter");

struct why {
	char *text;
	size_t size;
};

static int refuse(const struct why *why, const char *format, ...) _printf_(2, 3);

static int refuse(const struct why *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(why->text, why->size, format, args);
	va_end(args);
	return -EINVAL;
}

bool line_is_plain(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || (unsigned char)*text >= 0x7f)
			return false;
	return true;
}

/* ---- reading ---- */

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_word(const char *word, const char *text, size_t size)
{
	return strlen(word) == size && memcmp(word, text, size) == 0;
}

/* The filters behind a name, each with its colon; hh:mm:ss has colons itself. */
static int parse_filters(const char *text, size_t size, struct piece *piece, const struct why *why)
{
	while (size > 0) {
		enum filter filter = 0;
		size_t n = 0;

		for (; filter < FILTER_MAX; filter++) {
			n = strlen(filters[filter].name);
			if (size > n && strncmp(text + 1, filters[filter].name, n) == 0 &&
			    (size == n + 1 || text[n + 1] == ':'))
				break;
		}
		if (filter == FILTER_MAX)
			return refuse(why, "there is no filter \"%.*s\"", (int)size - 1, text + 1);
		if (piece->n_filters == FILTERS_MAX)
			return refuse(why, "there are more than %d filters", FILTERS_MAX);
		piece->filter[piece->n_filters++] = filter;
		text += n + 1;
		size -= n + 1;
	}
	return 0;
}

static unsigned int takes_of(const struct switch_knob_info *knob, const struct piece *piece)
{
	switch (piece->kind) {
	case PIECE_FIELD:
		if (knob->field[piece->index].unit == UNIT_BYTES)
			return TAKES_BYTES | TAKES_VALUE;
		if (knob->field[piece->index].unit == UNIT_MS)
			return TAKES_TIME | TAKES_VALUE;
		return TAKES_VALUE;
	case PIECE_KEY:
		return TAKES_VALUE;
	case PIECE_LIST:
		return TAKES_LIST;
	case PIECE_SECONDS:
		return TAKES_TIME;
	case PIECE_TEXT:
	case PIECE_PORT:
	case PIECE_VAR:
		break;
	}
	return TAKES_TEXT;
}

/* Does each filter get what it takes; behind the first there is text. */
static int check_filters(const struct switch_knob_info *knob, const struct piece *piece,
			 const struct why *why)
{
	unsigned int is = takes_of(knob, piece);

	if (is == TAKES_LIST && piece->n_filters == 0)
		return refuse(why, "$%.*s is a list; say join, ranges or bitmask", (int)piece->size,
			      piece->text);
	for (size_t i = 0; i < piece->n_filters; i++) {
		const struct filter_info *filter = &filters[piece->filter[i]];

		if (!(filter->takes & is))
			return refuse(why, "%s cannot be behind $%.*s", filter->name,
				      (int)piece->size, piece->text);
		is = TAKES_TEXT;
	}
	return 0;
}

static int find_name(const struct template_names *names, struct piece *piece, const struct why *why)
{
	const struct switch_knob_info *knob = names->knob;
	const char *text = piece->text;

	if (is_word("port", text, piece->size)) {
		piece->kind = PIECE_PORT;
		return 0;
	}
	if (is_word("seconds", text, piece->size)) {
		piece->kind = PIECE_SECONDS;
		return 0;
	}
	if (knob && knob->key && is_word("key", text, piece->size)) {
		piece->kind = PIECE_KEY;
		return 0;
	}
	if (knob && knob->shape == SHAPE_LIST && is_word("value", text, piece->size)) {
		piece->kind = PIECE_LIST;
		return 0;
	}
	for (piece->index = 0; knob && piece->index < knob->n_fields; piece->index++) {
		piece->kind = PIECE_FIELD;
		if (is_word(knob->field[piece->index].name, text, piece->size))
			return 0;
	}
	for (piece->index = 0; piece->index < names->n_vars; piece->index++) {
		piece->kind = PIECE_VAR;
		if (is_word(names->vars[piece->index], text, piece->size))
			return 0;
	}
	return refuse(why, "$%.*s stands for nothing here; a dollar is $$", (int)piece->size, text);
}

/* $name or ${name:filter}; @ret_size is how much of @text it is. */
static int parse_placeholder(const char *text, const struct template_names *names,
			     struct piece *piece, size_t *ret_size, const struct why *why)
{
	bool braces = text[1] == '{';
	const char *end = braces ? strchr(text, '}') : NULL;
	int r;

	if (braces && !end)
		return refuse(why, "a brace is open to the end");
	piece->text = text + (braces ? 2 : 1);
	while (is_name(piece->text[piece->size]))
		piece->size++;
	r = find_name(names, piece, why);
	if (r == 0 && braces)
		r = parse_filters(piece->text + piece->size,
				  (size_t)(end - piece->text) - piece->size, piece, why);
	if (r == 0)
		r = check_filters(names->knob, piece, why);
	*ret_size = braces ? (size_t)(end + 1 - text) : piece->size + 1;
	return r;
}

static unsigned int uses_of(const struct piece *piece)
{
	static const unsigned int uses[] = {
		[PIECE_TEXT] = 0,
		[PIECE_PORT] = USES_PORT | USES_BARE,
		[PIECE_KEY] = USES_KEY,
		[PIECE_FIELD] = USES_FIELD,
		[PIECE_LIST] = USES_LIST,
		[PIECE_VAR] = USES_VAR,
		[PIECE_SECONDS] = USES_SECONDS,
	};
	unsigned int all = uses[piece->kind];

	for (size_t i = 0; i < piece->n_filters; i++) {
		if (piece->filter[i] == FILTER_SHELL)
			all &= ~(unsigned int)USES_BARE;
		if (piece->filter[i] == FILTER_WORDS)
			all |= USES_WORDS;
	}
	return all;
}

/* The next piece of @text, which is not empty. */
static int next_piece(const char *text, const struct template_names *names, struct piece *piece,
		      size_t *ret_size, const struct why *why)
{
	*piece = (struct piece){ .kind = PIECE_TEXT, .text = text };
	if (*text != '$') {
		piece->size = *ret_size = strcspn(text, "$");
		return 0;
	}
	if (text[1] == '$') {
		piece->size = 1;
		*ret_size = 2;
		return 0;
	}
	return parse_placeholder(text, names, piece, ret_size, why);
}

int template_parse(const char *text, const struct template_names *names, struct arena *arena,
		   struct template *ret, char *ret_why, size_t size)
{
	const struct why why = { ret_why, size };
	struct piece pieces[PIECES_MAX];
	struct template template = { .source = text };
	struct piece *kept;
	int r;

	if (strlen(text) > TEMPLATE_BYTES_MAX)
		return refuse(&why, "the line is longer than %d bytes", TEMPLATE_BYTES_MAX);
	if (!line_is_plain(text))
		return refuse(&why, "only printable ASCII can be sent");
	for (size_t used = 0; *text; text += used) {
		if (template.n == PIECES_MAX)
			return refuse(&why, "there are more than %d placeholders", PIECES_MAX / 2);
		r = next_piece(text, names, &pieces[template.n], &used, &why);
		if (r < 0)
			return r;
		template.uses |= uses_of(&pieces[template.n++]);
	}
	kept = arena_alloc(arena, MAX(template.n, (size_t)1) * sizeof(*kept));
	if (!kept)
		return -ENOMEM;
	memcpy(kept, pieces, template.n * sizeof(*kept));
	template.piece = kept;
	*ret = template;
	return 0;
}

/* ---- filling in ---- */

struct text {
	char data[LINE_BYTES_MAX];
	size_t n;
	bool full;
};

static void put(struct text *text, const char *data, size_t size)
{
	if (size >= sizeof(text->data) - text->n) {
		text->full = true;
		return;
	}
	memcpy(text->data + text->n, data, size);
	text->n += size;
	text->data[text->n] = '\0';
}

static void put_format(struct text *text, const char *format, ...) _printf_(2, 3);

static void put_format(struct text *text, const char *format, ...)
{
	char number[64];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(number, sizeof(number), format, args);
	va_end(args);
	put(text, number, strlen(number));
}

void field_plain(const struct switch_field *field, uint64_t number, char *ret, size_t size)
{
	if (field->unit == UNIT_BOOL)
		(void)snprintf(ret, size, "%s", number ? "true" : "false");
	else if (field->unit == UNIT_WORD)
		(void)snprintf(ret, size, "%s", field->words[MIN(number, field->max)]);
	else
		(void)snprintf(ret, size, "%" PRIu64, number);
}

const char *words_vendor(const struct words *words, const char *plain)
{
	for (size_t i = 0; words && i < words->n; i++)
		if (strcmp(words->list[i].plain, plain) == 0)
			return words->list[i].vendor;
	return NULL;
}

/* "0,3": the keys with a comma between, "3-4,6": ranges of them */
static void put_keys(struct text *text, const struct switch_value *list, bool ranges)
{
	for (size_t i = 0; i < list->n; i++) {
		size_t last = i;

		while (ranges && last + 1 < list->n &&
		       list->entry[last + 1].key == list->entry[last].key + 1)
			last++;
		put_format(text, "%s%" PRIu32, i > 0 ? "," : "", list->entry[i].key);
		if (last > i)
			put_format(text, "-%" PRIu32, list->entry[last].key);
		i = last;
	}
}

static void put_bitmask(struct text *text, const struct switch_value *list)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < list->n; i++)
		mask |= UINT64_C(1) << (list->entry[i].key % 64);
	put_format(text, "0x%02" PRIx64, mask);
}

/* 1000 and 1.5 and 0.25: no more digits than it takes */
static void put_seconds(struct text *text, uint64_t ms)
{
	char number[64];
	size_t n;

	(void)snprintf(number, sizeof(number), "%" PRIu64 ".%03" PRIu64, ms / 1000, ms % 1000);
	n = strlen(number);
	while (number[n - 1] == '0')
		n--;
	put(text, number, number[n - 1] == '.' ? n - 1 : n);
}

static int put_size(struct text *text, uint64_t bytes, uint64_t unit, const struct why *why)
{
	uint64_t rounded = (bytes + unit / 2) / unit;

	if (!rounded && bytes)
		return refuse(why, "%" PRIu64 " bytes are less than one unit of the switch", bytes);
	put_format(text, "%" PRIu64, rounded);
	return 0;
}

static int put_tenths(struct text *text, uint64_t ms, const struct why *why)
{
	if (ms % 100)
		return refuse(why, "%" PRIu64 " ms are no whole tenths of a second", ms);
	put_format(text, "%" PRIu64, ms / 100);
	return 0;
}

static void put_shell(struct text *text, const char *data)
{
	put(text, "'", 1);
	for (; *data; data++) {
		if (*data == '\'')
			put(text, "'\\''", 4);
		else
			put(text, data, 1);
	}
	put(text, "'", 1);
}

/* RFC 6901 */
static void put_json_pointer(struct text *text, const char *data)
{
	for (; *data; data++) {
		if (*data == '~')
			put(text, "~0", 2);
		else if (*data == '/')
			put(text, "~1", 2);
		else
			put(text, data, 1);
	}
}

/* A number and its text before any filter. */
struct operand {
	uint64_t number;
	struct text text;
};

static int apply(enum filter filter, const struct template_values *values,
		 const struct operand *operand, struct text *ret, const struct why *why)
{
	const char *plain = operand->text.data, *vendor;
	uint64_t number = operand->number;

	switch (filter) {
	case FILTER_BYTES:
		return put_size(ret, number, 1, why);
	case FILTER_KBYTES:
		return put_size(ret, number, 1024, why);
	case FILTER_MBYTES:
		return put_size(ret, number, 1024 * 1024, why);
	case FILTER_SECONDS:
		put_seconds(ret, number);
		return 0;
	case FILTER_TENTHS:
		return put_tenths(ret, number, why);
	case FILTER_CLOCK:
		put_format(ret, "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64, number / 3600000,
			   number / 60000 % 60, number / 1000 % 60);
		return 0;
	case FILTER_WORDS:
		vendor = words_vendor(values->words, plain);
		if (!vendor)
			return refuse(why, "the dialect has no word for %s", plain);
		put(ret, vendor, strlen(vendor));
		return 0;
	case FILTER_JOIN:
	case FILTER_RANGES:
		put_keys(ret, values->list, filter == FILTER_RANGES);
		return 0;
	case FILTER_BITMASK:
		put_bitmask(ret, values->list);
		return 0;
	case FILTER_SHELL:
		put_shell(ret, plain);
		return 0;
	case FILTER_JSON_POINTER:
		put_json_pointer(ret, plain);
		return 0;
	case FILTER_MAX:
		break;
	}
	return -EINVAL;
}

static int operand_of_field(const struct piece *piece, const struct template_values *values,
			    struct operand *ret, const struct why *why)
{
	const struct switch_field *field;
	char plain[64];

	if (!values->entry || !values->knob)
		return refuse(why, "$%.*s has no value here", (int)piece->size, piece->text);
	field = &values->knob->field[piece->index];
	ret->number = values->entry->field[piece->index];
	if (ret->number == SWITCH_ABSENT)
		return -ENODATA;
	field_plain(field, ret->number, plain, sizeof(plain));
	put(&ret->text, plain, strlen(plain));
	return 0;
}

static int operand_of(const struct piece *piece, const struct template_values *values,
		      struct operand *ret, const struct why *why)
{
	const char *text = NULL;

	switch (piece->kind) {
	case PIECE_FIELD:
		return operand_of_field(piece, values, ret, why);
	case PIECE_KEY:
		if (!values->entry)
			break;
		ret->number = values->entry->key;
		put_format(&ret->text, "%" PRIu64, ret->number);
		return 0;
	case PIECE_SECONDS:
		ret->number = UINT64_C(1000) * values->seconds;
		put_format(&ret->text, "%u", values->seconds);
		return values->seconds ? 0 : refuse(why, "$seconds has no value here");
	case PIECE_LIST:
		if (!values->list)
			break;
		return 0;
	case PIECE_PORT:
		text = values->port;
		break;
	case PIECE_VAR:
		text = values->vars ? values->vars[piece->index] : NULL;
		break;
	case PIECE_TEXT:
		break;
	}
	if (!text || !*text)
		return refuse(why, "$%.*s has no value here", (int)piece->size, piece->text);
	put(&ret->text, text, strlen(text));
	return 0;
}

static int put_piece(struct text *line, const struct piece *piece,
		     const struct template_values *values, const struct why *why)
{
	struct operand operand = {};
	int r;

	if (piece->kind == PIECE_TEXT) {
		put(line, piece->text, piece->size);
		return 0;
	}
	r = operand_of(piece, values, &operand, why);
	for (size_t i = 0; i < piece->n_filters && r == 0; i++) {
		struct text filtered = {};

		r = apply(piece->filter[i], values, &operand, &filtered, why);
		filtered.full |= operand.text.full;
		operand.text = filtered;
	}
	line->full |= operand.text.full;
	put(line, operand.text.data, operand.text.n);
	return r;
}

int template_expand(const struct template *template, const struct template_values *values,
		    char ret[LINE_BYTES_MAX], char *ret_why, size_t size)
{
	const struct why why = { ret_why, size };
	struct text line = {};
	int r;

	for (size_t i = 0; i < template->n; i++) {
		r = put_piece(&line, &template->piece[i], values, &why);
		if (r < 0)
			return r;
	}
	if (line.full)
		return refuse(&why, "the line would be longer than %d bytes", LINE_BYTES_MAX - 1);
	if (!line_is_plain(line.data))
		return refuse(&why, "only printable ASCII can be sent");
	memcpy(ret, line.data, line.n + 1);
	return 0;
}
