using System.Buffers;
using System.Net.Security;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

/// <summary>
/// A connection at either side, over TCP (<see cref="System.Net.Sockets.NetworkStream"/>) or TLS (<see cref="SslStream"/>). One loop
/// receives on the thread pool, and messages are sent from within it.
/// </summary>
internal abstract class SocketsStreamPeer(StreamSide side, IConnectObserver? observer) : StreamPeer(side)
{
    private const int FirstBuffer = 4 * 1024;
    private const int LargestBuffer = 64 * 1024;

    // Receives that complete at once keep the thread. After this many, other work that waits for a thread runs first.
    private const int MostReceivesInARow = 32;

    private volatile Transport? _transport;
    private Stream? _stream;

    /// <summary>The layers below the connection; null before they exist.</summary>
    protected Transport? Transport
    {
        get => _transport;
        set => _transport = value;
    }

    /// <summary>Establishes the connection, and serves it until it ends. A failure ends this connection and no other.</summary>
    public async Task RunAsync()
    {
        try
        {
            _stream = await AgreeAsync().ConfigureAwait(false);
            if (_stream is not null)
            {
                Open();
                observer?.Connected();
                await ServeAsync().ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            Side.Recorder.ReportFault(exception);
        }
        finally
        {
            _transport?.Dispose();
        }
    }

    /// <summary>Establishes the connection.</summary>
    /// <returns>The stream that carries the messages; null if there is none.</returns>
    protected abstract Task<Stream?> AgreeAsync();

    /// <summary>Performs the handshake of TLS over the connected socket.</summary>
    protected async Task<Stream> HandshakeAsync(Func<SslStream, Task> authenticate)
    {
        SslStream secure = _transport!.Secure();
        await authenticate(secure).ConfigureAwait(false);
        Side.Recorder.CountHandshake(DotNetTls.Read(secure.SslProtocol, secure.NegotiatedCipherSuite));
        return secure;
    }

    protected override void Shut(bool canSend) => _transport?.Shut(saysSo: canSend);

    protected override ValueTask WriteAsync(ReadOnlyMemory<byte> bytes) => _stream!.WriteAsync(bytes);

    private async Task ServeAsync()
    {
        bool isReceiving = false;
        try
        {
            byte[] buffer = BufferOf(FirstBuffer);
            int inARow = 0;
            while (!IsClosed)
            {
                isReceiving = true;
                ValueTask<int> receiving = _stream!.ReadAsync(buffer);
                inARow = receiving.IsCompleted ? inARow + 1 : 0;
                int length = await receiving.ConfigureAwait(false);
                isReceiving = false;
                if (length == 0)
                {
                    EndOfStream(exception: null);
                    return;
                }

                if (!Receive(new ReadOnlySequence<byte>(buffer, 0, length)))
                {
                    await RoomAsync().ConfigureAwait(false);
                }

                if (length == buffer.Length && length < LargestBuffer)
                {
                    // More bytes wait than the buffer holds. Of many connections, most never need more than the first buffer.
                    buffer = BufferOf(2 * length);
                }

                if (inARow == MostReceivesInARow)
                {
                    inARow = 0;
                    await Task.Yield();
                }
            }
        }
        catch (Exception exception) when (isReceiving && StreamFailure.IsOne(exception))
        {
            EndOfStream(exception);
        }
    }

    // The kernel writes into the buffer for the lifetime of the connection, so the buffer need not be moved.
    private static byte[] BufferOf(int size) => GC.AllocateUninitializedArray<byte>(size, pinned: true);
}
