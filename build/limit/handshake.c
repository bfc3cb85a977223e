// TLS handshakes with OpenSSL on the loopback: the four architectures of the harness' Epoll library in C. Each connection carries one request of HTTP/1.1 and
// its answer. The server runs until it is ended by a signal; any client of HTTPS can drive it.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MOST_CONNECTIONS = 1000,
    MOST_REQUEST = 8192,
    MOST_EVENTS = 256,
    STACK_SIZE = 512 * 1024,
};

static const char answer[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 32\r\nConnection: close\r\n\r\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

struct server {
    SSL_CTX *context;
    int listener;
};

struct connection {
    SSL *tls;
    int socket;
    bool is_open;
    int received;
    char request[MOST_REQUEST];
};

static const char *certificate_file, *key_file;
static struct sockaddr_in address = { .sin_family = AF_INET };

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(1);
}

static _Noreturn void die_of_tls(const char *what)
{
    char reason[256];
    ERR_error_string_n(ERR_peek_error(), reason, sizeof reason);
    fprintf(stderr, "%s: %s\n", what, reason);
    exit(1);
}

// One for each thread that has an event loop: connections count their use of it.
static SSL_CTX *make_context(void)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL || SSL_CTX_use_certificate_chain_file(context, certificate_file) != 1
        || SSL_CTX_use_PrivateKey_file(context, key_file, SSL_FILETYPE_PEM) != 1) {
        die_of_tls("the context");
    }

    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    return context;
}

static int open_listener(bool shares_port, bool blocks)
{
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | (blocks ? 0 : SOCK_NONBLOCK), 0), on = 1;
    socklen_t length = sizeof address;
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0
        || (shares_port && setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0)
        || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 65535) != 0
        || getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        die("listen");
    }

    return listener;
}

