// The server of framed.c. The main loop accepts connections and hands them to the sub loops round-robin; a sub loop answers the messages of its
// connections until they end. Each loop is a thread that waits with epoll, level-triggered, and no call on a socket waits.
#ifndef FRAMED_SERVER_H
#define FRAMED_SERVER_H

#include "frame.h"
#include "tcp_socket.h"
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#define MOST_LOOPS 64

struct framed_server {
    int listener;
    struct sockaddr_in address;
    int loops;
    int ready[MOST_LOOPS]; // of each sub loop
    long largest; // content, in bytes
    bool sends_each_message;
};

struct sub_loop {
    const struct framed_server *server;
    int ready;
};

// The connection of a client. Messages are answered where they have come: their frames need a new header alone.
struct peer {
    int socket;
    bool waits_for_buffer;
    long received; // bytes in the buffer
    long answered; // those of frames that were checked and answered
    long sent; // those of answers that the system has taken
    _Alignas(64) unsigned char buffer[]; // of the largest frame and BUFFER_SIZE bytes
};

enum progress { GOES_ON, WAITS_FOR_BUFFER, HAS_ENDED };

static long capacity_of(const struct framed_server *server) { return server->largest + HEADER_SIZE + BUFFER_SIZE; }

static enum progress send_answers(struct peer *peer)
{
    while (peer->sent < peer->answered) {
        ssize_t sent = send(peer->socket, peer->buffer + peer->sent, (size_t)(peer->answered - peer->sent), MSG_NOSIGNAL);
        if (sent < 0) {
            return errno == EAGAIN || errno == EINTR ? WAITS_FOR_BUFFER : HAS_ENDED;
        }

        peer->sent += sent;
    }

    return GOES_ON;
}

static enum progress answer_frame(const struct framed_server *server, struct peer *peer, long size)
{
    unsigned char *frame = peer->buffer + peer->answered;
    if (!is_intact(frame, size)) {
        return HAS_ENDED;
    }

    if (frame[4] == HEARTBEAT) {
        // It has no answer, so what is before it is not sent together with what is behind it.
        enum progress progress = send_answers(peer);
        if (progress == GOES_ON) {
            peer->answered += size;
            peer->sent = peer->answered;
        }

        return progress;
    }

    write_header(frame, size);
    peer->answered += size;
    return server->sends_each_message ? send_answers(peer) : GOES_ON;
}

// Answers all whole frames that have come, as long as the system takes the answers.
static enum progress answer_frames(const struct framed_server *server, struct peer *peer)
{
    enum progress progress = send_answers(peer);
    while (progress == GOES_ON) {
        long size = whole_frame_size(peer->buffer + peer->answered, peer->received - peer->answered, server->largest);
        if (size <= 0) {
            return size == 0 ? send_answers(peer) : HAS_ENDED;
        }

        progress = answer_frame(server, peer, size);
    }

    return progress;
}

// Receives into the rest of the buffer, behind an incomplete frame. MORE is whether more bytes are likely to be ready.
static enum progress receive(const struct framed_server *server, struct peer *peer, bool *more)
{
    if (peer->answered > 0) {
        peer->received -= peer->answered;
        memmove(peer->buffer, peer->buffer + peer->answered, (size_t)peer->received);
        peer->answered = peer->sent = 0;
    }

    long capacity = capacity_of(server) - peer->received;
    ssize_t came = recv(peer->socket, peer->buffer + peer->received, (size_t)capacity, 0);
    *more = came == capacity;
    if (came <= 0) {
        return came < 0 && (errno == EAGAIN || errno == EINTR) ? GOES_ON : HAS_ENDED;
    }

    peer->received += came;
    return GOES_ON;
}

static void serve_peer(const struct sub_loop *loop, struct peer *peer)
{
    bool more = true;
    enum progress progress = answer_frames(loop->server, peer);
    for (int call = 0; more && progress == GOES_ON && call < MOST_CALLS_AT_ONCE; call++) {
        progress = receive(loop->server, peer, &more);
        progress = progress == GOES_ON ? answer_frames(loop->server, peer) : progress;
    }

    if (progress == HAS_ENDED) {
        close(peer->socket);
        free(peer);
    } else if (peer->waits_for_buffer != (progress == WAITS_FOR_BUFFER)) {
        // Nothing is read from a client that does not take its answers.
        peer->waits_for_buffer = !peer->waits_for_buffer;
        watch_socket(loop->ready, peer->socket, peer, EPOLL_CTL_MOD, peer->waits_for_buffer ? EPOLLOUT : EPOLLIN);
    }
}

static _Noreturn void *serve_peers(void *argument)
{
    struct sub_loop *loop = argument;
    for (;;) {
        struct epoll_event ready[READY_AT_ONCE];
        int count = epoll_wait(loop->ready, ready, READY_AT_ONCE, -1);
        for (int i = 0; i < count; i++) {
            serve_peer(loop, ready[i].data.ptr);
        }
    }
}

// The connection belongs to the sub loop from here on.
static void hand_over(const struct framed_server *server, int socket, int loop)
{
    struct peer *peer = reserve_pages((long)sizeof *peer + capacity_of(server));
    *peer = (struct peer){ .socket = socket };
    prepare_socket(socket);
    watch_socket(server->ready[loop], socket, peer, EPOLL_CTL_ADD, EPOLLIN);
}

static _Noreturn void *accept_peers(void *argument)
{
    const struct framed_server *server = argument;
    int ready = epoll_create1(0), next = 0;
    watch_socket(ready, server->listener, NULL, EPOLL_CTL_ADD, EPOLLIN);
    for (;;) {
        struct epoll_event event;
        int socket;
        epoll_wait(ready, &event, 1, -1);
        while ((socket = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
            hand_over(server, socket, next);
            next = (next + 1) % server->loops;
        }

        if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
            die("accept");
        }
    }
}

static void start_thread(void *(*run)(void *), void *argument)
{
    pthread_t thread;
    errno = pthread_create(&thread, NULL, run, argument);
    if (errno != 0) {
        die("pthread_create");
    }
}

// Listens on a port that the system chooses, and starts the sub loops. The main loop is left to the caller.
static void open_framed_server(struct framed_server *server)
{
    static struct sub_loop sub_loops[MOST_LOOPS];
    server->listener = open_listener(&server->address);
    if (fcntl(server->listener, F_SETFL, O_NONBLOCK) != 0) {
        die("O_NONBLOCK");
    }

    for (int loop = 0; loop < server->loops; loop++) {
        server->ready[loop] = epoll_create1(0);
        sub_loops[loop] = (struct sub_loop){ .server = server, .ready = server->ready[loop] };
        start_thread(serve_peers, &sub_loops[loop]);
    }
}

#endif
