using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;
using static NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl.OpensslSsl;
using static NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl.OpensslX509;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

// OpenSSL reads and writes the socket itself. It requires that no errors of an earlier call are left when a call is made, so each failure takes them at once.
internal sealed unsafe class TlsTransport(int descriptor, TlsContext context) : StreamTransport(descriptor)
{
    private readonly nint _ssl = context.Open(descriptor);

    // A ticket of TLS 1.3 that holds the state of a session has its secret of at least 32 bytes, encrypted, with a code of at least 16 bytes. A shorter one
    // is a number by which the server finds what it keeps.
    private const int MinStateBytes = 48;

    private bool _canNotify;
    private bool _isSocketEmpty;

    // The outcome of a call that followed others which returned bytes. The next Receive returns it.
    private Outcome _deferred;

    public override bool HasMore => !_isSocketEmpty && HasBuffered;

    public override bool HasBuffered => _deferred != Outcome.Done || SSL_has_pending(_ssl) == 1;

    /// <summary>Called before the handshake. Null or an empty session for none.</summary>
    public void Resume(SavedSession? session)
    {
        if (session is { IsInvalid: false })
        {
            _ = SSL_set_session(_ssl, session.DangerousGetHandle());
        }
    }

    public void Save(SavedSession? session) => session?.Keep(SSL_get1_session(_ssl));

    public int Tickets => (int)SSL_get_ex_data(_ssl, TlsContext.TicketCount);

    public override Outcome Handshake()
    {
        int result = SSL_do_handshake(_ssl);
        if (result == 1)
        {
            _canNotify = true;
            return Outcome.Done;
        }

        int error = SSL_get_error(_ssl, result);
        if (Waiting(error) is { } waits)
        {
            return waits;
        }

        Failure = TlsFailure.OfHandshake(_ssl, error, Other, context.ServerName);
        return Outcome.Failed;
    }

    public override NegotiatedTls? Negotiated()
    {
        int group = (int)SSL_ctrl(_ssl, SSL_CTRL_GET_NEGOTIATED_GROUP, 0, 0);
        return new NegotiatedTls(
            SSL_version(_ssl) == TLS1_3_VERSION ? TlsPlan.Version13 : TlsPlan.Version12,
            Text(SSL_CIPHER_standard_name(SSL_get_current_cipher(_ssl))) ?? "unknown",
            group == 0 ? null : Text(SSL_group_to_name(_ssl, group)),
            SSL_session_reused(_ssl) == 1)
        {
            Key = KeyOf(context.IsServer ? SSL_get_certificate(_ssl) : SSL_get0_peer_certificate(_ssl)),
            ResumedBy = context.IsServer || SSL_session_reused(_ssl) == 0 ? null : Resumption(),
        };
    }

    // A call of OpenSSL returns one record, which may be one small message, although the system returned many at once: all of them are taken here.
    public override Outcome Receive(Span<byte> buffer, out int count)
    {
        Outcome outcome = _deferred;
        _deferred = Outcome.Done;
        count = 0;
        fixed (byte* bytes = buffer)
        {
            while (outcome == Outcome.Done && count < buffer.Length && (count == 0 || HasBuffered))
            {
                outcome = Result(SSL_read(_ssl, bytes + count, buffer.Length - count), out int read);
                count += read;
            }
        }

        _isSocketEmpty = outcome == Outcome.WantsRead;
        if (count == 0)
        {
            return outcome;
        }

        _deferred = _isSocketEmpty ? Outcome.Done : outcome;
        return Outcome.Done;
    }

    public override Outcome Send(ReadOnlySpan<byte> bytes, out int count)
    {
        if (_deferred == Outcome.Failed)
        {
            count = 0;
            return Outcome.Failed;
        }

        fixed (byte* first = bytes)
        {
            return Result(SSL_write(_ssl, first, bytes.Length), out count);
        }
    }

    protected internal override void Release()
    {
        if (_canNotify)
        {
            // The call sends close_notify and does not wait for that of the other side. If it fails, the close of the socket must suffice.
            _ = SSL_shutdown(_ssl);
            OpensslErr.ERR_clear_error();
        }

        SSL_free(_ssl);
    }

    private string Other => context.IsServer ? "client" : "server";

    private string Resumption()
    {
        byte* ticket;
        nuint length;
        SSL_SESSION_get0_ticket(SSL_get_session(_ssl), &ticket, &length);
        nuint min = SSL_version(_ssl) == TLS1_3_VERSION ? MinStateBytes : 1u;
        return length >= min ? TlsPlan.ByTicket : TlsPlan.BySession;
    }

    private static string? Text(byte* text) => Marshal.PtrToStringUTF8((nint)text);

    private static string? KeyOf(nint certificate)
    {
        nint key = certificate == 0 ? 0 : X509_get0_pubkey(certificate);
        return key == 0 ? null : (EVP_PKEY_get_base_id(key), EVP_PKEY_get_bits(key)) switch
        {
            (EVP_PKEY_RSA, 2048) => nameof(TlsKey.Rsa2048),
            (EVP_PKEY_RSA, 4096) => nameof(TlsKey.Rsa4096),
            (EVP_PKEY_EC, 256) => nameof(TlsKey.P256),
            (EVP_PKEY_EC, 384) => nameof(TlsKey.P384),
            (EVP_PKEY_RSA, int bits) => FormattableString.Invariant($"Rsa{bits}"),
            (EVP_PKEY_EC, int bits) => FormattableString.Invariant($"P{bits}"),
            _ => null,
        };
    }

    private static Outcome? Waiting(int error) => error switch
    {
        SSL_ERROR_WANT_READ => Outcome.WantsRead,
        SSL_ERROR_WANT_WRITE => Outcome.WantsWrite,
        _ => null,
    };

    private Outcome Result(int moved, out int count)
    {
        count = Math.Max(moved, 0);
        return moved > 0 ? Outcome.Done : Refused(SSL_get_error(_ssl, moved));
    }

    private Outcome Refused(int error)
    {
        if (Waiting(error) is { } waits)
        {
            return waits;
        }

        if (error == SSL_ERROR_ZERO_RETURN)
        {
            return Outcome.Ended;
        }

        // OpenSSL forbids further calls, including the one that sends close_notify.
        _canNotify = false;
        Failure = error == SSL_ERROR_SYSCALL ? TlsFailure.OfCall(error, Other) : $"TLS error: {TlsFailure.OfCall(error, Other)}";
        return Outcome.Failed;
    }
}
