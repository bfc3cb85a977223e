// The packages of the harness' framing Checked (Docs/protocol.md): the length of the package in 4 bytes, the most significant first; its type in
// 1 byte; its check code in 1 byte, with which the XOR of all bytes is 0; and the content.
#ifndef PACKAGE_H
#define PACKAGE_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define HEADER_SIZE 6
#define LARGEST_CONTENT 100000000

enum package_type { HEARTBEAT = 0, MESSAGE = 1 };

// With -O2 the compiler makes vectors of what is written as vectors, and of a loop over bytes only where it knows their number.
typedef uint64_t block __attribute__((vector_size(64)));

static inline unsigned char xor_of(const unsigned char *bytes, long size)
{
    block sum = { 0 };
    long at = 0;
    for (; at + (long)sizeof(block) <= size; at += (long)sizeof(block)) {
        block next;
        memcpy(&next, bytes + at, sizeof next);
        sum ^= next;
    }

    uint64_t words = 0;
    for (int i = 0; i < (int)(sizeof(block) / sizeof words); i++) {
        words ^= sum[i];
    }

    words ^= words >> 32;
    words ^= words >> 16;
    unsigned char result = (unsigned char)(words ^ (words >> 8));
    for (; at < size; at++) {
        result ^= bytes[at];
    }

    return result;
}

// Writes what is before the content of a message, in a package of SIZE bytes.
static inline void write_header(unsigned char *package, long size)
{
    uint32_t length = htonl((uint32_t)size);
    memcpy(package, &length, sizeof length);
    package[4] = MESSAGE;
    package[5] = 0;
    package[5] = xor_of(package, size);
}

// The size of the package that begins here, if the whole of it has come: 0 if not, -1 if there is none such. LARGEST is that of a content.
static inline long measure_package(const unsigned char *bytes, long count, long largest)
{
    if (count < HEADER_SIZE) {
        return 0;
    }

    uint32_t length;
    memcpy(&length, bytes, sizeof length);
    long size = ntohl(length);
    bool can_be = bytes[4] == HEARTBEAT ? size == HEADER_SIZE : bytes[4] == MESSAGE && size > HEADER_SIZE && size <= HEADER_SIZE + largest;
    return !can_be ? -1 : count < size ? 0 : size;
}

static inline bool is_intact(const unsigned char *package, long size) { return xor_of(package, size) == 0; }

#endif
