/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the text of a status and those of other reports have in common. */
#pragma once

#include "lib/report/report.h"

/*
 * "all 2 ports and 2 RDMA devices in sync", or "1 of 2 ports and 2 of 2 RDMA devices in sync".
 * Nothing of nothing.
 */
void totals_write(const struct report *report, const struct report_style *style, FILE *out);

void warnings_write(const struct report *report, const struct report_style *style, FILE *out);

void status_write_text(const struct report *report, const struct report_style *style, FILE *out);
