// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Any output of a switch. The first byte chooses the rules, then come pieces: a byte that says how
 * long it is (0: silence until something was sent, or for a second), and its bytes; behind the last
 * one the connection is closed. What has to hold: it ends, in time and in memory; what people and
 * callers get has no control bytes; the password goes nowhere but into its question.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/session.h"
#include "tests/fuzz/fuzz.h"
#include "tests/switch/scripted.h"

#define SECRET "zQ9-secret"

enum { SILENCE_MS = 1000, WORDS_MAX = 512, SENT_MAX = 10000 };

struct fuzzed {
	struct channel channel;
	struct input input;
	size_t left; /* of this piece */
	int silent_ms;
	int64_t now_ms;
	size_t sent;
	bool heard; /* something, in this silence */
	bool enabling; /* "enable" was sent, nothing after it */
};

static long fuzzed_read(struct channel *channel, char *data, size_t size, int timeout_ms)
{
	struct fuzzed *fuzzed = (struct fuzzed *)channel;
	const uint8_t *bytes;
	size_t n;

	if (timeout_ms <= 0)
		abort();
	while (fuzzed->left == 0 && fuzzed->silent_ms <= 0) {
		if (fuzzed->input.size == 0)
			return 0;
		fuzzed->left = input_byte(&fuzzed->input);
		fuzzed->silent_ms = fuzzed->left == 0 ? SILENCE_MS : 0;
		fuzzed->heard = false;
	}
	if (fuzzed->left == 0) {
		fuzzed->now_ms += timeout_ms;
		fuzzed->silent_ms -= timeout_ms;
		return -ETIMEDOUT;
	}
	bytes = input_bytes(&fuzzed->input, MIN(size, fuzzed->left), &n);
	fuzzed->left = n > 0 ? fuzzed->left - n : 0;
	fuzzed->now_ms++;
	if (n > 0)
		memcpy(data, bytes, n);
	return (long)n;
}

static int fuzzed_write(struct channel *channel, const char *data, size_t size)
{
	struct fuzzed *fuzzed = (struct fuzzed *)channel;
	bool secret = memmem(data, size, SECRET, strlen(SECRET)) != NULL;

	if (secret && (!fuzzed->enabling || size != strlen(SECRET "\n")))
		abort();
	if (size != 1)
		fuzzed->enabling = size == 7 && memcmp(data, "enable\n", 7) == 0;
	fuzzed->sent += size;
	if (fuzzed->sent > SENT_MAX)
		abort();
	fuzzed->silent_ms = 0;
	return 0;
}

static int64_t fuzzed_now(struct channel *channel)
{
	return ((struct fuzzed *)channel)->now_ms;
}

static const struct channel_ops fuzzed_ops = {
	.read = fuzzed_read,
	.write = fuzzed_write,
	.now_ms = fuzzed_now,
};

static void check_text(const char *text, size_t size, const char *allowed)
{
	for (size_t i = 0; i < size; i++)
		if (((unsigned char)text[i] < 0x20 && !strchr(allowed, text[i])) || text[i] == 0x7f)
			abort();
	if (memmem(text, size, SECRET, strlen(SECRET)))
		abort();
}

static void check_words(const char *words)
{
	if (!memchr(words, 0, WORDS_MAX))
		abort();
	check_text(words, strlen(words), "");
}

static void check_session(const struct session *session)
{
	check_words(session_host(session));
	check_words(session_mode(session));
	check_words(session_mark(session));
	for (size_t i = 0; session_warning(session, i); i++)
		check_text(session_warning(session, i), strlen(session_warning(session, i)), "");
}

static void send_lines(struct session *session, struct fuzzed *fuzzed)
{
	static const struct {
		const char *line;
		enum ask_where where;
		const char *mode;
	} lines[] = {
		{ "show version", ASK_LINES, NULL },
		{ "configure", ASK_LINES, "" },
		{ "interface 1", ASK_LINES, "config-if" },
		{ "save", ASK_SAVE, SESSION_ANY_MODE },
	};
	char words[WORDS_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		char *answer = NULL;
		size_t size = 0;
		int64_t begin = fuzzed->now_ms;
		enum session_end end = session_line(session, lines[i].line, lines[i].where,
						    lines[i].mode, &answer, &size, words,
						    WORDS_MAX);

		if ((end == SESSION_OK) != (answer != NULL) || (end != SESSION_OK && !*words))
			abort();
		/* its own time, the one before it, and two of getting out of a question */
		if (fuzzed->now_ms - begin > 4 * (int64_t)scripted_limits.command_ms + 1000)
			abort();
		if (answer)
			check_text(answer, size, "\t\n");
		if (size > scripted_limits.answer_max)
			abort();
		check_words(words);
		check_session(session);
		free(answer);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct session_rules *const rules[] = { &rules_huawei, &rules_cisco,
							     &rules_ruijie, &rules_comware };
	struct fuzzed fuzzed = { .channel = { &fuzzed_ops }, .input = { data, size } };
	struct session *session = NULL;
	char words[WORDS_MAX] = "";
	enum session_end end;

	end = session_open(rules[input_byte(&fuzzed.input) % ARRAY_SIZE(rules)], &fuzzed.channel,
			   &scripted_limits, NULL, 0, SECRET, &session, words, WORDS_MAX);
	if ((end == SESSION_OK) != (session != NULL) || (end != SESSION_OK && !*words))
		abort();
	check_words(words);
	if (session) {
		check_session(session);
		send_lines(session, &fuzzed);
	}
	(void)session_free(session);
	return 0;
}
