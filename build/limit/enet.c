// Round trips over ENet on the loopback, as many as this machine can do with the C library: a thread with the server's host, a
// thread with a host for each client. Unreliable packets; many travel in one datagram, as ENet does it.
#define _GNU_SOURCE
#include "limit.h"
#include <enet/enet.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>

#define READY_AT_ONCE 256
#define LONGEST_REST 0.05 // seconds; a host that receives nothing must still acknowledge, retransmit and ping
#define CONNECTING_AT_ONCE 16
#define CONNECT_DEADLINE 10.0

struct client {
    ENetHost *host;
    ENetPeer *server;
    long in_flight;
    bool is_active; // since the last refill
};

static struct load load;
static struct client *clients;
static int connected_clients;
static int ready_clients;
static char outgoing[LARGEST_DATAGRAM];

static ENetHost *open_host(const ENetAddress *address, size_t peers, long messages)
{
    ENetHost *host = enet_host_create(address, peers, 1, 0, 0);
    if (host == NULL) {
        die("enet_host_create");
    }

    reserve_buffer(host->socket, &load, messages);
    return host;
}

// ENet would drop unreliable packets at the sender when round trips become longer, which a full window makes them.
static void disable_throttle(ENetPeer *peer)
{
    enet_peer_throttle_configure(peer, ENET_PEER_PACKET_THROTTLE_INTERVAL, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
}

static void send_message(ENetPeer *peer, const void *data, size_t size)
{
    ENetPacket *packet = enet_packet_create(data, size, ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT);
    if (packet == NULL || enet_peer_send(peer, 0, packet) != 0) {
        fprintf(stderr, "enet_peer_send failed\n");
        exit(1);
    }
}

static _Noreturn void *serve(void *argument)
{
    ENetHost *host = argument;
    struct pollfd readable = { .fd = host->socket, .events = POLLIN };
    for (;;) {
        poll(&readable, 1, (int)(LONGEST_REST * 1000));
        ENetEvent event;
        for (int more = enet_host_service(host, &event, 0); more > 0; more = enet_host_check_events(host, &event)) {
            if (event.type == ENET_EVENT_TYPE_CONNECT) {
                disable_throttle(event.peer);
            } else if (event.type == ENET_EVENT_TYPE_RECEIVE) {
                send_message(event.peer, event.packet->data, event.packet->dataLength);
                enet_packet_destroy(event.packet);
            }
        }

        enet_host_flush(host);
    }
}

static void open_client(struct client *client, const ENetAddress *server)
{
    client->host = open_host(NULL, 1, load.messages);
    client->server = enet_host_connect(client->host, server, 1, 0);
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = client };
    if (client->server == NULL || epoll_ctl(ready_clients, EPOLL_CTL_ADD, client->host->socket, &event) != 0) {
        die("a client");
    }

    enet_host_flush(client->host);
}

static void fill(struct client *client)
{
    while (!load.ending && client->in_flight < load.messages) {
        send_message(client->server, outgoing, (size_t)load.size);
        client->in_flight++;
        load.sent++;
    }
}

// Takes what has come, answers each message with a new one, and sends those together.
static void service(struct client *client)
{
    ENetEvent event;
    for (int more = enet_host_service(client->host, &event, 0); more > 0; more = enet_host_check_events(client->host, &event)) {
        if (event.type == ENET_EVENT_TYPE_CONNECT) {
            disable_throttle(event.peer);
            connected_clients++;
        } else if (event.type == ENET_EVENT_TYPE_RECEIVE) {
            enet_packet_destroy(event.packet);
            load.received++;
            client->is_active = true;
            client->in_flight -= client->in_flight > 0;
            fill(client);
        } else if (event.type == ENET_EVENT_TYPE_DISCONNECT) {
            fprintf(stderr, "A connection ended.\n");
            exit(1);
        }
    }

    enet_host_flush(client->host);
}

static void serve_ready(int milliseconds)
{
    static double next_rest;
    struct epoll_event ready[READY_AT_ONCE];
    int rest = (int)(LONGEST_REST * 1000);
    int count = epoll_wait(ready_clients, ready, READY_AT_ONCE, milliseconds < rest ? milliseconds : rest);
    for (int i = 0; i < count; i++) {
        service(ready[i].data.ptr);
    }

    double time = now();
    if (time > next_rest) {
        next_rest = time + LONGEST_REST;
        for (int i = 0; i < load.clients && clients[i].host != NULL; i++) {
            service(&clients[i]);
        }
    }
}

// A client that received nothing since the last refill has lost its messages. If they arrive late, the counts show it.
static void refill(void)
{
    for (int i = 0; i < load.clients; i++) {
        if (!clients[i].is_active) {
            clients[i].in_flight = 0;
            fill(&clients[i]);
            enet_host_flush(clients[i].host);
        }

        clients[i].is_active = false;
    }
}

static void open_clients(const ENetAddress *server)
{
    ready_clients = epoll_create1(0);
    clients = calloc((size_t)load.clients, sizeof *clients);
    if (ready_clients < 0 || clients == NULL) {
        die("the clients");
    }

    double deadline = now() + CONNECT_DEADLINE;
    for (int opened = 0; connected_clients < load.clients;) {
        while (opened < load.clients && opened - connected_clients < CONNECTING_AT_ONCE) {
            open_client(&clients[opened++], server);
        }

        serve_ready(10);
        if (now() > deadline) {
            fprintf(stderr, "Only %d of %d clients connected.\n", connected_clients, load.clients);
            exit(1);
        }
    }
}

int main(int count, char **values)
{
    if (!read_load(count - 1, values + 1, &load, LARGEST_DATAGRAM) || load.clients > ENET_PROTOCOL_MAXIMUM_PEER_ID) {
        fprintf(stderr, "usage: %s CLIENTS MESSAGES SECONDS [SIZE]\n", values[0]);
        return 2;
    }

    memset(outgoing, 0xff, sizeof outgoing);
    allow_many_sockets();
    ENetAddress address = { .port = ENET_PORT_ANY };
    if (enet_initialize() != 0 || enet_address_set_host_ip(&address, "127.0.0.1") != 0) {
        die("enet_initialize");
    }

    ENetHost *host = open_host(&address, (size_t)load.clients, (long)load.clients * load.messages);
    address.port = host->address.port;
    pthread_t thread;
    errno = pthread_create(&thread, NULL, serve, host);
    if (errno != 0) {
        die("pthread_create");
    }

    // The server sleeps in the kernel, and ends with the process.
    open_clients(&address);
    measure(&load, serve_ready, refill, NULL);
    return 0;
}
