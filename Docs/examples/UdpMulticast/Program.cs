using System.Globalization;
using System.Net;
using System.Text;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Libraries.Sockets;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

// A server that tells a multicast group the time, and clients that join the group. Nothing leaves the machine: the group is sent to and joined
// on the loopback interface.
//
//     dotnet run -- server 4000
//     dotnet run -- client 4000

var group = IPAddress.Parse("239.255.0.1");
// A server has room for so many clients at a time; each client program is one.
const int MaxClients = 100;
var plan = new RunPlan { Library = "Sockets", Protocol = Protocol.Udp, Address = group.ToString(), Clients = 1, MessageSize = 64 };
using var recorder = new RunRecorder();
try
{
    switch (args)
    {
        case ["server", var port] when ushort.TryParse(port, out ushort number):
            await ServeAsync(number);
            return 0;
        case ["client", var port] when ushort.TryParse(port, out ushort number):
            await ListenAsync(number);
            return 0;
        default:
            Console.Error.WriteLine("Usage: UdpMulticast server PORT | client PORT");
            return 2;
    }
}
catch (BenchmarkException exception)
{
    Console.Error.WriteLine(exception.Message);
    return 1;
}

async Task ServeAsync(int port)
{
    var clock = new TellingClock();
    IBenchmarkServer server = new SocketsBenchmark().StartServer(new ServerSetup
    {
        EndPoint = new IPEndPoint(IPAddress.Parse(plan.MulticastInterface), port),
        Group = group,
        Plan = plan with { Clients = MaxClients },
        Handler = clock,
        Recorder = recorder,
    });
    await using (server)
    {
        Console.WriteLine($"The group {group} hears the time from {server.EndPoint}; Ctrl+D ends it.");
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(250));

        // The console's reader blocks, also where it is called asynchronously.
        Task<string> ended = Task.Run(Console.In.ReadToEnd);
        while (!ended.IsCompleted && await timer.WaitForNextTickAsync())
        {
            clock.Tick();
        }
    }
}

async Task ListenAsync(int port)
{
    IClientGroup clients = await new SocketsBenchmark().ConnectAsync(
        new ClientSetup
        {
            EndPoint = new IPEndPoint(IPAddress.Parse(plan.MulticastInterface), port),
            Group = group,
            Listens = true,
            Plan = plan,
            Handler = new Listener(),
            Recorder = recorder,
        },
        CancellationToken.None);
    await using (clients)
    {
        clients.Start();
        await Console.In.ReadToEndAsync();
    }
}

/// <summary>Tells the group the time when it is woken.</summary>
internal sealed class TellingClock : IServerHandler
{
    private volatile IPeer? _group;

    /// <summary>Time has passed. From any thread: the group is woken, and the server's own thread sends.</summary>
    public void Tick() => _group?.Wake();

    // The group is the first peer; clients come after it, and need not be remembered.
    public void OnConnected(IPeer peer, WorkerStatistics worker) => _group = peer.IsGroup ? peer : _group;

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        // Nobody is asked anything.
    }

    public void OnWritable(IPeer peer, WorkerStatistics worker) =>
        peer.Send(Encoding.UTF8.GetBytes(DateTimeOffset.Now.ToString("HH:mm:ss.f", CultureInfo.InvariantCulture)));

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        // A client that leaves the group is none of the server's business.
    }
}

/// <summary>Prints what the group hears.</summary>
internal sealed class Listener : IClientHandler
{
    public void OnConnected(IPeer peer, WorkerStatistics worker) => Console.WriteLine("Joined.");

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => Console.WriteLine($"It is {Encoding.UTF8.GetString(message)}.");

    public void OnStart(IPeer peer, WorkerStatistics worker)
    {
        // It only listens.
    }

    public void OnDue(IPeer peer, long due, WorkerStatistics worker)
    {
        // Only where a plan has a rate.
    }

    public void OnTick(IPeer peer, WorkerStatistics worker)
    {
        // Nothing here has a deadline.
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker) => Console.WriteLine("The server has gone.");
}
