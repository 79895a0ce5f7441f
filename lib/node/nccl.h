/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the fabric file and the GIDs of this node mean for NCCL. */
#pragma once

#include "lib/model/nccl.h"
#include "lib/node/node.h"

/*
 * The settings that follow for the ports that the file selects; @pass has planned. What cannot be
 * told is left out, and a note says why. Returns 0; -ENOMEM.
 */
int nccl_env_build(const struct pass *pass, struct nccl_env *ret);

/* NULL: it has none of that name. */
const struct nccl_setting *nccl_env_find(const struct nccl_env *env, const char *name);
