// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Who may change this node: uid 0, and on the system bus whoever polkit lets (action
 * org.lossless.apply). Nothing else asks polkit, so there is no library for it: one method call,
 * CheckAuthorization of org.freedesktop.PolicyKit1.Authority.
 */
#include <errno.h>
#include <stdlib.h>

#include "daemon/bus-private.h"

enum { POLKIT_INTERACTIVE = 1, POLKIT_TIMEOUT_US = 120 * 1000 * 1000 };

struct question {
	struct client *client;
	sd_bus_message *message;
	sd_bus_message_handler_t again;
};

static int refuse(sd_bus_error *error)
{
	return sd_bus_error_set(error, SD_BUS_ERROR_ACCESS_DENIED,
				"changing this node needs root, or on the system bus polkit's "
				"org.lossless.apply");
}

static void question_free(struct question *question)
{
	(void)sd_bus_message_unref(question->message);
	free(question);
}

static int on_answer(sd_bus_message *answer, void *data, sd_bus_error *unused)
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	struct question *question = data;
	int allowed = 0, challenge, r = -EACCES;

	if (!sd_bus_message_is_method_error(answer, NULL) &&
	    sd_bus_message_enter_container(answer, 'r', "bba{ss}") > 0)
		(void)sd_bus_message_read(answer, "bb", &allowed, &challenge);
	if (allowed) {
		/* As if it came now, from root */
		question->client->uid = 0;
		(void)sd_bus_message_rewind(question->message, true);
		r = question->again(question->message, question->client, &error);
		question->client->uid = (uid_t)-1;
	} else {
		(void)refuse(&error);
	}
	if (r < 0)
		(void)sd_bus_reply_method_errno(question->message, r, &error);
	sd_bus_error_free(&error);
	question_free(question);
	return 0;
}

static int ask_polkit(struct client *client, sd_bus_message *message,
		      sd_bus_message_handler_t again, sd_bus_error *error)
{
	struct question *question = calloc(1, sizeof(*question));
	sd_bus_message *call = NULL;
	uint32_t flags = sd_bus_message_get_allow_interactive_authorization(message) > 0 ?
				 POLKIT_INTERACTIVE : 0;
	int r;

	if (!question)
		return sd_bus_error_set_errno(error, ENOMEM);
	*question = (struct question){ client, sd_bus_message_ref(message), again };
	r = sd_bus_message_new_method_call(client->connection, &call, "org.freedesktop.PolicyKit1",
					   "/org/freedesktop/PolicyKit1/Authority",
					   "org.freedesktop.PolicyKit1.Authority",
					   "CheckAuthorization");
	if (r >= 0)
		r = sd_bus_message_append(call, "(sa{sv})sa{ss}us", "system-bus-name", 1, "name",
					  "s", sd_bus_message_get_sender(message), BUS_ACTION, 0,
					  flags, "");
	if (r >= 0)
		r = sd_bus_call_async(client->connection, NULL, call, on_answer, question,
				      POLKIT_TIMEOUT_US);
	(void)sd_bus_message_unref(call);
	if (r >= 0)
		return 1;
	question_free(question);
	return refuse(error);
}

static bool is_root_on_bus(sd_bus_message *message)
{
	sd_bus_creds *creds = NULL;
	uid_t uid = (uid_t)-1;

	if (sd_bus_query_sender_creds(message, SD_BUS_CREDS_EUID, &creds) >= 0)
		(void)sd_bus_creds_get_euid(creds, &uid);
	(void)sd_bus_creds_unref(creds);
	return uid == 0;
}

int bus_may_change(struct client *client, sd_bus_message *message, sd_bus_message_handler_t again,
		   sd_bus_error *error)
{
	if (client->uid == 0)
		return 0;
	if (!client->is_system)
		return refuse(error);
	return is_root_on_bus(message) ? 0 : ask_polkit(client, message, again, error);
}
