// What the programs of this folder share: the load that was asked for, the clock, and how a rate is measured.
// They are the yardstick, the harness is what is measured by it. Over UDP a message is a system call, so the programs look at none. Over a
// stream one call carries many, so there they do what a benchmark does for each message: stream_client.h.
#ifndef LIMIT_H
#define LIMIT_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

#define LARGEST_DATAGRAM 65507
#define STANDSTILL_SECONDS 1.0 // after this time without answers, a client sends new messages
#define LONGEST_WAIT 3.0 // for messages still in flight at the end; after that they are lost

struct load {
    int clients;
    int messages; // in flight, of each client
    double seconds;
    int size; // of a message, in bytes
    long sent;
    long received;
    bool ending; // what comes is counted and not answered
};

static inline void die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static inline double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// CLIENTS MESSAGES SECONDS [SIZE]; false when they are none. LARGEST is of a message, in bytes.
static inline bool read_load(int count, char **values, struct load *load, int largest)
{
    if (count < 3 || count > 4) {
        return false;
    }

    *load = (struct load){
        .clients = atoi(values[0]),
        .messages = atoi(values[1]),
        .seconds = atof(values[2]),
        .size = count == 4 ? atoi(values[3]) : 32,
    };
    return load->clients > 0 && load->messages > 0 && load->seconds > 0 && load->size > 0 && load->size <= largest;
}

static inline void allow_many_sockets(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

// Room for messages that wait, so that none is dropped. The kernel books about 800 bytes for a small one, and doubles what is
// asked for. An ordinary user gets net.core.rmem_max at most; what is lost by that is counted.
static inline void reserve_buffer(int socket, const struct load *load, long messages)
{
    long bytes = messages * (load->size + 1024) + 65536;
    int asked = bytes > 256 << 20 ? 256 << 20 : (int)bytes;
    if (setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &asked, sizeof asked) != 0
        && setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &asked, sizeof asked) != 0) {
        die("SO_RCVBUF");
    }
}

// Serves clients until END, and refills those that stand still.
static inline double serve_until(double end, double *next_refill, void (*serve_ready)(int milliseconds), void (*refill)(void))
{
    double time;
    while ((time = now()) < end) {
        serve_ready(100);
        if (time > *next_refill) {
            refill();
            *next_refill = time + STANDSTILL_SECONDS;
        }
    }

    return time;
}

// Runs the load and prints its rate. SERVE_READY waits for at most some milliseconds and serves the clients that are ready; REFILL fills the windows of
// clients without an answer since its last call; BEGIN_COUNTING, unless it is NULL, is called after the warm-up.
static inline void measure(struct load *load, void (*serve_ready)(int milliseconds), void (*refill)(void), void (*begin_counting)(void))
{
    double warm_up = load->seconds < 2 ? load->seconds / 4 : 0.5;
    refill();
    double next_refill = now() + STANDSTILL_SECONDS;
    double begin = serve_until(now() + warm_up, &next_refill, serve_ready, refill);
    if (begin_counting != NULL) {
        begin_counting();
    }

    long before = load->received;
    double end = serve_until(begin + load->seconds, &next_refill, serve_ready, refill);
    double rate = (double)(load->received - before) / (end - begin);

    load->ending = true;
    double silent_since = now();
    while (load->received < load->sent && now() - silent_since < LONGEST_WAIT) {
        long so_far = load->received;
        serve_ready(10);
        if (load->received > so_far) {
            silent_since = now();
        }
    }

    printf("round_trips_per_second %.0f lost %ld\n", rate, load->sent - load->received);
}

#endif
