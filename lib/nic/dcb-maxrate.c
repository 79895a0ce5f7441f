// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The rate limits of traffic classes. Owns struct ieee_maxrate; mirrors net/dcb/dcbnl.c and, for
 * mlx5, mlx5e_dcbnl_ieee_setmaxrate in en_dcbnl.c, which rounds to its steps and says yes. bnxt and
 * ice have neither getter nor setter: nothing to be read is nothing to be written.
 */
#include <errno.h>
#include <string.h>

#include "lib/nic/object.h"

enum { ALL = (1 << PRIORITIES) - 1 };

static bool is_readable(const struct os_dcb *dcb)
{
	return dcb->has_maxrate && dcb->has_ets;
}

/* Returns 0; -EBADMSG if the driver gives a class that does not exist. */
static int rates_take(const struct os_dcb *dcb, struct rates *ret)
{
	struct rates rates = { .named = ALL };

	for (unsigned int i = 0; i < PRIORITIES; i++) {
		if (dcb->ets.prio_tc[i] >= PRIORITIES)
			return -EBADMSG;
		rates.class_of[i] = dcb->ets.prio_tc[i];
		rates.kbit[i] = dcb->maxrate.tc_maxrate[i];
	}
	*ret = rates;
	return 0;
}

int dcb_maxrate_read(struct nic_reader *reader, struct state *have)
{
	struct value *value = &have->value[KNOB_MAX_RATE];
	const struct os_dcb *dcb;
	struct rates rates;
	int r;

	r = nic_reader_dcb(reader, &dcb);
	if (r < 0)
		return nic_value_error(reader, have, KNOB_MAX_RATE, r, "DCB");
	if (!is_readable(dcb)) {
		nic_value_unsupported(have, KNOB_MAX_RATE,
				      "the driver has no rate limit for traffic classes");
		return 0;
	}
	r = rates_take(dcb, &rates);
	if (r < 0)
		return nic_value_error(reader, have, KNOB_MAX_RATE, r, "ETS");
	value->status = VALUE_KNOWN;
	value->data.rates = rates;
	return 0;
}

/* Change what @want names; the class of a priority is the one that it is in now. */
static int rates_apply(const struct rates *want, const struct os_dcb *dcb,
		       struct ieee_maxrate *maxrate, struct refusal *ret)
{
	int owner[PRIORITIES] = { -1, -1, -1, -1, -1, -1, -1, -1 };

	for (int i = 0; i < PRIORITIES; i++) {
		unsigned int class = want->of_priorities ? dcb->ets.prio_tc[i] : (unsigned int)i;

		if (!(want->named & (1U << i)))
			continue;
		if (class >= PRIORITIES)
			return nic_refuse(ret, -EINVAL, "no such traffic class");
		if (owner[class] >= 0 && want->kbit[i] != want->kbit[owner[class]])
			return nic_refuse(ret, -EINVAL,
					  "priorities %d and %d are both in traffic class %u, "
					  "which has one rate: give a scheduler",
					  owner[class], i, class);
		owner[class] = i;
		maxrate->tc_maxrate[class] = want->kbit[i];
	}
	return 0;
}

int dcb_maxrate_write(const struct nic_writer *writer, struct refusal *ret)
{
	const char *name = writer->link.name;
	struct os_error error = {};
	struct ieee_maxrate maxrate;
	struct os_dcb dcb;
	int r;

	if (!nic_wants(writer->want, KNOB_MAX_RATE))
		return 0;
	r = os_dcb_get(writer->os, name, &dcb);
	if (r < 0)
		return nic_written(r, NULL, ret);
	if (!is_readable(&dcb))
		return nic_refuse(ret, -EOPNOTSUPP,
				  "the driver has no rate limit for traffic classes");

	maxrate = dcb.maxrate;
	r = rates_apply(&writer->want->value[KNOB_MAX_RATE].data.rates, &dcb, &maxrate, ret);
	if (r < 0)
		return r;
	if (memcmp(&maxrate, &dcb.maxrate, sizeof(maxrate)) == 0)
		return 0;
	r = os_dcb_set_maxrate(writer->os, name, &maxrate, &error);
	return nic_dcb_written(writer, r, &error, ret);
}
