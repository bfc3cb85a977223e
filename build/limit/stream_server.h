// The server of tcp.c and tls.c: one thread that waits for all connections with epoll, and sends back what came.
#ifndef STREAM_SERVER_H
#define STREAM_SERVER_H

#include "stream.h"

struct server {
    int listener;
    int ready;
    struct connection *connections;
    struct sockaddr_in address;
};

static struct server open_server(void)
{
    struct server server = { .ready = epoll_create1(0) };
    server.listener = open_listener(&server.address);
    server.connections = calloc((size_t)load->clients, sizeof *server.connections);
    if (server.ready < 0 || server.connections == NULL) {
        die("the server");
    }

    return server;
}

// What the system does not take waits, and nothing is read meanwhile.
static void hold_back(struct server *server, struct connection *connection, const char *bytes, long size)
{
    if (connection->waiting == NULL) {
        connection->waiting = malloc(2 * BUFFER_SIZE);
        if (connection->waiting == NULL) {
            die("the memory of a connection");
        }
    }

    memcpy(connection->waiting, bytes, (size_t)size);
    connection->waiting_start = 0;
    connection->waiting_length = size;
    watch(server->ready, connection, EPOLL_CTL_MOD, EPOLLOUT);
}

// What the answers are sent from. A server that answers message by message, and sends them together, copies each.
static const char *answers_to(const char *messages, long size)
{
    static char copies[2 * BUFFER_SIZE];
    if (sends_each_message) {
        return messages;
    }

    for (long at = 0; at < size; at += load->size) {
        memcpy(copies + at, messages + at, (size_t)load->size);
    }

    return copies;
}

// Answers what one receive call brought; whether there is likely to be more.
static bool answer(struct server *server, struct connection *connection)
{
    static char buffer[2 * BUFFER_SIZE];
    bool more;
    long size = receive_messages(connection, buffer, &more);
    const char *answers = answers_to(buffer, size);
    long sent = size > 0 ? send_messages(connection, answers, size) : 0;
    if (sent < size) {
        hold_back(server, connection, answers + sent, size - sent);
        return false;
    }

    return more;
}

// Sends what waits; whether all of it went.
static bool send_waiting(struct server *server, struct connection *connection)
{
    long sent = send_messages(connection, connection->waiting + connection->waiting_start, connection->waiting_length);
    connection->waiting_start += sent;
    connection->waiting_length -= sent;
    if (connection->waiting_length == 0) {
        watch(server->ready, connection, EPOLL_CTL_MOD, EPOLLIN);
    }

    return connection->waiting_length == 0;
}

// Sends what waits, then answers what has arrived. epoll does not report bytes buffered by OpenSSL, so read until none remain.
static void serve_connection(struct server *server, struct connection *connection)
{
    bool more = connection->waiting_length == 0 || send_waiting(server, connection);
    for (int call = 0; more && (call < MOST_CALLS_AT_ONCE || holds_bytes(connection)); call++) {
        more = answer(server, connection);
    }
}

static void accept_clients(struct server *server)
{
    for (int i = 0; i < load->clients; i++) {
        struct connection *connection = &server->connections[i];
        connection->socket = accept(server->listener, NULL, NULL);
        if (connection->socket < 0) {
            die("accept");
        }

        prepare_socket(connection->socket);
        reserve_part(connection);
        open_side(connection, true);
        watch(server->ready, connection, EPOLL_CTL_ADD, EPOLLIN);

        // The first messages may have come together with the end of the handshake.
        serve_connection(server, connection);
    }
}

static _Noreturn void *serve(void *argument)
{
    struct server *server = argument;
    accept_clients(server);
    for (;;) {
        struct epoll_event ready[READY_AT_ONCE];
        int count = epoll_wait(server->ready, ready, READY_AT_ONCE, -1);
        for (int i = 0; i < count; i++) {
            serve_connection(server, ready[i].data.ptr);
        }
    }
}

#endif
