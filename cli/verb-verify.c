// SPDX-License-Identifier: LGPL-2.1-or-later
/* verify: who sends to whom, what the file wants of it, and what came of it. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/session.h"
#include "cli/ssh.h"
#include "cli/stop.h"
#include "cli/traffic-peer.h"
#include "cli/verbs.h"
#include "lib/base/macro.h"
#include "lib/model/traffic-wire.h"
#include "lib/nic/counters.h"
#include "lib/spec/number.h"

/* The ports of this node that can take part, and their addresses. */
struct own {
	struct inventory inventory;
	struct traffic_place places[TRAFFIC_PORTS_MAX];
	struct nic nics[TRAFFIC_PORTS_MAX];
	size_t n;
};

/* One way, before anything is sent. */
struct way {
	size_t from; /* of own */
	struct traffic_place to;
};

struct verify {
	struct session session;
	const struct options *options;
	struct own own;
	struct spec *spec; /* NULL: none */
	struct desired desired;
	struct diags diags;
	struct traffic_peer peer;
	struct way ways[TRAFFIC_PORTS_MAX];
	struct traffic traffic[TRAFFIC_PORTS_MAX];
	size_t n;
	uint32_t messages;
	uint16_t port;
};

static void verify_free(struct verify *verify)
{
	traffic_peer_done(&verify->peer);
	inventory_done(&verify->own.inventory);
	desired_done(&verify->desired);
	spec_free(verify->spec);
	diags_done(&verify->diags);
	session_done(&verify->session);
	free(verify);
}

static struct traffic_machine machine_of(struct verify *verify)
{
	return (struct traffic_machine){ verify->session.os, &verify->own.inventory };
}

static void verify_freep(struct verify **verify)
{
	if (*verify)
		verify_free(*verify);
}

/* ---- ports of this node ---- */

static bool is_of(const struct gid *gid, const struct nic *nic)
{
	return gid_is_routed_v2(gid) &&
	       (strcmp(gid->netdev, nic->name) == 0 ||
		(*nic->master && strcmp(gid->netdev, nic->master) == 0));
}

/* The address that traffic uses: IPv4 if there is one, never a link-local one. */
static bool find_address(struct os *os, const struct nic *nic, struct in6_addr *ret)
{
	_cleanup_(gids_done) struct gids gids = {};
	struct in6_addr address;
	bool found = false;

	(void)nic_gids_read(os, nic, &gids);
	for (size_t i = 0; i < gids.n; i++) {
		if (!is_of(&gids.list[i], nic) ||
		    traffic_address_parse(gids.list[i].address, &address) < 0)
			continue;
		if (found && !IN6_IS_ADDR_V4MAPPED(&address))
			continue;
		*ret = address;
		found = true;
		if (IN6_IS_ADDR_V4MAPPED(&address))
			break;
	}
	return found;
}

/* Of the slaves of a bond with one RDMA device the first stands for all. */
static bool is_known(const struct own *own, const struct nic *nic)
{
	for (size_t i = 0; i < own->n; i++)
		if (strcmp(own->nics[i].rdma, nic->rdma) == 0 &&
		    own->nics[i].rdma_port == nic->rdma_port)
			return true;
	return false;
}

static int find_own(struct verify *verify)
{
	struct session *session = &verify->session;
	struct own *own = &verify->own;
	struct in6_addr address;
	int r;

	r = session_inventory(session, &own->inventory);
	if (r != 0)
		return r;
	if (own->inventory.n == 0)
		return session_trouble(session, STATUS_FAILED,
				       "no port with an RDMA device on this node");
	for (size_t i = 0; i < own->inventory.n && own->n < TRAFFIC_PORTS_MAX; i++) {
		const struct nic *nic = &own->inventory.list[i];
		struct traffic_place *place = &own->places[own->n];

		if (nic->link_layer != LINK_LAYER_ETHERNET || !*nic->name || is_known(own, nic) ||
		    !find_address(session->os, nic, &address))
			continue;
		*place = (struct traffic_place){ .address = address, .port = verify->port };
		(void)snprintf(place->name, sizeof(place->name), "%s", nic->name);
		(void)snprintf(place->rdma, sizeof(place->rdma), "%s", nic->rdma);
		own->nics[own->n++] = *nic;
	}
	if (own->n == 0)
		return session_trouble(session, STATUS_FAILED,
				       "no port of this node has a RoCE v2 address: give one an IP "
				       "address, see losslessctl show gids");
	return 0;
}

static const struct traffic_place *place_find(const struct traffic_place *places, size_t n,
					      const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(places[i].name, name) == 0 || strcmp(places[i].rdma, name) == 0)
			return &places[i];
	return NULL;
}

