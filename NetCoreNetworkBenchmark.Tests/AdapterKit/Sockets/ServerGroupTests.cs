namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Sockets;

public sealed class ServerGroupTests
{
    private static readonly IPEndPoint s_chosen = new(IPAddress.Loopback, 12_345);

    [Fact]
    public async Task The_first_binds_where_it_is_asked_for_and_the_others_share_its_port()
    {
        using var recorder = new RunRecorder();
        var (requested, sockets) = (new List<ServerSetup>(), new List<FakeSocket>());
        IBenchmarkServer server = PolledServer.Start("Fake", Setup(recorder, threads: 3), (_, setup) =>
        {
            requested.Add(setup);
            sockets.Add(new FakeSocket());
            return sockets[^1];
        });
        Assert.Equal([0, s_chosen.Port, s_chosen.Port], requested.Select(setup => setup.EndPoint.Port));
        Assert.All(requested, setup => Assert.True(setup.SharesPort));
        Assert.Equal(s_chosen, server.EndPoint);
        await server.DisposeAsync();
        await server.DisposeAsync();

        // A loop that ends at once may not have taken ownership of its socket.
        sockets.ForEach(socket => socket.Dispose());
    }

    [Fact]
    public async Task One_thread_shares_nothing()
    {
        using var recorder = new RunRecorder();
        using var socket = new FakeSocket();
        ServerSetup? requested = null;
        IBenchmarkServer server = PolledServer.Start("Fake", Setup(recorder, threads: 1), (_, setup) =>
        {
            requested = setup;
            return socket;
        });
        Assert.Equal((0, false), (requested!.EndPoint.Port, requested.SharesPort));
        await server.DisposeAsync();
    }

    [Fact]
    public void When_one_cannot_be_bound_those_before_it_end()
    {
        using var recorder = new RunRecorder();
        var ended = new Tally();
        int bound = 0;
        Assert.Throws<BenchmarkException>(() => ServerGroup.Start(
            Setup(recorder, threads: 3), _ => ++bound < 3 ? new FakeServer(ended) : throw new BenchmarkException("It cannot be bound.")));
        Assert.Equal((3, 2), (bound, ended.Count));
    }

    private static ServerSetup Setup(RunRecorder recorder, int threads) => Setups.OfServer(new RunPlan { Library = "Fake", ServerThreads = threads }, recorder);

    private sealed class FakeServer(Tally ended) : IBenchmarkServer
    {
        public IPEndPoint EndPoint => s_chosen;

        public ValueTask DisposeAsync()
        {
            ended.Add();
            return ValueTask.CompletedTask;
        }
    }

    private sealed class FakeSocket : IPolledServerSocket
    {
        private readonly Socket _socket = new(SocketType.Dgram, ProtocolType.Udp);

        public IPEndPoint EndPoint => s_chosen;
        public nint SocketHandle => _socket.Handle;

        public void OnReadable() { }

        public void OnTick() { }

        public void Dispose() => _socket.Dispose();
    }
}

public sealed class BindFailureTests
{
    [Theory]
    [InlineData("::1", SocketError.AddressNotAvailable, "--address: this machine has no IPv6 loopback (::1). Use an IPv4 address, such as 127.0.0.1.")]
    [InlineData("::1", SocketError.AddressFamilyNotSupported, "--address: this machine has no IPv6 loopback (::1). Use an IPv4 address, such as 127.0.0.1.")]
    [InlineData(
        "127.0.0.1", SocketError.AddressNotAvailable,
        "--address: this machine has no IPv4 loopback (127.0.0.1). Use another of its addresses, such as ::1.")]
    [InlineData("::", SocketError.AddressFamilyNotSupported, "--address: this machine has no IPv6, which :: requires. Use an IPv4 address, such as 127.0.0.1.")]
    [InlineData(
        "2001:db8::1", SocketError.AddressNotAvailable,
        "--address: 2001:db8::1 is not an address of this machine. Use one of its addresses, such as 127.0.0.1.")]
    public void An_address_that_the_machine_has_not_is_bad_input(string address, SocketError error, string sentence)
    {
        BenchmarkException exception = BindFailure.Explain(new IPEndPoint(IPAddress.Parse(address), 3333), error);
        Assert.Equal((true, sentence), (exception.IsBadInput, exception.Message));
    }

    [Fact]
    public void An_end_point_is_written_as_in_a_URL() => Assert.Equal(
        "The server could not be bound to [::1]:3333: Fault.", BindFailure.Explain(new IPEndPoint(IPAddress.IPv6Loopback, 3333), SocketError.Fault).Message);
}

public sealed class SharedPortTests
{
    private const string Address = "127.83.0.1";

    [Fact]
    public void RequireFree_refuses_a_port_that_others_share()
    {
        Assert.SkipUnless(SharedPort.IsSupported, "This system does not spread clients over sockets.");
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        SharedPort.Enable(socket);

        // An address of its own, at which no other program is given the port when it is free again.
        socket.Bind(new IPEndPoint(IPAddress.Parse(Address), 0));
        var endPoint = (IPEndPoint)socket.LocalEndPoint!;
        var exception = Assert.Throws<BenchmarkException>(() => SharedPort.RequireFree(endPoint, Protocol.Udp));
        exception.Message.AssertBegins($"Port {endPoint.Port} of {Address} is in use");
        socket.Dispose();
        SharedPort.RequireFree(endPoint, Protocol.Udp);
    }
}
