/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Many names in few words. */
#pragma once

#include <stddef.h>

/*
 * "rail[0-4,6], ens1f0np0": three and more names that differ in their last number alone stand as
 * one, as a host list says it; the others by themselves, in their order. After @max such items (0:
 * no limit) it is told how many names are left out. The caller frees; NULL without memory.
 */
char *names_fold(const char *const *names, size_t n, size_t max);
