/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From the file to what is wanted on one node, as text: one line for each wanted knob, in the order
 * of the table, with where it comes from and why. VFs are field case N04, InfiniBand is N08.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/cases.h"
#include "tests/support/spec-case.h"

/* Two ports of one card, a VF of the first, an InfiniBand port, a port of another vendor. */
static struct nic ports[] = {
	{ .ifindex = 3,
	  .rdma_port = 1,
	  .name = "ens1f0np0",
	  .rdma = "mlx5_0",
	  .driver = "mlx5_core",
	  .pci = "0000:3b:00.0",
	  .mac = { 2, 0, 0x5e, 0x10, 0, 1 } },
	{ .ifindex = 4,
	  .rdma_port = 1,
	  .name = "ens1f1np1",
	  .rdma = "mlx5_1",
	  .driver = "mlx5_core",
	  .pci = "0000:3b:00.1",
	  .mac = { 2, 0, 0x5e, 0x10, 0, 2 } },
	{ .ifindex = 5,
	  .rdma_port = 1,
	  .name = "ens1f0v0",
	  .rdma = "mlx5_2",
	  .driver = "mlx5_core",
	  .pci = "0000:3b:00.2",
	  .vf = true,
	  .pf = "ens1f0np0" },
	{ .ifindex = 6,
	  .rdma_port = 1,
	  .name = "ibs2",
	  .rdma = "mlx5_4",
	  .driver = "mlx5_core",
	  .pci = "0000:5e:00.0",
	  .link_layer = LINK_LAYER_INFINIBAND },
	{ .ifindex = 7,
	  .rdma_port = 1,
	  .name = "ens9f0",
	  .rdma = "bnxt_re0",
	  .driver = "bnxt_en",
	  .pci = "0000:af:00.0",
	  .master_ifindex = 9,
	  .master = "bond0" },
};
static const struct inventory inventory = { .list = ports, .n = ARRAY_SIZE(ports) };

/* "ens1f0np0 pfc 3 @5 required # because ..." */
static void state_write(FILE *out, const struct state *state)
{
	char text[VALUE_TEXT_MAX];

	if (state->verdict != VERDICT_IN_SYNC)
		(void)fprintf(out, "%s %s %s: %s\n", target_kind_name(state->target.kind),
			      state->target.name, verdict_name(state->verdict), state->reason);
	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		const struct value *value = &state->value[knob];

		if (value->status == VALUE_UNMANAGED)
			continue;
		value_format(&knob_table[knob], value, text, sizeof(text));
		(void)fprintf(out, "%s %s %s @%u%s%s%s\n", state->target.name,
			      knob_table[knob].name, text, value->where.line,
			      value->required ? " required" : "", value->note[0] ? " # " : "",
			      value->note);
	}
}

static char *resolved(const char *text, const char *node, const struct inventory *found,
		      struct desired *ret)
{
	struct spec *spec = spec_good(text);
	struct diags diags = {};
	char *shown = NULL;
	size_t size;
	FILE *out = open_memstream(&shown, &size);

	assert_non_null(out);
	*ret = (struct desired){};
	if (spec_resolve(spec, found, node, ret, &diags) < 0)
		diags_write(&diags, out, "f", NULL, 0);
	for (size_t i = 0; i < ret->states.n; i++)
		state_write(out, &ret->states.list[i]);
	assert_int_equal(fclose(out), 0);
	spec_free(spec);
	diags_done(&diags);
	return shown;
}

static const char smallest[] = SPEC_HEAD
	"roce:\n  traffic_class: 106\nqos:\n  dscp_to_priority: {26: 3}\n  pfc: [3]\n"
	"nodes:\n  \"*\": {}\n";

