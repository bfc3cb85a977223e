// Round trips over TCP on the loopback, as many as this machine can do. Each message is sent by a call of its own (message), or
// all that one receive call brought by one call (receive).
// stream_server.h and stream_client.h hold one side each.
#define _GNU_SOURCE
#include "stream.h"
#include <fcntl.h>

static void open_side(struct connection *connection, bool is_server)
{
    (void)is_server;
    if (fcntl(connection->socket, F_SETFL, O_NONBLOCK) != 0) {
        die("O_NONBLOCK");
    }
}

static long receive_bytes(struct connection *connection, char *buffer, long size)
{
    ssize_t came = recv(connection->socket, buffer, (size_t)size, 0);
    if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR)) {
        die("recv");
    }

    return came < 0 ? 0 : came;
}

static long send_bytes(struct connection *connection, const char *bytes, long size)
{
    ssize_t sent = send(connection->socket, bytes, (size_t)size, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        die("send");
    }

    return sent < 0 ? 0 : sent;
}

static bool holds_bytes(const struct connection *connection)
{
    (void)connection;
    return false;
}

#include "stream_main.h"
