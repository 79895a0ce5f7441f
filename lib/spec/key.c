// SPDX-License-Identifier: LGPL-2.1-or-later
/* The rows of the fabric file. */
#include "lib/spec/key.h"

#include <string.h>

#include "lib/base/macro.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE };

static const char *const ecn_words[] = { "not-ect", "ect1", "ect0",
					 NULL }; /* RFC 3168: the bits are the index */
static const char *const sink_words[] = { "rdma-cm", "verbs", NULL };
static const char *const action_words[] = { "drop", "forward", "report", NULL };
static const char *const buffers_words[] = { "auto", NULL };
static const char *const drift_words[] = { "repair", "report", NULL }; /* as enum policy_drift */
static const char *const disruptive_words[] = { "idle", "apply", "confirm", "never",
						NULL }; /* policy_disruptive */
static const char *const manage_words[] = { "push", "read", "render", NULL };
static const char *const host_trust_words[] = { "strict", "first-use", NULL };

#define ROW(of, text, what, ...)                                                        \
	{                                                                               \
		.section = SECTION_##of, .name = text, .kind = KIND_##what, __VA_ARGS__ \
	}
#define KNOB(which) .knob = &knob_table[KNOB_##which]

/* What may be said of a port, at the top and wherever it may be said again. */
#define SETTINGS(of)                                                                     \
	ROW(of, "qos", SECTION, .inner = SECTION_QOS, .key = KEY_QOS),                   \
		ROW(of, "ecn", CURVES, .inner = SECTION_ECN, .key = KEY_ECN, KNOB(ECN_RP)), \
		ROW(of, "mtu", INTEGER, .key = KEY_MTU, KNOB(MTU))

#define SELECTORS(of)                                                  \
	ROW(of, "name", PATTERNS, .names = NAME_PORT_PATTERN),         \
		ROW(of, "driver", PATTERNS, .names = NAME_DRIVER),     \
		ROW(of, "pci", PATTERNS, .names = NAME_PCI_PATTERN),   \
		ROW(of, "rdma", PATTERNS, .names = NAME_PORT_PATTERN), \
		ROW(of, "mac", PATTERNS, .names = NAME_MAC_PATTERN)

