// SPDX-License-Identifier: LGPL-2.1-or-later
/* Known host keys: lines of sshd(8)'s format, and the file that is replaced whole. */
#include "lib/switch/known-hosts.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <libgen.h>
#include <limits.h>
#include <sha1.h>
#include <sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/base/read.h"
#include "lib/base/write.h"

enum {
	FILE_MAX = 4 * 1024 * 1024,
	KEY_MAX = 16 * 1024, /* bytes of a key, or of a hashed name */
	SSH_PORT = 22,
};

void host_key_done(struct host_key *key)
{
	free(key->base64);
	*key = (struct host_key){};
}

void known_hosts_name(const char *host, unsigned int port, char ret[KNOWN_NAME_MAX])
{
	if (port == SSH_PORT)
		(void)snprintf(ret, KNOWN_NAME_MAX, "%s", host);
	else
		(void)snprintf(ret, KNOWN_NAME_MAX, "[%.255s]:%u", host, port);
	for (char *c = ret; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c += 'a' - 'A';
}

/* ---- base64 ---- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Returns the number of bytes, -1 if it is none or too much. */
static long decode(const char *text, size_t size, uint8_t *ret, size_t room)
{
	uint32_t bits = 0;
	size_t n = 0;

	while (size > 0 && text[size - 1] == '=')
		size--;
	for (size_t i = 0; i < size; i++) {
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;

		if (!digit)
			return -1;
		bits = bits << 6 | (uint32_t)(digit - digits);
		if (i % 4 == 0)
			continue;
		if (n == room)
			return -1;
		ret[n++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
	}
	return (long)n;
}

/* Without padding, as fingerprints are. */
static void encode(const uint8_t *data, size_t size, char *ret)
{
	uint32_t bits = 0;
	unsigned int n = 0;

	for (size_t i = 0; i < size; i++) {
		bits = bits << 8 | data[i];
		for (n += 8; n >= 6; n -= 6)
			*ret++ = digits[bits >> (n - 6) & 63];
	}
	if (n > 0)
		*ret++ = digits[bits << (6 - n) & 63];
	*ret = '\0';
}

static bool fingerprint(const char *base64, size_t size, char ret[FINGERPRINT_MAX])
{
	uint8_t key[KEY_MAX], hash[SHA256_DIGEST_LENGTH];
	long n = decode(base64, size, key, sizeof(key));
	SHA2_CTX context;

	if (n <= 0)
		return false;
	SHA256Init(&context);
	SHA256Update(&context, key, (size_t)n);
	SHA256Final(hash, &context);
	(void)snprintf(ret, FINGERPRINT_MAX, "SHA256:");
	encode(hash, sizeof(hash), ret + strlen(ret));
	return true;
}

bool host_key_fingerprint(const char *base64, char ret[FINGERPRINT_MAX])
{
	return fingerprint(base64, strlen(base64), ret);
}

/* ---- lines ---- */

struct word {
	const char *text;
	size_t size;
};

struct line {
	struct word marker, names, type, base64;
	const char *next; /* NULL: none */
};

static struct word word_take(const char **at)
{
	struct word word;

	*at += strspn(*at, " \t");
	word = (struct word){ *at, strcspn(*at, " \t\r\n") };
	*at += word.size;
	return word;
}

/* A line that is none, or a comment, has no key. */
static struct line line_parse(const char *text)
{
	const char *end = strchr(text, '\n');
	struct line line = { .next = end ? end + 1 : NULL };

	text += strspn(text, " \t");
	if (*text == '#')
		return line;
	if (*text == '@')
		line.marker = word_take(&text);
	line.names = word_take(&text);
	line.type = word_take(&text);
	line.base64 = word_take(&text);
	return line;
}

static bool word_is(struct word word, const char *text)
{
	return word.size == strlen(text) && memcmp(word.text, text, word.size) == 0;
}

static void hmac_sha1(const uint8_t *key, size_t size, const char *text,
		      uint8_t ret[SHA1_DIGEST_LENGTH])
{
	uint8_t inner[SHA1_BLOCK_LENGTH] = {}, outer[SHA1_BLOCK_LENGTH];
	SHA1_CTX context;

	memcpy(inner, key, MIN(size, sizeof(inner)));
	for (size_t i = 0; i < sizeof(inner); i++) {
		outer[i] = inner[i] ^ 0x5c;
		inner[i] ^= 0x36;
	}
	SHA1Init(&context);
	SHA1Update(&context, inner, sizeof(inner));
	SHA1Update(&context, (const uint8_t *)text, strlen(text));
	SHA1Final(ret, &context);
	SHA1Init(&context);
	SHA1Update(&context, outer, sizeof(outer));
	SHA1Update(&context, ret, SHA1_DIGEST_LENGTH);
	SHA1Final(ret, &context);
}

/* |1|salt|hash */
static bool hash_names(struct word word, const char *name)
{
	uint8_t salt[64], hash[64], own[SHA1_DIGEST_LENGTH];
	const char *second;
	long n_salt, n_hash;

	if (word.size < 4 || memcmp(word.text, "|1|", 3) != 0)
		return false;
	second = memchr(word.text + 3, '|', word.size - 3);
	if (!second)
		return false;
	n_salt = decode(word.text + 3, (size_t)(second - word.text) - 3, salt, sizeof(salt));
	n_hash = decode(second + 1, word.size - (size_t)(second + 1 - word.text), hash,
			sizeof(hash));
	if (n_salt <= 0 || n_hash != SHA1_DIGEST_LENGTH)
		return false;
	hmac_sha1(salt, (size_t)n_salt, name, own);
	return memcmp(own, hash, sizeof(own)) == 0;
}

/* A [ of a pattern is itself: names of other ports have them. */
static bool pattern_names(const char *pattern, size_t size, const char *name)
{
	char escaped[2 * KNOWN_NAME_MAX];
	size_t n = 0;

	for (size_t i = 0; i < size; i++) {
		if (n + 3 > sizeof(escaped))
			return false;
		if (pattern[i] == '[' || pattern[i] == '\\')
			escaped[n++] = '\\';
		escaped[n++] = pattern[i];
	}
	escaped[n] = '\0';
	return fnmatch(escaped, name, FNM_CASEFOLD) == 0;
}

static bool names(struct word list, const char *name)
{
	const char *at = list.text, *end = list.text + list.size;
	bool found = false;

	if (list.size > 0 && *list.text == '|')
		return hash_names(list, name);
	while (at < end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		size_t size = (size_t)((comma ? comma : end) - at);
		bool negated = size > 0 && *at == '!';

		if (pattern_names(at + negated, size - negated, name)) {
			if (negated)
				return false;
			found = true;
		}
		at += size + 1;
	}
	return found;
}

/* ---- what is known ---- */

static bool is_key_of(const struct line *line, const char *name)
{
	return line->base64.size > 0 && (line->marker.size == 0) && names(line->names, name);
}

enum known known_hosts_find(const char *text, const char *name, const struct host_key *key,
			    char ret_old[FINGERPRINT_MAX])
{
	enum known known = KNOWN_NOT;

	while (text) {
		struct line line = line_parse(text);
		bool same = word_is(line.type, key->type) && word_is(line.base64, key->base64);

		text = line.next;
		if (same && word_is(line.marker, "@revoked") && names(line.names, name))
			return KNOWN_REVOKED;
		if (!is_key_of(&line, name))
			continue;
		if (same)
			known = KNOWN_SAME;
		else if (known == KNOWN_NOT)
			known = KNOWN_OTHER;
		/* of several, the one of the same type says most */
		if (!same && ret_old && (!*ret_old || word_is(line.type, key->type)))
			(void)fingerprint(line.base64.text, line.base64.size, ret_old);
	}
	return known;
}

bool known_hosts_type(const char *text, const char *name, size_t i, char ret[KNOWN_TYPE_MAX])
{
	while (text) {
		struct line line = line_parse(text);

		text = line.next;
		if (!is_key_of(&line, name) || line.type.size >= KNOWN_TYPE_MAX || i-- > 0)
			continue;
		memcpy(ret, line.type.text, line.type.size);
		ret[line.type.size] = '\0';
		return true;
	}
	return false;
}

/* ---- the file ---- */

static int load_at(int dir, const char *name, char **ret_text)
{
	_cleanup_close_ int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat info;
	size_t size;
	int r;

	if (fd < 0 && errno == ENOENT) {
		*ret_text = calloc(1, 1);
		return *ret_text ? 0 : -ENOMEM;
	}
	if (fd < 0 || fstat(fd, &info) < 0)
		return -errno;
	if (!S_ISREG(info.st_mode))
		return -EINVAL;
	r = read_whole(fd, FILE_MAX, ret_text, &size);
	if (r == 0 && strlen(*ret_text) != size) {
		free(*ret_text);
		return -EBADMSG;
	}
	return r;
}

int known_hosts_load(const char *path, char **ret_text)
{
	return load_at(AT_FDCWD, path, ret_text);
}

static int replace_at(int dir, const char *name, const char *text)
{
	_cleanup_close_ int fd = -1;
	char temporary[NAME_MAX];
	int r;

	(void)snprintf(temporary, sizeof(temporary), ".%.200s.new", name);
	(void)unlinkat(dir, temporary, 0);
	fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	r = write_lasting(fd, text, strlen(text));
	if (r == 0 && renameat(dir, temporary, dir, name) < 0)
		r = -errno;
	if (r < 0)
		(void)unlinkat(dir, temporary, 0);
	else if (fsync(dir) < 0)
		r = -errno;
	return r;
}

/* ---- change ---- */

static bool is_listed(const struct line *line, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_key_of(line, list[i]))
			return true;
	return false;
}

/* Its names but those of @list; patterns stay. Returns false if none remains. */
static bool print_names(FILE *out, struct word word, const char *const *list, size_t n)
{
	const char *at = word.text, *end = word.text + word.size;
	bool any = false;

	while (word.size > 0 && *word.text != '|' && at < end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		struct word one = { at, (size_t)((comma ? comma : end) - at) };
		bool gone = false;

		for (size_t i = 0; i < n; i++)
			gone |= one.size == strlen(list[i]) &&
				strncasecmp(one.text, list[i], one.size) == 0;
		if (!gone)
			(void)fprintf(out, "%s%.*s", any ? "," : "", (int)one.size, one.text);
		any |= !gone;
		at += one.size + 1;
	}
	return any;
}

static void print_line(FILE *out, const char *text, const struct line *line,
		       const char *const *forget, size_t n)
{
	size_t size = line->next ? (size_t)(line->next - text) : strlen(text);

	if (!is_listed(line, forget, n)) {
		(void)fwrite(text, 1, size, out);
		if (size > 0 && !line->next)
			(void)fputc('\n', out);
	} else if (print_names(out, line->names, forget, n)) {
		(void)fprintf(out, " %.*s %.*s\n", (int)line->type.size, line->type.text,
			      (int)line->base64.size, line->base64.text);
	}
}

static int change(const char *old, const char *const *list, size_t n, const struct host_key *key,
		  bool replace, char **ret)
{
	size_t size;
	FILE *out = open_memstream(ret, &size);

	if (!out)
		return -ENOMEM;
	for (const char *text = old; text;) {
		struct line line = line_parse(text);

		print_line(out, text, &line, list, replace ? n : 0);
		text = line.next;
	}
	for (size_t i = 0; i < n; i++)
		(void)fprintf(out, "%s%s", i ? "," : "", list[i]);
	(void)fprintf(out, " %s %s\n", key->type, key->base64);
	if (fclose(out) == 0)
		return 0;
	free(*ret);
	*ret = NULL;
	return -ENOMEM;
}

int known_hosts_add(const char *path, const char *const *list, size_t n, const struct host_key *key,
		    bool replace)
{
	_cleanup_free_ char *for_dir = strdup(path), *for_name = strdup(path);
	_cleanup_free_ char *old = NULL, *text = NULL;
	_cleanup_close_ int dir = -1;
	const char *name;
	int r;

	if (!for_dir || !for_name)
		return -ENOMEM;
	name = basename(for_name);
	dir = open(dirname(for_dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0 || flock(dir, LOCK_EX) < 0)
		return -errno;
	r = load_at(dir, name, &old);
	if (r == 0)
		r = change(old, list, n, key, replace, &text);
	return r < 0 ? r : replace_at(dir, name, text);
}
