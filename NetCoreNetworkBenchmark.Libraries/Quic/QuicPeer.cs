using System.Net.Quic;
using System.Net.Security;

namespace NetCoreNetworkBenchmark.Libraries.Quic;

// QUIC announces a stream by its first bytes (RFC 9000, section 2.1), so a client sends one byte before any message, and the server takes it away.
internal abstract class QuicPeer(StreamSide side, IConnectObserver? observer) : ReadingPeer(side, observer)
{
    /// <summary>The application protocol that both sides name (ALPN, RFC 7301), which QUIC requires.</summary>
    public static readonly SslApplicationProtocol Application = new("netcorenetworkbenchmark");

    public const long NoError = 0;

    // The other side ends its direction of the stream as soon as it has read ours to the end, unless it is frozen or gone.
    private static readonly TimeSpan s_longestFarewell = TimeSpan.FromSeconds(1);

    private QuicStream? _stream;

    protected QuicConnection? Connection { get; set; }

    protected Stream Take(QuicStream stream)
    {
        Side.Recorder.CountHandshake(DotNetTls.Read(Connection!.SslProtocol, Connection.NegotiatedCipherSuite));
        return _stream = stream;
    }

    protected override bool IsClose(Exception exception) => exception is QuicException { ApplicationErrorCode: NoError };

    protected override void CloseTransport(bool canSend)
    {
        if (_stream is not { } stream)
        {
            return;
        }

        if (canSend)
        {
            stream.CompleteWrites();
            _ = AbortUnlessReleasedAsync(s_longestFarewell, () => stream.Abort(QuicAbortDirection.Both, NoError));
        }
        else
        {
            stream.Abort(QuicAbortDirection.Both, NoError);
        }
    }

    protected override async ValueTask ReleaseAsync()
    {
        using var deadline = new CancellationTokenSource(s_longestFarewell);
        QuicStream? stream = TakeStream();
        if (stream is not null)
        {
            await EndAsync(stream, deadline.Token).ConfigureAwait(false);
        }

        if (Connection is { } connection)
        {
            await CloseAsync(connection, deadline.Token).ConfigureAwait(false);
        }

        if (stream is not null)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
        }
    }

    // A connection whose handler failed is released before it is closed.
    private QuicStream? TakeStream()
    {
        lock (Calls)
        {
            QuicStream? stream = _stream;
            _stream = null;
            return stream;
        }
    }

    // A closed connection drops what was not acknowledged. So each side reads until the other has ended, and the stream's disposal waits for what it sent.
    private static async Task EndAsync(QuicStream stream, CancellationToken deadline)
    {
        try
        {
            stream.CompleteWrites();
            byte[] rest = new byte[4096];
            while (await stream.ReadAsync(rest, deadline).ConfigureAwait(false) > 0)
            {
                // These messages came after the close.
            }

            await stream.DisposeAsync().AsTask().WaitAsync(deadline).ConfigureAwait(false);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            // The other side has closed the connection, or it is frozen or gone.
        }
    }

    // A close waits for the other side, by the library's own measure for 16 s. After a close that was cancelled, the disposal does not wait.
    private static async Task CloseAsync(QuicConnection connection, CancellationToken deadline)
    {
        try
        {
            await connection.CloseAsync(NoError, deadline).ConfigureAwait(false);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            // The other side has closed it before, or it does not answer.
        }
        finally
        {
            await connection.DisposeAsync().ConfigureAwait(false);
        }
    }
}
