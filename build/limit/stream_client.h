// The clients of tcp.c and tls.c: a connection each, all on one thread that waits for them with epoll.
#ifndef STREAM_CLIENT_H
#define STREAM_CLIENT_H

#include "stream.h"

static struct connection *clients;
static int ready_clients;
static char *outgoing; // every message is the same one
static char incoming[BUFFER_SIZE]; // nobody looks at it

static void open_clients(const struct sockaddr_in *server)
{
    long most = (long)load->messages * load->size;
    outgoing = malloc((size_t)most);
    clients = calloc((size_t)load->clients, sizeof *clients);
    ready_clients = epoll_create1(0);
    if (outgoing == NULL || clients == NULL || ready_clients < 0) {
        die("the clients");
    }

    memset(outgoing, 0xff, (size_t)most);
    for (int i = 0; i < load->clients; i++) {
        struct connection *client = &clients[i];
        client->socket = socket(AF_INET, SOCK_STREAM, 0);
        if (client->socket < 0 || connect(client->socket, (const struct sockaddr *)server, sizeof *server) != 0) {
            die("a client's socket");
        }

        prepare_socket(client->socket);
        open_side(client, false);
        watch(ready_clients, client, EPOLL_CTL_ADD, EPOLLIN);
    }
}

// Sends what a client owes. What the system does not take waits for room.
static void settle(struct connection *client)
{
    client->owed -= client->owed > 0 ? send_messages(client, outgoing, client->owed) : 0;
    if (client->watches_room != (client->owed > 0)) {
        client->watches_room = client->owed > 0;
        watch(ready_clients, client, EPOLL_CTL_MOD, client->watches_room ? EPOLLIN | EPOLLOUT : EPOLLIN);
    }
}

static void fill(struct connection *client)
{
    long free = load->messages - client->in_flight;
    client->in_flight += free;
    client->owed += free * load->size;
    load->sent += free;
    settle(client);
}

// A stream loses nothing, so only the first windows are to be filled.
static void refill(void)
{
    for (int i = 0; i < load->clients; i++) {
        if (clients[i].in_flight == 0) {
            fill(&clients[i]);
        }
    }
}

// Takes what has come and answers it; whether there is likely to be more.
static bool take(struct connection *client)
{
    long came = receive_bytes(client, incoming, BUFFER_SIZE);
    long size = client->part_length + came;
    client->part_length = (int)(size % load->size);
    load->received += size / load->size;
    client->in_flight -= size / load->size;
    if (!load->ending) {
        fill(client);
    }

    return came == BUFFER_SIZE || (came > 0 && holds_bytes(client));
}

static void turn(int milliseconds)
{
    struct epoll_event ready[READY_AT_ONCE];
    int count = epoll_wait(ready_clients, ready, READY_AT_ONCE, milliseconds);
    for (int i = 0; i < count; i++) {
        struct connection *client = ready[i].data.ptr;
        if (client->watches_room) {
            settle(client);
        }

        bool more = true;
        for (int call = 0; more && (call < MOST_CALLS_A_TURN || holds_bytes(client)); call++) {
            more = take(client);
        }
    }
}

#endif