const struct key_info key_table[] = {
	ROW(TOP, "version", INTEGER, .min = 1, .max = 1),
	ROW(TOP, "fabric", NAME, .names = NAME_FABRIC),
	ROW(TOP, "roce", SECTION, .inner = SECTION_ROCE, .key = KEY_ROCE),
	SETTINGS(TOP),
	ROW(TOP, "nics", LIST),
	ROW(TOP, "nodes", MAP),
	ROW(TOP, "switches", MAP),
	ROW(TOP, "policy", SECTION, .inner = SECTION_POLICY),

	ROW(ROCE, "mode", WORD, .key = KEY_MODE, KNOB(CM_MODE)),
	ROW(ROCE, "traffic_class", INTEGER, .key = KEY_TRAFFIC_CLASS, KNOB(CM_TOS)),
	ROW(ROCE, "dscp", INTEGER, .max = 63, .key = KEY_DSCP),
	ROW(ROCE, "ecn", WORD, .words = ecn_words, .key = KEY_ECN_BITS),
	ROW(ROCE, "cnp", SECTION, .inner = SECTION_CNP, .key = KEY_CNP),
	ROW(ROCE, "apply_to", WORDS, .words = sink_words, .key = KEY_APPLY_TO),

	ROW(CNP, "dscp", INTEGER, .key = KEY_CNP_DSCP, KNOB(CNP_DSCP)),
	ROW(CNP, "priority", INTEGER, .key = KEY_CNP_PRIORITY, KNOB(CNP_PRIORITY)),

	ROW(QOS, "trust", WORD, .key = KEY_TRUST, KNOB(TRUST)),
	ROW(QOS, "dscp_to_priority", DSCP_MAP, .key = KEY_DSCP_TO_PRIORITY, KNOB(DSCP_TO_PRIORITY)),
	ROW(QOS, "exclusive", BOOLEAN, .key = KEY_EXCLUSIVE),
	ROW(QOS, "pfc", PRIORITIES, .key = KEY_PFC, KNOB(PFC)),
	ROW(QOS, "cable_length", QUANTITY, .units = length_units, .key = KEY_CABLE_LENGTH,
	    KNOB(CABLE_LENGTH)),
	ROW(QOS, "pfc_watchdog", SECTION, .inner = SECTION_WATCHDOG, .key = KEY_WATCHDOG),
	ROW(QOS, "scheduler", SCHEDULER, .key = KEY_SCHEDULER, KNOB(SCHEDULER)),
	ROW(QOS, "max_rate", RATES, .key = KEY_MAX_RATE, KNOB(MAX_RATE)),
	ROW(QOS, "buffers", WORD, .words = buffers_words, .key = KEY_BUFFERS, KNOB(BUFFERS)),

	ROW(WATCHDOG, "detect", QUANTITY, .units = time_units, .key = KEY_DETECT,
	    KNOB(PFC_WATCHDOG)),
	ROW(WATCHDOG, "restore", QUANTITY, .min = 1, .max = HOUR, .units = time_units,
	    .key = KEY_RESTORE),
	ROW(WATCHDOG, "action", WORD, .words = action_words, .key = KEY_ACTION),

	ROW(ECN, "priorities", SOME_PRIORITIES, .key = KEY_PRIORITIES),
	ROW(ECN, "min", QUANTITY, .min = 1000, .max = UINT64_C(1024) << 20, .units = size_units,
	    .key = KEY_MIN),
	ROW(ECN, "max", QUANTITY, .min = 1000, .max = UINT64_C(1024) << 20, .units = size_units,
	    .key = KEY_MAX_THRESHOLD),
	ROW(ECN, "probability", QUANTITY, .max = 100, .units = percent_units,
	    .key = KEY_PROBABILITY),

	SELECTORS(NIC),
	ROW(NIC, "except", SECTION, .inner = SECTION_EXCEPT),
	ROW(NIC, "roce", SECTION, .inner = SECTION_ROCE, .key = KEY_ROCE),
	SETTINGS(NIC),

	SELECTORS(EXCEPT),

	ROW(NODE, "roce", SECTION, .inner = SECTION_ROCE, .key = KEY_ROCE),
	SETTINGS(NODE),
	ROW(NODE, "nics", LIST),
	ROW(NODE, "policy", SECTION, .inner = SECTION_POLICY),

	ROW(SWITCH, "dialect", NAME, .names = NAME_DIALECT),
	ROW(SWITCH, "vars", MAP),
	ROW(SWITCH, "manage", WORD, .words = manage_words),
	ROW(SWITCH, "address", NAME, .names = NAME_ADDRESS),
	ROW(SWITCH, "port", INTEGER, .min = 1, .max = 65535),
	ROW(SWITCH, "username", NAME, .names = NAME_CREDENTIAL),
	ROW(SWITCH, "key", NAME, .names = NAME_CREDENTIAL),
	ROW(SWITCH, "password", NAME, .names = NAME_CREDENTIAL),
	ROW(SWITCH, "enable", NAME, .names = NAME_CREDENTIAL),
	ROW(SWITCH, "host_key", NAMES, .names = NAME_FINGERPRINT),
	ROW(SWITCH, "known_hosts", NAME, .names = NAME_CREDENTIAL),
	ROW(SWITCH, "trust", WORD, .words = host_trust_words),
	ROW(SWITCH, "legacy_algorithms", NAMES, .names = NAME_ALGORITHM),
	ROW(SWITCH, "owner", NAME, .names = NAME_HOST),
	SETTINGS(SWITCH),
	ROW(SWITCH, "ports", MAP),
	ROW(SWITCH, "answers", LIST),

	ROW(ANSWER, "ask", NAME, .names = NAME_LINE),
	ROW(ANSWER, "answer", NAME, .names = NAME_LINE),

	ROW(POLICY, "drift", WORD, .words = drift_words, .key = KEY_DRIFT),
	ROW(POLICY, "disruptive", WORD, .words = disruptive_words, .key = KEY_DISRUPTIVE),
	ROW(POLICY, "audit_interval", QUANTITY, .min = SECOND, .max = 24 * HOUR,
	    .units = time_units, .key = KEY_AUDIT_INTERVAL),
	ROW(POLICY, "switch_audit_interval", QUANTITY, .min = SECOND, .max = 24 * HOUR,
	    .units = time_units, .key = KEY_SWITCH_AUDIT_INTERVAL),
	ROW(POLICY, "grace", QUANTITY, .max = 24 * HOUR, .units = time_units, .key = KEY_GRACE),
};
const size_t key_table_size = ARRAY_SIZE(key_table);

static const char *const section_names[] = {
	[SECTION_TOP] = "the top level",
	[SECTION_ROCE] = "roce",
	[SECTION_CNP] = "roce.cnp",
	[SECTION_QOS] = "qos",
	[SECTION_WATCHDOG] = "qos.pfc_watchdog",
	[SECTION_ECN] = "ecn",
	[SECTION_NIC] = "an item of nics",
	[SECTION_EXCEPT] = "except",
	[SECTION_NODE] = "a node",
	[SECTION_SWITCH] = "a switch",
	[SECTION_ANSWER] = "an item of answers",
	[SECTION_POLICY] = "policy",
};
static_assert(ARRAY_SIZE(section_names) == SECTION_MAX, "a name for each");

const char *section_name(enum section section)
{
	return section_names[section];
}

/* The rows stand in the order of their sections: the first of @section, by halving. */
static size_t section_first(enum section section)
{
	size_t first = 0, end = key_table_size;

	while (first < end) {
		size_t middle = (first + end) / 2;

		if (key_table[middle].section < section)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

const struct key_info *key_find(enum section section, const char *name)
{
	for (size_t i = section_first(section);
	     i < key_table_size && key_table[i].section == section; i++)
		if (key_table[i].name[0] == name[0] && strcmp(key_table[i].name, name) == 0)
			return &key_table[i];
	return NULL;
}

const struct key_info *key_info(enum key key)
{
	for (size_t i = 0; i < key_table_size; i++)
		if (key_table[i].key == key)
			return &key_table[i];
	return NULL;
}

uint64_t key_min(const struct key_info *info)
{
	return info->knob ? info->knob->min : info->min;
}

uint64_t key_max(const struct key_info *info)
{
	return info->knob ? info->knob->max : info->max;
}

const char *const *key_words(const struct key_info *info)
{
	return info->words ? info->words : info->knob->words;
}
