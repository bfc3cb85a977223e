// The clients of udp.c: a connected socket each, all on one thread that waits for them with epoll.
#ifndef UDP_CLIENT_H
#define UDP_CLIENT_H

#include "limit.h"
#include <netinet/in.h>
#include <sys/epoll.h>

#define READY_AT_ONCE 256

struct client {
    int socket;
    long in_flight;
    bool is_active; // since the last refill
};

static struct load *load;
static struct client *clients;
static int ready_clients;
static long (*take)(int socket, long most); // receives; returns the number of messages
static long (*give)(int socket, long count); // sends; returns how many messages the system accepted

static void open_clients(struct load *wanted, const struct sockaddr_in *server, long (*taking)(int, long), long (*giving)(int, long))
{
    load = wanted;
    take = taking;
    give = giving;
    clients = calloc((size_t)load->clients, sizeof *clients);
    ready_clients = epoll_create1(0);
    if (clients == NULL || ready_clients < 0) {
        die("the clients");
    }

    for (int i = 0; i < load->clients; i++) {
        struct client *client = &clients[i];
        client->socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
        struct epoll_event event = { .events = EPOLLIN, .data.ptr = client };
        if (client->socket < 0 || connect(client->socket, (const struct sockaddr *)server, sizeof *server) != 0
            || epoll_ctl(ready_clients, EPOLL_CTL_ADD, client->socket, &event) != 0) {
            die("a client's socket");
        }

        reserve_buffer(client->socket, load, load->messages);
    }
}

static void fill(struct client *client)
{
    long sent = give(client->socket, load->messages - client->in_flight);
    client->in_flight += sent;
    load->sent += sent;
}

// A client that received nothing since the last refill has lost its messages. If they arrive late, the counts show it.
static void refill(void)
{
    for (int i = 0; i < load->clients; i++) {
        if (!clients[i].is_active) {
            clients[i].in_flight = 0;
            fill(&clients[i]);
        }

        clients[i].is_active = false;
    }
}

static void serve_ready(int milliseconds)
{
    struct epoll_event ready[READY_AT_ONCE];
    int count = epoll_wait(ready_clients, ready, READY_AT_ONCE, milliseconds);
    for (int i = 0; i < count; i++) {
        struct client *client = ready[i].data.ptr;
        long came = take(client->socket, client->in_flight > 0 ? client->in_flight : 1);
        load->received += came;
        client->in_flight = came < client->in_flight ? client->in_flight - came : 0;
        client->is_active = true;
        if (!load->ending) {
            fill(client);
        }
    }
}

#endif
