# SPDX-License-Identifier: LGPL-2.1-or-later
# The defects: name, file, what stands there, what stands there instead. Read by mutants.sh.

mutant "status byte ignored" lib/os/dcb.c \
	'return write->status ? -EREMOTEIO : 0;' 'return 0;'
mutant "interrupted dump believed" lib/os/netlink.c \
	'return answer.interrupted ? -EINTR : answer.result;' 'return answer.result;'
mutant "no read-back" lib/reconcile/execute.c \
	'if (step_reached(step, wanted(run, step), &have)) {' 'if (true) {'
mutant "stale object overwritten" lib/reconcile/execute.c \
	'!step_expected(step, &run->plan' 'false && !step_expected(step, &run->plan'
mutant "carrier not awaited" lib/reconcile/execute.c \
	'if (r != 0 && had_carrier)' 'if (r > 1 && had_carrier)'
mutant "busy is final" lib/reconcile/execute.c \
	'if (!is_busy(&step->refusal) ||' 'if (is_busy(&step->refusal) ||'
mutant "exit 0 on failed" lib/model/verdict.c \
	$'case VERDICT_MAX:\n\t\tbreak;\n\t}\n\treturn STATUS_FAILED;' $'case VERDICT_MAX:\n\t\tbreak;\n\t}\n\treturn STATUS_OK;'
mutant "import keeps what the plan would change" lib/node/import.c \
	'if (is_calm(&plan.findings[i]))' 'if (true)'
mutant "import says of all ports what not all have" lib/node/import-write.c \
	'if (import_status(port, key) == IMPORT_NONE)' 'if (false)'
mutant "import says PFC of a switch whose ports have it off" lib/node/import-switch-take.c \
	'any_on(sw, state, SWITCH_PFC_ENABLED) ? &value : &none' '&value'
mutant "import escapes nothing in comments" lib/node/import-write.c \
	'(void)fputs(shown, out);' '(void)fwrite(text, 1, used, out);'
mutant "second entry of a DSCP overlooked" lib/model/value.c \
	'if (want->data.map.priorities[i] != have->data.map.priorities[i])' \
	'if (want->data.map.priorities[i] & ~have->data.map.priorities[i])'
mutant "other traffic taken for ours" lib/model/traffic.c \
	'found = found >= 0 || found == TRAFFIC_SEVERAL ?' 'found = false ?'
mutant "a header with a wrong checksum believed" lib/model/traffic.c \
	'return sum == 0xffff;' 'return sum != 0;'
mutant "a visitor may send without an end" lib/model/traffic-wire.c \
	'hello.messages > TRAFFIC_MESSAGES_MAX' 'hello.messages > UINT32_MAX'
mutant "HOST bit as a constant" lib/nic/dcbx.c \
	'mode |= driver->dcbx_host;' 'mode = driver->dcbx_host;'
mutant "undo record not on disk before the first write" lib/node/store.c \
	$'\t\tr = save_undo(&draft);\n\treturn draft_end' $'\t\tr = 0;\n\treturn draft_end'
mutant "rollback in the order of an apply" lib/node/pass.c \
	'r = pass_look(pass, PLAN_BACK,' 'r = pass_look(pass, PLAN_FORWARD,'
mutant "range checked after a cast" lib/spec/number.c \
	$'if (value < min || value > max)\n\t\treturn range_trouble(text, min, max, NULL, trouble);' \
	$'if ((uint8_t)value < min || (uint8_t)value > max)\n\t\treturn range_trouble(text, min, max, NULL, trouble);'
mutant "old name after a rename" lib/nic/map.c \
	'if (strcmp(link.name, nic->name) != 0)' 'if (false && strcmp(link.name, nic->name) != 0)'
mutant "a VLAN grows before its port" lib/reconcile/plan.c \
	'return shrinks(plan, lower) ? -1 : 1;' 'return shrinks(plan, lower) ? 1 : -1;'
mutant "both links of a bond down at once" lib/reconcile/links.c \
	'return links->in_use || (bond &&' 'return links->in_use || (false && bond &&'
