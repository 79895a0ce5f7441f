// SPDX-License-Identifier: LGPL-2.1-or-later
/* A bundle in memory, its table of lines, and how it is written. */
#include "lib/os/bundle.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"
#include "lib/os/bundle-line.h"

/* A number, or an array of them; a flag is a number up to 1 */
#define FIELD(text, member, how, limit)                                        \
	{                                                                      \
		text, how, offsetof(struct bundle_link, member),               \
			sizeof(((struct bundle_link *)NULL)->member), 1, limit \
	}
#define FIELD_ARRAY(text, member, limit)                                        \
	{                                                                       \
		text, FIELD_NUMBER, offsetof(struct bundle_link, member),       \
			sizeof(((struct bundle_link *)NULL)->member[0]),        \
			ARRAY_SIZE(((struct bundle_link *)NULL)->member), limit \
	}

static const struct bundle_field link_fields[] = {
	FIELD("index", link.ifindex, FIELD_NUMBER, INT32_MAX),
	FIELD("lower", link.link_ifindex, FIELD_NUMBER, INT32_MAX),
	FIELD("master", link.master_ifindex, FIELD_NUMBER, INT32_MAX),
	FIELD("mtu", link.mtu, FIELD_NUMBER, UINT32_MAX),
	FIELD("min", link.mtu_min, FIELD_NUMBER, UINT32_MAX),
	FIELD("max", link.mtu_max, FIELD_NUMBER, UINT32_MAX),
	FIELD("mac", link.mac, FIELD_MAC, 0),
	FIELD("up", link.up, FIELD_NUMBER, 1),
	FIELD("carrier", link.carrier, FIELD_NUMBER, 1),
	FIELD("kind", link.kind, FIELD_NAME, 0),
};

static const struct bundle_field dcbx_fields[] = {
	FIELD("mode", dcb.dcbx, FIELD_HEX, UINT8_MAX),
};

static const struct bundle_field ets_fields[] = {
	FIELD("willing", dcb.ets.willing, FIELD_NUMBER, UINT8_MAX),
	FIELD("cap", dcb.ets.ets_cap, FIELD_NUMBER, UINT8_MAX),
	FIELD("cbs", dcb.ets.cbs, FIELD_NUMBER, UINT8_MAX),
	FIELD_ARRAY("tc", dcb.ets.prio_tc, UINT8_MAX),
	FIELD_ARRAY("tsa", dcb.ets.tc_tsa, UINT8_MAX),
	FIELD_ARRAY("bw", dcb.ets.tc_tx_bw, UINT8_MAX),
	FIELD_ARRAY("rx", dcb.ets.tc_rx_bw, UINT8_MAX),
};

static const struct bundle_field pfc_fields[] = {
	FIELD("enabled", dcb.pfc.pfc_en, FIELD_HEX, UINT8_MAX),
	FIELD("cap", dcb.pfc.pfc_cap, FIELD_NUMBER, UINT8_MAX),
	FIELD("mbc", dcb.pfc.mbc, FIELD_NUMBER, UINT8_MAX),
	FIELD("delay", dcb.pfc.delay, FIELD_NUMBER, UINT16_MAX),
};

static const struct bundle_field buffer_fields[] = {
	FIELD_ARRAY("prio", dcb.buffer.prio2buffer, UINT8_MAX),
	FIELD_ARRAY("size", dcb.buffer.buffer_size, UINT32_MAX),
	FIELD("total", dcb.buffer.total_size, FIELD_NUMBER, UINT32_MAX),
};

static const struct bundle_field maxrate_fields[] = {
	FIELD_ARRAY("kbit", dcb.maxrate.tc_maxrate, UINT64_MAX),
};

static const struct bundle_field apps_fields[] = {
	FIELD("entries", apps, FIELD_NUMBER, OS_DCB_APP_MAX),
};

static const struct bundle_field pause_fields[] = {
	FIELD("autoneg", pause.autoneg, FIELD_NUMBER, 1),
	FIELD("rx", pause.rx, FIELD_NUMBER, 1),
	FIELD("tx", pause.tx, FIELD_NUMBER, 1),
};

static const struct bundle_field stall_fields[] = {
	FIELD("ms", stall_ms, FIELD_NUMBER, UINT16_MAX),
};

static const struct bundle_field agent_fields[] = {
	FIELD("on", lldp_agent, FIELD_NUMBER, 1),
};

