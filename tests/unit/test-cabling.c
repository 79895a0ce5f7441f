/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The file's cables against what neighbours say: names that are the same, and what follows. */
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/node/cabling.h"
#include "lib/report/report.h"
#include "tests/support/cases.h"

/* ---- names ---- */

static const struct {
	const char *told;	/* its name */
	const char *address;	/* that it tells */
	const char *name;	/* in the file */
	const char *at;		/* address in the file */
	enum match match;
} chassis[] = {
	{ "leaf-1", "", "leaf-1", "", MATCH_YES },
	{ "LEAF-1", "", "leaf-1", "", MATCH_YES },
	{ "leaf-1.dc.example", "", "leaf-1", "", MATCH_YES },
	{ "leaf-1", "", "leaf-1.dc.example", "", MATCH_YES },
	{ "leaf-1.dc.example", "", "leaf-1.dc.example", "", MATCH_YES },
	{ "leaf-1.dc.example", "", "leaf-1.other.example", "", MATCH_NO },
	{ "leaf-11", "", "leaf-1", "", MATCH_NO },
	{ "leaf", "", "leaf-1", "", MATCH_NO },
	{ "leaf-2", "192.0.2.12", "leaf-1", "192.0.2.11", MATCH_NO },
	/* the site calls it otherwise, and it is the one that is spoken to */
	{ "sw-4711", "192.0.2.11", "leaf-1", "192.0.2.11", MATCH_YES },
	{ "", "2001:db8::1", "leaf-1", "2001:0db8:0:0::1", MATCH_YES },
	{ "", "192.0.2.12", "leaf-1", "192.0.2.11", MATCH_NO },
	{ "", "192.0.2.12", "leaf-1", "leaf-1.example", MATCH_UNCLEAR },
	{ "", "", "leaf-1", "192.0.2.11", MATCH_UNCLEAR },
	{ "", "junk", "leaf-1", "junk", MATCH_UNCLEAR },
};

static void test_chassis(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(chassis); i++) {
		struct lldp_neighbor neighbor = { .n_addresses = *chassis[i].address != '\0' };
		char name[128];

		(void)snprintf(name, sizeof(name), "'%s' %s - %s %s", chassis[i].told,
			       chassis[i].address, chassis[i].name, chassis[i].at);
		strcpy(neighbor.chassis, chassis[i].told);
		strcpy(neighbor.address[0], chassis[i].address);
		case_equal(name, chassis_match(&neighbor, chassis[i].name, chassis[i].at),
			   chassis[i].match);
	}
}