mutant "links dropped at once under a job" lib/reconcile/links.c \
	'in_use(links->provider, NULL) != 0' 'in_use(links->provider, NULL) < 0'
mutant "notification point switched off beside a wanted priority" lib/model/value.c \
	'if (want->data.switches.on)' 'if (false)'
mutant "add before delete where a DSCP cannot be mapped anew" lib/reconcile/plan.c \
	'if (driver->app_delete_first && (edit.delete & parts))' \
	'if (false && (edit.delete & parts))'
mutant "PFC without ETS on bnxt" lib/model/driver.c \
	'.pfc_needs_ets = true,' '.pfc_needs_ets = false,'
mutant "a priority limited in the class of its number" lib/nic/dcb-maxrate.c \
	'want->of_priorities ? dcb->ets.prio_tc[i] : (unsigned int)i' '(unsigned int)i'
mutant "two rates for one class, the last wins" lib/nic/dcb-maxrate.c \
	'if (owner[class] >= 0 &&' 'if (false && owner[class] >= 0 &&'
mutant "DCB of an unknown driver written" lib/reconcile/judge.c \
	'if (!driver->writes_dcb) {' 'if (false) {'
mutant "worker writes over what changed" lib/nic/serve.c \
	'if (!is_expected(job))' 'if (false && !is_expected(job))'
mutant "worker writes DCB of an unknown driver" lib/nic/serve.c \
	'if (!is_writable(job))' 'if (false && !is_writable(job))'
mutant "worker takes any index for the name" lib/nic/serve.c \
	'return nic->ifindex == named->ifindex && nic->rdma_port' 'return nic->rdma_port'
mutant "worker takes any number" lib/nic/wire.c \
	'return !wanted || (number >= min && number <= max);' 'return !wanted || number >= min || number <= max;'
mutant "worker overlooks what is not used" lib/nic/wire.c \
	'if (memcmp(&again, wire, sizeof(again)) != 0)' 'if (false)'
mutant "write without an answer sent twice" lib/nic/remote.c \
	'if (r == -ECONNRESET && call->verb != WIRE_WRITE)' 'if (r == -ECONNRESET)'
mutant "other answer taken" lib/nic/remote.c \
	'r = n < 0 ? (int)n : wire_reply_decode(&reply, (size_t)n, call, have, ret, ret_result);' \
	'call->id = reply.id, r = n < 0 ? (int)n : wire_reply_decode(&reply, (size_t)n, call, have, ret, ret_result);'
mutant "lost answer is a failure" lib/reconcile/execute.c \
	'if (r < 0 && !is_unknown(r)) {' 'if (r < 0) {'
mutant "slow worker is believed to be done" lib/reconcile/links.c \
	'if (!other->carrier_lost && !other->in_doubt)' 'if (!other->carrier_lost)'
mutant "loss told while the kernel is silent about more" lib/os/monitor.c \
	'!is_empty(monitor->fd[source])' '(is_empty(monitor->fd[source]) && false)'
mutant "events of anybody believed" lib/os/monitor.c \
	'from.nl_pid == 0)' 'from.nl_pid < UINT32_MAX)'
mutant "link events not compared" daemon/watch.c \
	$'\tset_known(known, link);' ''
mutant "resync for each loss" daemon/watch.c \
	'watch->lost = watch->pause != NULL;' 'watch->lost = false;'
mutant "losses after a resync forgotten" daemon/watch.c \
	$'if (watch->lost)\n\t\ton_lost' $'if (false)\n\t\ton_lost'
mutant "a prompt believed at once" lib/switch/session-wait.c \
	'if ((settled || session->host[0]) && is_prompt(session))' 'if (is_prompt(session))'
mutant "no echo awaited" lib/switch/session-wait.c \
	'if (session->screen.expected || screen_line_trimmed' 'if (screen_line_trimmed'
mutant "any question answered that is named" lib/switch/session-wait.c \
	'(where == ASK_ANY || where == waiting->where) &&' 'true &&'
mutant "allowed answers while a question is refused" lib/switch/session-wait.c \
	'if (waiting->refusing)' 'if (false)'