static void send_at_once(int socket)
{
    int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void close_connection(struct connection *connection)
{
    if (connection->is_open) {
        SSL_shutdown(connection->tls);
    }

    ERR_clear_error();
    SSL_free(connection->tls);
    close(connection->socket);
    free(connection);
}

static struct connection *open_connection(SSL_CTX *context, int socket)
{
    struct connection *connection = malloc(sizeof *connection);
    if (connection == NULL || (connection->tls = SSL_new(context)) == NULL || SSL_set_fd(connection->tls, socket) != 1) {
        die_of_tls("a connection");
    }

    connection->socket = socket;
    connection->is_open = false;
    connection->received = 0;
    SSL_set_accept_state(connection->tls);
    send_at_once(socket);
    return connection;
}

// Makes as much progress as the socket allows. Returns EPOLLIN or EPOLLOUT to wait for, or 0 at the end.
static int advance(struct connection *connection)
{
    int result;
    while (!connection->is_open) {
        result = SSL_do_handshake(connection->tls);
        if (result != 1) {
            goto wait;
        }

        connection->is_open = true;
    }

    while (connection->received < MOST_REQUEST) {
        result = SSL_read(connection->tls, connection->request + connection->received, MOST_REQUEST - connection->received);
        if (result <= 0) {
            goto wait;
        }

        connection->received += result;
        if (memmem(connection->request, (size_t)connection->received, "\r\n\r\n", 4) != NULL) {
            // The answer is smaller than the buffer of an empty socket.
            SSL_write(connection->tls, answer, sizeof answer - 1);
            return 0;
        }
    }

    return 0;

wait:
    switch (SSL_get_error(connection->tls, result)) {
    case SSL_ERROR_WANT_READ:
        return EPOLLIN;
    case SSL_ERROR_WANT_WRITE:
        return EPOLLOUT;
    case SSL_ERROR_ZERO_RETURN:
        return 0;
    default:
        // OpenSSL forbids further calls after such an error.
        connection->is_open = false;
        return 0;
    }
}

static void serve_blocking(SSL_CTX *context, int socket)
{
    struct connection *connection = open_connection(context, socket);
    advance(connection);
    close_connection(connection);
}

static void accept_all(const struct server *server, int readiness)
{
    int socket;
    while ((socket = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        struct connection *connection = open_connection(server->context, socket);
        struct epoll_event event = { .events = EPOLLIN, .data.ptr = connection };
        if (epoll_ctl(readiness, EPOLL_CTL_ADD, socket, &event) != 0) {
            die("epoll_ctl");
        }
    }
}

// An event loop: reactor and workers.
static void *serve_loop(void *of)
{
    const struct server *server = of;
    int readiness = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = NULL }, ready[MOST_EVENTS];
    if (readiness < 0 || epoll_ctl(readiness, EPOLL_CTL_ADD, server->listener, &event) != 0) {
        die("epoll");
    }

    for (;;) {
        int count = epoll_wait(readiness, ready, MOST_EVENTS, -1);
        for (int index = 0; index < count; index++) {
            struct connection *connection = ready[index].data.ptr;
            if (connection == NULL) {
                accept_all(server, readiness);
                continue;
            }

            int wanted = advance(connection);
            if (wanted == 0) {
                close_connection(connection);
            } else if (wanted == EPOLLOUT || (ready[index].events & EPOLLOUT) != 0) {
                event = (struct epoll_event){ .events = (unsigned)wanted, .data.ptr = connection };
                epoll_ctl(readiness, EPOLL_CTL_MOD, connection->socket, &event);
            }
        }
    }

    return NULL;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queue[MOST_CONNECTIONS], queue_start, queue_length, running;
static SSL_CTX *context_of_threads;

static void *serve_one(void *of)
{
    serve_blocking(context_of_threads, (int)(long)of);
    pthread_mutex_lock(&lock);
    running--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static _Noreturn void serve_by_threads(const struct server *server)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    context_of_threads = server->context;
    for (;;) {
        int socket = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
        if (socket < 0) {
            continue;
        }

        pthread_mutex_lock(&lock);
        while (running >= MOST_CONNECTIONS) {
            pthread_cond_wait(&changed, &lock);
        }

        running++;
        pthread_mutex_unlock(&lock);
        pthread_t thread;
        errno = pthread_create(&thread, &attributes, serve_one, (void *)(long)socket);
        if (errno != 0) {
            die("pthread_create");
        }
    }
}

static void *work(void *of)
{
    const struct server *server = of;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (queue_length == 0) {
            pthread_cond_wait(&changed, &lock);
        }

        int socket = queue[queue_start];
        queue_start = (queue_start + 1) % MOST_CONNECTIONS;
        queue_length--;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        serve_blocking(server->context, socket);
    }

    return NULL;
}

static _Noreturn void serve_by_pool(const struct server *server)
{
    for (;;) {
        int socket = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
        if (socket < 0) {
            continue;
        }

        pthread_mutex_lock(&lock);
        while (queue_length == MOST_CONNECTIONS) {
            pthread_cond_wait(&changed, &lock);
        }

        queue[(queue_start + queue_length) % MOST_CONNECTIONS] = socket;
        queue_length++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
}

static void start(void *(*run)(void *), const struct server *server)
{
    pthread_t thread;
    errno = pthread_create(&thread, NULL, run, (void *)server);
    if (errno != 0) {
        die("pthread_create");
    }
}

static void print_port(void)
{
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
}

int main(int count, char **values)
{
    int threads = count == 5 ? atoi(values[2]) : 0;
    if (threads < 1 || threads > 64) {
        fprintf(stderr, "usage: %s reactor|workers|threads|pool THREADS CERTIFICATE KEY\n", values[0]);
        return 2;
    }

    certificate_file = values[3];
    key_file = values[4];
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    signal(SIGPIPE, SIG_IGN);
    static struct server servers[64];
    bool is_pool = strcmp(values[1], "pool") == 0;
    if (is_pool || strcmp(values[1], "threads") == 0) {
        servers[0] = (struct server){ make_context(), open_listener(false, true) };
        print_port();
        if (!is_pool) {
            serve_by_threads(&servers[0]);
        }

        for (int thread = 0; thread < threads; thread++) {
            start(work, &servers[0]);
        }

        serve_by_pool(&servers[0]);
    }

    bool is_reactor = strcmp(values[1], "reactor") == 0;
    if (!is_reactor && strcmp(values[1], "workers") != 0) {
        fprintf(stderr, "'%s' is no architecture\n", values[1]);
        return 2;
    }

    threads = is_reactor ? 1 : threads;
    for (int thread = 0; thread < threads; thread++) {
        servers[thread] = (struct server){ make_context(), open_listener(threads > 1, false) };
    }

    print_port();
    for (int thread = 1; thread < threads; thread++) {
        start(serve_loop, &servers[thread]);
    }

    serve_loop(&servers[0]);
    return 0;
}
