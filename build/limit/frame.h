// The frames of the harness' framing Checked (Docs/protocol.md): the length of the frame in 4 bytes, the most significant first; its type in
// 1 byte; its check code in 1 byte, with which the XOR of all bytes is 0; and the content.
#ifndef FRAME_H
#define FRAME_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define HEADER_SIZE 6
#define LARGEST_CONTENT 100000000

enum frame_type { HEARTBEAT = 0, MESSAGE = 1 };

// One register of every machine. With -O2 the compiler itself makes vectors only of loops whose length it knows.
typedef uint64_t block __attribute__((vector_size(16)));

static inline block block_at(const unsigned char *bytes)
{
    block found;
    memcpy(&found, bytes, sizeof found);
    return found;
}

static inline unsigned char xor_of(const unsigned char *bytes, long size)
{
    block sums[4] = { { 0 } };
    const long step = sizeof sums;
    long at = 0;
    for (; at + step <= size; at += step) {
        sums[0] ^= block_at(bytes + at);
        sums[1] ^= block_at(bytes + at + 16);
        sums[2] ^= block_at(bytes + at + 32);
        sums[3] ^= block_at(bytes + at + 48);
    }

    block sum = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
    uint64_t words = sum[0] ^ sum[1];
    words ^= words >> 32;
    words ^= words >> 16;
    unsigned char result = (unsigned char)(words ^ (words >> 8));
    for (; at < size; at++) {
        result ^= bytes[at];
    }

    return result;
}

// Writes the header of a message in a frame of SIZE bytes.
static inline void write_header(unsigned char *frame, long size)
{
    uint32_t length = htonl((uint32_t)size);
    memcpy(frame, &length, sizeof length);
    frame[4] = MESSAGE;
    frame[5] = 0;
    frame[5] = xor_of(frame, size);
}

// Returns the frame's size; 0 if incomplete; -1 if the header is invalid. LARGEST is the largest size of a content.
static inline long whole_frame_size(const unsigned char *bytes, long count, long largest)
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

static inline bool is_intact(const unsigned char *frame, long size) { return xor_of(frame, size) == 0; }

#endif
