using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;
using NetCoreNetworkBenchmark.Libraries.AspNetCore;

namespace NetCoreNetworkBenchmark.Libraries.Kestrel;

internal sealed class KestrelConnection(StreamSide side, ConnectionContext context) : StreamPeer(side)
{
    // Reads that complete at once keep the thread. After this many, other work that waits for a thread runs first.
    private const int MaxReadsInARow = 32;

    private readonly PipeReader _input = context.Transport.Input;
    private readonly PipeWriter _output = context.Transport.Output;

    private volatile bool _isWritten;

    // Kestrel sends the remaining bytes and closes the connection after this.
    public async Task ServeAsync()
    {
        try
        {
            Open();
            await ReadAllAsync().ConfigureAwait(false);
            if (_isWritten)
            {
                await Handshakes.EndAsync(context).ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            Side.Recorder.ReportFault(exception);
        }
    }

    // The flush completes when the pipe has capacity again.
    protected override ValueTask WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        ValueTask<FlushResult> flush = _output.WriteAsync(bytes);
        return flush.IsCompletedSuccessfully ? Done(flush.Result) : EndAsync(flush);
    }

    protected override void CloseTransport(bool canSend)
    {
        _isWritten = canSend;
        if (canSend)
        {
            // The loop below ends, and with it the connection, when the bytes in the pipe have been sent.
            _input.CancelPendingRead();
        }
        else
        {
            context.Abort();
        }
    }

    // A read detects whether the other side still reads.
    private static ValueTask Done(FlushResult _) => ValueTask.CompletedTask;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask EndAsync(ValueTask<FlushResult> flush) => await flush.ConfigureAwait(false);

    private async Task ReadAllAsync()
    {
        bool isReading = false;
        try
        {
            int inARow = 0;
            while (!IsClosed)
            {
                isReading = true;
                ValueTask<ReadResult> reading = _input.ReadAsync();
                inARow = reading.IsCompleted ? inARow + 1 : 0;
                ReadResult result = await reading.ConfigureAwait(false);
                isReading = false;
                bool goesOn = Receive(result.Buffer);
                _input.AdvanceTo(result.Buffer.End);
                if (result.IsCompleted)
                {
                    OnEndOfStream(exception: null);
                    return;
                }

                if (!goesOn)
                {
                    await WaitForCapacityAsync().ConfigureAwait(false);
                }

                if (inARow == MaxReadsInARow)
                {
                    inARow = 0;
                    await Task.Yield();
                }
            }
        }
        catch (Exception exception) when (isReading && StreamFailure.IsOne(exception))
        {
            OnEndOfStream(exception);
        }
    }
}
