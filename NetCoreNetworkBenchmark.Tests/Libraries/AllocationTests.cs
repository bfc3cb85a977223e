namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>
/// The path of a message allocates nothing in this program. The runtime counts allocations on the threads that serve messages, over several
/// windows of messages. A one-time allocation (a static field at its first use, code that is compiled again) falls into one window; an allocation
/// for messages falls into all of them. These libraries have threads of their own; <see cref="PoolAllocationTests"/> has the others.
/// </summary>
public sealed class AllocationTests
{
    private const int Counted = 10_000;
    private const int CountedOfRate = 4_000;
    private const double Rate = 25_000;

    [Theory]
    [InlineData("Sockets", Protocol.Udp, "", 10, 1)]
    [InlineData("Sockets", Protocol.Udp, "", 4, 20)]
    [InlineData("ENet", Protocol.Udp, "", 10, 1)]
    [InlineData("ENet", Protocol.Udp, "", 4, 20)]
    [InlineData("Epoll", Protocol.Udp, "batch=call", 10, 1)]
    [InlineData("Epoll", Protocol.Udp, "batch=call", 4, 20)]
    [InlineData("Epoll", Protocol.Udp, "batch=mmsg", 4, 20)]
    [InlineData("Epoll", Protocol.Udp, "batch=gso", 10, 1)]
    [InlineData("Epoll", Protocol.Udp, "batch=gso", 4, 20)]
    [InlineData("Epoll", Protocol.Tcp, "send=message", 10, 1)]
    [InlineData("Epoll", Protocol.Tcp, "send=message", 4, 1000)]
    [InlineData("Epoll", Protocol.Tcp, "send=message", 4, 1000, Framing.Length)]
    [InlineData("Epoll", Protocol.Tcp, "send=receive", 10, 1)]
    [InlineData("Epoll", Protocol.Tcp, "send=receive", 4, 1000)]
    [InlineData("Epoll", Protocol.Ssl, "send=message", 10, 1)]
    [InlineData("Epoll", Protocol.Ssl, "send=message", 4, 1000)]
    [InlineData("Epoll", Protocol.Ssl, "send=message", 4, 1000, Framing.Length)]
    [InlineData("Epoll", Protocol.Ssl, "send=receive", 10, 1)]
    [InlineData("Epoll", Protocol.Ssl, "send=receive", 4, 1000)]
    public Task A_round_trip_allocates_no_byte(
        string library, Protocol protocol, string setting, int clients, int parallelMessages, Framing framing = Framing.Fixed) =>
        AssertAllocatesNothingAsync(PlanOf(library, protocol, setting, clients, parallelMessages) with { Framing = framing });

    [Theory, InlineData("Sockets"), InlineData("ENet")]
    public Task A_message_of_an_open_loop_allocates_no_byte(string name) =>
        AssertAllocatesNothingAsync(new RunPlan { Library = name, Clients = 10, Rate = Rate, Port = 0 }, CountedOfRate);

    internal static RunPlan PlanOf(string library, Protocol protocol, string setting, int clients, int parallelMessages)
    {
        var plan = new RunPlan { Library = library, Protocol = protocol, Clients = clients, ParallelMessages = parallelMessages, Port = 0 };
        return setting.Split('=') is [var name, var value] ? plan with { Settings = new Dictionary<string, string> { [name] = value } } : plan;
    }

    /// <summary>Serves messages until one thread of either side has served enough of them.</summary>
    /// <param name="tolerated">The most bytes that may be allocated in the best of the windows.</param>
    internal static async Task AssertAllocatesNothingAsync(RunPlan plan, int counted = Counted, long tolerated = 0)
    {
        CheckSubject subject = LibraryUnderTest.Subject(LibraryUnderTest.Create(plan.Library), plan with { ConnectDeadline = LibraryUnderTest.Deadline });
        await using var session = new CheckSession(subject);
        var workload = new PingPong();
        var server = new MessageAllocations.CountingServer(workload.CreateServerHandler(plan, session.Recorder), counted);
        var client = new MessageAllocations.CountingClient(workload.CreateClientHandler(plan, session.Recorder), counted);
        session.Handlers = (server, client);
        await session.LoadAsync();
        await server.Thread.Done.ReachesAsync(1, "threads of the server served enough messages");
        await client.Thread.Done.ReachesAsync(1, "threads of the clients served enough messages");
        Assert.InRange(server.Thread.Allocated, 0, tolerated);
        Assert.InRange(client.Thread.Allocated, 0, tolerated);
    }
}

/// <summary>
/// As <see cref="AllocationTests"/>, for libraries whose messages are served by the runtime's thread pool. Its threads also do the work of other tests, so
/// no other test may run at the same time.
/// </summary>
[Collection(nameof(LeakTests))]
public sealed class PoolAllocationTests
{
    // The pool has many threads, and one of them has to serve all windows.
    private const int Counted = 1_000;

    // The runtime itself sometimes allocates, such as a larger array for a queue of its pool. The least that this program could allocate is 24 bytes for a
    // message, or an object of an async method for the 20 parallel messages of a client, of about 100 bytes.
    private const int ToleratedPerMessage = 4;

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
    [InlineData("WebSockets", Protocol.Tcp, 4, 20, "message")]
    [InlineData("WebSockets", Protocol.Ssl, 4, 20, "message")]
    public Task A_round_trip_over_a_stream_allocates_no_byte(
        string library, Protocol protocol, int clients, int parallelMessages, string send) => AllocationTests.AssertAllocatesNothingAsync(
        AllocationTests.PlanOf(library, protocol, $"send={send}", clients, parallelMessages) with { Transmission = Transmission.Reliable },
        Counted,
        tolerated: ToleratedPerMessage * Counted);
}
