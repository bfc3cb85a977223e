// Which message it is: at its start, in the byte order of this machine.
#ifndef TAG_H
#define TAG_H

#include <stdint.h>

struct tag {
    uint32_t client;
    uint32_t sequence;
    uint32_t slot;
    uint32_t check;
};

static inline struct tag make_tag(uint32_t client, uint32_t sequence, uint32_t slot)
{
    return (struct tag){ client, sequence, slot, (client * 0x9E3779B1u) ^ (sequence * 0x85EBCA77u) ^ (slot * 0xC2B2AE3Du) };
}

#endif