static const struct {
	const char *type;
	const char *told;
	const char *text;	/* the description that it tells */
	const char *ports;	/* of the switch in the file; the first is the one of the cable */
	enum match match;
} ports[] = {
	{ "ifname", "100GE1/0/1", "", "100GE1/0/1", MATCH_YES },
	{ "ifname", "100ge1/0/1", "", "100GE1/0/1", MATCH_YES },
	{ "ifname", "100GE1/0/2", "", "100GE1/0/1", MATCH_NO },
	{ "ifname", "100GE1/0/11", "", "100GE1/0/1", MATCH_NO },
	{ "ifname", "10GE1/0/1", "", "100GE1/0/1", MATCH_NO },
	{ "ifname", "Eth1/7", "", "Ethernet1/7", MATCH_YES },
	{ "ifname", "Ethernet1/7", "", "Eth1/7", MATCH_YES },
	{ "ifname", "Ethernet 1/7", "", "Ethernet1/7", MATCH_YES },
	{ "ifname", "ethernet1/1/7", "", "Eth1/1/7", MATCH_YES },
	{ "ifname", "Et7", "", "Ethernet7", MATCH_YES },
	{ "ifname", "Eth1/7", "", "Ethernet1/8", MATCH_NO },
	{ "ifname", "E1/7", "", "Ethernet1/7", MATCH_UNCLEAR },
	{ "ifname", "1/7", "", "Ethernet1/7", MATCH_UNCLEAR },
	{ "ifname", "1/8", "", "Ethernet1/7", MATCH_NO },
	{ "ifname", "T1/7", "", "Ethernet1/7", MATCH_NO },
	{ "ifname", "Hu0/1", "", "HundredGigE0/1", MATCH_YES },
	{ "ifname", "HundredGigE0/1", "", "100GE0/1", MATCH_UNCLEAR },
	{ "ifname", "HundredGigE0/2", "", "100GE0/1", MATCH_NO },
	/* it may be short for two of them, or is one of them as it stands */
	{ "ifname", "Te1/1", "", "TenGigabitEthernet1/1,TestPort1/1", MATCH_UNCLEAR },
	{ "ifname", "Te1/1", "", "TenGigabitEthernet1/1,Te1/1", MATCH_NO },
	{ "ifname", "Te1/1", "", "Te1/1,TenGigabitEthernet1/1", MATCH_YES },
	{ "ifname", "Te1/1", "", "TenGigabitEthernet1/1,Ethernet1/1", MATCH_YES },
	/* the name counts, not what people wrote beside it */
	{ "ifname", "Ethernet1/8", "Ethernet1/7", "Ethernet1/7,Ethernet1/8", MATCH_NO },
	{ "ifname", "Ethernet1/33", "Ethernet1/7", "Ethernet1/7", MATCH_NO },
	/* SONiC: the alias is the id, the name the description */
	{ "local", "etp1", "Ethernet0", "Ethernet0,Ethernet4", MATCH_YES },
	{ "local", "etp2", "Ethernet4", "Ethernet0,Ethernet4", MATCH_NO },
	{ "local", "etp1", "to gpu-1", "Ethernet0", MATCH_NO },
	{ "local", "517", "to gpu-1", "100GE1/0/1", MATCH_UNCLEAR },
	{ "local", "517", "100GE1/0/2", "100GE1/0/1", MATCH_UNCLEAR },
	{ "local", "517", "100GE1/0/1", "100GE1/0/1", MATCH_YES },
	{ "ifalias", "to gpu-1", "", "swp1", MATCH_UNCLEAR },
	{ "mac", "02:aa:bb:cc:dd:01", "swp1", "swp1", MATCH_YES },
	{ "mac", "02:aa:bb:cc:dd:01", "", "swp1", MATCH_UNCLEAR },
	{ "", "", "", "swp1", MATCH_UNCLEAR },
};

static void test_ports(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(ports); i++) {
		struct lldp_neighbor neighbor = {};
		char name[128], list[128];
		const char *of[4];
		size_t n = 0;

		(void)snprintf(name, sizeof(name), "%s %s '%s' - %s", ports[i].type,
			       ports[i].told, ports[i].text, ports[i].ports);
		strcpy(neighbor.port_type, ports[i].type);
		strcpy(neighbor.port, ports[i].told);
		strcpy(neighbor.port_text, ports[i].text);
		strcpy(list, ports[i].ports);
		for (char *at = list; (of[n] = strsep(&at, ",")); n++)
			;
		case_equal(name, port_match(&neighbor, of[0], of, n), ports[i].match);
	}
}

/* ---- cables ---- */

static const char text[] =
	"version: 1\n"
	"fabric: pod-a\n"
	"roce: {traffic_class: 106, cnp: {dscp: 48, priority: 6}}\n"
	"qos: {dscp_to_priority: {26: 3}, pfc: [3]}\n"
	"nodes:\n"
	"  gpu-[1-2]: {}\n"
	"switches:\n"
	"  leaf-1:\n"
	"    dialect: arista-eos\n"
	"    address: 192.0.2.11\n"
	"    ports:\n"
	"      \"Ethernet1/[1-2]\": \"gpu-[1-2]/ens1\"\n"
	"      Ethernet1/3: gpu-1/ens3\n"
	"      Ethernet1/49: spine-1/Ethernet1/1\n"
	"  leaf-2:\n"
	"    dialect: arista-eos\n"
	"    owner: gpu-2\n"
	"    qos: {pfc: []}\n"
	"    ports: {Ethernet1/1: gpu-1/ens2, Ethernet1/2: gpu-2/ens2}\n"
	"  spine-1: {dialect: arista-eos, owner: gpu-2}\n";

#define PFC(bits)   .pfc = { .given = true, .priorities = (bits) }
#define APPS(n, ...) .app_given = true, .n_apps = (n), .app = { __VA_ARGS__ }
#define ROCE	    { 3, LLDP_DSCP, 26 }
#define CNP	    { 6, LLDP_DSCP, 48 }

