using System.Buffers;
using System.Runtime.InteropServices;
using DotNetty.Buffers;
using DotNetty.Transport.Channels;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;

namespace DotNettyAdapter;

/// <summary>
/// A connection of either side. The channel takes the bytes of every write and reports by its watermarks whether it holds many, so a write is complete when
/// the channel has them.
/// </summary>
internal class Connection : StreamPeer
{
    private IChannel? _channel;

    public Connection(StreamSide side, IConnectObserver? observer = null)
        : base(side, observer) => Events = new ChannelEvents(this);

    public IChannelHandler Events { get; }

    protected override ValueTask WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        // The bytes are in an array of the base class, and change after the write.
        _ = MemoryMarshal.TryGetArray(bytes, out ArraySegment<byte> segment);
        IByteBuffer buffer = _channel!.Allocator.Buffer(bytes.Length).WriteBytes(segment.Array, segment.Offset, segment.Count);
        Task write = _channel.WriteAndFlushAsync(buffer);
        if (!_channel.EventLoop.InEventLoop)
        {
            // The loop makes the write later, and would make one of its own before it.
            return new ValueTask(write);
        }

        if (!_channel.IsWritable)
        {
            IsLibraryFull = true;

            // Before the check: a channel that becomes writable after it reports that to a connection that waits.
            Interlocked.MemoryBarrier();
            IsLibraryFull = !_channel.IsWritable;
        }

        return ValueTask.CompletedTask;
    }

    protected override void CloseTransport(bool canSend) => _ = _channel?.CloseAsync();

    private void OnReceived(IChannel channel, IByteBuffer buffer)
    {
        try
        {
            bool mayRead = Receive(new ReadOnlySequence<byte>(buffer.GetIoBuffer(buffer.ReaderIndex, buffer.ReadableBytes)));
            if (!mayRead && channel.Configuration.AutoRead)
            {
                channel.Configuration.AutoRead = false;
                _ = ReadAgainAsync(channel);
            }
        }
        finally
        {
            buffer.Release();
        }
    }

    private async Task ReadAgainAsync(IChannel channel)
    {
        await WaitForCapacityAsync().ConfigureAwait(false);
        channel.Configuration.AutoRead = true;
    }

    // All are calls of the channel's event loop. A failure of the handlers is one of the run.
    private sealed class ChannelEvents(Connection connection) : ChannelHandlerAdapter
    {
        public override void ChannelActive(IChannelHandlerContext context)
        {
            connection._channel = context.Channel;
            connection.Open();
            connection.Observer?.Connected();
        }

        public override void ChannelRead(IChannelHandlerContext context, object message) => connection.OnReceived(context.Channel, (IByteBuffer)message);

        public override void ChannelWritabilityChanged(IChannelHandlerContext context)
        {
            if (context.Channel.IsWritable)
            {
                connection.OnLibraryDrained();
            }
        }

        public override void ChannelInactive(IChannelHandlerContext context) => connection.OnEndOfStream(exception: null);

        public override void ExceptionCaught(IChannelHandlerContext context, Exception exception)
        {
            if (StreamFailure.IsOne(exception))
            {
                connection.OnEndOfStream(exception);
            }
            else
            {
                connection.Side.Recorder.ReportFault(exception);
            }
        }
    }
}
