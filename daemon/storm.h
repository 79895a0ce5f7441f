/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Does the peer stop a priority of a port for much of the time? Pure: no I/O, no clock of its own.
 *
 * A PFC frame stops a priority for 65535 quanta of 512 bit times at most (IEEE 802.3 annex 31B,
 * 802.1Qbb): 335 us at 100 Gbit/s, 1342 us at 25, 84 us at 400. Who wants a priority to stand still
 * without a gap sends 2980 frames a second at 100 Gbit/s, 745 at 25, 11921 at 400; usual senders
 * repeat at half the time, so twice as many. Frames that mean less, or "go on", count too: what
 * follows from a rate is the most that the priority can have stood, not what it stood.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
	/*
	 * Frames a second. At 100 Gbit/s: a third of the time at most (1000 x 335 us), and a tenth
	 * when it is over. At 25 Gbit/s a peer that holds a priority for good stays above.
	 */
	STORM_BEGIN_PER_S = 1000,
	STORM_END_PER_S = 300,
	/* Closer readings are passed over: a burst is no storm. Below the least audit_interval. */
	STORM_WINDOW_MS = 800,
	/* It has to be so for that long, in one reading or in several in a row. */
	STORM_LASTS_MS = 1500,
};

enum storm_change { STORM_SAME, STORM_BEGINS, STORM_ENDS };

/* One priority of one port; zero it before the first reading. */
struct storm {
	bool on;
	bool known;		/* there was a reading */
	uint64_t frames;	/* of it */
	int64_t at_ms;
	int64_t for_ms;		/* so long beyond the threshold that would change .on */
	uint64_t per_s;		/* between the last two readings */
};

/*
 * @frames were received so far, at @at_ms of a clock that never goes back. A count below the last
 * one was begun anew: nothing follows from it. Returns what changed.
 */
enum storm_change storm_feed(struct storm *storm, uint64_t frames, int64_t at_ms);

/* They are counted by something else from here on; what is so stays so. */
void storm_count_anew(struct storm *storm);
