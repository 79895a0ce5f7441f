/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For the tests of what a sudden end leaves behind: the worker, or who asks it, kills itself at a
 * write. Only in builds with tests (kill.c); without them there is no such thing (kill-none.c).
 */
#pragma once

/*
 * Right before and right after a write reaches the device, or the worker. LOSSLESSD_NIC_KILL in the
 * environment is "before:N" or "after:N": the process sends itself SIGKILL there, at its N-th write
 * (from 1).
 */
void nic_kill_before_write(void);
void nic_kill_after_write(void);
