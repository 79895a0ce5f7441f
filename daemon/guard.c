// SPDX-License-Identifier: LGPL-2.1-or-later
/* The memory of repairs and failures: one entry for each object that ever needed one. */
#include "daemon/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"

void guard_done(struct guard *guard)
{
	free(guard->list);
	guard->list = NULL;
	guard->n = guard->room = 0;
}

/* A name alone is not enough: another port may have it since. */
static bool is_of(const struct guard_entry *entry, const struct target *target)
{
	if (entry->kind != target->kind || strcmp(entry->pci, target->nic.pci) != 0)
		return false;
	return strcmp(entry->name, target->name) == 0;
}

struct guard_entry *guard_entry(struct guard *guard, const struct target *target,
				enum object object, bool make)
{
	struct guard_entry *entry;

	for (size_t i = 0; i < guard->n; i++)
		if (guard->list[i].object == object && is_of(&guard->list[i], target))
			return &guard->list[i];
	if (!make || array_grow(&guard->list, guard->n, &guard->room, sizeof(*guard->list)) < 0)
		return NULL;
	entry = &guard->list[guard->n++];
	*entry = (struct guard_entry){ .kind = target->kind, .object = object };
	(void)snprintf(entry->name, sizeof(entry->name), "%s", target->name);
	(void)snprintf(entry->pci, sizeof(entry->pci), "%s", target->nic.pci);
	return entry;
}

void guard_repaired(struct guard_entry *entry, int64_t now_ms)
{
	memmove(entry->repaired_ms, entry->repaired_ms + 1,
		sizeof(entry->repaired_ms) - sizeof(entry->repaired_ms[0]));
	entry->repaired_ms[GUARD_REPAIRS_MAX - 1] = now_ms;
	entry->failures = 0;
	entry->retry_ms = 0;
}

void guard_failed(struct guard_entry *entry, int64_t now_ms, const char *words)
{
	int64_t wait_ms = GUARD_RETRY_FIRST_MS;

	for (unsigned int i = 0; i < entry->failures && wait_ms < GUARD_RETRY_MAX_MS; i++)
		wait_ms *= 2;
	entry->failures++;
	entry->retry_ms = now_ms + MIN(wait_ms, (int64_t)GUARD_RETRY_MAX_MS);
	(void)snprintf(entry->words, sizeof(entry->words), "%s", words);
}

bool guard_is_fight(const struct guard *guard, const struct guard_entry *entry, int64_t now_ms)
{
	int64_t first = entry->repaired_ms[0];

	return guard->window_ms && first && now_ms - first <= guard->window_ms;
}

void guard_forgive(struct guard *guard)
{
	guard->n = 0;
}

int64_t guard_next_retry(const struct guard *guard, int64_t now_ms)
{
	int64_t next = 0;

	for (size_t i = 0; i < guard->n; i++) {
		int64_t at = guard->list[i].retry_ms;

		if (at > now_ms && (!next || at < next))
			next = at;
	}
	return next;
}