/* What --from or --to names of @places. Returns 0 or an exit status. */
static int named_place(struct verify *verify, enum option option,
		       const struct traffic_place *places, size_t n,
		       const struct traffic_place **ret)
{
	const char *name = verify->options->value[option];

	*ret = place_find(places, n, name);
	if (*ret)
		return 0;
	return session_trouble(&verify->session, STATUS_FAILED,
			       "%s: there is no port %s with a RoCE v2 address",
			       option_name(option), name);
}

/* ---- what is wanted ---- */

static int load_wants(struct verify *verify)
{
	struct session *session = &verify->session;
	int r;

	if (!session_has_file(verify->options)) {
		(void)fputs("losslessctl: no fabric file: what this node has is taken for what is "
			    "wanted\n",
			    stderr);
		return 0;
	}
	r = session_read_in_force(session, verify->options);
	if (r != 0)
		return r;
	r = spec_load(session->text, session->size, &verify->spec, &verify->diags);
	if (r == 0)
		r = spec_resolve(verify->spec, &verify->own.inventory, session->node,
				 &verify->desired, &verify->diags);
	if (r == -EINVAL)
		return session_refused(session, &verify->diags);
	if (r < 0)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	return 0;
}

static const struct value *wanted(const struct verify *verify, enum target_kind kind,
				  const char *name, enum knob knob)
{
	const struct state *state = states_find(&verify->desired.states, kind, name);

	return state && state->value[knob].status == VALUE_KNOWN ? &state->value[knob] : NULL;
}

/* ToS of RDMA-CM on the RDMA device, and where the port's map puts it. */
static void want(const struct verify *verify, const struct nic *nic, struct traffic *traffic)
{
	const struct value *tos = wanted(verify, TARGET_RDMA, nic->rdma, KNOB_CM_TOS);
	const struct value *map = wanted(verify, TARGET_PORT, nic->name, KNOB_DSCP_TO_PRIORITY);
	const struct value *pfc = wanted(verify, TARGET_PORT, nic->name, KNOB_PFC);
	unsigned int dscp;

	traffic->want_tos = traffic->want_priority = TRAFFIC_UNKNOWN;
	if (!tos)
		return;
	traffic->want_tos = (int)tos->data.number;
	dscp = tos->data.number >> 2;
	if (!map || !(map->data.map.named & dscp_bit(dscp)) || !map->data.map.priorities[dscp])
		return;
	traffic->want_priority = __builtin_ctz(map->data.map.priorities[dscp]);
	traffic->want_lossy = pfc && !(pfc->data.number & 1U << traffic->want_priority);
}

/* ---- who sends to whom ---- */

static void add_way(struct verify *verify, const struct traffic_place *from,
		    const struct traffic_place *to)
{
	if (verify->n < TRAFFIC_PORTS_MAX)
		verify->ways[verify->n++] =
			(struct way){ (size_t)(from - verify->own.places), *to };
}

/* Two ports of this node: the named ones, else the only two that there are. */
static int choose_local(struct verify *verify, const struct traffic_place **ret_from,
			const struct traffic_place **ret_to)
{
	const struct options *options = verify->options;
	const struct own *own = &verify->own;
	int r;

	if (option_given(options, OPTION_FROM) != option_given(options, OPTION_TO))
		return usage_error(options->verb, "without PEER, --from and --to go together");
	if (!option_given(options, OPTION_FROM) && own->n != 2)
		return session_trouble(&verify->session, STATUS_FAILED,
				       "%zu port%s with a RoCE v2 address here: name a PEER, or "
				       "two ports with --from and --to",
				       own->n, own->n == 1 ? "" : "s");
	*ret_from = &own->places[0];
	*ret_to = &own->places[1];
	if (!option_given(options, OPTION_FROM))
		return 0;
	r = named_place(verify, OPTION_FROM, own->places, own->n, ret_from);
	if (r == 0)
		r = named_place(verify, OPTION_TO, own->places, own->n, ret_to);
	if (r == 0 && *ret_from == *ret_to)
		return usage_error(options->verb, "--from and --to are the same port");
	return r;
}

