// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * polkit on a bus of our own: answers "yes" or "no" (argv[1]) to whoever asks, and prints what it
 * was asked: action, subject, flags.
 */
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

static int on_check(sd_bus_message *message, void *data, sd_bus_error *error)
{
	const char *kind, *name, *subject, *action;
	uint32_t flags;
	int r;

	r = sd_bus_message_read(message, "(sa{sv})", &kind, 1, &name, "s", &subject);
	if (r >= 0)
		r = sd_bus_message_read(message, "s", &action);
	if (r >= 0)
		r = sd_bus_message_skip(message, "a{ss}");
	if (r >= 0)
		r = sd_bus_message_read(message, "u", &flags);
	if (r < 0)
		return r;
	(void)printf("%s %s %s %u\n", action, kind, subject, flags);
	(void)fflush(stdout);
	return sd_bus_reply_method_return(message, "(bba{ss})", strcmp(data, "yes") == 0, 0, 0);
}

static const sd_bus_vtable vtable[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_METHOD("CheckAuthorization", "(sa{sv})sa{ss}us", "(bba{ss})", on_check,
		      SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_VTABLE_END,
};

int main(int argc, char **argv)
{
	sd_bus *bus = NULL;
	int r;

	r = argc == 2 ? sd_bus_open_system(&bus) : -1;
	if (r >= 0)
		r = sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/PolicyKit1/Authority",
					     "org.freedesktop.PolicyKit1.Authority", vtable,
					     argv[1]);
	if (r >= 0)
		r = sd_bus_request_name(bus, "org.freedesktop.PolicyKit1", 0);
	while (r >= 0) {
		r = sd_bus_process(bus, NULL);
		if (r == 0)
			r = sd_bus_wait(bus, UINT64_MAX);
	}
	(void)sd_bus_flush_close_unref(bus);
	return 1;
}
