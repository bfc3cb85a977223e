// What the programs over TCP share: their sockets, and epoll.
#ifndef TCP_SOCKET_H
#define TCP_SOCKET_H

#include "limit.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <sys/epoll.h>

#define BUFFER_SIZE (64 * 1024) // as the harness' StreamThread.BufferSize
#define READY_AT_ONCE 1024
#define MOST_CALLS_AT_ONCE 16

static inline void prepare_socket(int socket)
{
    int on = 1;
    if (setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) {
        die("TCP_NODELAY");
    }
}

// Memory that begins with a page. Processors of AMD copy what a socket holds three times slower to an address that is a few bytes behind the begin of a page,
// and such are those of malloc for large memory.
static inline void *reserve_pages(long bytes)
{
    const size_t page = 4096;
    void *pages = aligned_alloc(page, ((size_t)bytes + page - 1) / page * page);
    if (pages == NULL) {
        die("the memory of a connection");
    }

    return pages;
}

// Listens on a port of the loopback that the system chooses, which is returned in ADDRESS.
static inline int open_listener(struct sockaddr_in *address)
{
    *address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof *address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)address, length) != 0
        || getsockname(listener, (struct sockaddr *)address, &length) != 0 || listen(listener, SOMAXCONN) != 0) {
        die("the server's socket");
    }

    return listener;
}

static inline void watch_socket(int ready, int socket, void *owner, int operation, uint32_t events)
{
    struct epoll_event event = { .events = events, .data.ptr = owner };
    if (epoll_ctl(ready, operation, socket, &event) != 0) {
        die("epoll_ctl");
    }
}

#endif
