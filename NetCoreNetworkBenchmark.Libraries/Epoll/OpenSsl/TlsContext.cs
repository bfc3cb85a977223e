using System.Text;
using static NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl.OpensslSsl;
using static NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl.OpensslX509;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

// The state that TLS connections share (SSL_CTX). Each event loop has its own, because connections count their references to it; the threads that make blocking
// calls share one. Sessions are not kept, so every handshake is a full one, unless the plan requests resumption.
internal sealed unsafe class TlsContext : SafeHandle
{
    /// <summary>The size in bytes of the keys by which a server encrypts tickets: a name, a key of HMAC-SHA256 and one of AES-256.</summary>
    public const int TicketKeySize = 80;

    /// <summary>The <c>ex_data</c> index of the number of tickets that the client received.</summary>
    public const int TicketCount = 0;

    // One system call reads several records of 16 KiB.
    private const int ReadBuffer = 64 * 1024;

    // In memory that OpenSSL hands to the verification. Null at the server.
    private AcceptedCertificate* _accepted;

    private TlsContext(bool isServer, string? serverName)
        : base(invalidHandleValue: 0, ownsHandle: true)
    {
        IsServer = isServer;
        ServerName = serverName;
        SetHandle(SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()));
        PemReader.Require(handle != 0, "OpenSSL gives no context");
    }

    public override bool IsInvalid => handle == 0;

    public bool IsServer { get; }

    public string? ServerName { get; }

    // The contexts of all threads share the keys of tickets.
    public static TlsContext OfServer(ServerSetup setup, byte[] ticketKeys)
    {
        TlsCredentials credentials = setup.Credentials ?? throw new ArgumentException("A TLS server needs credentials.", nameof(setup));
        var context = new TlsContext(isServer: true, serverName: null);
        context.Prepare(setup.Plan, credentials.Authority);
        context.UseCertificate(credentials.ServerCertificate, credentials.ServerKey, "server");
        context.OfferResumption(setup.Plan.Tls.Resumption, ticketKeys);
        if (setup.Plan.Tls.Mutual)
        {
            SSL_CTX_set_verify(context.handle, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, 0);
            PemReader.UseCertificates(credentials.Authority, "authority's certificate", certificate => SSL_CTX_add_client_CA(context.handle, certificate) == 1);
        }

        return context;
    }

    public static TlsContext OfClients(ClientSetup setup)
    {
        TlsCredentials credentials = setup.Credentials ?? throw new ArgumentException("TLS clients need credentials.", nameof(setup));
        var context = new TlsContext(isServer: false, setup.Plan.ServerName);
        context.Prepare(setup.Plan, credentials.Authority);
        context.OfferGroup(setup.Plan.Tls);
        SSL_CTX_set_verify(context.handle, SSL_VERIFY_PEER, 0);
        context._accepted = (AcceptedCertificate*)NativeMemory.AllocZeroed((nuint)sizeof(AcceptedCertificate));
        SSL_CTX_set_cert_verify_callback(context.handle, &Verify, context._accepted);

        // OpenSSL reports a ticket only to a client with a cache of sessions. This one keeps nothing.
        const int Reports = SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL | SSL_SESS_CACHE_NO_AUTO_CLEAR;
        SSL_CTX_ctrl(context.handle, SSL_CTRL_SET_SESS_CACHE_MODE, Reports, 0);
        SSL_CTX_sess_set_new_cb(context.handle, &CountTicket);
        nint rules = SSL_CTX_get0_param(context.handle);
        bool isSet = IsAddress(setup.Plan.ServerName)
            ? X509_VERIFY_PARAM_set1_ip_asc(rules, setup.Plan.ServerName) == 1
            : X509_VERIFY_PARAM_set1_host(rules, setup.Plan.ServerName, 0) == 1;
        PemReader.Require(isSet, $"OpenSSL cannot look for the name '{setup.Plan.ServerName}' in a certificate");
        if (setup.Plan.Tls.Mutual && credentials.ClientCertificate is not null)
        {
            context.UseCertificate(credentials.ClientCertificate, credentials.ClientKey, "client");
        }

        return context;
    }

    // The caller frees the SSL.
    public nint Open(int descriptor)
    {
        nint ssl = SSL_new(handle);
        GC.KeepAlive(this);
        PemReader.Require(ssl != 0 && SSL_set_fd(ssl, descriptor) == 1, "OpenSSL gives no connection");
        if (IsServer)
        {
            SSL_set_accept_state(ssl);
            return ssl;
        }

        SSL_set_connect_state(ssl);
        if (!IsAddress(ServerName!))
        {
            // RFC 6066: the client sends the name of the requested server, which cannot be an address.
            fixed (byte* name = Encoding.UTF8.GetBytes(ServerName + '\0'))
            {
                SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (nint)name);
            }
        }

        return ssl;
    }

    protected override bool ReleaseHandle()
    {
        // Connections that are still open keep the context alive until they are freed.
        SSL_CTX_free(handle);
        if (_accepted != null)
        {
            _accepted->Free();
            NativeMemory.Free(_accepted);
        }

        return true;
    }

    // A client that connects again and again verifies the server's chain once, if its certificate is the same. The signature in the handshake, which proves
    // that the server has the key of the certificate, is verified in each handshake.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Verify(nint verification, AcceptedCertificate* accepted)
    {
        nint certificate = X509_STORE_CTX_get0_cert(verification);
        if (accepted->Is(certificate))
        {
            X509_STORE_CTX_set_error(verification, X509_V_OK);
            return 1;
        }

        int verdict = X509_verify_cert(verification);
        if (verdict == 1)
        {
            accepted->Keep(certificate);
        }

        return verdict;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int CountTicket(nint ssl, nint session)
    {
        _ = SSL_set_ex_data(ssl, TicketCount, SSL_get_ex_data(ssl, TicketCount) + SSL_SESSION_has_ticket(session));
        return 0;
    }

    private static bool IsAddress(string name) => IPAddress.TryParse(name, out _);

    private void Prepare(RunPlan plan, string authority)
    {
        (int Min, int Max) versions = plan.Tls.Version switch
        {
            TlsPlan.Version12 => (TLS1_2_VERSION, TLS1_2_VERSION),
            TlsPlan.Version13 => (TLS1_3_VERSION, TLS1_3_VERSION),
            _ => (TLS1_2_VERSION, TLS1_3_VERSION),
        };
        SSL_CTX_ctrl(handle, SSL_CTRL_SET_MIN_PROTO_VERSION, versions.Min, 0);
        SSL_CTX_ctrl(handle, SSL_CTRL_SET_MAX_PROTO_VERSION, versions.Max, 0);

        // The chain that is shown is the given one. OpenSSL would search the store for it, and verify it, in every handshake.
        SSL_CTX_ctrl(
            handle,
            SSL_CTRL_MODE,
            SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN,
            0);
        SSL_CTX_ctrl(handle, SSL_CTRL_SET_READ_AHEAD, 1, 0);
        if (plan.Framing != Framing.Http)
        {
            // A connection with one request never fills it, and would allocate it all the same.
            SSL_CTX_set_default_read_buffer_len(handle, ReadBuffer);
        }

        // Unused tickets would stay unread at a client that only closes, and its close would become a reset.
        SSL_CTX_ctrl(handle, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, 0);
        _ = SSL_CTX_set_num_tickets(handle, 0);

        // Many peers close without close_notify. The framing detects a message that is cut off by that.
        SSL_CTX_set_options(
            handle, (plan.Tls.Resumption is TlsPlan.ByTicket ? 0 : SSL_OP_NO_TICKET) | SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
        nint store = X509_STORE_new();
        SSL_CTX_set_cert_store(handle, store);
        PemReader.UseCertificates(authority, "authority's certificate", certificate => X509_STORE_add_cert(store, certificate) == 1);
    }

    private void OfferResumption(string? resumption, byte[] ticketKeys)
    {
        if (resumption is not (TlsPlan.ByTicket or TlsPlan.BySession))
        {
            return;
        }

        // With TLS 1.3 a session of the cache is offered by a ticket too, which holds its number instead of its state.
        _ = SSL_CTX_set_num_tickets(handle, 1);
        fixed (byte* name = "run"u8, keys = ticketKeys)
        {
            _ = SSL_CTX_set_session_id_context(handle, name, 3);
            if (resumption == TlsPlan.BySession)
            {
                SSL_CTX_ctrl(handle, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_SERVER, 0);
            }
            else
            {
                SSL_CTX_ctrl(handle, SSL_CTRL_SET_TLSEXT_TICKET_KEYS, ticketKeys.Length, (nint)keys);
            }
        }
    }

    private void OfferGroup(TlsPlan tls)
    {
        if (tls.Group is null)
        {
            return;
        }

        // RFC 8422, section 5.1: before TLS 1.3 the curve of an ECDSA certificate must be among the groups too. OpenSSL refuses a group that is listed twice.
        string[] curve = (tls.Version, tls.Key) switch
        {
            (TlsPlan.Version12, TlsKey.P256) => ["P-256", "secp256r1", "prime256v1"],
            (TlsPlan.Version12, TlsKey.P384) => ["P-384", "secp384r1"],
            _ => [],
        };
        bool hasCurve = curve.Length == 0 || curve.Contains(tls.Group, StringComparer.OrdinalIgnoreCase);
        fixed (byte* names = Encoding.UTF8.GetBytes($"{tls.Group}{(hasCurve ? string.Empty : $":{curve[0]}")}\0"))
        {
            bool isKnown = SSL_CTX_ctrl(handle, SSL_CTRL_SET_GROUPS_LIST, 0, (nint)names) == 1;
            PemReader.Require(isKnown, $"this OpenSSL does not support --group {tls.Group}");
        }
    }

    private void UseCertificate(string? certificates, string? key, string owner)
    {
        bool isFirst = true;
        PemReader.UseCertificates(certificates, $"{owner}'s certificate", certificate =>
        {
            // The call for an intermediate certificate counts its reference (SSL_CTX_add1_chain_cert).
            bool isUsed = isFirst ? SSL_CTX_use_certificate(handle, certificate) == 1 : SSL_CTX_ctrl(handle, SSL_CTRL_CHAIN_CERT, 1, certificate) == 1;
            isFirst = false;
            return isUsed;
        });
        PemReader.UseKey(key, $"{owner}'s key", privateKey => SSL_CTX_use_PrivateKey(handle, privateKey) == 1 && SSL_CTX_check_private_key(handle) == 1);
    }
}

/// <summary>The encoding (DER) of the server's certificate that clients accepted last; empty at first.</summary>
internal unsafe struct AcceptedCertificate
{
    private byte* _encoding;
    private int _size;

    // X509_cmp would hash the certificate, and parse its extensions, which takes three times as long.
    public readonly bool Is(nint certificate)
    {
        byte* encoding = null;
        int size = i2d_X509(certificate, &encoding);
        bool isSame = size > 0 && size == _size && new ReadOnlySpan<byte>(encoding, size).SequenceEqual(new ReadOnlySpan<byte>(_encoding, _size));
        CRYPTO_free(encoding, file: null, line: 0);
        return isSame;
    }

    public void Keep(nint certificate)
    {
        Free();
        byte* encoding = null;
        int size = i2d_X509(certificate, &encoding);
        _encoding = encoding;
        _size = Math.Max(size, 0);
    }

    public readonly void Free() => CRYPTO_free(_encoding, file: null, line: 0);
}

/// <summary>The last session of a client (<c>SSL_SESSION</c>), which its next connection can resume; empty at first.</summary>
internal sealed class SavedSession() : SafeHandle(invalidHandleValue: 0, ownsHandle: true)
{
    public override bool IsInvalid => handle == 0;

    /// <summary>The caller gives up its reference.</summary>
    public void Keep(nint session)
    {
        OpensslSsl.SSL_SESSION_free(handle);
        SetHandle(session);
    }

    protected override bool ReleaseHandle()
    {
        OpensslSsl.SSL_SESSION_free(handle);
        return true;
    }
}
