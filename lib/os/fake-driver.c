// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the simulated drivers share: the state after driver load, the checks that several make, and
 * the APP list of the kernel (net/dcb/dcbnl.c), which is theirs only in part.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

enum {
	CABLE_DEFAULT_M = 7,
	BUFFER_0_BYTES = 262016,
	BUFFERS_BYTES = 524160,
	STALL_DEFAULT_MS = 8000,
	CELL_BYTES = 128,
	SPEED_GBIT = 100,
	CLASS_MAX_LESS = 3,
};

const struct fake_driver *fake_driver_find(const char *name)
{
	static const struct fake_driver *const drivers[] = { &fake_mlx5, &fake_bnxt, &fake_ice };

	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++)
		if (!strcmp(drivers[i]->name, name))
			return drivers[i];
	return &fake_plain;
}

static uint16_t driver_parts(const struct fake_driver *driver)
{
	uint16_t parts = FAKE_HAS_ETS | FAKE_HAS_PFC | FAKE_HAS_APP | FAKE_HAS_DCBX;

	parts |= driver->set_buffer ? FAKE_HAS_BUFFER : 0;
	parts |= driver->set_maxrate ? FAKE_HAS_MAXRATE : 0;
	parts |= driver->has_stall ? FAKE_HAS_STALL : 0;
	parts |= driver->flag ? FAKE_HAS_FLAG : 0;
	return parts;
}

void fake_attach(struct fake_device *device)
{
	struct fake_hw *hw = &device->hw;

	*hw = (struct fake_hw){
		.ets.ets_cap = FAKE_PRIORITIES,
		.buffer.buffer_size = { BUFFER_0_BYTES },
		.buffer.total_size = BUFFERS_BYTES,
		.cable_m = CABLE_DEFAULT_M,
		.dcbx = device->driver->dcbx,
		.pause = { .rx = true, .tx = true },
		.stall_ms = STALL_DEFAULT_MS,
	};
	for (uint8_t i = 0; i < FAKE_PRIORITIES; i++)
		hw->ets.prio_tc[i] = i;
	for (uint8_t i = 0; i < FAKE_DSCPS; i++)
		hw->dscp2prio[i] = i >> 3;
	fake_ecn_defaults(hw);
	device->parts = driver_parts(device->driver);
	if (device->driver->reset)
		device->driver->reset(device);
}

void fake_link_bounce(struct fake_device *device)
{
	device->carrier_from_ms = device->fake->now_ms + device->link_delay_ms;
}

/* ---- ETS and PFC ---- */

void fake_get_ets(const struct fake_device *device, struct ieee_ets *ret)
{
	*ret = device->hw.ets;
}

static uint64_t counter_of(const struct fake_device *device, const char *format, unsigned int i)
{
	char name[sizeof(((struct fake_counter *)NULL)->name)];

	fake_stat_name(format, i, name);
	return fake_counter(device, name);
}

void fake_get_pfc(const struct fake_device *device, struct ieee_pfc *ret)
{
	*ret = (struct ieee_pfc){
		.pfc_cap = FAKE_PRIORITIES,
		.pfc_en = device->hw.pfc_en,
		.delay = device->hw.cable_m,
	};
	for (unsigned int i = 0; i < FAKE_PRIORITIES; i++) {
		ret->requests[i] = counter_of(device, device->driver->tx_pause, i);
		ret->indications[i] = counter_of(device, device->driver->rx_pause, i);
	}
}

/* mlx5e_dbcnl_validate_ets() */
int fake_check_ets(const struct ieee_ets *ets)
{
	bool has_ets = false;
	unsigned int sum = 0;

	for (int i = 0; i < FAKE_PRIORITIES; i++)
		if (ets->prio_tc[i] >= FAKE_PRIORITIES)
			return -EINVAL;
	for (int i = 0; i < FAKE_PRIORITIES; i++) {
		if (ets->tc_tsa[i] == IEEE_8021QAZ_TSA_CB_SHAPER)
			return -EOPNOTSUPP;
		if (ets->tc_tsa[i] != IEEE_8021QAZ_TSA_ETS)
			continue;
		has_ets = true;
		sum += ets->tc_tx_bw[i];
	}
	return has_ets && sum != 100 ? -EINVAL : 0;
}

bool fake_write_ets(struct fake_device *device, const struct ieee_ets *ets,
		    const struct fake_verdict *verdict)
{
	struct ieee_ets new = *ets;
	bool differs;

	new.willing = 0;
	new.ets_cap = FAKE_PRIORITIES;
	for (int i = 0; verdict->fate == FAKE_LESS && i < FAKE_PRIORITIES; i++)
		new.prio_tc[i] = MIN(new.prio_tc[i], (uint8_t)CLASS_MAX_LESS);
	differs = memcmp(&new, &device->hw.ets, sizeof(new)) != 0;
	device->hw.ets = new;
	return differs;
}

