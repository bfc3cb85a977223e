using System.Buffers;
using NetCoreNetworkBenchmark.Core.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

/// <summary>
/// A connection at either side, over TCP (<see cref="System.Net.Sockets.NetworkStream"/>) or TLS (<see cref="System.Net.Security.SslStream"/>): one
/// loop that receives on the thread pool, and what is sent goes from within it.
/// </summary>
internal abstract class StreamConnection(StreamSide side) : StreamPeer(side)
{
    private const int FirstBuffer = 4 * 1024;
    private const int LargestBuffer = 64 * 1024;

    // Receives that complete at once keep the thread. After so many whoever else waits for one has it first.
    private const int MostReceivesInARow = 32;

    private Stream? _stream;

    protected override ValueTask WriteAsync(ReadOnlyMemory<byte> bytes) => _stream!.WriteAsync(bytes);

    /// <summary>Tells the workload that the connection is there.</summary>
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
                    // More waits than it holds. Most connections of many never need more than the first.
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

    // The kernel writes into it for as long as the connection lasts: it need not be moved about.
    private static byte[] BufferOf(int size) => GC.AllocateUninitializedArray<byte>(size, pinned: true);
}
