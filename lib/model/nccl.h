/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What NCCL is to be told of a node, as names and values of its environment. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
	NCCL_VALUE_MAX = 1024, /* with the terminator: nccl.conf is cut there (src/misc/param.cc) */
	NCCL_WHY_MAX = 384,
	NCCL_SETTINGS_MAX = 8,
	NCCL_NOTES_MAX = 40,
};

enum nccl_format { NCCL_SHELL, NCCL_CONF, NCCL_JSON, NCCL_FORMAT_MAX };

struct nccl_setting {
	const char *name;
	char value[NCCL_VALUE_MAX]; /* of [A-Za-z0-9_.:,=-] only: needs no quotes anywhere */
	char why[NCCL_WHY_MAX];
};

struct nccl_note {
	bool trouble; /* something could not be told; else only worth knowing */
	char text[NCCL_WHY_MAX];
};

struct nccl_env {
	struct nccl_setting list[NCCL_SETTINGS_MAX];
	size_t n;
	struct nccl_note notes[NCCL_NOTES_MAX];
	size_t n_notes;
};