static const struct bundle_field dcb_error_fields[] = {
	FIELD("errno", dcb_error, FIELD_ERRNO, 0),
};

static const struct bundle_field pause_error_fields[] = {
	FIELD("errno", pause_error, FIELD_ERRNO, 0),
};

#define LINE(word, member, fields)                                                     \
	{                                                                              \
		word, offsetof(struct bundle_link, member), fields, ARRAY_SIZE(fields) \
	}

const struct bundle_line bundle_lines[] = {
	{ "link", SIZE_MAX, link_fields, ARRAY_SIZE(link_fields) },
	LINE("dcbx", dcb.has_dcbx, dcbx_fields),
	LINE("ets", dcb.has_ets, ets_fields),
	LINE("pfc", dcb.has_pfc, pfc_fields),
	LINE("buffer", dcb.has_buffer, buffer_fields),
	LINE("maxrate", dcb.has_maxrate, maxrate_fields),
	LINE("dcb-error", has_dcb_error, dcb_error_fields),
	LINE("pause", has_pause, pause_fields),
	LINE("pause-error", has_pause_error, pause_error_fields),
	LINE("stall", has_stall, stall_fields),
	LINE("lldp-agent", has_lldp_agent, agent_fields),
	LINE("apps", dcb.has_app, apps_fields),
};
static_assert(ARRAY_SIZE(bundle_lines) == BUNDLE_LINES, "all lines");

const char *const bundle_words[] = {
	[BUNDLE_DIR] = "dir",
	[BUNDLE_FILE] = "file",
	[BUNDLE_BYTES] = "bytes",
	[BUNDLE_SYMLINK] = "symlink",
	[BUNDLE_UNREADABLE] = "unreadable",
};
static_assert(ARRAY_SIZE(bundle_words) == BUNDLE_KIND_MAX, "a word for each kind");

/* ---- in memory ---- */

void bundle_done(struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->n_links; i++)
		os_stats_done(&bundle->links[i].stats);
	for (size_t i = 0; i < bundle->n_entries; i++) {
		free(bundle->entries[i].path);
		free(bundle->entries[i].text);
	}
	free(bundle->links);
	free(bundle->entries);
	*bundle = (struct bundle){};
}

struct bundle_link *bundle_add_link(struct bundle *bundle)
{
	if (bundle->n_links >= BUNDLE_LINKS_MAX ||
	    array_grow(&bundle->links, bundle->n_links, &bundle->links_room,
		       sizeof(*bundle->links)) < 0)
		return NULL;
	bundle->links[bundle->n_links] = (struct bundle_link){};
	return &bundle->links[bundle->n_links++];
}

struct bundle_entry *bundle_add_entry(struct bundle *bundle, enum bundle_kind kind,
				      const char *path, const char *text, size_t size)
{
	struct bundle_entry entry = { .kind = kind };

	if (bundle->n_entries >= BUNDLE_ENTRIES_MAX ||
	    array_grow(&bundle->entries, bundle->n_entries, &bundle->entries_room,
		       sizeof(*bundle->entries)) < 0)
		return NULL;
	entry.path = strdup(path);
	entry.text = text ? strndup(text, size) : NULL;
	if (!entry.path || (text && !entry.text)) {
		free(entry.path);
		free(entry.text);
		return NULL;
	}
	bundle->entries[bundle->n_entries] = entry;
	return &bundle->entries[bundle->n_entries++];
}

void bundle_drop_entry(struct bundle *bundle)
{
	bundle->n_entries--;
	free(bundle->entries[bundle->n_entries].path);
	free(bundle->entries[bundle->n_entries].text);
}

int bundle_add_stat(struct bundle_link *link, const char *name, uint64_t value)
{
	struct os_stats *stats = &link->stats;
	int r;

	if (stats->n >= OS_STATS_MAX || strlen(name) >= sizeof(stats->list->name))
		return -E2BIG;
	r = array_grow(&stats->list, stats->n, &link->stats_room, sizeof(*stats->list));
	if (r < 0)
		return r;
	stats->list[stats->n] = (struct os_stat){ .value = value };
	strcpy(stats->list[stats->n++].name, name);
	return 0;
}

static bool word_is_plain(const char *word, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)word[i] <= ' ' || word[i] == 0x7f)
			return false;
	return !(size == 1 && word[0] == '.') && !(size == 2 && word[0] == '.' && word[1] == '.');
}

