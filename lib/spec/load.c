// SPDX-License-Identifier: LGPL-2.1-or-later
/* Text to checked spec. The tree is kept; typed values are read from it again when a node is
 * resolved. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/spec/spec-internal.h"

struct spec *spec_free(struct spec *spec)
{
	if (!spec)
		return NULL;
	yaml_done(&spec->tree);
	arena_done(&spec->names_arena);
	free(spec->names);
	free(spec);
	return NULL;
}

const char *spec_fabric(const struct spec *spec)
{
	return yaml_find(&spec->tree.root, "fabric")->text;
}

static void missing(struct reader *reader, const char *what)
{
	diag_add(reader->diags, SEVERITY_ERROR, (struct position){ 1, 1 }, 1, "%s", what);
}

/* A file of another version is not looked at any further: its keys may mean something else. */
static int version_check(struct reader *reader, const struct yaml_node *root)
{
	const struct yaml_node *version = yaml_find(root, "version");
	struct trouble trouble;
	uint64_t number;

	if (!version) {
		missing(reader, "the file has no version: write 'version: 1'");
		return 0;
	}
	if (version->kind != YAML_TEXT || yaml_is_null(version) ||
	    !number_parse(version->text, 0, UINT64_MAX, NULL, &number, &trouble) || number == 1)
		return 0;
	reader_error(
		reader, version,
		"version %s of the fabric file is not known here; this losslessd reads version 1",
		shown(version->text).text);
	return -EINVAL;
}

static int root_load(struct spec *spec, struct reader *reader)
{
	const struct yaml_node *root = &spec->tree.root;
	int r;

	r = version_check(reader, root);
	if (r < 0)
		return r;
	if (!yaml_find(root, "fabric"))
		missing(reader, "the file has no fabric: write 'fabric: NAME'");
	reader->settings = &spec->top_settings;
	section_read(reader, root, SECTION_TOP);
	reader->settings = NULL;
	nics_check(reader, yaml_find(root, "nics"));
	r = nodes_load(spec, reader, yaml_find(root, "nodes"));
	if (r >= 0)
		r = switches_load(spec, reader, yaml_find(root, "switches"));
	return r;
}

int spec_load(const char *text, size_t size, struct spec **ret, struct diags *diags)
{
	_cleanup_(spec_freep) struct spec *spec = calloc(1, sizeof(*spec));
	struct reader reader = { .diags = diags };
	int r;

	if (!spec)
		return -ENOMEM;
	r = yaml_load(text, size, &spec->tree, diags);
	if (r >= 0)
		r = root_load(spec, &reader);
	if (r < 0)
		return r;
	if (!diags_has_errors(diags))
		spec_check(spec, diags);
	if (diags_has_errors(diags))
		return -EINVAL;
	*ret = TAKE_PTR(spec);
	return 0;
}
