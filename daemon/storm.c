// SPDX-License-Identifier: LGPL-2.1-or-later
/* Two thresholds, and a time that it has to last: between them everything stays as it is. */
#include "daemon/storm.h"

static uint64_t per_second(uint64_t frames, int64_t elapsed_ms)
{
	/* No port receives so many; a wild count of a driver is not to wrap around */
	if (frames > UINT64_MAX / 1000)
		return UINT64_MAX / 1000;
	return frames * 1000 / (uint64_t)elapsed_ms;
}

static void take(struct storm *storm, uint64_t frames, int64_t at_ms)
{
	storm->known = true;
	storm->frames = frames;
	storm->at_ms = at_ms;
}

enum storm_change storm_feed(struct storm *storm, uint64_t frames, int64_t at_ms)
{
	int64_t elapsed_ms = at_ms - storm->at_ms;

	if (!storm->known || frames < storm->frames) {
		storm->for_ms = 0;
		take(storm, frames, at_ms);
		return STORM_SAME;
	}
	if (elapsed_ms < STORM_WINDOW_MS)
		return STORM_SAME;
	storm->per_s = per_second(frames - storm->frames, elapsed_ms);
	take(storm, frames, at_ms);
	if (storm->on ? storm->per_s >= STORM_END_PER_S : storm->per_s < STORM_BEGIN_PER_S) {
		storm->for_ms = 0;
		return STORM_SAME;
	}
	storm->for_ms += elapsed_ms;
	if (storm->for_ms < STORM_LASTS_MS)
		return STORM_SAME;
	storm->for_ms = 0;
	storm->on = !storm->on;
	return storm->on ? STORM_BEGINS : STORM_ENDS;
}

void storm_count_anew(struct storm *storm)
{
	storm->known = false;
	storm->for_ms = 0;
}