static void smallest_file(void **data)
{
	static const char wanted[] = "ens1f0np0 dcbx host @6 # because DCB is managed\n"
				     "ens1f0np0 pause off @7 # because pfc is [3]\n"
				     "ens1f0np0 trust dscp @6 # because dscp_to_priority is given\n"
				     "ens1f0np0 dscp_to_priority 26:3 @6 required\n"
				     "ens1f0np0 pfc 3 @7 required\n"
				     "mlx5_0 cm_mode v2 @3 # because roce is managed\n"
				     "mlx5_0 cm_tos 106 @4\n"
				     "mlx5_0 traffic_class 106 @4\n"
				     "mlx5_0 gid v2 @3 # because roce is managed\n"
				     "ens1f1np1 dcbx host @6 # because DCB is managed\n"
				     "ens1f1np1 pause off @7 # because pfc is [3]\n"
				     "ens1f1np1 trust dscp @6 # because dscp_to_priority is given\n"
				     "ens1f1np1 dscp_to_priority 26:3 @6 required\n"
				     "ens1f1np1 pfc 3 @7 required\n"
				     "mlx5_1 cm_mode v2 @3 # because roce is managed\n"
				     "mlx5_1 cm_tos 106 @4\n"
				     "mlx5_1 traffic_class 106 @4\n"
				     "mlx5_1 gid v2 @3 # because roce is managed\n";
	const struct inventory two = { .list = ports, .n = 2 };
	struct desired desired;
	char *shown = resolved(smallest, "GPU-7.example.org", &two, &desired);

	assert_string_equal(shown, wanted);
	assert_string_equal(desired.node, "gpu-7.example.org");
	assert_true(desired.node_found);
	assert_true(desired.managed);
	assert_memory_equal(&desired.policy, &policy_default, sizeof(policy_default));
	assert_int_equal(desired.states.list[0].target.nic.ifindex, 3);
	assert_int_equal(desired.states.list[1].target.kind, TARGET_RDMA);
	free(shown);
	desired_done(&desired);
}

/* Of a file with one line of settings: what is wanted of the first port alone. */
#define ONE(settings) SPEC_HEAD settings "\nnodes: {n: {nics: [{name: ens1f0np0}]}}\n"
#define DCBX	      "ens1f0np0 dcbx host @3 # because DCB is managed\n"
#define ROCE	      "mlx5_0 cm_mode v2 @3 # because roce is managed\n"
#define GID	      "mlx5_0 gid v2 @3 # because roce is managed\n"

