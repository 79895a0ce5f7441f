/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of the store: read whole with a limit, replaced whole and durably. */
#pragma once

#include <stddef.h>

/*
 * Read @name in @dir, at most @max bytes. Returns 0 with a terminated copy; -EFBIG; -ENOENT;
 * another negative errno.
 */
int store_file_read(int dir, const char *name, size_t max, char **ret_text, size_t *ret_size);

/*
 * Replace @name: a new file, fsync, rename, fsync of the folder. What was there stays whole until
 * then.
 */
int store_file_replace(int dir, const char *name, const char *text, size_t size);

/*
 * What root makes in the folder of another user is that user's: losslessd goes on where
 * `--once` was. Returns 0 or a negative errno.
 */
int store_give_to_owner(int dir, int fd);

/* Append the line @text to @name, made if it is not there, and sync it: whole or not at all. */
int store_file_append(int dir, const char *name, const char *text, size_t size);
/* Above @size_max: only the newer half of that stays, from the begin of a line on. */
int store_file_halve(int dir, const char *name, size_t size_max);

/* Open the folder @path, made with its parents (0755) if @make. Returns a file descriptor. */
int store_dir_open(const char *path, int make);
