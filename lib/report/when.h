/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Moments in words: how long ago and when, by the clock of this machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { WHEN_TEXT_MAX = 64 };

/*
 * "2 min ago (14:03:11)"; of another day "3 d ago (Nov 27 14:03)", of long ago with its year. Both
 * are CLOCK_REALTIME in seconds. A moment that is yet to come, by a clock that was set back, has no
 * "ago".
 */
void when_ago(int64_t then_s, int64_t now_s, char ret[WHEN_TEXT_MAX]);

/* "in 90 s (14:04:41)"; "now (...)" once it is past. */
void when_due(int64_t then_s, int64_t now_s, char ret[WHEN_TEXT_MAX]);

/* "2026-11-30T14:03:11+0100": for files, where "ago" would soon be wrong. */
void when_stamp(int64_t then_s, char ret[WHEN_TEXT_MAX]);