static const struct {
	const char *text;
	const char *wanted;
} derived[] = {
	{ ONE("qos: {pfc: [], cable_length: 30m}"),
	  DCBX "ens1f0np0 pfc none @3 required\nens1f0np0 cable_length 30m @3\n" },
	{ ONE("qos: {trust: dscp}"), DCBX "ens1f0np0 trust dscp @3\n" },
	{ ONE("qos: {trust: dscp, dscp_to_priority: {0x1a: 3}}"),
	  DCBX "ens1f0np0 trust dscp @3\nens1f0np0 dscp_to_priority 26:3 @3 required\n" },
	{ ONE("mtu: 4200"), "ens1f0np0 mtu 4200 @3 required\n" },
	{ ONE("qos: {buffers: auto}"), "ens1f0np0 buffers auto @3\n" },
	{ ONE("qos: {pfc_watchdog: {detect: 2s, action: drop}}"),
	  "ens1f0np0 pfc_watchdog 2000ms @3\n" },
	{ ONE("qos: {pfc_watchdog: {action: drop}}"), "" },
	{ ONE("ecn: [{priorities: [3]}, {priorities: [5]}]"),
	  "ens1f0np0 ecn_np 3,5 @3\nens1f0np0 ecn_rp 3,5 @3\n" },
	{ ONE("qos: {scheduler: {0: 40%, 3: 60%, 6: strict}}"),
	  DCBX "ens1f0np0 scheduler 0:0/40% 1:0/40% 2:0/40% 3:3/60% 4:0/40% 5:0/40% 6:6/strict "
	       "7:0/40% @3\n" },
	{ ONE("qos: {max_rate: {3: 10Gbit/s, 6: unlimited}}"),
	  DCBX "ens1f0np0 max_rate 3:10Gbit/s 6:unlimited @3\n" },
	/* steps of 100 Mbit/s up to 25.5 Gbit/s, of 1 Gbit/s above (nic.md 1.1) */
	{ ONE("qos: {max_rate: {3: 25599Mbit/s}}"),
	  DCBX "ens1f0np0 max_rate 3:25500Mbit/s @3 # mlx5_core makes 25500Mbit/s of the "
	       "25599Mbit/s of priority 3\n" },
	{ ONE("qos: {max_rate: {3: 26999Mbit/s}}"),
	  DCBX "ens1f0np0 max_rate 3:26Gbit/s @3 # mlx5_core makes 26000Mbit/s of the "
	       "26999Mbit/s of priority 3\n" },
	{ ONE("qos: {max_rate: {0: 199Mbit/s, 1: 255Gbit/s}}"),
	  DCBX "ens1f0np0 max_rate 0:100Mbit/s 1:255Gbit/s @3 # mlx5_core makes 100Mbit/s of the "
	       "199Mbit/s of priority 0\n" },
	{ ONE("qos: {scheduler: {0: strict, 3: strict}, max_rate: {3: 1Gbit/s, 5: 2Gbit/s}}"),
	  DCBX "ens1f0np0 scheduler 0:0/strict 1:0/strict 2:0/strict 3:3/strict 4:0/strict "
	       "5:0/strict 6:0/strict 7:0/strict @3\nens1f0np0 max_rate tc0:2Gbit/s tc3:1Gbit/s "
	       "@3\n" },
	{ ONE("roce: {}"), ROCE GID },
	{ ONE("roce: {mode: v2}"),
	  "mlx5_0 cm_mode v2 @3\nmlx5_0 gid v2 @3 # because mode is v2\n" },
	{ ONE("roce: {mode: v1}"), "mlx5_0 cm_mode v1 @3\n" },
	{ ONE("roce: {dscp: 26, ecn: not-ect}"),
	  ROCE "mlx5_0 cm_tos 104 @3 # because dscp is 26 and ecn not-ect\nmlx5_0 traffic_class "
	       "104 @3 # because dscp is 26 and ecn not-ect\n" GID },
	{ ONE("roce: {dscp: 26, apply_to: [verbs]}"),
	  ROCE "mlx5_0 traffic_class 106 @3 required # because dscp is 26 and ecn is ect0 unless "
	       "given\n" GID },
	{ ONE("roce: {traffic_class: 0, apply_to: [rdma-cm]}"),
	  ROCE "mlx5_0 cm_tos 0 @3 required\n" GID },
	{ ONE("roce: {traffic_class: 255, apply_to: [rdma-cm, verbs]}"),
	  ROCE "mlx5_0 cm_tos 255 @3 required\nmlx5_0 traffic_class 255 @3 required\n" GID },
	{ ONE("roce: {cnp: {dscp: 48, priority: 6}}"),
	  "ens1f0np0 cnp_dscp 48 @3\nens1f0np0 cnp_priority 6 @3\n" ROCE GID },
	{ ONE("roce: {cnp: {dscp: 48, priority: 6}}\nqos: {trust: dscp}"),
	  "ens1f0np0 dcbx host @4 # because DCB is managed\nens1f0np0 trust dscp @4\nens1f0np0 "
	  "dscp_to_priority 48:6 @3 required # 48:6 because cnp has DSCP 48, priority 6\nens1f0np0 "
	  "cnp_dscp 48 @3\nens1f0np0 cnp_priority 6 @3\n" ROCE GID },
	{ ONE("roce: {cnp: {dscp: 48, priority: 6}}\nqos: {trust: dscp, dscp_to_priority: {26: "
	      "3}}"),
	  "ens1f0np0 dcbx host @4 # because DCB is managed\nens1f0np0 trust dscp @4\nens1f0np0 "
	  "dscp_to_priority 26:3 48:6 @4 required # 48:6 because cnp has DSCP 48, priority "
	  "6\nens1f0np0 cnp_dscp 48 @3\nens1f0np0 cnp_priority 6 @3\n" ROCE GID },
	{ ONE("roce: {cnp: {dscp: 48, priority: 6}}\nqos: {trust: dscp, dscp_to_priority: {48: "
	      "6}}"),
	  "ens1f0np0 dcbx host @4 # because DCB is managed\nens1f0np0 trust dscp @4\nens1f0np0 "
	  "dscp_to_priority 48:6 @4 required\nens1f0np0 cnp_dscp 48 @3\nens1f0np0 cnp_priority 6 "
	  "@3\n" ROCE GID },
};

static void derivation(void **data)
{
	for (size_t i = 0; i < ARRAY_SIZE(derived); i++) {
		struct desired desired;
		char *shown = resolved(derived[i].text, "n", &inventory, &desired);

		case_string(derived[i].text, shown, derived[i].wanted);
		case_equal(derived[i].text, desired.managed, derived[i].wanted[0] != '\0');
		free(shown);
		desired_done(&desired);
	}
}

