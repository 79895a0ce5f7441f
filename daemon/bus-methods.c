// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The methods and properties of org.lossless.Node1, see org.lossless.Node1(5). All that comes in is
 * hostile: the text of a file comes in a sealed memfd, so that it is what it was while it is read.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/bus-private.h"
#include "lib/base/cleanup.h"
#include "lib/node/record.h"
#include "lib/report/switches.h"

/* Returns the text in @fd, at most @size_max bytes; NULL with @error. */
static char *read_sealed(int fd, size_t size_max, size_t *ret_size, sd_bus_error *error)
{
	const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
	_cleanup_free_ char *text = NULL;
	int found = fcntl(fd, F_GET_SEALS);
	struct stat info;
	ssize_t n;

	if (found < 0 || (found & seals) != seals || fstat(fd, &info) < 0) {
		(void)sd_bus_error_set(error, SD_BUS_ERROR_INVALID_ARGS,
				       "the file has to come in a sealed memfd");
		return NULL;
	}
	if (info.st_size < 0 || (size_t)info.st_size > size_max) {
		(void)sd_bus_error_setf(error, SD_BUS_ERROR_LIMITS_EXCEEDED,
					"larger than %zu MiB, the limit of a fabric file%s",
					size_max >> 20, size_max < SPEC_SIZE_MAX ?
						" of a plain user" : "");
		return NULL;
	}
	text = malloc((size_t)info.st_size + 1);
	n = text ? pread(fd, text, (size_t)info.st_size, 0) : -1;
	if (n != info.st_size) {
		(void)sd_bus_error_set_errno(error, text ? EIO : ENOMEM);
		return NULL;
	}
	text[n] = '\0';
	*ret_size = (size_t)n;
	return TAKE_PTR(text);
}

static int reply_job(sd_bus_message *message, uint64_t number)
{
	char path[64];

	bus_job_path(number, path);
	return sd_bus_reply_method_return(message, "o", path);
}

/* A job that needs no file. */
static int ask(struct client *client, enum job_kind kind, sd_bus_message *message,
	       sd_bus_error *error)
{
	uint64_t number;
	int r;

	r = bus_ask(client, kind, NULL, 0, message, &number, error);
	return r < 0 ? r : reply_job(message, number);
}

/* The file that comes first in the message; NULL with @error. */
static char *read_file(sd_bus_message *message, size_t size_max, size_t *ret_size,
		       sd_bus_error *error)
{
	int fd, r;

	r = sd_bus_message_read(message, "h", &fd);
	if (r >= 0)
		return read_sealed(fd, size_max, ret_size, error);
	(void)sd_bus_error_set_errno(error, -r);
	return NULL;
}

static int method_plan(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct client *client = data;
	size_t size = 0;
	char *text;

	text = read_file(message, client->uid == 0 ? SPEC_SIZE_MAX : PLAN_SIZE_OF_OTHERS, &size,
			 error);
	if (!text)
		return -sd_bus_error_get_errno(error);
	return bus_ask_at_once(client, JOB_PLAN, text, size, message, error);
}

/* What people read of @diags goes to @errors, what programs read to @json. */
static int write_diags(const struct diags *diags, const char *text, size_t size,
		       const char *fabric, char **ret_json, char **ret_errors)
{
	_cleanup_fclose_ FILE *json = NULL, *errors = NULL;
	size_t json_size, errors_size;

	json = open_memstream(ret_json, &json_size);
	errors = open_memstream(ret_errors, &errors_size);
	if (!json || !errors)
		return -ENOMEM;
	diags_write_json(diags, "fabric.yaml", fabric, fabric ? STATUS_OK : STATUS_SPEC, json);
	diags_write(diags, errors, "fabric.yaml", text, size);
	return ferror(json) || ferror(errors) ? -ENOMEM : 0;
}

