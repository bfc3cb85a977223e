// The clients of tcp.c and tls.c: a connection each, all on one thread that waits for them with epoll. For each message they do what the
// harness does: a tag, its check, the order of the answers, and the round trip in a histogram of HdrHistogram's layout.
#ifndef STREAM_CLIENT_H
#define STREAM_CLIENT_H

#include "histogram.h"
#include "stream.h"

static struct connection *clients;
static int ready_clients;
static char *message; // the tag is written over its start
static char outgoing[2 * BUFFER_SIZE]; // of the client that is served
static long outgoing_length;
static long current_time; // nanoseconds, read after each receive call
static struct histogram round_trips = { .smallest = HIGHEST_NANOSECONDS };

static long unexpected_answers;

static void open_clients(const struct sockaddr_in *server)
{
    message = malloc((size_t)load->size);
    clients = calloc((size_t)load->clients, sizeof *clients);
    ready_clients = epoll_create1(0);
    if (message == NULL || clients == NULL || ready_clients < 0) {
        die("the clients");
    }

    memset(message, 0xff, (size_t)load->size);
    for (int i = 0; i < load->clients; i++) {
        struct connection *client = &clients[i];
        client->number = (uint32_t)i;
        client->slots = calloc((size_t)load->messages, sizeof *client->slots);
        client->waiting = malloc(2 * (size_t)load->messages * (size_t)load->size);
        client->socket = socket(AF_INET, SOCK_STREAM, 0);
        if (client->slots == NULL || client->waiting == NULL || client->socket < 0
            || connect(client->socket, (const struct sockaddr *)server, sizeof *server) != 0) {
            die("a client");
        }

        prepare_socket(client->socket);
        reserve_part(client);
        open_side(client, false);
        watch(ready_clients, client, EPOLL_CTL_ADD, EPOLLIN);
    }
}

// Queues bytes behind those that the system did not accept. The queue holds all messages in flight twice.
static void queue(struct connection *client, const char *bytes, long size)
{
    if (client->waiting_start + client->waiting_length + size > 2L * load->messages * load->size) {
        memmove(client->waiting, client->waiting + client->waiting_start, (size_t)client->waiting_length);
        client->waiting_start = 0;
    }

    memcpy(client->waiting + client->waiting_start + client->waiting_length, bytes, (size_t)size);
    client->waiting_length += size;
}

static void flush_outgoing(struct connection *client)
{
    long sent = outgoing_length > 0 ? send_messages(client, outgoing, outgoing_length) : 0;
    if (sent < outgoing_length) {
        queue(client, outgoing + sent, outgoing_length - sent);
    }

    outgoing_length = 0;
}

// Sends what is queued; the rest waits until the socket is writable.
static void flush(struct connection *client)
{
    flush_outgoing(client);
    if (client->waiting_length > 0) {
        long sent = send_messages(client, client->waiting + client->waiting_start, client->waiting_length);
        client->waiting_start += sent;
        client->waiting_length -= sent;
    }

    bool is_blocked = client->waiting_length > 0;
    if (client->watches_writable != is_blocked) {
        client->watches_writable = is_blocked;
        watch(ready_clients, client, EPOLL_CTL_MOD, is_blocked ? EPOLLIN | EPOLLOUT : EPOLLIN);
    }
}

static void send_next(struct connection *client, uint32_t slot)
{
    struct tag tag = make_tag(client->number, ++client->last_sent, slot);
    client->slots[slot] = (struct slot){ .tag = tag, .sent_at = current_time, .in_flight = true };
    client->in_flight++;
    load->sent++;
    memcpy(message, &tag, sizeof tag);
    if (client->waiting_length > 0) {
        queue(client, message, load->size);
        return;
    }

    memcpy(outgoing + outgoing_length, message, (size_t)load->size);
    outgoing_length += load->size;
    if (sends_each_message || outgoing_length >= BUFFER_SIZE) {
        flush_outgoing(client);
    }
}

// A stream loses nothing, so only the first windows are to be filled.
static void refill(void)
{
    current_time = read_clock();
    for (int i = 0; i < load->clients; i++) {
        for (int slot = 0; clients[i].in_flight < load->messages && slot < load->messages; slot++) {
            if (!clients[i].slots[slot].in_flight) {
                send_next(&clients[i], (uint32_t)slot);
            }
        }

        flush(&clients[i]);
    }
}

// Checks an answer, records its round trip, sends the next message.
static void take_answer(struct connection *client, const char *answer)
{
    struct tag tag;
    memcpy(&tag, answer, sizeof tag);
    struct slot *slot = tag.slot < (uint32_t)load->messages ? &client->slots[tag.slot] : NULL;
    if (slot == NULL || !slot->in_flight || memcmp(&slot->tag, &tag, sizeof tag) != 0
        || memcmp(answer + sizeof tag, message + sizeof tag, (size_t)load->size - sizeof tag) != 0) {
        unexpected_answers++;
        return;
    }

    slot->in_flight = false;
    client->in_flight--;
    load->received++;
    if ((int32_t)(tag.sequence - client->highest_answered) <= 0) {
        unexpected_answers++; // a stream keeps the order
    }

    client->highest_answered = tag.sequence;
    record(&round_trips, current_time - slot->sent_at);
    if (!load->ending) {
        send_next(client, tag.slot);
    }
}

// Takes what one receive call brought; whether there is likely to be more.
static bool take(struct connection *client)
{
    static char incoming[2 * BUFFER_SIZE];
    bool more;
    long size = receive_messages(client, incoming, &more);
    current_time = size > 0 ? read_clock() : current_time;
    for (long at = 0; at < size; at += load->size) {
        take_answer(client, incoming + at);
    }

    flush(client);
    return more;
}

static void serve_ready(int milliseconds)
{
    struct epoll_event ready[READY_AT_ONCE];
    int count = epoll_wait(ready_clients, ready, READY_AT_ONCE, milliseconds);
    for (int i = 0; i < count; i++) {
        struct connection *client = ready[i].data.ptr;
        if (client->watches_writable) {
            flush(client);
        }

        bool more = true;
        for (int call = 0; more && (call < MOST_CALLS_AT_ONCE || holds_bytes(client)); call++) {
            more = take(client);
        }
    }
}

#endif