/* Each port of this node, or the named one, to the nearest place of the peer, or the named one. */
static int choose_remote(struct verify *verify, const struct traffic_place *places, size_t n)
{
	const struct traffic_place *from = NULL, *to = NULL;
	struct own *own = &verify->own;
	int r = 0;

	if (option_given(verify->options, OPTION_FROM))
		r = named_place(verify, OPTION_FROM, own->places, own->n, &from);
	if (r == 0 && option_given(verify->options, OPTION_TO))
		r = named_place(verify, OPTION_TO, places, n, &to);
	if (r != 0)
		return r;
	for (size_t i = 0; i < own->n; i++) {
		const struct traffic_place *mine = &own->places[i], *his;

		if (from && from != mine)
			continue;
		his = to ?: traffic_nearest(&mine->address, places, n);
		if (his)
			add_way(verify, mine, his);
	}
	if (verify->n == 0)
		return session_trouble(&verify->session, STATUS_FAILED,
				       "%s has no address of the same family as a port here",
				       verify->options->argument);
	return 0;
}

/* An address where somebody listens already: from one port, the nearest. */
static int choose_address(struct verify *verify, const struct in6_addr *address)
{
	struct traffic_place to = { .address = *address, .port = verify->port };
	const struct traffic_place *from;
	struct own *own = &verify->own;
	int r;

	if (option_given(verify->options, OPTION_TO))
		return usage_error(verify->options->verb, "an address is a port: without --to");
	traffic_address_format(address, to.name);
	from = traffic_nearest(address, own->places, own->n);
	if (option_given(verify->options, OPTION_FROM)) {
		r = named_place(verify, OPTION_FROM, own->places, own->n, &from);
		if (r != 0)
			return r;
	}
	if (!from)
		return session_trouble(&verify->session, STATUS_FAILED,
				       "no port here has an address of the family of %s",
				       verify->options->argument);
	add_way(verify, from, &to);
	return 0;
}

static int peer_silent(struct verify *verify, const char *name, ssize_t r)
{
	if (r == -EMSGSIZE)
		return session_trouble(&verify->session, STATUS_FAILED,
				       "%s prints without an end: is losslessctl on it?", name);
	return session_trouble(&verify->session, STATUS_FAILED,
			       "%s does not listen: see above, or run losslessctl verify --listen "
			       "there and verify its address here",
			       name);
}

static int ask_host(struct verify *verify)
{
	const char *host = verify->options->argument;
	struct traffic_place places[TRAFFIC_PORTS_MAX];
	ssize_t n;
	int r;

	if (!ssh_host_is_valid(host))
		return usage_error(verify->options->verb,
				   "PEER is a host, user@host or an address, and '%s' is none",
				   host);
	r = traffic_peer_ssh(&verify->peer, host, verify->port);
	if (r < 0)
		return session_trouble(&verify->session, STATUS_FAILED, "ssh cannot be started: %s",
				       strerror(-r));
	n = traffic_peer_places(&verify->peer, places, ARRAY_SIZE(places));
	if (n < 0)
		return peer_silent(verify, host, n);
	return choose_remote(verify, places, (size_t)n);
}

/* ---- traffic ---- */

static void send_way(struct verify *verify, size_t i)
{
	const struct way *way = &verify->ways[i];
	struct traffic *traffic = &verify->traffic[i];
	const struct nic *nic = &verify->own.nics[way->from];
	struct traffic_machine machine = machine_of(verify);

	*traffic = (struct traffic){ .messages = verify->messages, .from.nic = *nic };
	memcpy(traffic->to.nic.name, way->to.name, sizeof(traffic->to.nic.name));
	want(verify, nic, traffic);
	progress_line(verify->session.progress, "[%zu/%zu] %s", i + 1, verify->n, nic->name);
	if (stop_requested())
		(void)snprintf(traffic->trouble, sizeof(traffic->trouble), "stopped by a signal");
	else
		traffic_send(&machine, &verify->own.places[way->from], &way->to, traffic);
}

static void send_ways(struct verify *verify)
{
	stop_watch(NULL);
	for (size_t i = 0; i < verify->n; i++)
		send_way(verify, i);
	stop_unwatch();
}

/*
 * Both ports listen in a child. It begins before anything of RDMA is opened here: what is open is
 * not to be used by another process.
 */
static int listen_in_child(struct verify *verify, const struct traffic_place *from,
			   const struct traffic_place *to, struct traffic_place ret[2])
{
	const struct own *own = &verify->own;
	struct traffic_place places[] = { *from, *to };
	const struct nic nics[] = { own->nics[from - own->places], own->nics[to - own->places] };
	struct traffic_listener listener = { .machine = machine_of(verify),
					     .node = verify->session.node,
					     .places = places,
					     .nics = nics,
					     .n = 2 };
	int r;

	places[0].port = places[1].port = 0;
	r = traffic_peer_fork(&verify->peer, &listener);
	if (r < 0)
		return session_trouble(&verify->session, STATUS_FAILED, "cannot fork: %s",
				       strerror(-r));
	if (traffic_peer_places(&verify->peer, ret, 2) != 2)
		return session_trouble(&verify->session, STATUS_FAILED,
				       "%s and %s do not both listen", from->name, to->name);
	return 0;
}

