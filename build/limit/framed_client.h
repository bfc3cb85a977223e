// The clients of framed.c: a connection each, all on one thread that waits for them with epoll. For each message they do what the harness does: the
// content with its tag, if one fits, and a frame; the check code and the content of the answer; and the round trip in a histogram.
#ifndef FRAMED_CLIENT_H
#define FRAMED_CLIENT_H

#include "histogram.h"
#include "frame.h"
#include "tag.h"
#include "tcp_socket.h"
#include <fcntl.h>

struct client {
    int socket;
    uint32_t number;
    uint32_t asked; // messages that were to be sent so far
    uint32_t packed; // those that are in the outgoing bytes or were there
    uint32_t answered;
    long burst_began; // nanoseconds
    long *sent_at; // of each message in flight
    unsigned char *outgoing; // frames that the system has not taken
    long outgoing_start, outgoing_length;
    unsigned char *incoming;
    long incoming_length;
    bool watches_writable;
};

static struct load *load;
static bool sends_each_message;
static bool sends_bursts; // the next messages of a client follow when all its messages are answered, and not each its own answer
static struct client *clients;
static int ready_clients;
static unsigned char *content; // of all messages, but for the tag
static long frame_size, outgoing_capacity, incoming_capacity;
static long current_time; // nanoseconds, read after each receive call
static struct histogram round_trips, bursts;

static void open_client(struct client *client, const struct sockaddr_in *server)
{
    client->sent_at = calloc((size_t)load->messages, sizeof *client->sent_at);
    client->outgoing = reserve_pages(outgoing_capacity);
    client->incoming = reserve_pages(incoming_capacity);
    client->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (client->sent_at == NULL || client->socket < 0 || connect(client->socket, (const struct sockaddr *)server, sizeof *server) != 0
        || fcntl(client->socket, F_SETFL, O_NONBLOCK) != 0) {
        die("a client");
    }

    prepare_socket(client->socket);
    watch_socket(ready_clients, client->socket, client, EPOLL_CTL_ADD, EPOLLIN);
}

static void open_clients(const struct sockaddr_in *server)
{
    frame_size = HEADER_SIZE + load->size;
    outgoing_capacity = frame_size > BUFFER_SIZE ? frame_size : BUFFER_SIZE;
    incoming_capacity = frame_size + BUFFER_SIZE;
    content = malloc((size_t)load->size);
    clients = calloc((size_t)load->clients, sizeof *clients);
    ready_clients = epoll_create1(0);
    if (content == NULL || clients == NULL || ready_clients < 0) {
        die("the clients");
    }

    memset(content, 0xff, (size_t)load->size);
    for (int i = 0; i < load->clients; i++) {
        clients[i].number = (uint32_t)i;
        open_client(&clients[i], server);
    }
}

static bool has_tag(void) { return load->size >= (int)sizeof(struct tag); }

static void pack(struct client *client)
{
    unsigned char *frame = client->outgoing + client->outgoing_length;
    memcpy(frame + HEADER_SIZE, content, (size_t)load->size);
    client->packed++;
    if (has_tag()) {
        struct tag tag = make_tag(client->number, client->packed, 0);
        memcpy(frame + HEADER_SIZE, &tag, sizeof tag);
    }

    write_header(frame, frame_size);
    client->outgoing_length += frame_size;
}

// One frame, or as many as fit.
static void fill(struct client *client)
{
    client->outgoing_start = client->outgoing_length = 0;
    do {
        pack(client);
    } while (!sends_each_message && client->packed != client->asked && client->outgoing_length + frame_size <= outgoing_capacity);
}

// Sends until nothing is left or the socket would block.
static void flush(struct client *client)
{
    bool is_writable = true;
    while (is_writable && (client->outgoing_start < client->outgoing_length || client->packed != client->asked)) {
        if (client->outgoing_start == client->outgoing_length) {
            fill(client);
        }

        ssize_t sent = send(
            client->socket, client->outgoing + client->outgoing_start, (size_t)(client->outgoing_length - client->outgoing_start), MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            die("send");
        }

        client->outgoing_start += sent < 0 ? 0 : sent;
        is_writable = sent >= 0;
    }

    if (client->watches_writable == is_writable) {
        client->watches_writable = !is_writable;
        watch_socket(ready_clients, client->socket, client, EPOLL_CTL_MOD, is_writable ? EPOLLIN : EPOLLIN | EPOLLOUT);
    }
}

