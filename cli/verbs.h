/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One verb, one file, one function: from the command line to an exit status. */
#pragma once

#include "cli/options.h"

int verb_check(const struct options *options);
int verb_plan(const struct options *options);
int verb_apply(const struct options *options);
int verb_confirm(const struct options *options);
int verb_rollback(const struct options *options);
int verb_reload(const struct options *options);
int verb_status(const struct options *options);
int verb_explain(const struct options *options);
int verb_history(const struct options *options);
int verb_import(const struct options *options);
int verb_doctor(const struct options *options);
int verb_nccl_env(const struct options *options);
int verb_record(const struct options *options);
int verb_switch(const struct options *options);
int verb_show(const struct options *options);
int verb_verify(const struct options *options);
int verb_demo(const struct options *options);