static void exclusive_names_all(void **data)
{
	struct desired desired;
	char *shown = resolved(ONE("qos: {dscp_to_priority: {26: 3}, exclusive: true}"), "n",
			       &inventory, &desired);
	const struct state *state = states_find(&desired.states, TARGET_PORT, "ens1f0np0");
	const struct dscp_map *map = &state->value[KNOB_DSCP_TO_PRIORITY].data.map;

	assert_true(map->named == UINT64_MAX);
	for (unsigned int dscp = 0; dscp < DSCPS; dscp++)
		assert_int_equal(map->priorities[dscp], dscp == 26 ? 1 << 3 : 0);
	free(shown);
	desired_done(&desired);
}

/* Only the MTU is told, so that a case shows which ports are meant and which layer won. */
static const struct {
	const char *name;
	const char *text;
	const char *node;
	const char *wanted;
} layers[] = {
	{ "default: every Ethernet port", "mtu: 2000\nnodes: {n: {}}\n", "n",
	  "ens1f0np0 2000, ens1f1np1 2000, ens1f0v0 2000, ens9f0 2000" },
	{ "no such node", "mtu: 2000\nnodes: {m: {}}\n", "n", "" },
	{ "no nodes at all", "mtu: 2000\n", "n", "" },
	{ "nothing wanted", "nodes: {n: {}}\n", "n", "" },
	{ "by driver", "mtu: 2000\nnics: [{driver: [bnxt_en, ice]}]\nnodes: {n: {}}\n", "n",
	  "ens9f0 2000" },
	{ "by PCI address, short and in capitals",
	  "mtu: 2000\nnics: [{pci: \"3B:00.1\"}]\nnodes: {n: {}}\n", "n", "ens1f1np1 2000" },
	{ "by MAC address", "mtu: 2000\nnics: [{mac: \"02:00:5E:10:00:01\"}]\nnodes: {n: {}}\n",
	  "n", "ens1f0np0 2000" },
	{ "by RDMA device, a wildcard skips InfiniBand",
	  "mtu: 2000\nnics: [{rdma: \"mlx5_*\"}]\nnodes: {n: {}}\n", "n",
	  "ens1f0np0 2000, ens1f1np1 2000, ens1f0v0 2000" },
	{ "all keys of an item have to match",
	  "mtu: 2000\nnics: [{name: \"ens*\", driver: bnxt_en}]\nnodes: {n: {}}\n", "n",
	  "ens9f0 2000" },
	{ "items add up", "mtu: 2000\nnics: [{name: ens9f0}, {name: ens1f1np1}]\nnodes: {n: {}}\n",
	  "n", "ens1f1np1 2000, ens9f0 2000" },
	{ "except",
	  "mtu: 2000\nnics: [{name: \"ens*\"}, {except: {name: \"ens1f0*\"}}]\nnodes: {n: {}}\n",
	  "n", "ens1f1np1 2000, ens9f0 2000" },
	{ "except first begins with all",
	  "mtu: 2000\nnics: [{except: {driver: mlx5_core}}]\nnodes: {n: {}}\n", "n",
	  "ens9f0 2000" },
	{ "taken back after except",
	  "mtu: 2000\nnics: [{except: {driver: mlx5_core}}, {name: ens1f0np0}]\nnodes: {n: {}}\n",
	  "n", "ens1f0np0 2000, ens9f0 2000" },
	{ "no port at all", "mtu: 2000\nnics: []\nnodes: {n: {}}\n", "n", "" },
	{ "an item over the top",
	  "mtu: 2000\nnics: [{name: \"*\"}, {name: ens9f0, mtu: 3000}]\nnodes: {n: {}}\n", "n",
	  "ens1f0np0 2000, ens1f1np1 2000, ens1f0v0 2000, ens9f0 3000" },
	{ "the later item wins",
	  "nics: [{name: ens9f0, mtu: 3000}, {name: \"ens9*\", mtu: 4000}]\nnodes: {n: {}}\n", "n",
	  "ens9f0 4000" },
	{ "a node over an item", "nics: [{name: ens9f0, mtu: 3000}]\nnodes: {n: {mtu: 5000}}\n",
	  "n", "ens9f0 5000" },
	{ "a list over the star",
	  "nics: [{name: ens9f0}]\nnodes: {\"*\": {mtu: 5000}, n: {mtu: 6000}}\n", "n",
	  "ens9f0 6000" },
	{ "the star for the others",
	  "nics: [{name: ens9f0}]\nnodes: {\"*\": {mtu: 5000}, n: {mtu: 6000}}\n", "m",
	  "ens9f0 5000" },
	{ "the star below a list",
	  "nics: [{name: ens9f0}]\nnodes: {\"*\": {mtu: 5000}, n: {qos: {}}}\n", "n",
	  "ens9f0 5000" },
	{ "a node's item over the node",
	  "nodes: {n: {mtu: 6000, nics: [{name: ens9f0, mtu: 7000}]}}\n", "n", "ens9f0 7000" },
	{ "a node's nics replace the top's, settings too",
	  "mtu: 2000\nnics: [{name: \"*\", mtu: 3000}]\nnodes: {n: {nics: [{name: ens9f0}]}}\n",
	  "n", "ens9f0 2000" },
	{ "the star's nics",
	  "mtu: 2000\nnodes: {\"*\": {nics: [{name: ens9f0}]}, n: {mtu: 2100}}\n", "n",
	  "ens9f0 2100" },
	{ "the star's item over the node",
	  "nodes: {\"*\": {nics: [{name: ens9f0, mtu: 3000}]}, n: {mtu: 2100}}\n", "n",
	  "ens9f0 3000" },
	{ "a list's nics over the star's",
	  "mtu: 2000\nnodes: {\"*\": {nics: [{name: ens9f0}]}, n: {nics: [{name: ens1f0np0}]}}\n",
	  "n", "ens1f0np0 2000" },
	{ "a list of hosts", "nics: [{name: ens9f0}]\nnodes: {\"gpu-[01-16,20]\": {mtu: 5000}}\n",
	  "gpu-07", "ens9f0 5000" },
	{ "not in the list", "nics: [{name: ens9f0}]\nnodes: {\"gpu-[01-16,20]\": {mtu: 5000}}\n",
	  "gpu-17", "" },
	{ "not of that width", "nics: [{name: ens9f0}]\nnodes: {\"gpu-[01-16,20]\": {mtu: 5000}}\n",
	  "gpu-7", "" },
	{ "in capitals", "nics: [{name: ens9f0}]\nnodes: {GPU-1: {mtu: 5000}}\n", "gpu-1",
	  "ens9f0 5000" },
	{ "up to the first dot", "nics: [{name: ens9f0}]\nnodes: {gpu-1: {mtu: 5000}}\n",
	  "Gpu-1.pod-a.example", "ens9f0 5000" },
	{ "the whole name first",
	  "nics: [{name: ens9f0}]\nnodes: {gpu-1: {mtu: 5000}, gpu-1.pod-a: {mtu: 6000}}\n",
	  "gpu-1.pod-a", "ens9f0 6000" },
	{ "no further dot", "nics: [{name: ens9f0}]\nnodes: {gpu-1.pod-a: {mtu: 5000}}\n",
	  "gpu-1.pod-a.example", "" },
	{ "missing, by name", "mtu: 2000\nnics: [{name: ens7f0}]\nnodes: {n: {}}\n", "n",
	  "port ens7f0 pending: no such device" },
	{ "missing, by RDMA device",
	  "mtu: 2000\nnics: [{rdma: [mlx5_0, mlx5_9]}]\nnodes: {n: {}}\n", "n",
	  "ens1f0np0 2000, rdma mlx5_9 pending: no such device" },
	{ "missing, by PCI address", "mtu: 2000\nnics: [{pci: 0000:99:00.0}]\nnodes: {n: {}}\n",
	  "n", "port 0000:99:00.0 pending: no such device" },
	{ "missing, named twice",
	  "mtu: 2000\nnics: [{name: ens7f0}, {name: [ens7f0, ens7f1]}]\nnodes: {n: {}}\n", "n",
	  "port ens7f0 pending: no such device, port ens7f1 pending: no such device" },
	{ "missing, but taken away again",
	  "mtu: 2000\nnics: [{name: ens7f0}, {except: {name: \"ens7*\"}}]\nnodes: {n: {}}\n", "n",
	  "" },
	{ "a wildcard may match nothing", "mtu: 2000\nnics: [{name: \"ens7*\"}]\nnodes: {n: {}}\n",
	  "n", "" },
	{ "a driver may match nothing", "mtu: 2000\nnics: [{driver: ice}]\nnodes: {n: {}}\n", "n",
	  "" },
	{ "InfiniBand by name", "mtu: 2000\nnics: [{name: ibs2}]\nnodes: {n: {}}\n", "n",
	  "port ibs2 failed: is InfiniBand, not Ethernet" },
	{ "InfiniBand by RDMA device", "mtu: 2000\nnics: [{rdma: mlx5_4}]\nnodes: {n: {}}\n", "n",
	  "port ibs2 failed: is InfiniBand, not Ethernet" },
	{ "InfiniBand by wildcard", "mtu: 2000\nnics: [{name: \"ib*\"}]\nnodes: {n: {}}\n", "n",
	  "" },
	{ "InfiniBand by driver and wildcard",
	  "mtu: 2000\nnics: [{driver: mlx5_core, name: \"ib*\"}]\nnodes: {n: {}}\n", "n", "" },
	{ "InfiniBand by name, taken away again",
	  "mtu: 2000\nnics: [{name: ibs2}, {except: {driver: mlx5_core}}]\nnodes: {n: {}}\n", "n",
	  "" },
};

