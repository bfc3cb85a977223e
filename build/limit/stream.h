// What both sides of tcp.c and tls.c share: a connection with its calls, in either way to send.
// The program (tcp.c, tls.c) includes this, defines open_side, receive_bytes, send_bytes and holds_bytes, and includes stream_main.h.
#ifndef STREAM_H
#define STREAM_H

#include "tag.h"
#include "tcp_socket.h"

struct slot {
    struct tag tag;
    long sent_at; // nanoseconds
    bool in_flight;
};

// What a connection is, for either program.
struct connection {
    int socket;
    void *tls;
    char *part; // the begin of a message whose end has not come
    int part_length;
    char *waiting; // what the system did not take
    long waiting_start;
    long waiting_length;
    bool watches_writable;

    // Of a client alone.
    struct slot *slots; // one for each message in flight
    uint32_t number;
    uint32_t last_sent;
    uint32_t highest_answered;
    long in_flight;
};

static struct load *load;
static bool sends_each_message;

// The calls of the program. Each takes what it can and never waits; a side that ends dies.
static void open_side(struct connection *connection, bool is_server); // blocks until bytes can be exchanged
static long receive_bytes(struct connection *connection, char *buffer, long size); // 0 where nothing has come
static long send_bytes(struct connection *connection, const char *bytes, long size); // how many were taken
static bool holds_bytes(const struct connection *connection); // bytes that readiness does not report

static void watch(int ready, struct connection *connection, int operation, uint32_t events)
{
    watch_socket(ready, connection->socket, connection, operation, events);
}

static void reserve_part(struct connection *connection)
{
    connection->part = malloc((size_t)load->size);
    if (connection->part == NULL) {
        die("the memory of a connection");
    }
}

// Receives behind the part that the last call left. Returns the bytes of whole messages and keeps the rest; MORE is whether there is likely to
// be more. BUFFER holds BUFFER_SIZE bytes and a message.
static long receive_messages(struct connection *connection, char *buffer, bool *more)
{
    memcpy(buffer, connection->part, (size_t)connection->part_length);
    long came = receive_bytes(connection, buffer + connection->part_length, BUFFER_SIZE);
    long size = connection->part_length + came;
    long whole = size - size % load->size;
    connection->part_length = (int)(size - whole);
    memcpy(connection->part, buffer + whole, (size_t)connection->part_length);
    *more = came == BUFFER_SIZE || (came > 0 && holds_bytes(connection));
    return whole;
}

// Bytes of the first message that is left to send, or of its rest: all but the first are whole.
static long first_of(long bytes)
{
    long rest = bytes % load->size;
    return rest > 0 ? rest : load->size;
}

// Sends messages, each by a call of its own or all by one; how many bytes were taken.
static long send_messages(struct connection *connection, const char *bytes, long size)
{
    long sent = 0, asked, more;
    do {
        asked = sends_each_message ? first_of(size - sent) : size - sent;
        more = send_bytes(connection, bytes + sent, asked);
        sent += more;
    } while (sent < size && more > 0);
    return sent;
}

#endif
