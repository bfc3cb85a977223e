namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>
/// As <see cref="AllocationTests"/>, for libraries whose messages are served by the runtime's thread pool. Its threads also do the work of other tests, so
/// no other test may run at the same time.
/// </summary>
[Collection(nameof(LeakTests))]
public sealed class PoolAllocationTests
{
    // The pool has many threads, and one of them has to serve all windows.
    private const int Counted = 1_000;

    // Less than a byte for each: the queues of the runtime's pool occasionally allocate a larger array, while the smallest possible allocation for a
    // message is 24 bytes.
    [Theory]
    [InlineData("Sockets", Protocol.Tcp, 10, 1, "message")]
    [InlineData("Sockets", Protocol.Tcp, 4, 20, "message")]
    [InlineData("Sockets", Protocol.Tcp, 4, 20, "receive")]
    [InlineData("Sockets", Protocol.Ssl, 4, 20, "message")]
    [InlineData("Sockets", Protocol.Ssl, 4, 20, "receive")]
    [InlineData("Kestrel", Protocol.Tcp, 4, 20, "message")]
    [InlineData("Kestrel", Protocol.Tcp, 4, 20, "receive")]
    [InlineData("Kestrel", Protocol.Ssl, 4, 20, "message")]
    [InlineData("Kestrel", Protocol.Ssl, 4, 20, "receive")]
    public Task A_round_trip_over_a_stream_allocates_no_byte(
        string name, Protocol protocol, int clients, int parallelMessages, string send) => AllocationTests.AssertAllocatesNothingAsync(
        new RunPlan
        {
            Library = name,
            Protocol = protocol,
            Transmission = Transmission.Reliable,
            Clients = clients,
            ParallelMessages = parallelMessages,
            Port = 0,
            Settings = new Dictionary<string, string> { ["send"] = send },
        },
        Counted,
        tolerated: Counted - 1);
}
