// Round trips over TLS with OpenSSL on the loopback, as many as this machine can do: as tcp.c, with SSL_write for send and
// SSL_read for recv, and OpenSSL set as the harness sets it (TlsContext). The certificate is made at the start and not verified.
#define _GNU_SOURCE
#include "stream.h"
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <signal.h>

static _Noreturn void die_of_tls(const char *what)
{
    char reason[256];
    ERR_error_string_n(ERR_peek_error(), reason, sizeof reason);
    fprintf(stderr, "%s: %s\n", what, reason);
    exit(1);
}

// As for the harness' certificates by default: RSA with 2,048 bits, signed with SHA-256.
static void make_certificate(SSL_CTX *context)
{
    EVP_PKEY *key = EVP_RSA_gen(2048);
    X509 *certificate = X509_new();
    if (key == NULL || certificate == NULL || X509_set_version(certificate, X509_VERSION_3) != 1
        || ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) != 1
        || X509_gmtime_adj(X509_getm_notBefore(certificate), 0) == NULL
        || X509_gmtime_adj(X509_getm_notAfter(certificate), 24 * 60 * 60) == NULL
        || X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC, (const unsigned char *)"localhost", -1, -1, 0) != 1
        || X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) != 1
        || X509_set_pubkey(certificate, key) != 1 || X509_sign(certificate, key, EVP_sha256()) == 0
        || SSL_CTX_use_certificate(context, certificate) != 1 || SSL_CTX_use_PrivateKey(context, key) != 1) {
        die_of_tls("the certificate");
    }

    X509_free(certificate);
    EVP_PKEY_free(key);
}

// One for each side, which is one thread: connections count their use of it.
static SSL_CTX *make_context(bool is_server)
{
    SSL_CTX *context = SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method());
    if (context == NULL) {
        die_of_tls("the context");
    }

    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_default_read_buffer_len(context, BUFFER_SIZE);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    if (is_server) {
        make_certificate(context);
    }

    return context;
}

static void open_side(struct connection *connection, bool is_server)
{
    static SSL_CTX *contexts[2];
    SSL_CTX **context = &contexts[is_server];
    if (*context == NULL) {
        signal(SIGPIPE, SIG_IGN);
        *context = make_context(is_server);
    }

    connection->tls = SSL_new(*context);
    if (connection->tls == NULL || SSL_set_fd(connection->tls, connection->socket) != 1) {
        die_of_tls("a connection");
    }

    if ((is_server ? SSL_accept(connection->tls) : SSL_connect(connection->tls)) != 1) {
        die_of_tls("a handshake");
    }

    if (fcntl(connection->socket, F_SETFL, O_NONBLOCK) != 0) {
        die("O_NONBLOCK");
    }
}

// The result is 0 if the call would block.
static long taken(struct connection *connection, int result, const char *call)
{
    if (result > 0) {
        return result;
    }

    int error = SSL_get_error(connection->tls, result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
        die_of_tls(call);
    }

    return 0;
}

// A call gives one record; the system gave OpenSSL many at once, and all of them are taken.
static long receive_bytes(struct connection *connection, char *buffer, long size)
{
    long came = 0, more;
    do {
        more = taken(connection, SSL_read(connection->tls, buffer + came, (int)(size - came)), "SSL_read");
        came += more;
    } while (more > 0 && came < size && SSL_has_pending(connection->tls));
    return came;
}

static long send_bytes(struct connection *connection, const char *bytes, long size)
{
    return taken(connection, SSL_write(connection->tls, bytes, (int)size), "SSL_write");
}

static bool holds_bytes(const struct connection *connection)
{
    return SSL_has_pending(connection->tls);
}

#include "stream_main.h"
