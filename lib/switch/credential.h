/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Secrets by name, each a file of a folder: the one that systemd fills ($CREDENTIALS_DIRECTORY,
 * systemd.exec(5)), or one that somebody names. What is read stays out of swap and core dumps as
 * far as the kernel lets us, and is wiped.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Where people put them; systemd and losslessctl hand on what is there. */
#define CREDENTIALS_FOLDER "/etc/losslessd/credentials"

enum {
	CREDENTIAL_MAX = 16 * 1024,	/* bytes: a private key of RSA with 16384 bits is less */
	CREDENTIAL_NAME_MAX = 128,
};

struct credential {
	char *text;	/* terminated; has no zero before its end, and no line end there */
	size_t size;
	size_t room;
};

/* Wipes it. */
void credential_done(struct credential *credential);

/*
 * Read @name (letters, digits, ".", "_", "-") from @folder. NULL: systemd's, where @name of
 * LoadCredential=switch:FOLDER is switch_@name. In any other folder the file belongs to us or to
 * root, and is not for everybody to read nor for a group to write.
 *
 * Returns 0 and @ret; a negative errno with a sentence in @ret_why that has nothing of the content:
 * -EINVAL for the name or the content, -ENOENT, -EPERM for its owner or mode, -EFBIG, -ELOOP for a
 * symbolic link.
 */
int credential_read(const char *folder, const char *name, struct credential *ret, char *ret_why,
		    size_t size);
