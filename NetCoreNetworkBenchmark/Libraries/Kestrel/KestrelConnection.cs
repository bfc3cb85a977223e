using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Connections;
using NetCoreNetworkBenchmark.Core.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Kestrel;

/// <summary>One connection: its pipes are Kestrel's, over the socket or over TLS.</summary>
internal sealed class KestrelConnection(StreamSide side, ConnectionContext context) : StreamPeer(side)
{
    // Reads that complete at once keep the thread. After so many whoever else waits for one has it first.
    private const int MostReadsInARow = 32;

    private readonly StreamSide _side = side;
    private readonly PipeReader _input = context.Transport.Input;
    private readonly PipeWriter _output = context.Transport.Output;

    /// <summary>Serves it until it ends; Kestrel then sends what is left and closes it.</summary>
    public async Task ServeAsync()
    {
        try
        {
            Open();
            await ReadAllAsync().ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            // A thread of the pool must not take the process down: the runner ends the run with this as its reason.
            _side.Recorder.ReportFault(exception);
        }
    }

    /// <summary>Copies into the pipe, whose flush ends when there is room in it again.</summary>
    protected override ValueTask WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        ValueTask<FlushResult> flush = _output.WriteAsync(bytes);
        return flush.IsCompletedSuccessfully ? Done(flush.Result) : EndAsync(flush);
    }

    protected override void Shut(bool canSend)
    {
        if (canSend)
        {
            // The loop below ends, and with it the connection, when what is in the pipe has been sent.
            _input.CancelPendingRead();
        }
        else
        {
            context.Abort();
        }
    }

    // Whether the other side still reads is found out by reading from it.
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
                    EndOfStream(exception: null);
                    return;
                }

                if (!goesOn)
                {
                    await RoomAsync().ConfigureAwait(false);
                }

                if (inARow == MostReadsInARow)
                {
                    inARow = 0;
                    await Task.Yield();
                }
            }
        }
        catch (Exception exception) when (isReading && StreamFailure.IsOne(exception))
        {
            EndOfStream(exception);
        }
    }
}
