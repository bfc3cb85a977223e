// A pair of functions for each mode with which a client of udp.c receives and sends. Both return the number of messages.
#ifndef UDP_CALLS_H
#define UDP_CALLS_H

#include "limit.h"
#include "segments.h"
#include <sys/uio.h>

#define CLIENT_BATCH 64

static size_t message_size;
static char outgoing[65536]; // every message is the same one
static char incoming[65536]; // the content is not read, so one buffer serves all messages

static void prepare_messages(int size)
{
    message_size = (size_t)size;
    memset(outgoing, 0xff, sizeof outgoing);
}

// The result is 0 if the call would block.
static long taken(ssize_t result, const char *call)
{
    if (result < 0 && errno != EAGAIN) {
        die(call);
    }

    return result < 0 ? 0 : result;
}

static long take_calls(int socket, long most)
{
    long count = 0;
    while (count < most && taken(recv(socket, incoming, sizeof incoming, 0), "a client's recv") > 0) {
        count++;
    }

    return count;
}

static long give_calls(int socket, long count)
{
    long sent = 0;
    while (sent < count && taken(send(socket, outgoing, message_size, 0), "a client's send") > 0) {
        sent++;
    }

    return sent;
}

// All messages are equal, so one buffer serves them all.
static struct mmsghdr *batch_of(struct mmsghdr *messages, struct iovec *vector)
{
    for (int i = 0; i < CLIENT_BATCH; i++) {
        messages[i].msg_hdr = (struct msghdr){ .msg_iov = vector, .msg_iovlen = 1 };
    }

    return messages;
}

static long take_batches(int socket, long most)
{
    static struct iovec vector = { incoming, sizeof incoming };
    static struct mmsghdr memory[CLIENT_BATCH], *messages;
    if (most == 1) {
        return take_calls(socket, 1);
    }

    messages = messages != NULL ? messages : batch_of(memory, &vector);
    long count = 0, asked, more;
    do {
        asked = most - count < CLIENT_BATCH ? most - count : CLIENT_BATCH;
        more = taken(recvmmsg(socket, messages, (unsigned)asked, 0, NULL), "a client's recvmmsg");
        count += more;
    } while (more == asked && count < most);
    return count;
}

static long give_batches(int socket, long count)
{
    static struct iovec vector = { outgoing, 0 };
    static struct mmsghdr memory[CLIENT_BATCH], *messages;
    if (count == 1) {
        return give_calls(socket, 1);
    }

    messages = messages != NULL ? messages : batch_of(memory, &vector);
    vector.iov_len = message_size;
    long sent = 0, more = 1;
    while (sent < count && more > 0) {
        long asked = count - sent < CLIENT_BATCH ? count - sent : CLIENT_BATCH;
        more = taken(sendmmsg(socket, messages, (unsigned)asked, 0), "a client's sendmmsg");
        sent += more;
    }

    return sent;
}

static long take_segments(int socket, long most)
{
    long count = 0, bytes = 1;
    while (count < most && bytes > 0) {
        bytes = taken(recv(socket, incoming, sizeof incoming, 0), "a client's recv");
        count += bytes / (long)message_size;
    }

    return count;
}

static long give_segments(int socket, long count)
{
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    long fit = LARGEST_DATAGRAM / (long)message_size;
    long most = fit < MOST_SEGMENTS ? fit : MOST_SEGMENTS;
    long sent = 0, bytes = 1;
    while (sent < count && bytes > 0) {
        long asked = count - sent < most ? count - sent : most;
        struct iovec vector = { outgoing, (size_t)asked * message_size };
        struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1 };
        if (asked > 1) {
            cut(&message, control, (uint16_t)message_size);
        }

        bytes = taken(sendmsg(socket, &message, 0), "a client's sendmsg");
        sent += bytes / (long)message_size;
    }

    return sent;
}

#endif
