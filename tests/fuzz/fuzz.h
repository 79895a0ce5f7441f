/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What libFuzzer, or main.c in its place, calls with each input. */
#pragma once

#include <stddef.h>
#include <stdint.h>

__attribute__((__visibility__("default"))) int LLVMFuzzerTestOneInput(const uint8_t *data,
								      size_t size);

/* An input that is not read to its end. */
struct input {
	const uint8_t *data;
	size_t size;
};

/* The next byte, 0 at the end. */
static inline uint8_t input_byte(struct input *input)
{
	if (input->size == 0)
		return 0;
	input->size--;
	return *input->data++;
}

/* The next bytes, at most @size; how many there are is in @ret_size. */
static inline const uint8_t *input_bytes(struct input *input, size_t size, size_t *ret_size)
{
	const uint8_t *data = input->data;

	*ret_size = size < input->size ? size : input->size;
	input->data += *ret_size;
	input->size -= *ret_size;
	return data;
}