int fake_set_ets(struct fake_device *device, const struct ieee_ets *ets,
		 const struct fake_verdict *verdict)
{
	int r;

	if (fake_stops(verdict, &r))
		return r;
	r = fake_check_ets(ets);
	if (r < 0)
		return r;
	(void)fake_write_ets(device, ets, verdict);
	return 0;
}

bool fake_write_pfc(struct fake_device *device, uint8_t mask, const struct fake_verdict *verdict)
{
	uint8_t old = device->hw.pfc_en;

	if (verdict->fate == FAKE_LESS)
		mask &= (uint8_t)-mask;
	device->hw.pfc_en = mask;
	return mask != old;
}

/* ---- buffers ---- */

/* The smallest lossless one: xoff threshold (en/port_buffer.c), one frame and one cell */
static uint32_t buffer_min(const struct fake_device *device)
{
	uint32_t xoff =
		(30100 + 216U * device->hw.cable_m) / 100 * SPEED_GBIT + 272 * device->mtu / 100;

	return xoff + device->mtu + CELL_BYTES;
}

static int check_buffer(const struct fake_device *device, const struct dcbnl_buffer *buffer)
{
	uint32_t sum = 0;

	for (int i = 0; i < FAKE_PRIORITIES; i++) {
		if (buffer->prio2buffer[i] >= FAKE_PRIORITIES)
			return -EINVAL;
		sum += buffer->buffer_size[i];
	}
	for (int i = 0; i < FAKE_PRIORITIES; i++) {
		uint32_t size = buffer->buffer_size[buffer->prio2buffer[i]];

		if (!(device->hw.pfc_en & 1U << i))
			continue;
		if (size < buffer_min(device))
			return size ? -ENOMEM : -EINVAL;
	}
	return sum > device->hw.buffer.total_size ? -EINVAL : 0;
}

int fake_write_buffer(struct fake_device *device, const struct dcbnl_buffer *buffer,
		      const struct fake_verdict *verdict)
{
	struct dcbnl_buffer new = *buffer;
	int r;

	if (fake_stops(verdict, &r))
		return r;
	new.total_size = device->hw.buffer.total_size;
	for (int i = 0; verdict->fate == FAKE_LESS && i < FAKE_PRIORITIES; i++)
		new.buffer_size[i] -= new.buffer_size[i] % FAKE_CELL;
	r = check_buffer(device, &new);
	if (r < 0)
		return r;
	device->hw.buffer = new;
	return 0;
}

/* ---- pause ---- */

int fake_no_autoneg(const struct fake_device *device, const struct os_pause *pause)
{
	return pause->autoneg ? -EINVAL : 0;
}

/* net/ethtool/pause.c asks the driver only if something differs. */
int fake_set_pause(struct fake_device *device, const struct os_pause *pause,
		   const struct fake_verdict *verdict)
{
	struct os_pause *have = &device->hw.pause;
	struct os_pause want = *pause;
	int r;

	if (pause->autoneg == have->autoneg && pause->rx == have->rx && pause->tx == have->tx)
		return 0;
	r = device->driver->check_pause(device, pause);
	if (r < 0 || fake_stops(verdict, &r))
		return r;
	if (verdict->fate == FAKE_LESS)
		want.tx = have->tx;
	*have = want;
	return 0;
}

/* ---- the APP list of the kernel ---- */

bool fake_is_dscp(const struct dcb_app *app)
{
	return app->selector == IEEE_8021QAZ_APP_SEL_DSCP && app->protocol < FAKE_DSCPS &&
	       app->priority < FAKE_PRIORITIES;
}

static struct dcb_app *find_app(struct fake_hw *hw, const struct dcb_app *app)
{
	for (size_t i = 0; i < hw->n_app; i++)
		if (hw->app[i].selector == app->selector && hw->app[i].protocol == app->protocol &&
		    hw->app[i].priority == app->priority)
			return &hw->app[i];
	return NULL;
}

int fake_app_add(struct fake_hw *hw, const struct dcb_app *app)
{
	if (find_app(hw, app))
		return -EEXIST;
	if (hw->n_app >= ARRAY_SIZE(hw->app))
		return -ENOMEM;
	memmove(hw->app + 1, hw->app, hw->n_app * sizeof(*app));
	hw->app[0] = *app;
	hw->n_app++;
	return 0;
}

int fake_app_drop(struct fake_hw *hw, const struct dcb_app *app)
{
	struct dcb_app *found = find_app(hw, app);

	if (!found)
		return -ENOENT;
	hw->n_app--;
	memmove(found, found + 1, (size_t)(hw->app + hw->n_app - found) * sizeof(*found));
	return 0;
}
