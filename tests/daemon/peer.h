/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A daemon of tests/daemon/fake-daemon.c for each case, and what a peer at its socket does.
 * Failures end the test.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>
#include <systemd/sd-bus.h>

#define METHOD_OF(method) NULL, "/org/lossless/Node1", "org.lossless.Node1", method

#define ALL_SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

static const char peer_spec[] = "version: 1\n"
				"fabric: pod-a\n"
				"roce: {traffic_class: 106}\n"
				"qos: {dscp_to_priority: {26: 3}, pfc: [3]}\n"
				"nodes: {\"*\": {}}\n";

extern const char *peer_program; /* of the daemon; to be set before */
extern pid_t peer_daemon;

/* For cmocka. Slow: each step lasts half a second. Noisy: a confirm makes 20,000 signals. */
int peer_start(void **state);
int peer_start_slow(void **state);
int peer_start_noisy(void **state);
/* It ends well when it is told to, and not before. */
int peer_stop(void **state);

void rest_ms(long ms);

/* Run as another user in a process of its own; returns what @run returned. */
int peer_as(uid_t uid, int (*run)(void));

/* A connection that has not said a word; -1 if there is none. */
int peer_connect(void);
sd_bus *peer_open(void);

/* A memfd that begins with @text. */
int peer_memfd(const char *text, size_t size, int seals);
/* Returns the number of the job, 0 with @error. */
unsigned int peer_apply(sd_bus *bus, const char *method, int fd, sd_bus_error *error);
/* Waits for its end. Returns the exit status. */
int peer_result(sd_bus *bus, unsigned int number);
/* Everybody is still answered. */
void peer_assert_alive(const char *name);