static int verify_local(struct verify *verify)
{
	const struct traffic_place *from, *to;
	struct traffic_place listening[2];
	int r;

	r = choose_local(verify, &from, &to);
	if (r == 0)
		r = listen_in_child(verify, from, to, listening);
	if (r != 0)
		return r;
	add_way(verify, from, &listening[1]);
	add_way(verify, to, &listening[0]);
	send_ways(verify);
	for (size_t i = 0; i < verify->n; i++)
		verify->traffic[i].to_node[0] = '\0';
	return 0;
}

static int verify_peer(struct verify *verify)
{
	struct in6_addr address;
	int r;

	if (traffic_address_parse(verify->options->argument, &address) == 0)
		r = choose_address(verify, &address);
	else
		r = ask_host(verify);
	if (r != 0)
		return r;
	send_ways(verify);
	return 0;
}

static int report(struct verify *verify)
{
	const struct session *session = &verify->session;
	enum exit_status exit = STATUS_OK;

	progress_end(session->progress);
	for (size_t i = 0; i < verify->n; i++) {
		traffic_judge(&verify->traffic[i]);
		if (verify->traffic[i].verdict != TRAFFIC_PROVEN)
			exit = STATUS_FAILED;
	}
	if (session->json)
		traffic_write_json(verify->traffic, verify->n, session->node, exit, session->out);
	else
		traffic_write_text(verify->traffic, verify->n, &session->style, session->out);
	return (int)exit;
}

/* ---- the verb ---- */

static int listen_here(struct verify *verify)
{
	struct own *own = &verify->own;
	struct traffic_listener listener = { .machine = machine_of(verify),
					     .node = verify->session.node,
					     .places = own->places,
					     .nics = own->nics,
					     .n = own->n,
					     .out = stdout,
					     .until_closed = -1 };
	struct stat in;

	/* Of whoever started it by ssh: it ends with him */
	if (fstat(STDIN_FILENO, &in) == 0 && (S_ISFIFO(in.st_mode) || S_ISSOCK(in.st_mode)))
		listener.until_closed = STDIN_FILENO;
	stop_watch(NULL);
	return traffic_listen(&listener) == 0 ? STATUS_OK : STATUS_FAILED;
}

static int check_usage(struct verify *verify)
{
	static const enum option not_there[] = { OPTION_FROM, OPTION_TO,   OPTION_MESSAGES,
						 OPTION_FILE, OPTION_JSON, OPTION_NODE };
	const struct options *options = verify->options;
	uint64_t messages = TRAFFIC_MESSAGES, port = TRAFFIC_PORT;
	struct trouble trouble;

	if (option_given(options, OPTION_MESSAGES) &&
	    !number_parse(options->value[OPTION_MESSAGES], TRAFFIC_MESSAGES_MIN,
			  TRAFFIC_MESSAGES_MAX, NULL, &messages, &trouble))
		return usage_error(options->verb, "--messages: %s", trouble.text);
	if (option_given(options, OPTION_PORT) &&
	    !number_parse(options->value[OPTION_PORT], 1, UINT16_MAX, NULL, &port, &trouble))
		return usage_error(options->verb, "--port: %s", trouble.text);
	verify->messages = (uint32_t)messages;
	verify->port = (uint16_t)port;
	if (!option_given(options, OPTION_LISTEN))
		return 0;
	if (options->argument)
		return usage_error(options->verb, "--listen waits for anybody: without '%s'",
				   options->argument);
	for (size_t i = 0; i < ARRAY_SIZE(not_there); i++)
		if (option_given(options, not_there[i]))
			return usage_error(options->verb, "--listen waits for anybody: without %s",
					   option_name(not_there[i]));
	return 0;
}

int verb_verify(const struct options *options)
{
	_cleanup_(verify_freep) struct verify *verify = calloc(1, sizeof(*verify));
	int r;

	if (!verify)
		return STATUS_FAILED;
	verify->options = options;
	r = check_usage(verify);
	if (r == 0)
		r = session_open(&verify->session, options, REPORT_OTHER);
	if (r == 0)
		r = find_own(verify);
	if (r != 0)
		return r;
	if (option_given(options, OPTION_LISTEN))
		return listen_here(verify);
	r = load_wants(verify);
	if (r == 0)
		r = options->argument ? verify_peer(verify) : verify_local(verify);
	return r == 0 ? report(verify) : r;
}
