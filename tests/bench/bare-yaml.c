// SPDX-License-Identifier: LGPL-2.1-or-later
/* libyaml alone, over a text in memory. */
#include <yaml.h>

#include "tests/bench/bare.h"

size_t bare_yaml(const char *text, size_t size)
{
	yaml_parser_t parser;
	yaml_event_t event;
	int more = 1;
	size_t n = 0;

	if (!yaml_parser_initialize(&parser))
		return 0;
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
	while (more) {
		if (!yaml_parser_parse(&parser, &event)) {
			n = 0;
			break;
		}
		more = event.type != YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
		n++;
	}
	yaml_parser_delete(&parser);
	return n;
}