mutant "the password into any question" lib/switch/session-wait.c \
	'if (waiting->enabling && line_matches(session, session->enable_password))' \
	'if (waiting->enabling && asks(session))'
mutant "a mode taken for the name" lib/switch/session-wait.c \
	'if (!is_plain(session->host))' 'if (true)'
mutant "a closed connection ends an answer" lib/switch/session-wait.c \
	'return session_say(session, SESSION_TRUNCATED,' 'return session_say(session, SESSION_OK,'
mutant "unknown questions at login are refused aloud" lib/switch/session.c \
	'if (end == SESSION_QUESTION && !waiting.login)' 'if (end == SESSION_QUESTION)'
mutant "a line sent into what is not finished" lib/switch/session.c \
	'if (session->at_prompt)' 'if (true)'
mutant "mode of a line not checked" lib/switch/session.c \
	'if (pattern_match(pattern, session->mode, strlen(session->mode), 0) <= 0)' 'if (false)'
mutant "errors overlooked" lib/switch/session.c \
	'return end == SESSION_OK ? check_answer(session, line) : end;' 'return end;'
mutant "secrets shown" lib/switch/session-words.c \
	'if (n < SECRET_MIN)' 'if (true)'
mutant "a refused setting believed" lib/switch/session-login.c \
	$'if (end == SESSION_OK)\n\t\t\tcontinue;' \
	$'if (end == SESSION_OK || end == SESSION_REFUSED)\n\t\t\tcontinue;'
mutant "another type of key is unknown" lib/switch/known-hosts.c \
	'else if (known == KNOWN_NOT)' 'else if (known == KNOWN_NOT && word_is(line.type, key->type))'
mutant "known hosts that cannot be read are none" lib/switch/known-hosts.c \
	'if (fd < 0 && errno == ENOENT) {' 'if (fd < 0) {'
mutant "credentials for everybody" lib/switch/credential.c \
	'if (info->st_mode & S_IRWXO)' 'if (info->st_mode & S_IWOTH)'
mutant "a host that is a pattern in its prompt" lib/switch/pattern.c \
	'!put_literal(&quoted, host)' '!put(&quoted, host, strlen(host))'
mutant "a pattern without a limit" lib/switch/pattern.c \
	'pcre2_set_match_limit(pattern->limits, MATCH_MAX)' 'pcre2_set_match_limit(pattern->limits, UINT32_MAX)'
mutant "control bytes sent to a switch" lib/switch/template.c \
	'if (!line_is_plain(line.data))' 'if (false)'
mutant "old before new on a switch" lib/switch/render.c \
	$'\t\tr = add_new(render, change, &full);\n\treturn r < 0 ? r : delete_old(render, change, &full);' \
	$'\t\tr = delete_old(render, change, &full);\n\treturn r < 0 ? r : add_new(render, change, &full);'
mutant "nothing said is the default, whatever was printed" lib/switch/parse.c \
	'if (read->expect && pattern_match(read->expect, answer, size, 0) != 1)' 'if (false)'
mutant "half a value is a value" lib/switch/parse.c \
	'state->bad || !is_whole(taker->knob, &state->value) ||' 'state->bad ||'
mutant "not understood is not said" lib/switch/parse.c \
	'state->bad || !is_whole(taker->knob, &state->value) ||' '!is_whole(taker->knob, &state->value) ||'
mutant "a list not told is as by itself" lib/switch/parse.c \
	'!complete(taker, state, have)' '(complete(taker, state, have), false)'
mutant "configured is in force" lib/switch/parse.c \
	'state->idle |= !on;' 'state->idle |= on && !on;'
mutant "a port that the dialect does not have" lib/switch/dialect.c \
	'pattern_match(dialect->port_names, port, strlen(port), 0) == 1' 'true'
mutant "a row of nobody" lib/switch/parse.c \
	'return asked_alone(taker);' 'return taker->n == 1;'
mutant "asked by any name" lib/switch/query.c \
	'r = is_port ? dialect_check_port' 'r = false ? dialect_check_port'
mutant "a bare port in a shell" lib/switch/load.c \
	'loader->dialect->rules.exit_status && (line->uses & USES_BARE)' 'false'
