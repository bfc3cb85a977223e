// Round trips over UDP on the loopback, as many as this machine can do: a thread that serves, a thread that has all clients.
// udp_server.h and udp_client.h hold one side each, udp_calls.h what the modes differ in for a client.
#define _GNU_SOURCE
#include "limit.h"
#include "udp_calls.h"
#include "udp_client.h"
#include "udp_server.h"
#include <pthread.h>

static const struct {
    const char *name;
    void *(*serve)(void *server);
    long (*take)(int socket, long most);
    long (*give)(int socket, long count);
} modes[] = {
    { "call", serve_calls, take_calls, give_calls },
    { "mmsg", serve_batches, take_batches, give_batches },
    { "gso", serve_segments, take_segments, give_segments },
};

int main(int count, char **values)
{
    size_t mode = 0;
    size_t known = sizeof modes / sizeof *modes;
    while (count > 1 && mode < known && strcmp(modes[mode].name, values[1]) != 0) {
        mode++;
    }

    struct load load;
    if (count < 2 || mode == known || !read_load(count - 2, values + 2, &load, LARGEST_DATAGRAM)) {
        fprintf(stderr, "usage: %s call|mmsg|gso CLIENTS MESSAGES SECONDS [SIZE]\n", values[0]);
        return 2;
    }

    allow_many_sockets();
    struct server server = open_server(&load);
    prepare_messages(load.size);
    open_clients(&load, &server.address, modes[mode].take, modes[mode].give);
    if (modes[mode].serve == serve_segments) {
        coalesce(server.socket);
        for (int i = 0; i < load.clients; i++) {
            coalesce(clients[i].socket);
        }
    }

    pthread_t thread;
    errno = pthread_create(&thread, NULL, modes[mode].serve, &server);
    if (errno != 0) {
        die("pthread_create");
    }

    // The server blocks in the kernel, and ends with the process.
    measure(&load, serve_ready, refill, NULL);
    return 0;
}