static void layer_append(char *got, size_t size, const struct state *state)
{
	size_t used = strlen(got);
	const char *comma = used ? ", " : "";

	if (state->verdict != VERDICT_IN_SYNC)
		(void)snprintf(got + used, size - used, "%s%s %s %s: %s", comma,
			       target_kind_name(state->target.kind), state->target.name,
			       verdict_name(state->verdict), state->reason);
	else if (state->value[KNOB_MTU].status == VALUE_KNOWN)
		(void)snprintf(got + used, size - used, "%s%s %u", comma, state->target.name,
			       state->value[KNOB_MTU].data.number);
}

static void layer(void **data)
{
	for (size_t i = 0; i < ARRAY_SIZE(layers); i++) {
		char text[512], got[512] = "";
		struct desired desired;

		(void)snprintf(text, sizeof(text), "%s%s", SPEC_HEAD, layers[i].text);
		free(resolved(text, layers[i].node, &inventory, &desired));
		for (size_t j = 0; j < desired.states.n; j++)
			layer_append(got, sizeof(got), &desired.states.list[j]);
		case_string(layers[i].name, got, layers[i].wanted);
		case_equal(layers[i].name, desired.managed, layers[i].wanted[0] != '\0');
		desired_done(&desired);
	}
}

static void maps_merge_by_key(void **data)
{
	static const char text[] = SPEC_HEAD
		"roce: {traffic_class: 106}\nqos: {dscp_to_priority: {26: 3}, pfc: [3]}\n"
		"nics:\n  - name: ens1f0np0\n    qos: {dscp_to_priority: {34: 5}, cable_length: "
		"30m}\n"
		"nodes:\n  n:\n    qos:\n      dscp_to_priority: {26: 4}\n      pfc: [4, 5]\n";
	struct desired desired;
	char *shown = resolved(text, "n", &inventory, &desired);

	assert_non_null(strstr(shown, "ens1f0np0 dscp_to_priority 26:4 34:5 @11 required\n"));
	assert_non_null(strstr(shown, "ens1f0np0 pfc 4,5 @12 required\n"));
	assert_non_null(strstr(shown, "ens1f0np0 pause off @12 # because pfc is [4, 5]\n"));
	assert_non_null(strstr(shown, "ens1f0np0 cable_length 30m @7\n"));
	assert_non_null(strstr(shown, "mlx5_0 cm_tos 106 @3\n"));
	free(shown);
	desired_done(&desired);
}