static const struct {
	const char *name;
	struct lldp_neighbor neighbor[2];
	/* of ens1, which the file has at leaf-1/Ethernet1/1 */
	enum cable_verdict verdict;
	enum advert_verdict pfc;
	enum advert_verdict dscp;
	const char *told;	/* of the map */
	const char *note;
} heard[] = {
	{ "nobody", {}, CABLE_UNSEEN, ADVERT_NONE, ADVERT_NONE, "", "" },
	{ "at another device",
	  { { .device = "ens9", .chassis = "leaf-1", .port_type = "ifname",
	      .port = "Ethernet1/1" } },
	  CABLE_UNSEEN, ADVERT_NONE, ADVERT_NONE, "", "" },
	{ "as it should be",
	  { { .device = "ens1", .chassis = "leaf-1.dc", .port_type = "ifname",
	      .port = "Ethernet1/1", PFC(8), APPS(2, ROCE, CNP) } },
	  CABLE_CONFIRMED, ADVERT_AGREES, ADVERT_AGREES, "26:3 48:6", "" },
	{ "abbreviated, without DCBX",
	  { { .device = "ens1", .chassis = "leaf-1", .port_type = "ifname", .port = "Eth1/1" } },
	  CABLE_CONFIRMED, ADVERT_MISSING, ADVERT_MISSING, "",
	  "LLDP says leaf-1/Eth1/1; PFC, DSCP not advertised" },
	{ "an APP TLV of something else",
	  { { .device = "ens1", .chassis = "leaf-1", .port_type = "ifname", .port = "Ethernet1/1",
	      PFC(8), APPS(1, { 4, LLDP_TCP, 3260 }) } },
	  CABLE_CONFIRMED, ADVERT_AGREES, ADVERT_MISSING, "", "DSCP not advertised" },
	{ "by UDP port, as Cumulus does",
	  { { .device = "ens1", .chassis = "leaf-1", .port_type = "ifname", .port = "Ethernet1/1",
	      APPS(1, { 3, LLDP_UDP, 4791 }) } },
	  CABLE_CONFIRMED, ADVERT_MISSING, ADVERT_AGREES, "udp 4791:3", "PFC not advertised" },
	{ "by UDP port, to a priority that is not lossless",
	  { { .device = "ens1", .chassis = "leaf-1", .port_type = "ifname", .port = "Ethernet1/1",
	      PFC(8), APPS(1, { 4, LLDP_UDP, 4791 }) } },
	  CABLE_CONFIRMED, ADVERT_AGREES, ADVERT_DIFFERS, "udp 4791:4",
	  "advertises DSCP udp 4791:4, the file wants 26:3 48:6" },
	{ "PFC on another priority",
	  { { .device = "ens1", .chassis = "leaf-1", .port_type = "ifname", .port = "Ethernet1/1",
	      PFC(16), APPS(1, ROCE) } },
	  CABLE_CONFIRMED, ADVERT_DIFFERS, ADVERT_AGREES, "26:3",
	  "advertises PFC on 4, the file wants 3" },
	{ "one DSCP of two elsewhere",
	  { { .device = "ens1", .chassis = "leaf-1", .port_type = "ifname", .port = "Ethernet1/1",
	      PFC(8), APPS(2, { 7, LLDP_DSCP, 48 }, ROCE) } },
	  CABLE_CONFIRMED, ADVERT_AGREES, ADVERT_DIFFERS, "48:7 26:3",
	  "advertises DSCP 48:7 26:3, the file wants 26:3 48:6" },
	{ "two cables that were swapped: what is advertised is another port's",
	  { { .device = "ens1", .chassis = "leaf-2", .port_type = "ifname", .port = "Ethernet1/1",
	      PFC(0) } },
	  CABLE_DIFFERS, ADVERT_NONE, ADVERT_NONE, "", "LLDP says leaf-2/Ethernet1/1" },
	{ "another port of the switch",
	  { { .device = "ens1", .chassis = "leaf-1", .port_type = "ifname",
	      .port = "Ethernet1/2" } },
	  CABLE_DIFFERS, ADVERT_NONE, ADVERT_NONE, "", "LLDP says leaf-1/Ethernet1/2" },
	{ "a port by its number",
	  { { .device = "ens1", .chassis = "leaf-1", .port_type = "local", .port = "517",
	      .port_text = "to gpu-1", PFC(8), APPS(1, ROCE), .cee = true } },
	  CABLE_UNKNOWN, ADVERT_AGREES, ADVERT_AGREES, "26:3",
	  "LLDP says leaf-1/local 517 (to gpu-1), which cannot be compared; speaks DCBX of CEE, "
	  "which is not decoded" },
	{ "without a name of anything",
	  { { .device = "ens1" } },
	  CABLE_UNKNOWN, ADVERT_MISSING, ADVERT_MISSING, "",
	  "LLDP names neither switch nor port; PFC, DSCP not advertised" },
	{ "two neighbours, the second is right",
	  { { .device = "ens1", .chassis = "phone", .port_type = "mac", .port = "02:00" },
	    { .device = "ens1", .chassis = "leaf-1", .port_type = "ifname", .port = "Ethernet1/1",
	      PFC(8), APPS(1, ROCE) } },
	  CABLE_CONFIRMED, ADVERT_AGREES, ADVERT_AGREES, "26:3", "" },
	{ "two neighbours, the first is right",
	  { { .device = "ens1", .chassis = "leaf-1", .port_type = "ifname", .port = "Ethernet1/1",
	      PFC(8), APPS(1, ROCE), .malformed = true },
	    { .device = "ens1", .chassis = "phone", .port_type = "mac", .port = "02:00" } },
	  CABLE_CONFIRMED, ADVERT_AGREES, ADVERT_AGREES, "26:3",
	  "a TLV of DCB is malformed and was left out" },
};

