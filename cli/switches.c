// SPDX-License-Identifier: LGPL-2.1-or-later
/* Runs losslessd-switch, and asks it for what a verb needs. */
#include "cli/switches.h"
#include "cli/progress.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/stop.h"
#include "cli/terminal.h"
#include "lib/base/macro.h"
#include "lib/node/store-switch.h"
#include "lib/switch/credential.h"

enum {
	WORKER_FD = 3,
	OVERFLOW_ID = 65534, /* include/linux/highuid.h */
};

static const char user_name[] = "losslessd-switch";

/* ---- its credentials ---- */

static const char *credentials(void)
{
	return getenv("LOSSLESSD_CREDENTIALS") ?: CREDENTIALS_FOLDER;
}

/* As systemd does it. One that is missing is for the worker to say, of the switch that needs it. */
static int copy_credential(const char *folder, const char *name, uid_t uid)
{
	_cleanup_(credential_done) struct credential credential = {};
	_cleanup_close_ int to = -1;
	char path[512], why[512];
	int r;

	(void)snprintf(path, sizeof(path), "%s/switch_%s", folder, name);
	/* Switches may share one */
	if (access(path, F_OK) == 0)
		return 0;
	r = credential_read(credentials(), name, &credential, why, sizeof(why));
	if (r < 0 && r != -ENOENT)
		say("%s", why);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0400);
	if (to < 0)
		return -errno;
	if (write(to, credential.text, credential.size) != (ssize_t)credential.size)
		return -EIO;
	return fchown(to, uid, (gid_t)-1) < 0 ? -errno : 0;
}

static int copy_for(const struct spec *spec, size_t index, const char *folder, uid_t uid)
{
	struct switch_wish wish = {};
	int r = spec_switch_access(spec, index, &wish);
	const char *const names[] = { wish.key, wish.password, wish.enable, wish.known_hosts };

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(names); i++)
		if (*names[i])
			r = copy_credential(folder, names[i], uid);
	switch_wish_done(&wish);
	return r;
}

/*
 * Puts memory there that is never swapped out, that only this process and its worker see, and that
 * is gone with both of them, however they end. Where that is not allowed, as in most containers,
 * the folder stays as it is.
 */
static void hide(const char *folder)
{
	if (unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0)
		(void)mount("ramfs", folder, "ramfs", MS_NODEV | MS_NOEXEC | MS_NOSUID,
			    "mode=0700");
}

/* A folder in /run, where nothing outlives a boot; only the worker's user reads it. */
static int copy_credentials(struct switch_worker *worker, const struct spec *spec,
			    const struct switch_states *states, uid_t uid)
{
	int r = 0;

	(void)snprintf(worker->folder, sizeof(worker->folder), "/run/losslessd-XXXXXX");
	if (!mkdtemp(worker->folder)) {
		*worker->folder = '\0';
		return -errno;
	}
	hide(worker->folder);
	for (size_t i = 0; r == 0 && i < states->n; i++)
		if (states->list[i].mine)
			r = copy_for(spec, i, worker->folder, uid);
	if (r == 0 && chown(worker->folder, uid, (gid_t)-1) < 0)
		r = -errno;
	return r;
}

static void remove_credentials(struct switch_worker *worker)
{
	DIR *folder = *worker->folder ? opendir(worker->folder) : NULL;
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (*entry->d_name != '.')
			(void)unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		(void)closedir(folder);
	if (*worker->folder) {
		/* Nothing, where hide() could not */
		(void)umount2(worker->folder, MNT_DETACH | UMOUNT_NOFOLLOW);
		(void)rmdir(worker->folder);
	}
	*worker->folder = '\0';
}

/* ---- its process ---- */

struct user {
	uid_t uid;
	gid_t gid;
};

/* Of the package, else the one that owns nothing. */
static struct user find_user(void)
{
	const struct passwd *entry = getpwnam(user_name) ?: getpwnam("nobody");

	if (!entry)
		return (struct user){ OVERFLOW_ID, OVERFLOW_ID };
	return (struct user){ entry->pw_uid, entry->pw_gid };
}

