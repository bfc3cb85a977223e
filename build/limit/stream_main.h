// The main program of tcp.c and tls.c: a thread that serves, a thread that has all clients.
#ifndef STREAM_MAIN_H
#define STREAM_MAIN_H

#include "stream_client.h"
#include "stream_server.h"
#include <pthread.h>

int main(int count, char **values)
{
    struct load wanted;
    bool is_message = count > 1 && strcmp(values[1], "message") == 0;
    if (count < 2 || (!is_message && strcmp(values[1], "receive") != 0) || !read_load(count - 2, values + 2, &wanted, LARGEST_DATAGRAM)
        || wanted.size < (int)sizeof(struct tag)) {
        fprintf(stderr, "usage: %s message|receive CLIENTS MESSAGES SECONDS [SIZE], SIZE at least %zu\n", values[0], sizeof(struct tag));
        return 2;
    }

    load = &wanted;
    sends_each_message = is_message;
    allow_many_sockets();
    struct server server = open_server();
    pthread_t thread;
    errno = pthread_create(&thread, NULL, serve, &server);
    if (errno != 0) {
        die("pthread_create");
    }

    // The server sleeps in the kernel, and ends with the process.
    open_clients(&server.address);
    measure(load, serve_ready, refill, NULL);
    if (unexpected_answers > 0 || round_trips.total != load->received) {
        fprintf(stderr, "%ld answers were not expected\n", unexpected_answers);
        return 1;
    }

    return 0;
}

#endif
