/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Findings as sentences: "mlx5_0 traffic_class is unsupported by mlx5_core without OFED: see ...".
 */
#pragma once

#include <stdbool.h>

#include "lib/report/report.h"

/*
 * One sentence for all findings of @plan that @select takes; what is the same is said once, with
 * all its knobs and targets. Nothing is printed if there are none.
 */
void notes_write(const struct plan *plan,
		 bool (*select)(const struct plan *plan, const struct finding *finding),
		 const struct report_style *style, FILE *out);