static bool become(struct user user)
{
	return setgroups(0, NULL) == 0 && setresgid(user.gid, user.gid, user.gid) == 0 &&
	       setresuid(user.uid, user.uid, user.uid) == 0;
}

static const char *program_path(void)
{
	return getenv("LOSSLESSD_SWITCH") ?: SWITCH_PROGRAM;
}

static void run_worker(const struct switch_worker *worker, int fd, struct user user)
{
	const char *program = program_path();
	sigset_t none;

	/* What Ctrl-C stops is decided by who asked, in the middle of nothing */
	(void)setpgid(0, 0);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (*worker->folder)
		(void)setenv("CREDENTIALS_DIRECTORY", worker->folder, 1);
	if (fd == WORKER_FD ? fcntl(fd, F_SETFD, 0) < 0 : dup2(fd, WORKER_FD) < 0)
		_exit(EXIT_FAILURE);
	if (geteuid() == 0 && !become(user))
		_exit(EXIT_FAILURE);
	(void)execl(program, program, "--fd=3", (char *)NULL);
	_exit(127);
}

/* Where it keeps the keys of hosts; as the package makes it, if nobody has. */
static void make_state_dir(struct user user)
{
	if (geteuid() != 0 || getenv("STATE_DIRECTORY") || mkdir(SWITCH_STATE_DIR, 0700) < 0)
		return;
	/* That it cannot be written is for the worker to say, if a key is to be kept */
	(void)!chown(SWITCH_STATE_DIR, user.uid, user.gid);
}

static int spawn(struct switch_worker *worker, struct user user)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	worker->pid = fork();
	if (worker->pid == 0)
		run_worker(worker, ends[1], user);
	(void)close(ends[1]);
	if (worker->pid < 0) {
		(void)close(ends[0]);
		return -errno;
	}
	worker->fd = ends[0];
	return 0;
}

void switch_worker_start(struct switch_worker *worker, const struct session *session,
			 const struct spec *spec, struct switch_states *states, bool secrets)
{
	bool given = getenv("CREDENTIALS_DIRECTORY") != NULL;
	struct user user = find_user();
	char why[FINDING_TEXT_MAX];
	int r = 0;

	*worker = (struct switch_worker){ .fd = -1 };
	if (secrets && geteuid() != 0 && !given) {
		switches_say(states, SWITCH_NEEDS_ROOT, "needs root or losslessd");
		return;
	}
	if (secrets && !given)
		r = copy_credentials(worker, spec, states, user.uid);
	if (r == 0 && access(program_path(), X_OK) < 0)
		r = -errno;
	make_state_dir(user);
	if (r == 0)
		r = spawn(worker, user);
	if (r < 0) {
		(void)snprintf(why, sizeof(why), "%s cannot be started: %s", program_path(),
			       strerrordesc_np(-r));
		switches_say(states, SWITCH_ASKED, why);
	}
}

void switch_worker_stop(struct switch_worker *worker)
{
	/* Its jobs drop what they have staged then */
	if (worker->pid > 0 && stop_requested())
		(void)kill(worker->pid, SIGTERM);
	if (worker->fd >= 0)
		(void)close(worker->fd);
	if (worker->pid > 0)
		(void)waitpid(worker->pid, NULL, 0);
	remove_credentials(worker);
	*worker = (struct switch_worker){ .fd = -1 };
}

static void show_progress(const struct switch_state *state, const char *words, void *data)
{
	const struct session *session = data;

	progress_line(session->progress, "%s: %s", state->name, words);
}

static int wait_or_stop(int fd, unsigned int timeout_ms, void *data)
{
	int r = stop_requested() ? -ECANCELED : switch_run_poll(fd, timeout_ms, data);

	return r == -EINTR && stop_requested() ? -ECANCELED : r;
}