static void vf_inherits(void **data)
{
	static const char text[] = SPEC_HEAD
		"roce: {traffic_class: 106, cnp: {dscp: 48, priority: 6}}\nmtu: 4200\n"
		"ecn: {priorities: [3]}\nqos: {dscp_to_priority: {26: 3}, pfc: [3], cable_length: "
		"5m, buffers: auto, "
		"scheduler: {0: strict}, max_rate: {0: 1Gbit/s}, pfc_watchdog: {detect: 200ms}}\n"
		"nics: [{name: ens1f0v0}]\nnodes: {n: {}}\n";
	struct desired desired;
	char *shown = resolved(text, "n", &inventory, &desired);
	const struct state *port = states_find(&desired.states, TARGET_PORT, "ens1f0v0");

	/* The VF's port and RDMA device, and what is to be told of its PF */
	assert_int_equal(desired.states.n, 3);
	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		const struct value *value = &port->value[knob];

		if (knob_table[knob].target != TARGET_PORT || knob == KNOB_FW_LLDP_AGENT) {
			assert_int_equal(value->status, VALUE_UNMANAGED);
			continue;
		}
		if (knob == KNOB_MTU) {
			case_equal(knob_table[knob].name, value->status, VALUE_KNOWN);
			continue;
		}
		case_equal(knob_table[knob].name, value->status, VALUE_NOT_APPLICABLE);
		case_string(knob_table[knob].name, value->note, "inherited from PF ens1f0np0");
	}
	assert_non_null(strstr(shown, "mlx5_2 cm_tos 106 @3\n"));
	free(shown);
	desired_done(&desired);
}

