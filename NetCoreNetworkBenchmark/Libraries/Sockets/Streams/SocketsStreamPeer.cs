using System.Buffers;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

/// <summary>
/// A connection at either side, over TCP (<see cref="System.Net.Sockets.NetworkStream"/>) or TLS (<see cref="System.Net.Security.SslStream"/>). One loop
/// receives on the thread pool, and messages are sent from within it.
/// </summary>
internal abstract class SocketsStreamPeer(StreamSide side) : StreamPeer(side)
{
    private const int FirstBuffer = 4 * 1024;
    private const int LargestBuffer = 64 * 1024;

    // Receives that complete at once keep the thread. After this many, other work that waits for a thread runs first.
    private const int MostReceivesInARow = 32;

    private Stream? _stream;

    protected override ValueTask WriteAsync(ReadOnlyMemory<byte> bytes) => _stream!.WriteAsync(bytes);

    /// <summary>Notifies the workload of the new connection.</summary>
    /// <param name="stream">The connected stream.</param>
    protected void Open(Stream stream)
    {
        _stream = stream;
        Open();
    }

    /// <summary>Serves the open connection until it ends.</summary>
    protected async Task ServeAsync()
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
