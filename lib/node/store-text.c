// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The text of the undo file. Everything in it is checked: it decides what is written to the NICs by
 * a rollback.
 *
 *	losslessd undo 1
 *	generation 3
 *	before 2		the generation whose record is kept in undo.2; 0: none
 *	phase applying		or idle, returning, stopped
 *	confirm 1790000000 120	only while nobody has confirmed: until when, seconds in all
 *	port<TAB>ens1f0np0<TAB>0000:17:00.0<TAB>1<TAB>pfc<TAB>none
 *				kind, name, PCI address, RDMA port, knob, value
 *	previous 1234		the spec before, that many bytes, follows; or "none"
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/node/store-private.h"

static const char magic[] = "losslessd undo 1\n";
static const char *const phase_names[] = {
	[STORE_IDLE] = "idle",
	[STORE_APPLYING] = "applying",
	[STORE_RETURNING] = "returning",
	[STORE_STOPPED] = "stopped",
};

/* ---- reading ---- */

/* A name is not enough: after a rename another port may have it. */
bool store_same_place(const struct nic *a, const struct nic *b)
{
	return strcmp(a->pci, b->pci) == 0 && a->rdma_port == b->rdma_port;
}

struct state *store_find_exactly(const struct states *states, enum target_kind kind,
				 const struct nic *nic, const char *name)
{
	for (size_t i = 0; i < states->n; i++) {
		struct state *state = &states->list[i];

		if (state->target.kind == kind && strcmp(state->target.name, name) == 0 &&
		    store_same_place(&state->target.nic, nic))
			return state;
	}
	return NULL;
}

/* The next field of a line that ends at *@line; *@line is moved behind it, NULL after the last. */
static char *take_field(char **line)
{
	return *line ? strsep(line, "\t") : NULL;
}

/* Digits and nothing else. */
static int parse_count(const char *text, uint64_t *ret)
{
	char *end;

	if (*text < '0' || *text > '9')
		return -EBADMSG;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	return errno || *end ? -EBADMSG : 0;
}

static int parse_entry(char *line, struct states *undo)
{
	const char *kind = take_field(&line), *name = take_field(&line), *pci = take_field(&line);
	const char *port = take_field(&line), *knob_name = take_field(&line);
	enum target_kind target = TARGET_PORT;
	uint64_t rdma_port;
	struct nic nic = {};
	struct state *state;
	enum knob knob;

	if (!line || !knob_name)
		return -EBADMSG;
	while (target < TARGET_KIND_MAX && strcmp(target_kind_name(target), kind) != 0)
		target++;
	knob = knob_find(knob_name);
	if (target == TARGET_KIND_MAX || knob == KNOB_MAX || !*name ||
	    strlen(name) >= NAME_MAX_BYTES || strlen(pci) >= NAME_MAX_BYTES ||
	    parse_count(port, &rdma_port) < 0 || rdma_port > UINT_MAX)
		return -EBADMSG;
	(void)snprintf(nic.pci, sizeof(nic.pci), "%s", pci);
	nic.rdma_port = (unsigned int)rdma_port;
	state = store_find_exactly(undo, target, &nic, name);
	if (!state)
		state = states_add(undo, target, &nic, name);
	if (!state)
		return -ENOMEM;
	return value_parse(&knob_table[knob], line, &state->value[knob]) < 0 ? -EBADMSG : 0;
}

static int parse_previous(struct store *store, const char *count, const char *rest,
			  size_t rest_size)
{
	uint64_t size = 0;
	int r;

	if (strcmp(count, "none") == 0)
		return rest_size ? -EBADMSG : 0;
	r = parse_count(count, &size);
	if (r < 0 || size != rest_size)
		return -EBADMSG;
	store->previous = strndup(rest, size);
	if (!store->previous)
		return -ENOMEM;
	store->previous_size = size;
	return 0;
}

/* What stands behind @word at the beginning of @line, NULL if it begins with something else. */
static const char *after(const char *line, const char *word)
{
	size_t size = strlen(word);

	return strncmp(line, word, size) == 0 ? line + size : NULL;
}

static int parse_phase(const char *name, enum store_phase *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(phase_names); i++) {
		if (strcmp(name, phase_names[i]) != 0)
			continue;
		*ret = (enum store_phase)i;
		return 0;
	}
	return -EBADMSG;
}

static int parse_confirm(const char *text, struct store_confirm *ret)
{
	char trailing;

	if (sscanf(text, "%" SCNd64 " %" SCNd64 "%c", &ret->until_s, &ret->span_s, &trailing) != 2)
		return -EBADMSG;
	return ret->until_s > 0 && ret->span_s > 0 ? 0 : -EBADMSG;
}

static int parse_line(struct store *store, char *line)
{
	const char *value;

	value = after(line, "generation ");
	if (value)
		return parse_count(value, &store->generation);
	value = after(line, "before ");
	if (value)
		return parse_count(value, &store->before);
	value = after(line, "phase ");
	if (value)
		return parse_phase(value, &store->phase);
	value = after(line, "confirm ");
	if (value)
		return parse_confirm(value, &store->confirm);
	return parse_entry(line, &store->undo);
}

int store_text_parse(struct store *store, char *text, size_t size)
{
	char *end = text + size, *next;
	const char *value;
	int r;

	if (size < strlen(magic) || memcmp(text, magic, strlen(magic)) != 0)
		return -EBADMSG;
	for (char *line = text + strlen(magic); line < end; line = next) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			return -EBADMSG;
		*next++ = '\0';
		value = after(line, "previous ");
		if (value)
			return parse_previous(store, value, next, (size_t)(end - next));
		r = parse_line(store, line);
		if (r < 0)
			return r;
	}
	return -EBADMSG;
}

/* ---- writing ---- */

static void put_entries(FILE *out, const struct state *state)
{
	char text[VALUE_TEXT_MAX];

	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		if (state->value[knob].status != VALUE_KNOWN)
			continue;
		value_format(&knob_table[knob], &state->value[knob], text, sizeof(text));
		(void)fprintf(out, "%s\t%s\t%s\t%u\t%s\t%s\n", target_kind_name(state->target.kind),
			      state->target.name, state->target.nic.pci,
			      state->target.nic.rdma_port, knob_table[knob].name, text);
	}
}

int store_text_format(const struct store *store, char **ret_text, size_t *ret_size)
{
	FILE *out = open_memstream(ret_text, ret_size);

	if (!out)
		return -ENOMEM;
	(void)fprintf(out, "%sgeneration %" PRIu64 "\nbefore %" PRIu64 "\nphase %s\n", magic,
		      store->generation, store->before, phase_names[store->phase]);
	if (store->confirm.until_s)
		(void)fprintf(out, "confirm %" PRId64 " %" PRId64 "\n", store->confirm.until_s,
			      store->confirm.span_s);
	for (size_t i = 0; i < store->undo.n; i++)
		put_entries(out, &store->undo.list[i]);
	if (store->previous) {
		(void)fprintf(out, "previous %zu\n", store->previous_size);
		(void)fwrite(store->previous, 1, store->previous_size, out);
	} else {
		(void)fputs("previous none\n", out);
	}
	return fclose(out) != 0 ? -ENOMEM : 0;
}
