namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

// A macro of openssl/ssl.h, and of the headers that it includes, is replaced by the call that it stands for.
internal static unsafe partial class OpensslSsl
{
    public const int SSL_ERROR_WANT_READ = 2;
    public const int SSL_ERROR_WANT_WRITE = 3;
    public const int SSL_ERROR_SYSCALL = 5;
    public const int SSL_ERROR_ZERO_RETURN = 6;
    public const int SSL_VERIFY_PEER = 1;
    public const int SSL_VERIFY_FAIL_IF_NO_PEER_CERT = 2;
    public const int SSL_MODE_ENABLE_PARTIAL_WRITE = 1;
    public const int SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER = 2;
    public const int SSL_MODE_NO_AUTO_CHAIN = 8;
    public const int SSL_MODE_RELEASE_BUFFERS = 0x10;
    public const ulong SSL_OP_IGNORE_UNEXPECTED_EOF = 1 << 7;
    public const ulong SSL_OP_NO_TICKET = 1 << 14;
    public const ulong SSL_OP_NO_RENEGOTIATION = 1 << 30;
    public const int SSL_SESS_CACHE_OFF = 0;
    public const int SSL_SESS_CACHE_CLIENT = 1;
    public const int SSL_SESS_CACHE_SERVER = 2;
    public const int SSL_SESS_CACHE_NO_AUTO_CLEAR = 0x80;
    public const int SSL_SESS_CACHE_NO_INTERNAL = 0x300;
    public const int SSL_CTRL_MODE = 33;
    public const int SSL_CTRL_SET_READ_AHEAD = 41;
    public const int SSL_CTRL_SET_SESS_CACHE_MODE = 44;
    public const int SSL_CTRL_SET_TLSEXT_HOSTNAME = 55;
    public const int SSL_CTRL_SET_TLSEXT_TICKET_KEYS = 59;
    public const int SSL_CTRL_CHAIN_CERT = 89;
    public const int SSL_CTRL_SET_GROUPS_LIST = 92;
    public const int SSL_CTRL_SET_MIN_PROTO_VERSION = 123;
    public const int SSL_CTRL_SET_MAX_PROTO_VERSION = 124;
    public const int SSL_CTRL_GET_NEGOTIATED_GROUP = 134;
    public const int TLSEXT_NAMETYPE_host_name = 0;
    public const int TLS1_2_VERSION = 0x303;
    public const int TLS1_3_VERSION = 0x304;
    public const int SSL_R_HTTP_REQUEST = 156;
    public const int SSL_R_PACKET_LENGTH_TOO_LONG = 198;
    public const int SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE = 199;
    public const int SSL_R_WRONG_VERSION_NUMBER = 267;

    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint TLS_client_method();
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint TLS_server_method();
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_CTX_new(nint method);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial void SSL_CTX_free(nint ctx);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_CTX_ctrl(nint ctx, int cmd, nint larg, nint parg);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial ulong SSL_CTX_set_options(nint ctx, ulong op);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_CTX_set_num_tickets(nint ctx, nuint num_tickets);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_CTX_set_session_id_context(nint ctx, byte* sid_ctx, uint sid_ctx_len);

    /// <summary>The callback returns 0 if it does not keep the session.</summary>
    [LibraryImport(OpenSslLibrary.Ssl)]
    public static partial void SSL_CTX_sess_set_new_cb(nint ctx, delegate* unmanaged[Cdecl]<nint, nint, int> new_session_cb);

    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_set_ex_data(nint ssl, int idx, nint data);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_get_ex_data(nint ssl, int idx);

    /// <summary>The function does not add a reference to the session. It is null before the handshake.</summary>
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_get_session(nint ssl);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_SESSION_has_ticket(nint s);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial void SSL_SESSION_get0_ticket(nint s, byte** tick, nuint* len);

    /// <summary>The function adds a reference to the session. It is null before the handshake.</summary>
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_get1_session(nint ssl);

    /// <summary>The function does not add a reference.</summary>
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_get0_peer_certificate(nint ssl);

    /// <summary>The certificate of this side. The function does not add a reference.</summary>
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_get_certificate(nint ssl);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_set_session(nint ssl, nint session);

    /// <summary>The function accepts null.</summary>
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial void SSL_SESSION_free(nint session);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial void SSL_CTX_set_default_read_buffer_len(nint ctx, nuint len);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial void SSL_CTX_set_verify(nint ctx, int mode, nint callback);

    [LibraryImport(OpenSslLibrary.Ssl)]
    public static partial void SSL_CTX_set_cert_verify_callback(
        nint ctx, delegate* unmanaged[Cdecl]<nint, AcceptedCertificate*, int> cb, AcceptedCertificate* arg);

    [LibraryImport(OpenSslLibrary.Ssl)] public static partial void SSL_CTX_set_cert_store(nint ctx, nint store);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_CTX_add_client_CA(nint ctx, nint x);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_CTX_use_certificate(nint ctx, nint x);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_CTX_use_PrivateKey(nint ctx, nint pkey);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_CTX_check_private_key(nint ctx);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_CTX_get0_param(nint ctx);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_new(nint ctx);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial void SSL_free(nint ssl);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_set_fd(nint ssl, int fd);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial void SSL_set_connect_state(nint ssl);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial void SSL_set_accept_state(nint ssl);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_ctrl(nint ssl, int cmd, nint larg, nint parg);
    [LibraryImport(OpenSslLibrary.Ssl, SetLastError = true)] public static partial int SSL_do_handshake(nint ssl);
    [LibraryImport(OpenSslLibrary.Ssl, SetLastError = true)] public static partial int SSL_read(nint ssl, byte* buf, int num);
    [LibraryImport(OpenSslLibrary.Ssl, SetLastError = true)] public static partial int SSL_write(nint ssl, byte* buf, int num);

    // The function only reads two fields of the connection, so the garbage collector can wait for it.
    [LibraryImport(OpenSslLibrary.Ssl)]
    [SuppressGCTransition]
    public static partial int SSL_has_pending(nint ssl);

    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_shutdown(nint ssl);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_get_error(nint ssl, int ret_code);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_get_verify_result(nint ssl);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_version(nint ssl);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial nint SSL_get_current_cipher(nint ssl);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial byte* SSL_CIPHER_standard_name(nint c);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial byte* SSL_group_to_name(nint ssl, int id);
    [LibraryImport(OpenSslLibrary.Ssl)] public static partial int SSL_session_reused(nint ssl);
}
