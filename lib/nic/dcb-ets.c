// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The ETS object: traffic class of each priority, algorithm and share of each class. Owns struct
 * ieee_ets; mirrors net/dcb/dcbnl.c and, for mlx5, mlx5e_dcbnl_ieee_setets in en_dcbnl.c.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/object.h"

enum { ALL_PRIORITIES = (1 << PRIORITIES) - 1 };

static const uint8_t tsa_of[] = {
	[ETS_STRICT] = IEEE_8021QAZ_TSA_STRICT,
	[ETS_SHARE] = IEEE_8021QAZ_TSA_ETS,
	[ETS_VENDOR] = IEEE_8021QAZ_TSA_VENDOR,
	[ETS_SHAPER] = IEEE_8021QAZ_TSA_CB_SHAPER,
};
static_assert(ARRAY_SIZE(tsa_of) == ETS_ALGORITHM_MAX, "one TSA for each algorithm");
static_assert(IEEE_8021QAZ_MAX_TCS == PRIORITIES, "as many classes as priorities");

static int algorithm_of(uint8_t tsa, uint8_t *ret)
{
	for (uint8_t i = 0; i < ARRAY_SIZE(tsa_of); i++) {
		if (tsa_of[i] == tsa) {
			*ret = i;
			return 0;
		}
	}
	return -EBADMSG;
}

/* Returns 0; -EBADMSG if the driver gives a class or an algorithm that does not exist. */
static int ets_to_map(const struct ieee_ets *ets, struct ets_map *ret)
{
	struct ets_map map = { .named = ALL_PRIORITIES };
	int r;

	for (unsigned int i = 0; i < PRIORITIES; i++) {
		if (ets->prio_tc[i] >= PRIORITIES || ets->tc_tx_bw[i] > 100)
			return -EBADMSG;
		map.class_of[i] = ets->prio_tc[i];
		r = algorithm_of(ets->tc_tsa[i], &map.algorithm[i]);
		if (r < 0)
			return r;
		if (map.algorithm[i] == ETS_SHARE)
			map.share[i] = ets->tc_tx_bw[i];
	}
	*ret = map;
	return 0;
}

int dcb_ets_read(struct nic_reader *reader, struct state *have)
{
	struct value *value = &have->value[KNOB_SCHEDULER];
	const struct os_dcb *dcb;
	struct ets_map map;
	int r;

	r = nic_reader_dcb(reader, &dcb);
	if (r < 0)
		return nic_value_error(reader, have, KNOB_SCHEDULER, r, "DCB");
	if (!dcb->has_ets) {
		nic_value_unsupported(have, KNOB_SCHEDULER, "the driver has no ETS");
		return 0;
	}
	r = ets_to_map(&dcb->ets, &map);
	if (r < 0)
		return nic_value_error(reader, have, KNOB_SCHEDULER, r, "ETS");
	value->status = VALUE_KNOWN;
	value->data.ets = map;
	value->unset = nic_dcb_is_unset(reader, dcb);
	return 0;
}

/* The classes of the priorities that @want names, as bits. */
static unsigned int named_classes(const struct ets_map *want)
{
	unsigned int classes = 0;

	for (unsigned int i = 0; i < PRIORITIES; i++)
		if (want->named & (1U << i))
			classes |= 1U << want->class_of[i];
	return classes;
}

/*
 * Change what @want says. What we do not manage (willing, ets_cap, cbs, receive and recommended
 * values) stays as the driver gave it; so does the bandwidth of a class that is strict and stays
 * strict, which mlx5 reads back as 100. A class that no named priority uses keeps its algorithm and
 * loses its share, so that the shares are 100 together. Returns 0; -EINVAL if there is no such
 * class or share.
 */
static int ets_apply(const struct ets_map *want, struct ieee_ets *ets)
{
	unsigned int classes;

	for (unsigned int i = 0; i < PRIORITIES; i++)
		if (want->class_of[i] >= PRIORITIES || want->algorithm[i] >= ETS_ALGORITHM_MAX ||
		    want->share[i] > 100)
			return -EINVAL;
	classes = want->named == ALL_PRIORITIES ? ALL_PRIORITIES : named_classes(want);
	for (unsigned int i = 0; i < PRIORITIES; i++) {
		uint8_t tsa = classes & (1U << i) ? tsa_of[want->algorithm[i]] : ets->tc_tsa[i];

		if (tsa == IEEE_8021QAZ_TSA_ETS)
			ets->tc_tx_bw[i] = classes & (1U << i) ? want->share[i] : 0;
		else if (ets->tc_tsa[i] != tsa)
			ets->tc_tx_bw[i] = 0;
		ets->tc_tsa[i] = tsa;
		if (want->named & (1U << i))
			ets->prio_tc[i] = want->class_of[i];
	}
	return 0;
}

int dcb_ets_write(const struct nic_writer *writer, struct refusal *ret)
{
	const struct ets_map *want = &writer->want->value[KNOB_SCHEDULER].data.ets;
	const char *name = writer->link.name;
	struct os_error error = {};
	struct ieee_ets ets;
	struct os_dcb dcb;
	int r;

	if (!nic_wants(writer->want, KNOB_SCHEDULER))
		return 0;
	r = os_dcb_get(writer->os, name, &dcb);
	if (r < 0)
		return nic_written(r, NULL, ret);
	if (!dcb.has_ets)
		return nic_refuse(ret, -EOPNOTSUPP, "the driver has no ETS");

	ets = dcb.ets;
	if (ets_apply(want, &ets) < 0)
		return nic_refuse(ret, -EINVAL, "no such class, algorithm or share");
	if (memcmp(&ets, &dcb.ets, sizeof(ets)) == 0)
		return 0;
	r = os_dcb_set_ets(writer->os, name, &ets, &error);
	return nic_dcb_written(writer, r, &error, ret);
}
