// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opens what a verb needs in the order of interface.md: rights and lock first, then the file, then
 * the machine.
 */
#include "cli/session.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cli/client.h"
#include "cli/file.h"
#include "cli/terminal.h"
#include "lib/base/macro.h"
#include "lib/nic/nic.h"
#include "lib/os/fake.h"

void session_done(struct session *session)
{
	session->os = os_free(session->os);
	session->store = store_close(session->store);
	free(session->path);
	free(session->text);
	session->path = session->text = NULL;
}

int session_trouble(const struct session *session, enum exit_status status, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	say("%s", text);
	if (session->json) {
		struct report report = {
			.kind = session->kind,
			.verb = session->verb,
			.node = session->node,
			.file = session->path ?: "",
			.trouble = text,
			.exit = status,
		};

		report_write_json(&report, session->out);
	}
	return (int)status;
}

/* @recorded: of the bundle that --root names, NULL without it */
static void node_name(const struct options *options, const char *recorded, char *name, size_t size)
{
	if (option_given(options, OPTION_NODE))
		(void)snprintf(name, size, "%s", options->value[OPTION_NODE]);
	else if (recorded)
		(void)snprintf(name, size, "%s", recorded);
	else if (gethostname(name, size) < 0)
		name[0] = '\0';
	name[size - 1] = '\0';
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
}

/* The simulated machine is the recorded one. */
static int load_bundle(struct session *session, const struct options *options, const char *text,
		       size_t size)
{
	const char *path = options->value[OPTION_ROOT];
	_cleanup_(bundle_done) struct bundle bundle = {};
	_cleanup_(diags_done) struct diags diags = {};
	int r;

	r = bundle_parse(text, size, &bundle, &diags);
	if (r == 0)
		r = os_fake_load(&bundle, &diags, &session->os);
	if (r == -ENOMEM)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	diags_write(&diags, stderr, path, text, size);
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "%s is no bundle of this version",
				       path);
	node_name(options, bundle.node, session->node, sizeof(session->node));
	session->nobody_asks_for_the_daemon = true;
	return 0;
}

static int open_bundle(struct session *session, const struct options *options)
{
	const char *path = options->value[OPTION_ROOT];
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	int r;

	r = file_read(path, &text, &size);
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "cannot read %s: %s", path,
				       strerror(-r));
	session->simulated = true;
	return load_bundle(session, options, text, size);
}

int session_open(struct session *session, const struct options *options, enum report_kind kind)
{
	*session = (struct session){
		.kind = kind,
		.verb = options->verb->name,
		.json = option_given(options, OPTION_JSON),
		.progress = terminal_is(stderr),
		.style = terminal_style(stdout),
		.out = stdout,
	};
	if (option_given(options, OPTION_ROOT))
		return open_bundle(session, options);
	node_name(options, NULL, session->node, sizeof(session->node));
	if (os_linux_new(&session->os) < 0)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	return 0;
}

/* Where the store is: tests move it. */
static const char *state_dir(const struct options *options)
{
	return option_given(options, OPTION_STATE_DIR) ? options->value[OPTION_STATE_DIR] :
							 STATE_DIR;
}

static int refused_too_large(const struct session *session)
{
	_cleanup_(diags_done) struct diags diags = {};

	diag_add(&diags, SEVERITY_ERROR, (struct position){}, 0,
		 "larger than 16 MiB, the limit of a fabric file");
	return session_refused(session, &diags);
}

/* What to do about a file that cannot be read. */
static const char *read_hint(int r, bool named)
{
	if (r == -ENOENT && !named)
		return ": write it, or name another one with -f";
	if (r == -ENOENT)
		return ": check the name";
	if (r == -EACCES || r == -EPERM)
		return ": run as root, or make it readable";
	return "";
}

static int read_path(struct session *session, const char *path, bool named)
{
	int r;

	free(session->path);
	session->path = strdup(strcmp(path, FILE_STDIN) == 0 ? "stdin" : path);
	if (!session->path)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	r = file_read(path, &session->text, &session->size);
	if (r == -EFBIG)
		return refused_too_large(session);
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "cannot read %s: %s%s", path,
				       strerror(-r), read_hint(r, named));
	return 0;
}

int session_read_file(struct session *session, const struct options *options, const char *otherwise)
{
	bool named = option_given(options, OPTION_FILE);

	return read_path(session, named ? options->value[OPTION_FILE] : otherwise, named);
}

