/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What `lldpcli -f json0 show neighbors details` prints. lldpd leaves the TLVs of DCBX undecoded
 * (1.0.16 and later keep them as bytes), so that they are decoded here. Pure. A neighbour may say
 * anything: every text and number is bounded, and a TLV that is not as it has to be is left out.
 */
#pragma once

#include "lib/model/lldp.h"

enum { LLDP_SIZE_MAX = 4 * 1024 * 1024, LLDP_DEPTH_MAX = 32 };

/*
 * Returns 0 and @ret, empty if there is no neighbour; -EBADMSG if it is no such document; -EFBIG if
 * it is larger, deeper or longer than any machine's; -ENOMEM.
 */
int lldp_parse(const char *text, size_t size, struct lldp_neighbors *ret);

/*
 * Put the payload of an organisationally specific TLV, what is behind its subtype, to @neighbor.
 * The first of its kind counts. What is not DCB's is passed over.
 */
void lldp_decode(struct lldp_neighbor *neighbor, const uint8_t oui[3], unsigned int subtype,
		 const uint8_t *bytes, size_t size);
