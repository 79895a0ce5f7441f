/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rate limits of traffic classes (VALUE_RATES): compare, to text, from text. Pure. */
#pragma once

#include "lib/model/value.h"

/* As the functions of value.h with these names. */
uint64_t rates_difference(const struct value *want, const struct value *have);
int rates_parse(const struct knob_info *knob, const char *text, struct value *ret);

/*
 * "tc3:10Gbit/s tc6:500Mbit/s", without "tc" where places are priorities; of all eight only those
 * that have a limit, or "unlimited". @named: the places to be shown.
 */
void rates_format(const struct rates *rates, uint64_t named, char *text, size_t size);

/* @rates in the places of @other: found ones by priority, if that is what is wanted. */
struct rates rates_beside(const struct rates *rates, const struct rates *other);
