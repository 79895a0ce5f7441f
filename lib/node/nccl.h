/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the fabric file and the GIDs of this node mean for NCCL. */
#pragma once

#include "lib/model/nccl.h"
#include "lib/nic/gid.h"
#include "lib/node/node.h"

/*
 * The settings that follow for the ports that the file selects; @pass has planned. What cannot be
 * told is left out, and a note says why. Returns 0; -ENOMEM.
 */
int nccl_env_build(const struct pass *pass, struct nccl_env *ret);

/*
 * The GID that RoCE v2 of this port has: its own; that of a VLAN on it where it has no routed one
 * itself, or where @want (may be NULL) names the VLAN, which is then in @ret_vlan. Returns as
 * gid_choose().
 */
int nccl_gid_find(struct os *os, const struct inventory *inventory, const struct states *want,
		  const struct nic *nic, struct gid_choice *ret, const struct nic **ret_vlan);

/* NULL: it has none of that name. */
const struct nccl_setting *nccl_env_find(const struct nccl_env *env, const char *name);
