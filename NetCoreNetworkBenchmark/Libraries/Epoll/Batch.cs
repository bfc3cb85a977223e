using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>The sizes that follow from a mode and a load.</summary>
/// <param name="Mode">How many messages a system call takes.</param>
/// <param name="Received">Most elements that a call receives.</param>
/// <param name="Sent">Most elements that wait to be sent, by one call or, where it takes but one, by as many.</param>
/// <param name="BufferSize">Bytes that one element can receive.</param>
internal readonly record struct Batch(BatchMode Mode, int Received, int Sent, int BufferSize)
{
    /// <summary>
    /// Most datagrams of one element: the kernel's UDP_MAX_SEGMENTS, which was 64 until Linux 6.9 and is 128 since.
    /// </summary>
    public const int MostSegments = 64;

    /// <summary>The largest datagram that is put together with others: each must fit into a packet of its own, as Ethernet has them (1,500 bytes less 40 of IPv6 and 8 of UDP).</summary>
    public const int LargestSegment = 1452;

    // Larger vectors are not faster, and let the messages grow cold in the cache.
    private const int LargestVector = 64;
    private const int LargestSegmentedVector = 16;
    private const int LargestPayload = 64 * 1024;

    /// <summary>Bytes of datagrams that are put together: what fits into one before the kernel takes it apart.</summary>
    public const int LargestElement = RunPlan.LargestDatagram;

    /// <summary>Most datagrams of one element.</summary>
    public int SegmentsAnElement => Mode == BatchMode.Gso ? MostSegments : 1;

    /// <summary>Bytes that one element can send.</summary>
    /// <param name="largestMessage">Bytes of the largest message.</param>
    public int ElementSize(int largestMessage) => largestMessage > LargestSegment
        ? largestMessage
        : Math.Min(largestMessage * SegmentsAnElement, LargestElement);

    /// <summary>For a server, where all messages in flight may wait.</summary>
    public static Batch OfServer(BatchMode mode, RunPlan plan) => Of(mode, plan, LargestVector);

    /// <summary>For a client. With one message in flight a vector would never hold more than that, so the plain calls do.</summary>
    public static Batch OfClient(BatchMode mode, RunPlan plan) => plan switch
    {
        { Rate: not null } => Of(mode, plan, LargestVector),
        { ParallelMessages: 1 } => Of(BatchMode.Call, plan, 1),
        _ => Of(mode, plan, plan.ParallelMessages),
    };

    private static Batch Of(BatchMode mode, RunPlan plan, int mostWaiting)
    {
        // One more byte than a message has, so that one that is too long is seen to be.
        int size = Math.Max(plan.MessageSize + 1, DatagramGreeting.Size);
        return mode switch
        {
            BatchMode.Call => new Batch(mode, 1, Math.Min(mostWaiting, LargestVector), size),
            BatchMode.Mmsg => new Batch(mode, Math.Min(mostWaiting, LargestVector), LargestVector, size),
            _ => new Batch(mode, Math.Min(mostWaiting, LargestSegmentedVector), LargestSegmentedVector, LargestPayload),
        };
    }
}
