// The server of udp.c: one thread that blocks in its receive call and sends back what came.
#ifndef UDP_SERVER_H
#define UDP_SERVER_H

#include "limit.h"
#include "segments.h"
#include <netinet/in.h>
#include <sys/uio.h>

#define SERVER_BATCH 64 // 256 and 1,024 were not faster
#define BUFFERS_AT_ONCE 16 // of at most 64 datagrams each

struct server {
    int socket;
    int size;
    struct sockaddr_in address;
};

static struct server open_server(const struct load *load)
{
    struct server server = { .socket = socket(AF_INET, SOCK_DGRAM, 0), .size = load->size };
    server.address.sin_family = AF_INET;
    server.address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof server.address;
    if (server.socket < 0 || bind(server.socket, (struct sockaddr *)&server.address, length) != 0
        || getsockname(server.socket, (struct sockaddr *)&server.address, &length) != 0) {
        die("the server's socket");
    }

    reserve_buffer(server.socket, load, (long)load->clients * load->messages);
    return server;
}

// One datagram a call.
static _Noreturn void *serve_calls(void *argument)
{
    const struct server *server = argument;
    static char data[LARGEST_DATAGRAM];
    for (;;) {
        struct sockaddr_in client;
        socklen_t length = sizeof client;
        ssize_t bytes = recvfrom(server->socket, data, sizeof data, 0, (struct sockaddr *)&client, &length);
        if (bytes < 0 || sendto(server->socket, data, (size_t)bytes, 0, (struct sockaddr *)&client, length) < 0) {
            die("the server");
        }
    }
}

// Sends datagrams back to where they came from.
static void answer(int socket, struct mmsghdr *messages, int count)
{
    for (int sent = 0, more; sent < count; sent += more) {
        more = sendmmsg(socket, messages + sent, (unsigned)(count - sent), 0);
        if (more < 0) {
            die("the server's sendmmsg");
        }
    }
}

// As many as have come, up to SERVER_BATCH, with one call each way.
static _Noreturn void *serve_batches(void *argument)
{
    const struct server *server = argument;
    static struct mmsghdr messages[SERVER_BATCH];
    static struct iovec vectors[SERVER_BATCH];
    static struct sockaddr_in addresses[SERVER_BATCH];
    size_t slot = ((size_t)server->size + 63) / 64 * 64;
    char *data = aligned_alloc(64, slot * SERVER_BATCH);
    if (data == NULL) {
        die("the server's buffers");
    }

    for (size_t i = 0; i < SERVER_BATCH; i++) {
        vectors[i] = (struct iovec){ data + i * slot, slot };
        messages[i].msg_hdr = (struct msghdr){ .msg_name = &addresses[i], .msg_namelen = sizeof *addresses, .msg_iov = &vectors[i], .msg_iovlen = 1 };
    }

    for (;;) {
        int count = recvmmsg(server->socket, messages, SERVER_BATCH, MSG_WAITFORONE, NULL);
        if (count < 0) {
            die("the server's recvmmsg");
        }

        for (int i = 0; i < count; i++) {
            vectors[i].iov_len = messages[i].msg_len;
        }

        answer(server->socket, messages, count);
        for (int i = 0; i < count; i++) {
            vectors[i].iov_len = slot;
        }
    }
}

// Datagrams that arrived in one buffer are sent back in one buffer, and several buffers with one call each way.
static _Noreturn void *serve_segments(void *argument)
{
    const struct server *server = argument;
    static char data[BUFFERS_AT_ONCE][65536];
    static struct mmsghdr messages[BUFFERS_AT_ONCE];
    static struct iovec vectors[BUFFERS_AT_ONCE];
    static struct sockaddr_in addresses[BUFFERS_AT_ONCE];
    static _Alignas(struct cmsghdr) char controls[BUFFERS_AT_ONCE][CMSG_SPACE(sizeof(int))];
    for (;;) {
        for (int i = 0; i < BUFFERS_AT_ONCE; i++) {
            vectors[i] = (struct iovec){ data[i], sizeof data[i] };
            messages[i].msg_hdr = (struct msghdr){ .msg_name = &addresses[i], .msg_namelen = sizeof *addresses, .msg_iov = &vectors[i],
                .msg_iovlen = 1, .msg_control = controls[i], .msg_controllen = sizeof controls[i] };
        }

        int count = recvmmsg(server->socket, messages, BUFFERS_AT_ONCE, MSG_WAITFORONE, NULL);
        if (count < 0) {
            die("the server's recvmmsg");
        }

        for (int i = 0; i < count; i++) {
            struct msghdr *header = &messages[i].msg_hdr;
            int size = segment_size(header);
            header->msg_control = NULL;
            header->msg_controllen = 0;
            if (size > 0 && (unsigned)size < messages[i].msg_len) {
                cut(header, controls[i], (uint16_t)size);
            }

            vectors[i].iov_len = messages[i].msg_len;
        }

        answer(server->socket, messages, count);
    }
}

#endif