/* The spec in force; -ENOENT if there is none. */
static int read_accepted(struct session *session, const struct options *options)
{
	int r;

	r = store_accepted(session->store, &session->text, &session->size);
	if (r < 0)
		return r;
	if (asprintf(&session->path, "%s/accepted.yaml", state_dir(options)) < 0) {
		session->path = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int record_damaged(const struct session *session, const char *dir)
{
	return session_trouble(
		session, STATUS_FAILED,
		"%s/undo is damaged, nothing was changed: move it away to go on; the "
		"way back to earlier states is lost then",
		dir);
}

bool session_has_file(const struct options *options)
{
	_cleanup_free_ char *accepted = NULL;

	if (option_given(options, OPTION_FILE) || access(FABRIC_PATH, F_OK) == 0 || errno != ENOENT)
		return true;
	if (option_given(options, OPTION_ROOT))
		return false;
	if (asprintf(&accepted, "%s/accepted.yaml", state_dir(options)) < 0) {
		accepted = NULL;
		return true;
	}
	return access(accepted, F_OK) == 0 || errno != ENOENT;
}

int session_read_in_force(struct session *session, const struct options *options)
{
	char holder[128] = "";
	int r;

	/* What is in force on this machine says nothing about another one */
	if (option_given(options, OPTION_ROOT))
		return session_read_file(session, options, FABRIC_PATH);
	r = store_open(state_dir(options), NULL, &session->store, holder, sizeof(holder));
	if (r == -EBADMSG)
		return record_damaged(session, state_dir(options));
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "cannot read %s: %s",
				       state_dir(options), strerror(-r));
	if (option_given(options, OPTION_FILE))
		return session_read_file(session, options, NULL);
	r = read_accepted(session, options);
	if (r == -ENOENT)
		return session_read_file(session, options, FABRIC_PATH);
	if (r < 0)
		return session_trouble(session, STATUS_FAILED,
				       "cannot read the spec in force in %s: %s",
				       state_dir(options), strerror(-r));
	return 0;
}

int session_inventory(const struct session *session, struct inventory *ret)
{
	int r = nic_inventory(session->os, ret);

	if (r == -EXDEV)
		return session_trouble(session, STATUS_FAILED,
				       "sysfs and netlink show different network namespaces: run "
				       "in the namespace that "
				       "/sys was mounted in, or mount sysfs anew");
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "cannot list network devices: %s",
				       strerror(-r));
	return 0;
}

int session_connect(const struct session *session, const struct options *options,
		    struct client **ret)
{
	bool has_once = options->verb->options & OPTION_BIT(OPTION_ONCE);
	int r;

	r = client_open(options, ret);
	if (r >= 0)
		return 0;
	if (r != -ENOENT && r != -ECONNREFUSED)
		return session_trouble(session, STATUS_NO_DAEMON, "cannot reach losslessd: %s",
				       strerror(-r));
	return session_trouble(session, STATUS_NO_DAEMON,
			       "losslessd is not running: systemctl start losslessd%s%s%s",
			       has_once ? ", or losslessctl " : "",
			       has_once ? options->verb->name : "", has_once ? " --once" : "");
}

int session_lock(struct session *session, const struct options *options)
{
	const char *run_dir =
		option_given(options, OPTION_RUN_DIR) ? options->value[OPTION_RUN_DIR] : RUN_DIR;
	_cleanup_free_ char *lock = NULL;
	char holder[128] = "";
	int r;

	if (geteuid() != 0)
		return session_trouble(
			session, STATUS_FAILED,
			"%s --once changes settings of the kernel and needs root: run it with sudo",
			options->verb->name);
	if (asprintf(&lock, "%s/lock", run_dir) < 0) {
		lock = NULL;
		return session_trouble(session, STATUS_FAILED, "out of memory");
	}
	r = store_open(state_dir(options), lock, &session->store, holder, sizeof(holder));
	if (r == -EAGAIN && strncmp(holder, "losslessd,", strlen("losslessd,")) == 0)
		return session_trouble(session, STATUS_FAILED,
				       "%s keeps this node: run losslessctl %s without --once",
				       holder, options->verb->name);
	if (r == -EAGAIN)
		return session_trouble(session, STATUS_FAILED,
				       "%s is writing on this node: wait for its end, or stop it",
				       *holder ? holder : "another process");
	if (r == -EBADMSG)
		return record_damaged(session, state_dir(options));
	if (r == -EROFS)
		return session_trouble(session, STATUS_FAILED,
				       "cannot keep state in %s and %s: read-only file system: "
				       "nothing was changed",
				       state_dir(options), run_dir);
	if (r < 0)
		return session_trouble(session, STATUS_FAILED,
				       "cannot keep state in %s and %s: %s: nothing was changed",
				       state_dir(options), run_dir, strerror(-r));
	return 0;
}

int session_refused(const struct session *session, const struct diags *diags)
{
	diags_write(diags, stderr, session->path, session->text, session->size);
	if (session->json)
		diags_write_json(diags, session->path, NULL, STATUS_SPEC, session->out);
	return STATUS_SPEC;
}

static const char *interrupted_words(enum store_phase phase)
{
	if (phase == STORE_IDLE)
		return NULL;
	return phase == STORE_RETURNING ? "rollback" : "apply";
}

/* What only the session knows. */
static void complete_report(const struct session *session, struct report *report)
{
	if (!report->node || !*report->node)
		report->node = session->node;
	if (!session->store)
		return;
	report->generation = store_generation(session->store);
	if (report->kind == REPORT_STATUS)
		report->interrupted = interrupted_words(store_phase(session->store));
}

static void count_steps(struct session *session, const struct plan *plan)
{
	session->steps = plan ? plan->n_steps : 0;
	session->undone = 0;
	for (size_t i = 0; i < session->steps; i++)
		switch (plan->steps[i].outcome) {
		case STEP_PLANNED:
		case STEP_DONE:
		case STEP_ALREADY:
			break;
		case STEP_STALE:
		case STEP_FAILED:
		case STEP_SKIPPED:
		case STEP_OUTCOME_MAX:
			session->undone++;
		}
}

int session_report(struct session *session, const struct pass *pass)
{
	struct report report;

	if (pass->exit == STATUS_SPEC)
		return session_refused(session, &pass->diags);
	diags_write(&pass->diags, stderr, session->path, session->text, session->size);
	report = pass_report(pass, session->kind, session->path ?: "");
	complete_report(session, &report);
	if (report.trouble)
		say("%s", report.trouble);
	if (session->json)
		report_write_json(&report, session->out);
	else
		report_write_text(&report, &session->style, session->out);
	count_steps(session, report.plan);
	return (int)report.exit;
}