static struct spec *load(void)
{
	struct diags diags = {};
	struct spec *spec = NULL;

	assert_int_equal(spec_load(text, sizeof(text) - 1, &spec, &diags), 0);
	diags_done(&diags);
	return spec;
}

static void test_heard(void **state)
{
	_cleanup_(spec_freep) struct spec *spec = load();

	for (size_t i = 0; i < ARRAY_SIZE(heard); i++) {
		_cleanup_(cabling_done) struct cabling cabling = {};
		struct lldp_neighbor list[2];
		struct lldp_neighbors neighbors = { .list = list };
		const struct cable *cable;
		const char *name = heard[i].name;
		bool bad;

		memcpy(list, heard[i].neighbor, sizeof(list));
		neighbors.n = !!*list[0].device + !!*list[1].device;
		case_equal(name, cabling_list(spec, "gpu-1", &neighbors, &cabling), 0);
		cable = &cabling.list[0];
		case_string(name, cable->device, "ens1");
		case_string(name, cable_verdict_name(cable->verdict),
			    cable_verdict_name(heard[i].verdict));
		case_string(name, advert_verdict_name(cable->pfc.verdict),
			    advert_verdict_name(heard[i].pfc));
		case_string(name, advert_verdict_name(cable->dscp.verdict),
			    advert_verdict_name(heard[i].dscp));
		case_string(name, cable->dscp.told, heard[i].told);
		case_string(name, cable->note, heard[i].note);
		bad = heard[i].verdict == CABLE_DIFFERS || heard[i].pfc == ADVERT_DIFFERS ||
		      heard[i].dscp == ADVERT_DIFFERS || strcmp(list[0].device, "ens9") == 0;
		case_equal(name, cabling_exit(&cabling), bad ? STATUS_DRIFT : STATUS_OK);
	}
}

/* DEVICE-OR-END SWITCH/PORT VERDICT; for each cable. */
static char *print(const struct cabling *cabling)
{
	char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	for (size_t i = 0; i < cabling->n; i++) {
		const struct cable *cable = &cabling->list[i];

		(void)fprintf(out, "%s %s/%s %s\n", cable->here ? cable->device : cable->end,
			      cable->name, cable->port, cable_verdict_name(cable->verdict));
	}
	assert_int_equal(fclose(out), 0);
	return got;
}

