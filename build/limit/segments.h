// UDP segmentation: datagrams of one size for one receiver pass through the system in one buffer (udp(7)).
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include "limit.h"
#include <netinet/in.h>
#include <netinet/udp.h>

#define MOST_SEGMENTS 64 // in one buffer; newer kernels accept 128

// From now on datagrams of one size that were sent together are received together.
static inline void coalesce(int socket)
{
    int on = 1;
    if (setsockopt(socket, IPPROTO_UDP, UDP_GRO, &on, sizeof on) != 0) {
        die("UDP_GRO");
    }
}

// The size of the datagrams in one received buffer; 0 if it holds a single one.
static inline int segment_size(struct msghdr *message)
{
    int size = 0;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level == IPPROTO_UDP && part->cmsg_type == UDP_GRO) {
            memcpy(&size, CMSG_DATA(part), sizeof size);
        }
    }

    return size;
}

// Makes the kernel (or a card) cut what is sent into datagrams of a size.
static inline void cut(struct msghdr *message, char *control, uint16_t size)
{
    message->msg_control = control;
    message->msg_controllen = CMSG_SPACE(sizeof size);
    struct cmsghdr *part = CMSG_FIRSTHDR(message);
    part->cmsg_level = IPPROTO_UDP;
    part->cmsg_type = UDP_SEGMENT;
    part->cmsg_len = CMSG_LEN(sizeof size);
    memcpy(CMSG_DATA(part), &size, sizeof size);
}

#endif
