// SPDX-License-Identifier: LGPL-2.1-or-later
/* Directories, attributes and symbolic links of the simulated node, as sysfs and configfs have
 * them. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/os/fake-private.h"

enum {
	LINKS_MAX = 40, /* so many symbolic links may be on one way, as in Linux */
	DEPTH_MAX = 48,
	CHILDREN_MAX = 4096,
};

static struct fake_inode *find_child(struct fake *fake, const struct fake_inode *directory,
				     const char *name, size_t length)
{
	struct fake_inode *child;

	fake->effort += directory->n_children;
	for (child = directory->children; child; child = child->next)
		if (strlen(child->name) == length && !memcmp(child->name, name, length))
			return child;
	return NULL;
}

static size_t next_word(const char **path)
{
	*path += strspn(*path, "/");
	return strcspn(*path, "/");
}

static struct fake_inode *walk(struct fake *fake, struct fake_inode *at, const char *path,
			       bool follow, unsigned int *links);

/* One step from @at, through a symbolic link if there is one. */
static struct fake_inode *step(struct fake *fake, struct fake_inode *at, const char *name,
			       size_t length, bool follow, unsigned int *links)
{
	struct fake_inode *child;

	if (length == 1 && name[0] == '.')
		return at;
	if (length == 2 && !memcmp(name, "..", 2))
		return at->parent ? at->parent : at;
	child = find_child(fake, at, name, length);
	if (!child || child->kind != FAKE_LINK || !follow)
		return child;
	return ++*links <= LINKS_MAX ? walk(fake, at, child->text, true, links) : NULL;
}

static struct fake_inode *walk(struct fake *fake, struct fake_inode *at, const char *path,
			       bool follow, unsigned int *links)
{
	size_t length;

	if (*path == '/')
		at = &fake->root;
	while (at && (length = next_word(&path))) {
		const char *name = path;

		path += length;
		at = step(fake, at, name, length, follow || path[strspn(path, "/")], links);
	}
	return at;
}

struct fake_inode *fake_tree_find(struct fake *fake, const char *path, bool follow)
{
	unsigned int links = 0;

	return walk(fake, &fake->root, path, follow, &links);
}

static struct fake_inode *add_child(struct fake_inode *directory, const char *name, size_t length,
				    enum fake_kind kind)
{
	struct fake_inode **end = &directory->children;
	struct fake_inode *inode;

	if (length >= sizeof(inode->name) || directory->kind != FAKE_DIR ||
	    directory->depth >= DEPTH_MAX || directory->n_children >= CHILDREN_MAX)
		return NULL;
	inode = calloc(1, sizeof(*inode));
	if (!inode)
		return NULL;
	inode->kind = kind;
	memcpy(inode->name, name, length);
	inode->parent = directory;
	inode->depth = directory->depth + 1;
	directory->n_children++;
	while (*end)
		end = &(*end)->next;
	*end = inode;
	return inode;
}

static struct fake_inode *make_from(struct fake *fake, struct fake_inode *at, enum fake_kind kind,
				    const char *path)
{
	unsigned int links = 0;
	size_t length;

	if (*path == '/')
		at = &fake->root;

	while (at && (length = next_word(&path))) {
		const char *name = path;
		struct fake_inode *child;
		bool last;

		path += length;
		last = !path[strspn(path, "/")];
		child = step(fake, at, name, length, true, &links);
		if (!child && find_child(fake, at, name, length))
			return NULL; /* a link that leads nowhere */
		at = child ? child : add_child(at, name, length, last ? kind : FAKE_DIR);
	}
	return at;
}

struct fake_inode *fake_tree_make(struct fake *fake, enum fake_kind kind, const char *path)
{
	return make_from(fake, &fake->root, kind, path);
}

struct fake_inode *fake_tree_make_target(struct fake *fake, struct fake_inode *link)
{
	return make_from(fake, link->parent, FAKE_DIR, link->text);
}

static int make_with_text(struct fake *fake, enum fake_kind kind, const char *path,
			  const char *text)
{
	struct fake_inode *inode = fake_tree_make(fake, kind, path);
	char *copy = inode ? strdup(text) : NULL;

	if (!copy)
		return -ENOMEM;
	free(inode->text);
	inode->text = copy;
	return 0;
}

int fake_tree_text(struct fake *fake, const char *text, const char *format, ...)
{
	char path[OS_PATH_MAX];
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(path, sizeof(path), format, ap);
	va_end(ap);
	return fake->loading ? 0 : make_with_text(fake, FAKE_FILE, path, text);
}

int fake_tree_link(struct fake *fake, const char *target, const char *format, ...)
{
	char path[OS_PATH_MAX];
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(path, sizeof(path), format, ap);
	va_end(ap);
	if (fake->loading || fake_tree_find(fake, path, false))
		return 0;
	return make_with_text(fake, FAKE_LINK, path, target);
}

int fake_tree_attribute(struct fake *fake, const struct fake_attribute *attribute,
			struct fake_device *device, unsigned int index, const char *format, ...)
{
	struct fake_inode *inode;
	char path[OS_PATH_MAX];
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(path, sizeof(path), format, ap);
	va_end(ap);
	if (fake->loading) {
		inode = fake_tree_find(fake, path, true);
		if (inode && inode->kind == FAKE_FILE)
			fake_bundle_attach(inode, attribute, device, index);
		return 0;
	}
	inode = fake_tree_make(fake, FAKE_FILE, path);
	if (!inode)
		return -ENOMEM;
	inode->attribute = attribute;
	inode->device = device;
	inode->index = index;
	inode->writable = attribute->store;
	return 0;
}

static void free_children(struct fake_inode *inode)
{
	while (inode->children) {
		struct fake_inode *child = inode->children;

		inode->children = child->next;
		free_children(child);
		free(child->text);
		free(child);
	}
}

void fake_tree_remove(struct fake_inode *inode)
{
	struct fake_inode **place;

	if (!inode || !inode->parent)
		return;
	place = &inode->parent->children;
	while (*place != inode)
		place = &(*place)->next;
	*place = inode->next;
	inode->parent->n_children--;
	free_children(inode);
	free(inode->text);
	free(inode);
}

void fake_tree_done(struct fake *fake)
{
	free_children(&fake->root);
}
