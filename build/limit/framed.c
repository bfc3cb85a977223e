// Round trips of messages in frames with a length, a type and a check code (Docs/protocol.md) over TCP on the loopback, with a server that has one loop to
// accept connections and other loops to serve them. framed_server.h and framed_client.h hold one side each. Each side can also run by itself, with the harness
// as the other one.
#define _GNU_SOURCE
#include "framed_client.h"
#include "framed_server.h"

static int usage(const char *program)
{
    fprintf(stderr,
        "usage: %s message|receive window|burst LOOPS CLIENTS MESSAGES SECONDS [SIZE]\n"
        "       %s server message|receive LOOPS LARGEST\n"
        "       %s client PORT message|receive window|burst CLIENTS MESSAGES SECONDS [SIZE]\n",
        program, program, program);
    return 2;
}

// Each message is sent by a call of its own (message), or those that one receive call brought by one call (receive).
static bool read_way(const char *value)
{
    sends_each_message = strcmp(value, "message") == 0;
    return sends_each_message || strcmp(value, "receive") == 0;
}

// Each answer is followed by the next message (window), or all answers by all messages (burst).
static bool read_shape(const char *value)
{
    sends_bursts = strcmp(value, "burst") == 0;
    return sends_bursts || strcmp(value, "window") == 0;
}

static bool read_number(const char *value, long largest, long *number)
{
    *number = atol(value);
    return *number > 0 && *number <= largest;
}

static int run_server(long loops, long largest)
{
    static struct framed_server server;
    server = (struct framed_server){ .loops = (int)loops, .largest = largest, .sends_each_message = sends_each_message };
    open_framed_server(&server);
    printf("%d\n", ntohs(server.address.sin_port));
    fflush(stdout);
    accept_peers(&server);
}

static int run_both(long loops)
{
    static struct framed_server server;
    server = (struct framed_server){ .loops = (int)loops, .largest = load->size, .sends_each_message = sends_each_message };
    open_framed_server(&server);
    start_thread(accept_peers, &server);

    // The server sleeps in the kernel, and ends with the process.
    run_clients(&server.address);
    return 0;
}

int main(int count, char **values)
{
    static struct load wanted;
    long loops, number;
    load = &wanted;
    allow_many_sockets();
    if (count == 5 && strcmp(values[1], "server") == 0) {
        return read_way(values[2]) && read_number(values[3], MOST_LOOPS, &loops) && read_number(values[4], LARGEST_CONTENT, &number)
            ? run_server(loops, number)
            : usage(values[0]);
    }

    if (count > 5 && strcmp(values[1], "client") == 0) {
        if (!read_number(values[2], 65535, &number) || !read_way(values[3]) || !read_shape(values[4])
            || !read_load(count - 5, values + 5, load, LARGEST_CONTENT)) {
            return usage(values[0]);
        }

        run_clients(&(struct sockaddr_in){
            .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)number) });
        return 0;
    }

    return count > 4 && read_way(values[1]) && read_shape(values[2]) && read_number(values[3], MOST_LOOPS, &loops)
            && read_load(count - 4, values + 4, load, LARGEST_CONTENT)
        ? run_both(loops)
        : usage(values[0]);
}