static void ask(struct client *client)
{
    client->sent_at[client->asked % (uint32_t)load->messages] = current_time;
    client->asked++;
    load->sent++;
}

static void begin_burst(struct client *client)
{
    client->burst_began = current_time;
    for (int i = 0; i < load->messages; i++) {
        ask(client);
    }
}

// A stream loses nothing, so only the first windows are to be filled.
static void refill(void)
{
    current_time = read_clock();
    for (int i = 0; i < load->clients; i++) {
        if (clients[i].asked == 0) {
            begin_burst(&clients[i]);
            flush(&clients[i]);
        }
    }
}

// Forgets the warm-up.
static void begin_counting(void)
{
    round_trips = bursts = (struct histogram){ .smallest = HIGHEST_NANOSECONDS };
}

static bool is_expected(const struct client *client, const unsigned char *frame, long size)
{
    size_t tag_size = 0;
    if (size != frame_size || client->answered == client->asked) {
        return false;
    }

    if (has_tag()) {
        struct tag tag = make_tag(client->number, client->answered + 1, 0);
        tag_size = sizeof tag;
        if (memcmp(frame + HEADER_SIZE, &tag, tag_size) != 0) {
            return false;
        }
    }

    return memcmp(frame + HEADER_SIZE + tag_size, content + tag_size, (size_t)load->size - tag_size) == 0;
}

// Checks an answer, and records its round trip. The answers of a connection come in the order of its messages.
static void take_answer(struct client *client, const unsigned char *frame, long size)
{
    if (!is_expected(client, frame, size)) {
        fprintf(stderr, "an answer was not expected\n");
        exit(1);
    }

    long began = client->sent_at[client->answered % (uint32_t)load->messages];
    client->answered++;
    load->received++;
    if (!load->ending) {
        record(&round_trips, current_time - began);
        if (!sends_bursts) {
            ask(client);
        } else if (client->answered == client->asked) {
            record(&bursts, current_time - client->burst_began);
            begin_burst(client);
        }
    }
}

// Takes the whole frames that have come, and keeps the rest.
static void take_frames(struct client *client)
{
    long at = 0, size;
    while ((size = whole_frame_size(client->incoming + at, client->incoming_length - at, load->size)) > 0) {
        if (!is_intact(client->incoming + at, size)) {
            fprintf(stderr, "a frame had a wrong check code\n");
            exit(1);
        }

        if (client->incoming[at + 4] == MESSAGE) {
            take_answer(client, client->incoming + at, size);
        }

        at += size;
    }

    if (size < 0) {
        fprintf(stderr, "a frame had an invalid header\n");
        exit(1);
    }

    if (at > 0) {
        client->incoming_length -= at;
        memmove(client->incoming, client->incoming + at, (size_t)client->incoming_length);
    }
}

// Takes what one receive call brought; whether there is likely to be more.
static bool take(struct client *client)
{
    long capacity = incoming_capacity - client->incoming_length;
    ssize_t came = recv(client->socket, client->incoming + client->incoming_length, (size_t)capacity, 0);
    if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR)) {
        die("recv");
    }

    if (came > 0) {
        current_time = read_clock();
        client->incoming_length += came;
        take_frames(client);
    }

    flush(client);
    return came == capacity;
}

static void serve_ready(int milliseconds)
{
    struct epoll_event ready[READY_AT_ONCE];
    int count = epoll_wait(ready_clients, ready, READY_AT_ONCE, milliseconds);
    for (int i = 0; i < count; i++) {
        bool more = true;
        for (int call = 0; more && call < MOST_CALLS_AT_ONCE; call++) {
            more = take(ready[i].data.ptr);
        }
    }
}

static void print_figures(const char *name, const struct histogram *histogram)
{
    if (histogram->total > 0) {
        printf("%s min %.1f mean %.1f max %.1f\n", name, (double)histogram->smallest / 1e3, (double)histogram->sum / (double)histogram->total / 1e3,
            (double)histogram->largest / 1e3);
    }
}

// Runs the load, and prints the rate, and the least, mean and longest round trip.
static void run_clients(const struct sockaddr_in *server)
{
    open_clients(server);
    begin_counting();
    measure(load, serve_ready, refill, begin_counting);
    print_figures("round_trip_microseconds", &round_trips);
    print_figures("burst_microseconds", &bursts);
}

#endif
