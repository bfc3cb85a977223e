namespace NetCoreNetworkBenchmark.Tests;

/// <summary>Setups of a server, of clients and of a relay, and sockets of a test, at free ports of the loopback.</summary>
internal static class Setups
{
    public static IPEndPoint AnyPort => new(IPAddress.Loopback, 0);

    public static ServerSetup OfServer(RunPlan plan, RunRecorder recorder, IServerHandler? handler = null) => new()
    {
        EndPoint = AnyPort,
        Plan = plan,
        Handler = handler ?? new ServerActions(),
        Recorder = recorder,
    };

    public static ClientSetup OfClients(RunPlan plan, RunRecorder recorder, IClientHandler? handler = null, IPEndPoint? server = null) => new()
    {
        EndPoint = server ?? AnyPort,
        Plan = plan,
        Handler = handler ?? new ClientActions(),
        Recorder = recorder,
    };

    public static RelaySetup OfRelay(IPEndPoint server, RunRecorder recorder, ImpairmentPlan? impairment = null, RunPlan? plan = null) =>
        new(AnyPort, server, impairment ?? new ImpairmentPlan(), plan ?? new RunPlan { Library = "Sockets" }, recorder);

    public static Socket BoundUdp()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(AnyPort);
        return socket;
    }

    public static Socket ListeningTcp()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(AnyPort);
        socket.Listen();
        return socket;
    }
}