static void bond_port_says_so(void **data)
{
	struct desired desired;
	char *shown = resolved(SPEC_HEAD "mtu: 4200\nnodes: {n: {nics: [{name: ens9f0}]}}\n", "n",
			       &inventory, &desired);

	assert_string_equal(
		shown,
		"ens9f0 mtu 4200 @3 required # the port is enslaved to bond0, which has an MTU "
		"of its own\n");
	free(shown);
	desired_done(&desired);
}

static void policy_by_layer(void **data)
{
	static const char text[] = SPEC_HEAD
		"policy: {drift: report, audit_interval: 1m, grace: 0s}\n"
		"nodes: {\"*\": {policy: {audit_interval: 2h, disruptive: never}}, n: {policy: "
		"{disruptive: confirm}}}\n";
	struct desired desired;
	char *shown = resolved(text, "n", &inventory, &desired);

	assert_int_equal(desired.policy.drift, POLICY_REPORT);
	assert_int_equal(desired.policy.audit_interval_ms, 2 * 3600 * 1000);
	assert_int_equal(desired.policy.disruptive, DISRUPTIVE_CONFIRM);
	assert_int_equal(desired.policy.grace_ms, 0);
	assert_int_equal(desired.policy.switch_audit_interval_ms,
			 policy_default.switch_audit_interval_ms);
	assert_false(desired.managed);
	free(shown);
	desired_done(&desired);
}

/*
 * bnxt takes PFC only after an ETS (nic.md 1.4): where none is given, a class for each lossless
 * priority that shares the link with the rest, and a strict one for CNPs.
 */
#define LEAST " @3 # because bnxt_en takes pfc only after a scheduler"
static const struct {
	const char *name;
	const char *port;
	const char *spec;
	const char *scheduler;		/* priority:class/share, and why; NULL: none */
} least[] = {
	{ "bnxt, pfc alone", "ens9f0", "qos: {pfc: [3]}\n",
	  "0:0/50% 1:0/50% 2:0/50% 3:1/50% 4:0/50% 5:0/50% 6:0/50% 7:0/50%" LEAST },
	{ "bnxt, three share 100", "ens9f0", "qos: {pfc: [3, 4]}\n",
	  "0:0/34% 1:0/34% 2:0/34% 3:1/33% 4:2/33% 5:0/34% 6:0/34% 7:0/34%" LEAST },
	{ "bnxt, 0 is lossless itself", "ens9f0", "qos: {pfc: [0]}\n",
	  "0:0/100% 1:0/100% 2:0/100% 3:0/100% 4:0/100% 5:0/100% 6:0/100% 7:0/100%" LEAST },
	{ "bnxt, CNPs", "ens9f0",
	  "qos: {dscp_to_priority: {26: 3, 48: 6}, pfc: [3]}\n"
	  "roce: {cnp: {dscp: 48, priority: 6}}\n",
	  "0:0/50% 1:0/50% 2:0/50% 3:1/50% 4:0/50% 5:0/50% 6:2/strict 7:0/50%" LEAST },
	{ "bnxt, one is given", "ens9f0", "qos: {pfc: [3], scheduler: {0: 20%, 3: 80%}}\n",
	  "0:0/20% 1:0/20% 2:0/20% 3:1/80% 4:0/20% 5:0/20% 6:0/20% 7:0/20% @3" },
	{ "bnxt, no pfc", "ens9f0", "qos: {pfc: []}\n", NULL },
	{ "mlx5", "ens1f0np0", "qos: {pfc: [3]}\n", NULL },
};

