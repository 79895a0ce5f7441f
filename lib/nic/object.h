/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One kernel object a file: how it is read into the knobs of a state, and written from them. The
 * rows of nic_object_ops[] belong to those of object_table[] in lib/model/.
 */
#pragma once

#include <stdbool.h>

#include "lib/model/driver.h"
#include "lib/os/dcb.h"
#include "lib/os/link.h"
#include "lib/os/os.h"
#include "lib/reconcile/provider.h"

/* A reading of one target: what several objects take from the same message is asked for once. */
struct nic_reader {
	struct os *os;
	const struct nic *nic;
	const struct driver_info *driver;
	struct os_link link; /* of a port, read just now; zero of an RDMA device */
	int dcb_result; /* 1: not asked for yet */
	struct os_dcb dcb;
};

/* One write: @have, read just now, towards @want. */
struct nic_writer {
	struct os *os;
	const struct nic *nic;
	const struct driver_info *driver;
	struct os_link link;
	enum step_op op;
	uint64_t parts; /* see struct change */
	const struct state *want;
	const struct state *have;
};

struct nic_object_ops {
	/*
	 * Give every knob of the object in @have a status. Returns 0, or -ENODEV if the device is
	 * gone; other trouble is the value's.
	 */
	int (*read)(struct nic_reader *reader, struct state *have);
	/*
	 * Read the kernel's object whole, change what @want manages in it, write it whole, in one
	 * message. NULL if the object cannot be written. Returns 1 if something was sent; 0 if
	 * there was nothing to do; a negative errno, with the words of the kernel or the driver's
	 * status in @ret.
	 */
	int (*write)(const struct nic_writer *writer, struct refusal *ret);
	bool of_port; /* one for the physical port: a VF only inherits it */
};

extern const struct nic_object_ops nic_object_ops[OBJECT_MAX];

int agent_read(struct nic_reader *reader, struct state *have);
int agent_write(const struct nic_writer *writer, struct refusal *ret);
int dcbx_read(struct nic_reader *reader, struct state *have);
int dcbx_write(const struct nic_writer *writer, struct refusal *ret);
int pause_read(struct nic_reader *reader, struct state *have);
int pause_write(const struct nic_writer *writer, struct refusal *ret);
int dcb_ets_read(struct nic_reader *reader, struct state *have);
int dcb_ets_write(const struct nic_writer *writer, struct refusal *ret);
int dcb_maxrate_read(struct nic_reader *reader, struct state *have);
int dcb_maxrate_write(const struct nic_writer *writer, struct refusal *ret);
int dcb_app_read(struct nic_reader *reader, struct state *have);
int dcb_app_write(const struct nic_writer *writer, struct refusal *ret);
int dcb_pfc_read(struct nic_reader *reader, struct state *have);
int dcb_pfc_write(const struct nic_writer *writer, struct refusal *ret);
int dcb_buffer_read(struct nic_reader *reader, struct state *have);
int watchdog_read(struct nic_reader *reader, struct state *have);
int watchdog_write(const struct nic_writer *writer, struct refusal *ret);
int ecn_np_read(struct nic_reader *reader, struct state *have);
int ecn_np_write(const struct nic_writer *writer, struct refusal *ret);
int ecn_rp_read(struct nic_reader *reader, struct state *have);
int ecn_rp_write(const struct nic_writer *writer, struct refusal *ret);
int cnp_dscp_read(struct nic_reader *reader, struct state *have);
int cnp_dscp_write(const struct nic_writer *writer, struct refusal *ret);
int cnp_priority_read(struct nic_reader *reader, struct state *have);
int cnp_priority_write(const struct nic_writer *writer, struct refusal *ret);
int link_mtu_read(struct nic_reader *reader, struct state *have);
int link_mtu_write(const struct nic_writer *writer, struct refusal *ret);
int roce_cm_mode_read(struct nic_reader *reader, struct state *have);
int roce_cm_mode_write(const struct nic_writer *writer, struct refusal *ret);
int roce_cm_tos_read(struct nic_reader *reader, struct state *have);
int roce_cm_tos_write(const struct nic_writer *writer, struct refusal *ret);
int traffic_class_read(struct nic_reader *reader, struct state *have);
int traffic_class_write(const struct nic_writer *writer, struct refusal *ret);
int gid_read(struct nic_reader *reader, struct state *have);

/*
 * The port's DCB state, asked for once a reading. Returns 0; -EOPNOTSUPP if the driver has no DCB;
 * another negative errno of os_dcb_get().
 */
int nic_reader_dcb(struct nic_reader *reader, const struct os_dcb **ret);

/* The knob is known, with this number. */
void nic_value_number(struct state *have, enum knob knob, uint32_t number);

/* The knob cannot be had from this device, and why; the words stand for themselves in a report. */
void nic_value_unsupported(struct state *have, enum knob knob, const char *format, ...)
	_printf_(3, 4);

/*
 * Reading the knob gave the negative errno @r: unsupported, rights missing, or unreadable. @what is
 * the thing that was read ("DCB"). Returns 0, or -ENODEV if that is what @r is: then the device is
 * gone and not just the value.
 */
int nic_value_error(const struct nic_reader *reader, struct state *have, enum knob knob, int r,
		    const char *what);

/* True if @want manages the knob: only then its data count. */
bool nic_wants(const struct state *want, enum knob knob);

/*
 * Sum up a write: 1 if the kernel took it (@r is 0), else @r, with what @error (may be NULL) says
 * copied to @ret.
 */
int nic_written(int r, const struct os_error *error, struct refusal *ret);

/*
 * The same for ETS, rates, PFC and APP, whose drivers may answer a status that is no refusal: then
 * only reading back tells.
 */
int nic_dcb_written(const struct nic_writer *writer, int r, const struct os_error *error,
		    struct refusal *ret);

/* "mlx5_core without OFED", for telling what has no such thing. */
void nic_driver_words(const struct driver_info *driver, char *text, size_t size);

/* True if the host owns ETS and PFC and the driver was never told either: both read as zeros. */
bool nic_dcb_is_unset(const struct nic_reader *reader, const struct os_dcb *dcb);

/* Refuse without asking the kernel: @r with these words. Returns @r. */
int nic_refuse(struct refusal *ret, int r, const char *format, ...) _printf_(3, 4);

/* Text of unknown origin as it may be shown: printable ASCII, the rest as '?', cut at @size. */
void nic_printable(const char *text, char *ret, size_t size);