/* Needs nothing of the node, so that no job is made of it. */
static int method_check(sd_bus_message *message, void *data, sd_bus_error *error)
{
	_cleanup_free_ char *text = NULL, *json = NULL, *errors = NULL;
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_(spec_freep) struct spec *spec = NULL;
	const struct client *client = data;
	enum exit_status status;
	const char *fabric;
	char words[128] = "";
	size_t size = 0;
	int r;

	text = read_file(message, client->uid == 0 ? SPEC_SIZE_MAX : PLAN_SIZE_OF_OTHERS, &size,
			 error);
	if (!text)
		return -sd_bus_error_get_errno(error);
	r = spec_load(text, size, &spec, &diags);
	if (r < 0 && r != -EINVAL)
		return r;
	status = diags_has_errors(&diags) ? STATUS_SPEC : STATUS_OK;
	fabric = status == STATUS_OK ? spec_fabric(spec) : NULL;
	if (fabric)
		(void)snprintf(words, sizeof(words), "valid, fabric %s\n", fabric);
	r = write_diags(&diags, text, size, fabric, &json, &errors);
	if (r < 0)
		return r;
	return sd_bus_reply_method_return(message, "usss", (uint32_t)status, words, json, errors);
}

/* A sealed memfd with all that @bundle has; a negative errno. */
static int bundle_to_fd(const struct bundle *bundle)
{
	_cleanup_close_ int fd = memfd_create("bundle", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	_cleanup_fclose_ FILE *stream = NULL;
	int copy;

	copy = fd < 0 ? -1 : dup(fd);
	stream = copy < 0 ? NULL : fdopen(copy, "w");
	if (!stream) {
		if (copy >= 0)
			(void)close(copy);
		return -errno;
	}
	bundle_write(bundle, stream);
	if (fflush(stream) != 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0 ||
	    lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	copy = fd;
	fd = -1;
	return copy;
}

static int method_record(sd_bus_message *message, void *data, sd_bus_error *error)
{
	const struct client *client = data;
	_cleanup_(bundle_done) struct bundle bundle = {};
	_cleanup_close_ int fd = -1;
	int r;

	r = record_take(manager_os(client->bus->manager), &bundle);
	if (r < 0)
		return r;
	fd = bundle_to_fd(&bundle);
	if (fd < 0)
		return fd;
	return sd_bus_reply_method_return(message, "h", fd);
}

static int method_apply(sd_bus_message *message, void *data, sd_bus_error *error)
{
	size_t size = 0;
	uint64_t number;
	char *text;
	int r;

	r = bus_may_change(data, message, method_apply, error);
	if (r != 0)
		return r;
	text = read_file(message, SPEC_SIZE_MAX, &size, error);
	if (!text)
		return -sd_bus_error_get_errno(error);
	r = bus_ask(data, JOB_APPLY, text, size, message, &number, error);
	return r < 0 ? r : reply_job(message, number);
}

static int method_confirm(sd_bus_message *message, void *data, sd_bus_error *error)
{
	int r = bus_may_change(data, message, method_confirm, error);

	return r ?: ask(data, JOB_CONFIRM, message, error);
}

static int method_rollback(sd_bus_message *message, void *data, sd_bus_error *error)
{
	int r = bus_may_change(data, message, method_rollback, error);

	return r ?: ask(data, JOB_ROLLBACK, message, error);
}

static int method_reload(sd_bus_message *message, void *data, sd_bus_error *error)
{
	int r = bus_may_change(data, message, method_reload, error);

	return r ?: ask(data, JOB_RELOAD, message, error);
}

static int read_job(sd_bus_message *message, uint64_t *ret, sd_bus_error *error)
{
	const char *path;
	int r;

	r = sd_bus_message_read(message, "o", &path);
	if (r < 0)
		return r;
	if (bus_job_number(path, ret) < 0)
		return sd_bus_error_set(error, SD_BUS_ERROR_INVALID_ARGS, "not a job");
	return 0;
}

/* Who was let start it on the system bus is not asked again to stop it. */
static bool owns_job(const struct client *client, sd_bus_message *message, uint64_t number)
{
	const struct result *result = bus_result(client->bus, number);
	const char *sender = sd_bus_message_get_sender(message);

	return client->is_system && result && sender && strcmp(result->owner, sender) == 0;
}

static int method_stop(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct client *client = data;
	uint64_t number;
	int r;

	r = read_job(message, &number, error);
	if (r >= 0 && !owns_job(client, message, number)) {
		(void)sd_bus_message_rewind(message, true);
		r = bus_may_change(client, message, method_stop, error);
		if (r == 0)
			r = read_job(message, &number, error);
		else if (r > 0)
			return r;
	}
	if (r < 0)
		return r;
	if (manager_stop_job(client->bus->manager, number) < 0)
		return sd_bus_error_set(error, SD_BUS_ERROR_INVALID_ARGS, "that job is over");
	return sd_bus_reply_method_return(message, "");
}

static int method_result(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct client *client = data;
	const struct result *result;
	uint64_t number;
	int r;

	r = read_job(message, &number, error);
	if (r < 0)
		return r;
	result = bus_result(client->bus, number);
	if (!result)
		return sd_bus_error_set(error, SD_BUS_ERROR_INVALID_ARGS,
					"no such job, or its result is no longer kept");
	return sd_bus_reply_method_return(message, "busss", result->done, (uint32_t)result->exit,
					  result->text ?: "", result->json ?: "",
					  result->errors ?: "");
}

static int method_status(sd_bus_message *message, void *data, sd_bus_error *error)
{
	return bus_ask_at_once(data, JOB_STATUS, NULL, 0, message, error);
}

/* ---- typed facts ---- */

static int append_finding(sd_bus_message *reply, const struct plan *plan,
			  const struct finding *finding)
{
	const struct state *want = &plan->want->list[finding->target];
	char want_text[VALUE_TEXT_MAX] = "", have_text[VALUE_TEXT_MAX] = "";

	if (finding->knob < KNOB_MAX) {
		const struct value *have = &plan->have->list[finding->target].value[finding->knob];

		value_format(&knob_table[finding->knob], &want->value[finding->knob], want_text,
			     sizeof(want_text));
		if (have->status == VALUE_KNOWN)
			value_format_beside(&knob_table[finding->knob], have,
					    &want->value[finding->knob], have_text,
					    sizeof(have_text));
	}
	return sd_bus_message_append(reply, "(sssssss)", target_kind_name(want->target.kind),
				     want->target.name,
				     finding->knob < KNOB_MAX ? knob_table[finding->knob].name : "",
				     verdict_name(finding->verdict), want_text, have_text,
				     finding->reason);
}

static int append_switch(sd_bus_message *reply, const struct switch_state *state)
{
	int r;

	r = sd_bus_message_append(reply, "(sssssss)", "switch", state->name, "",
				  verdict_name(state->verdict), "", "", state->reason);
	for (size_t i = 0; r >= 0 && i < state->n; i++) {
		const struct switch_finding *finding = &state->findings[i];
		char name[SWITCH_NAME_MAX_BYTES + SWITCH_PORT_MAX];

		switch_target_name(state, finding->port, name, sizeof(name));
		r = sd_bus_message_append(reply, "(sssssss)", "switch", name,
					  switch_knob_name(finding->knob),
					  verdict_name(finding->verdict), finding->want,
					  finding->have, finding->note);
	}
	return r;
}

static int method_findings(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct client *client = data;
	const struct pass *last = manager_last(client->bus->manager);
	const struct switch_states *switches = manager_switch_states(client->bus->manager);
	sd_bus_message *reply = NULL;
	int r;

	r = sd_bus_message_new_method_return(message, &reply);
	if (r >= 0)
		r = sd_bus_message_open_container(reply, 'a', "(sssssss)");
	for (size_t i = 0; r >= 0 && last && i < last->plan.n_findings; i++)
		r = append_finding(reply, &last->plan, &last->plan.findings[i]);
	for (size_t i = 0; r >= 0 && switches && i < switches->n; i++)
		r = append_switch(reply, &switches->list[i]);
	if (r >= 0)
		r = sd_bus_message_close_container(reply);
	if (r >= 0)
		r = sd_bus_send(client->connection, reply, NULL);
	(void)sd_bus_message_unref(reply);
	return r;
}

static int get_property(sd_bus *connection, const char *path, const char *interface,
			const char *name, sd_bus_message *reply, void *data, sd_bus_error *error)
{
	struct client *client = data;
	struct manager_facts facts;

	manager_facts(client->bus->manager, &facts);
	if (strcmp(name, "State") == 0)
		return sd_bus_message_append(reply, "s", facts.state);
	if (strcmp(name, "Node") == 0)
		return sd_bus_message_append(reply, "s", facts.node);
	if (strcmp(name, "Fabric") == 0)
		return sd_bus_message_append(reply, "s", facts.fabric);
	if (strcmp(name, "SpecHash") == 0)
		return sd_bus_message_append(reply, "s", facts.hash);
	if (strcmp(name, "LastError") == 0)
		return sd_bus_message_append(reply, "s", facts.last_error);
	if (strcmp(name, "Generation") == 0)
		return sd_bus_message_append(reply, "t", facts.generation);
	if (strcmp(name, "Resyncs") == 0)
		return sd_bus_message_append(reply, "t", facts.resyncs);
	if (strcmp(name, "Repairs") == 0)
		return sd_bus_message_append(reply, "t", facts.repairs);
	if (strcmp(name, "InSync") == 0)
		return sd_bus_message_append(reply, "b", facts.in_sync);
	if (strcmp(name, "FileDiffers") == 0)
		return sd_bus_message_append(reply, "b", facts.file_differs);
	if (strcmp(name, "Drifted") == 0)
		return sd_bus_message_append(reply, "u", (uint32_t)facts.drifted);
	if (strcmp(name, "ConfirmLeftMSec") == 0)
		return sd_bus_message_append(reply, "x", facts.confirm_left_ms);
	return sd_bus_message_append(reply, "x", facts.read_age_ms);
}

#define PROPERTY(name, type) SD_BUS_PROPERTY(name, type, get_property, 0, 0)
#define METHOD(name, in, in_names, out, out_names, handler) \
	SD_BUS_METHOD_WITH_NAMES(name, in, in_names, out, out_names, handler, \
				 SD_BUS_VTABLE_UNPRIVILEGED)
#define P	SD_BUS_PARAM
#define FILE_IN P(file) P(options)
#define DRIFT	P(target) P(knob) P(want) P(have)
#define REPORT	P(exit) P(text) P(json) P(errors)

static const sd_bus_vtable vtable[] = {
	SD_BUS_VTABLE_START(0),
	METHOD("Check", "h", P(file), "usss", REPORT, method_check),
	METHOD("Plan", "ha{sv}", FILE_IN, "usss", REPORT, method_plan),
	METHOD("Apply", "ha{sv}", FILE_IN, "o", P(job), method_apply),
	METHOD("Confirm", "a{sv}", P(options), "o", P(job), method_confirm),
	METHOD("Rollback", "a{sv}", P(options), "o", P(job), method_rollback),
	METHOD("Reload", "a{sv}", P(options), "o", P(job), method_reload),
	METHOD("Stop", "o", P(job), "", , method_stop),
	METHOD("GetResult", "o", P(job), "busss", P(done) REPORT, method_result),
	METHOD("GetReport", "a{sv}", P(options), "usss", REPORT, method_status),
	METHOD("Record", "", , "h", P(bundle), method_record),
	METHOD("GetStatus", "", , "a(sssssss)", P(findings), method_findings),
	PROPERTY("State", "s"),
	PROPERTY("Node", "s"),
	PROPERTY("Fabric", "s"),
	PROPERTY("SpecHash", "s"),
	PROPERTY("LastError", "s"),
	PROPERTY("Generation", "t"),
	PROPERTY("Resyncs", "t"),
	PROPERTY("Repairs", "t"),
	PROPERTY("InSync", "b"),
	PROPERTY("FileDiffers", "b"),
	PROPERTY("Drifted", "u"),
	PROPERTY("ConfirmLeftMSec", "x"),
	PROPERTY("ReadAgeMSec", "x"),
	SD_BUS_SIGNAL_WITH_NAMES("DriftFound", "ssss", DRIFT, 0),
	SD_BUS_SIGNAL_WITH_NAMES("DriftRepaired", "ssss", DRIFT, 0),
	SD_BUS_SIGNAL_WITH_NAMES("Changed", "s", P(words), 0),
	SD_BUS_VTABLE_END,
};

static const sd_bus_vtable job_vtable[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_SIGNAL_WITH_NAMES("Progress", "sssuu",
				 P(target) P(knobs) P(what) P(number) P(total), 0),
	SD_BUS_SIGNAL_WITH_NAMES("Finished", "u", P(exit), 0),
	SD_BUS_VTABLE_END,
};

static int find_job(sd_bus *connection, const char *path, const char *interface, void *data,
		    void **ret, sd_bus_error *error)
{
	struct client *client = data;
	uint64_t number;

	if (bus_job_number(path, &number) < 0 || !bus_result(client->bus, number))
		return 0;
	*ret = client;
	return 1;
}

int bus_add_objects(struct client *client)
{
	int r;

	r = sd_bus_add_object_vtable(client->connection, NULL, BUS_PATH, BUS_INTERFACE, vtable,
				     client);
	if (r < 0)
		return r;
	return sd_bus_add_fallback_vtable(client->connection, NULL, BUS_PATH "/job", BUS_JOB,
					  job_vtable, find_job, client);
}
