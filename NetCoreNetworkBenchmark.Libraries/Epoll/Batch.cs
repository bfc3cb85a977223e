namespace NetCoreNetworkBenchmark.Libraries.Epoll;

internal enum BatchMode
{
    /// <summary>One: recvfrom and sendto.</summary>
    Call,

    /// <summary>A vector of datagrams: recvmmsg and sendmmsg.</summary>
    Mmsg,

    /// <summary>A vector in which each element holds many datagrams of one size: UDP GSO and GRO.</summary>
    Gso,
}

// One call sends all elements that wait; in a mode with one message per call, each is sent by its own call.
internal readonly record struct Batch(BatchMode Mode, int Received, int Sent, int BufferSize)
{
    // The kernel's UDP_MAX_SEGMENTS, which was 64 until Linux 6.9 and is 128 since.
    public const int MaxSegments = 64;

    // Each must fit into a packet of its own on Ethernet: 1,500 bytes less 40 of IPv6 and 8 of UDP.
    public const int LargestSegment = 1452;

    // Larger vectors are not faster, and messages would leave the cache.
    private const int LargestVector = 64;
    private const int LargestSegmentedVector = 16;
    private const int LargestPayload = 64 * 1024;

    // The largest datagram, before the kernel segments it.
    public const int LargestElement = RunPlan.LargestDatagram;

    public int SegmentsPerElement => Mode == BatchMode.Gso ? MaxSegments : 1;

    public int ElementSize(int largestMessage) => largestMessage > LargestSegment
        ? largestMessage
        : Math.Min(largestMessage * SegmentsPerElement, LargestElement);

    public static Batch OfServer(BatchMode mode, RunPlan plan) => Create(mode, plan, LargestVector);

    // A vector would never hold more than the only message that can wait, so the plain calls are used.
    public static Batch OfClient(BatchMode mode, RunPlan plan, int maxWaiting) => Create(maxWaiting == 1 ? BatchMode.Call : mode, plan, maxWaiting);

    private static Batch Create(BatchMode mode, RunPlan plan, int maxWaiting)
    {
        // One byte more than a message has, so that a message that is too long is detected.
        int size = Math.Max(plan.MessageSize + 1, DatagramHandshake.Size);
        return mode switch
        {
            BatchMode.Call => new Batch(mode, 1, Math.Min(maxWaiting, LargestVector), size),
            BatchMode.Mmsg => new Batch(mode, Math.Min(maxWaiting, LargestVector), LargestVector, size),
            _ => new Batch(mode, Math.Min(maxWaiting, LargestSegmentedVector), LargestSegmentedVector, LargestPayload),
        };
    }
}