static const struct {
	const char *node;
	bool heard;
	const char *cables;
} lists[] = {
	{ "gpu-1", true,
	  "ens1 leaf-1/Ethernet1/1 unseen\nens3 leaf-1/Ethernet1/3 unseen\n"
	  "ens2 leaf-2/Ethernet1/1 unseen\n"
	  "gpu-2/ens1 leaf-1/Ethernet1/2 elsewhere\n"
	  "spine-1/Ethernet1/1 leaf-1/Ethernet1/49 elsewhere\n"
	  "ens9 spine-1/ unlisted\n" },
	{ "gpu-1", false,
	  "ens1 leaf-1/Ethernet1/1 unknown\nens3 leaf-1/Ethernet1/3 unknown\n"
	  "ens2 leaf-2/Ethernet1/1 unknown\n"
	  "gpu-2/ens1 leaf-1/Ethernet1/2 unknown\n"
	  "spine-1/Ethernet1/1 leaf-1/Ethernet1/49 unknown\n" },
	{ "GPU-2.example", true,
	  "ens1 leaf-1/Ethernet1/2 unseen\nens2 leaf-2/Ethernet1/2 unseen\n"
	  "gpu-1/ens2 leaf-2/Ethernet1/1 elsewhere\nens9 spine-1/ unlisted\n" },
	{ "gpu-3", false, "" },
};

/* Three neighbours at ports that the file does not have: one is a switch of it. */
static void test_lists(void **state)
{
	static const struct lldp_neighbor list[] = {
		{ .device = "eno1", .chassis = "office-switch" },
		{ .device = "ens9", .chassis = "spine-1", .port_type = "ifname", .port = "Eth9" },
		{ .device = "ens9", .chassis = "spine-1", .port_type = "ifname", .port = "Eth8" },
	};
	struct lldp_neighbors neighbors = { (struct lldp_neighbor *)list, ARRAY_SIZE(list), 0 };
	_cleanup_(spec_freep) struct spec *spec = load();

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		_cleanup_(cabling_done) struct cabling cabling = {};
		_cleanup_free_ char *got = NULL;

		case_equal(lists[i].node, cabling_list(spec, lists[i].node,
						       lists[i].heard ? &neighbors : NULL,
						       &cabling), 0);
		got = print(&cabling);
		case_string(lists[i].node, got, lists[i].cables);
	}
}

/* ---- what people read ---- */

static void test_written(void **state)
{
	static const struct lldp_neighbor list[] = {
		{ .device = "ens1", .chassis = "leaf-1", .port_type = "ifname",
		  .port = "Ethernet1/1", PFC(8), APPS(1, ROCE) },
		{ .device = "ens2", .chassis = "leaf-1\033[31m", .port_type = "ifname",
		  .port = "Ethernet1/3" },
		{ .device = "ens3", .chassis = "leaf-1", .port_type = "ifname",
		  .port = "Ethernet1/3", .app_given = true },
	};
	struct lldp_neighbors neighbors = { (struct lldp_neighbor *)list, ARRAY_SIZE(list), 0 };
	static const struct report_style style = { .width = 80 };
	_cleanup_(spec_freep) struct spec *spec = load();
	_cleanup_(cabling_done) struct cabling cabling = {};
	_cleanup_free_ char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	assert_int_equal(cabling_list(spec, "gpu-1", &neighbors, &cabling), 0);
	cabling_write_text(&cabling, true, &style, out);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(got,
			    "PORT                 SWITCH PORT          LLDP       PFC     DSCP\n"
			    "ens1                 leaf-1/Ethernet1/1   confirmed  agrees  agrees\n"
			    "ens3                 leaf-1/Ethernet1/3   confirmed  –       –\n"
			    "ens2                 leaf-2/Ethernet1/1   differs    –       –\n"
			    "gpu-2/ens1           leaf-1/Ethernet1/2   elsewhere  –       –\n"
			    "spine-1/Ethernet1/1  leaf-1/Ethernet1/49  elsewhere  –       –\n"
			    "ens3: PFC, DSCP not advertised\n"
			    "ens2: LLDP says leaf-1\\x1b[31m/Ethernet1/3\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chassis), cmocka_unit_test(test_ports),
		cmocka_unit_test(test_heard),	cmocka_unit_test(test_lists),
		cmocka_unit_test(test_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