static void pfc_needs_ets(void **data)
{
	for (size_t i = 0; i < ARRAY_SIZE(least); i++) {
		char text[512], want[256];
		struct desired desired;
		const char *line;
		char *shown;

		(void)snprintf(text, sizeof(text),
			       SPEC_HEAD "%snics: [{name: %s}]\nnodes: {n: {}}\n", least[i].spec,
			       least[i].port);
		shown = resolved(text, "n", &inventory, &desired);
		line = strstr(shown, " scheduler ");
		case_true(least[i].name, !!line == !!least[i].scheduler);
		(void)snprintf(want, sizeof(want), " scheduler %s\n", least[i].scheduler);
		if (line && strncmp(line, want, strlen(want)) != 0)
			fail_msg("%s: \"%s\", want \"%s\"", least[i].name, line, want);
		free(shown);
		desired_done(&desired);
	}
}

/* One RDMA device with two ports: one set of knobs. */
static void two_ports_of_a_device(void **data)
{
	struct nic both[2] = { ports[0], ports[1] };
	const struct inventory dual = { .list = both, .n = 2 };
	struct desired desired;
	char *shown;

	both[1].rdma_port = 2;
	(void)snprintf(both[1].rdma, sizeof(both[1].rdma), "mlx5_0");
	shown = resolved(SPEC_HEAD "roce: {traffic_class: 106}\nnodes: {n: {}}\n", "n", &dual,
			 &desired);
	assert_int_equal(desired.states.n, 1);
	free(shown);
	desired_done(&desired);
	shown = resolved(
		SPEC_HEAD
		"roce: {traffic_class: 106}\nnics:\n  - name: ens1f0np0\n  - name: ens1f1np1\n"
		"    roce: {traffic_class: 138}\nnodes: {n: {}}\n",
		"n", &dual, &desired);
	assert_string_equal(
		shown,
		"f:7:12: error: mlx5_0: its ports ens1f0np0 and ens1f1np1 ask for different cm_tos "
		"(106 and 138), but it has only one\n");
	assert_int_equal(desired.states.n, 0);
	free(shown);
}

/* Checked again with all items that a port really gets: two items that are good alone. */
static void layers_are_checked_again(void **data)
{
	struct desired desired;
	char *shown = resolved(SPEC_HEAD
			       "nics:\n  - {name: ens9f0, roce: {traffic_class: 106}}\n"
			       "  - {name: \"ens9*\", roce: {dscp: 34}}\nnodes: {n: {}}\n",
			       "n", &inventory, &desired);

	assert_string_equal(shown, "f:5:34: error: dscp 34 and traffic_class 106 (line 4) do not "
				   "agree: 106 is DSCP 26\n");
	free(shown);
	shown = resolved(SPEC_HEAD "nics:\n  - {name: ens9f0, roce: {traffic_class: 106}}\n"
				   "  - {name: \"ens1*\", roce: {dscp: 34}}\nnodes: {n: {}}\n",
			 "n", &inventory, &desired);
	assert_non_null(strstr(shown, "bnxt_re0 cm_tos 106 @4\n"));
	free(shown);
	desired_done(&desired);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(smallest_file),	 cmocka_unit_test(derivation),
		cmocka_unit_test(exclusive_names_all),	 cmocka_unit_test(layer),
		cmocka_unit_test(maps_merge_by_key),	 cmocka_unit_test(vf_inherits),
		cmocka_unit_test(bond_port_says_so),	 cmocka_unit_test(policy_by_layer),
		cmocka_unit_test(two_ports_of_a_device), cmocka_unit_test(layers_are_checked_again),
		cmocka_unit_test(pfc_needs_ets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