mutant "one way in, never out" lib/switch/render.c \
	$'\tif (r == 0)\n\t\tr = leave(&render, 0);' $'\tif (r == 0)\n\t\tr = 0;'
mutant "DCBX TLV that comes again believed" lib/switch/lldp.c \
	'return neighbor->pfc.given || decode_pfc(' 'return decode_pfc('
mutant "LLDP as deep as it likes" lib/switch/lldp.c \
	'if (depth > LLDP_DEPTH_MAX)' 'if (false)'
mutant "short for two ports" lib/node/cabling-match.c \
	'found = found ? "" : ports[i];' 'found = ports[i];'
mutant "description before the name of a port" lib/node/cabling-match.c \
	'named ? "" : neighbor->port_text' 'neighbor->port_text'
mutant "what another port advertises" lib/node/cabling.c \
	'if (cable->verdict != CABLE_DIFFERS)' 'if (true)'
mutant "PFC that is off at the port" lib/report/cables.c \
	'if (switch_has_off(ends, SWITCH_PFC_ENABLED))' 'if (false)'
mutant "frames that just fit" lib/report/cables.c \
	'value.entry[0].field[0] < (uint64_t)' 'value.entry[0].field[0] <= (uint64_t)'
mutant "exit 0 on ends that differ" lib/node/pass.c \
	'report.exit = exit_worse(report.exit, cables_exit(&report));' ''
mutant "lldpcli that failed believed" cli/lldp.c \
	'if (r == 0 && status != 0)' 'if (false)'
mutant "written though what it needs is not known" lib/switch/drive.c \
	'waits_for(drive, target, knob) == SWITCH_KNOB_MAX;' 'true;'
mutant "rules of others on a switch taken away" lib/switch/drive.c \
	'return drive->exact || switch_knob_table[knob].whole ||' 'return true || switch_knob_table[knob].whole ||'
mutant "a way back that leaves the larger MTU" lib/switch/drive.c \
	'if (knob == SWITCH_MTU && !drive->exact && want->n && have->n)' 'if (knob == SWITCH_MTU && want->n && have->n)'
mutant "a bridge that redirects taken for good" lib/node/doctor-pci.c \
	'(control & REDIRECTS))' '(control & 0))'
mutant "what a plain user reads of PCI taken for all" lib/nic/pci.h \
	'return config->size > PCI_CONFIG_USER;' 'return true;'
mutant "any name of a device handed to a shell" lib/node/nccl.c \
	'return *name && !name[strspn(name, plain)];' 'return *name && plain[0];'
mutant "the GID index of one device taken for all" lib/node/nccl.c \
	'same &= port->gid.index == first->gid.index;' 'same &= true;'
mutant "a range through a gap" lib/report/names.c \
	'group[last + 1]->number <= group[last]->number + 1' 'group[last + 1]->number <= group[last]->number + 2'
mutant "07 taken for 7" lib/report/names.c \
	'(!leads_with_zero(a) && !leads_with_zero(b))' 'true'
mutant "one minute for 90 seconds" lib/report/when.c \
	'span_s < 2 * units[i].unit_s' 'span_s < units[i].unit_s'
mutant "apply told for what it does not mend" lib/report/findings.c \
	'(finding->not_ours || finding_advice_is_own(finding))' 'finding_advice_is_own(finding)'
mutant "an unconfirmed apply that says nothing" lib/report/findings.c \
	$'if (!report->confirm_s)\n\t\treturn;' 'return;'
mutant "together in a file too" lib/report/writer-text-status.c \
	'if (style->width && is_crowded(report))' 'if (is_crowded(report))'
mutant "switches of others counted" lib/report/switches.c \
	$'if (state->calm == SWITCH_OF_ANOTHER)\n\t\t\tcontinue;' ''
mutant "notes in a column of any width" lib/report/table.c \
	'total_width(ret) > limit && table->columns' 'false && table->columns'
mutant "metrics without what is contested" daemon/metrics.c \
	$'if (finding->exit != STATUS_OK)\n\t\t\tformat_finding(' $'if (finding->exit == STATUS_FAILED)\n\t\t\tformat_finding('