bool bundle_path_fits(const char *path, size_t size)
{
	const char *end = path + size;

	if (size < 2 || size >= OS_PATH_MAX || *path != '/')
		return false;
	while (path < end) {
		const char *word = path + 1;

		path = memchr(word, '/', (size_t)(end - word)) ?: end;
		if (path == word || path - word >= OS_NAME_MAX ||
		    !word_is_plain(word, (size_t)(path - word)))
			return false;
	}
	return true;
}

/* ---- writing ---- */

static uint64_t number_at(const unsigned char *from, size_t size)
{
	uint64_t value = 0;
	uint32_t four;
	uint16_t two;

	switch (size) {
	case sizeof(value):
		memcpy(&value, from, size);
		return value;
	case sizeof(four):
		memcpy(&four, from, size);
		return four;
	case sizeof(two):
		memcpy(&two, from, size);
		return two;
	}
	return *from;
}

static void write_field(const struct bundle_field *field, const unsigned char *link, FILE *out)
{
	const unsigned char *at = link + field->offset;
	int error;

	(void)fprintf(out, " %s", field->word);
	switch (field->kind) {
	case FIELD_NUMBER:
		for (size_t i = 0; i < field->count; i++)
			(void)fprintf(out, " %" PRIu64,
				      number_at(at + i * field->size, field->size));
		break;
	case FIELD_HEX:
		(void)fprintf(out, " 0x%02" PRIx64, number_at(at, field->size));
		break;
	case FIELD_MAC:
		(void)fprintf(out, " %02x:%02x:%02x:%02x:%02x:%02x", at[0], at[1], at[2], at[3],
			      at[4], at[5]);
		break;
	case FIELD_NAME:
		(void)fprintf(out, " %s", *at ? (const char *)at : "-");
		break;
	case FIELD_ERRNO:
		memcpy(&error, at, sizeof(error));
		(void)fprintf(out, " %s", strerrorname_np(error) ?: "EIO");
		break;
	}
}

static void write_line(const struct bundle_line *line, const struct bundle_link *link, FILE *out)
{
	const unsigned char *bytes = (const unsigned char *)link;

	if (line->present != SIZE_MAX && !bytes[line->present])
		return;
	(void)fprintf(out, "%s %s", line->word, link->link.name);
	for (size_t i = 0; i < line->n_fields; i++)
		write_field(&line->fields[i], bytes, out);
	(void)fputc('\n', out);
}

static void write_link(const struct bundle_link *link, FILE *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(bundle_lines); i++)
		write_line(&bundle_lines[i], link, out);
	for (size_t i = 0; i < link->dcb.n_app; i++)
		(void)fprintf(out, "app %s selector %u protocol %u priority %u\n", link->link.name,
			      link->dcb.app[i].selector, link->dcb.app[i].protocol,
			      link->dcb.app[i].priority);
	for (size_t i = 0; i < link->stats.n; i++)
		(void)fprintf(out, "stat %s %s %" PRIu64 "\n", link->link.name,
			      link->stats.list[i].name, link->stats.list[i].value);
}

static void write_entry(const struct bundle_entry *entry, FILE *out)
{
	const char *text = entry->text ?: "";

	(void)fprintf(out, "%s %s", bundle_words[entry->kind], entry->path);
	if (entry->kind == BUNDLE_SYMLINK)
		(void)fprintf(out, " %s", text);
	if (entry->kind == BUNDLE_UNREADABLE)
		(void)fprintf(out, " %s", strerrorname_np(entry->error) ?: "EIO");
	(void)fputc('\n', out);
	while ((entry->kind == BUNDLE_FILE || entry->kind == BUNDLE_BYTES) && *text) {
		size_t length = strcspn(text, "\n");

		(void)fprintf(out, " %.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

void bundle_write(const struct bundle *bundle, FILE *out)
{
	(void)fprintf(out, "losslessd bundle 1\nnode %s\nkernel %s\nreader %s\n", bundle->node,
		      bundle->kernel, bundle->privileged ? "root" : "user");
	for (size_t i = 0; i < bundle->n_links; i++)
		write_link(&bundle->links[i], out);
	for (size_t i = 0; i < bundle->n_entries; i++)
		write_entry(&bundle->entries[i], out);
	(void)fputs("end\n", out);
}