struct switch_run switch_worker_run(const struct switch_worker *worker,
				    const struct session *session, struct switch_states *states)
{
	return (struct switch_run){
		.fd = worker->fd,
		.states = states,
		.progress = show_progress,
		.data = (void *)session,
		.wait = wait_or_stop,
		/* Afterwards nobody is there to hear them, and they are waited for all the same */
		.patience_ms = SWITCH_OVER_MS,
	};
}

/* ---- what verbs do ---- */

int session_switches_begin(struct session *session, struct pass *pass, const char *records,
			   struct switch_worker *worker)
{
	*worker = (struct switch_worker){ .fd = -1 };
	if (!pass->spec || switches_list(pass->spec, session->node, &pass->switches) < 0)
		return -ENOENT;
	if (records)
		switches_claim(&pass->switches, records);
	if (!switch_states_any_asked(&pass->switches))
		return -ENOENT;
	if (session->simulated) {
		switches_say(&pass->switches, SWITCH_NOT_ASKED, "not asked: the node is simulated");
		return -ENOENT;
	}
	switch_worker_start(worker, session, pass->spec, &pass->switches, true);
	return worker->fd < 0 ? -ENOENT : 0;
}

/* What they are counts like what the NICs are. */
void session_switches_count(struct pass *pass)
{
	if (switches_drift(&pass->switches))
		pass->exit = exit_worse(pass->exit, STATUS_DRIFT);
	pass->exit = exit_worse(pass->exit, switches_exit(&pass->switches));
}

void session_switches_end(const struct session *session, struct switch_worker *worker,
			  struct switch_run *run)
{
	switch_run_done(run);
	progress_end(session->progress);
	switch_worker_stop(worker);
}

void session_switches_read(struct session *session, struct pass *pass)
{
	struct switch_worker worker;
	struct switch_run run;

	if (session_switches_begin(session, pass, NULL, &worker) == 0) {
		run = switch_worker_run(&worker, session, &pass->switches);
		switches_read(&run, session->text, session->size);
		session_switches_end(session, &worker, &run);
	}
	session_switches_count(pass);
}

void session_switches_push(struct pass *pass, void *data)
{
	struct switch_push *push = data;
	struct session *session = push->session;

	if (session_switches_begin(session, pass, NULL, &push->worker) < 0)
		return;
	push->begun = true;
	push->run = switch_worker_run(&push->worker, session, &pass->switches);
	switches_read(&push->run, session->text, session->size);
	switches_push(&push->run, session->store, session->text, session->size, 0,
		      &pass->switches_before);
}

void session_switches_finish(struct pass *pass, struct switch_push *push)
{
	if (push->begun) {
		/* Jobs have deadlines: this ends */
		(void)switch_run_wait(&push->run, 0, SWITCH_PUSH_MS);
		store_switches_history(push->session->store, &pass->switches_before,
				       &pass->switches, "apply");
		session_switches_end(push->session, &push->worker, &push->run);
	}
	session_switches_count(pass);
}

void session_switches_return(struct pass *pass, void *data)
{
	struct session *session = data;
	_cleanup_free_ char *records = NULL, *text = NULL;
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_(spec_freep) struct spec *spec = NULL;
	struct switch_worker worker;
	struct switch_run run;
	size_t size = 0;

	if (store_switch_records(session->store, &records) < 0 ||
	    store_accepted(session->store, &text, &size) < 0 ||
	    spec_load(text, size, &spec, &diags) < 0)
		return;
	/* Of the file that was in force, not of the one that is by now */
	pass->spec = spec_free(pass->spec);
	pass->spec = TAKE_PTR(spec);
	if (session_switches_begin(session, pass, records, &worker) == 0) {
		run = switch_worker_run(&worker, session, &pass->switches);
		(void)switches_return(&run, records, text, size, pass->on_trial,
				      &pass->switches_before);
		(void)switch_run_wait(&run, 0, SWITCH_PUSH_MS);
		store_switches_history(session->store, &pass->switches_before, &pass->switches,
				       "rollback");
		if (switches_exit(&pass->switches) == STATUS_OK)
			store_switch_returned(session->store);
		session_switches_end(session, &worker, &run);
	}
	session_switches_count(pass);
}
