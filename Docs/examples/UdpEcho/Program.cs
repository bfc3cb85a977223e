using System.Collections.Concurrent;
using System.Net;
using System.Text;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Libraries.Sockets;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

// A UDP server that sends every datagram back, and a client that asks it:
//
//     dotnet run -- server 4000
//     dotnet run -- client 127.0.0.1:4000

// A server has room for so many clients at a time; each client program is one.
const int MaxClients = 100;
var plan = new RunPlan { Library = "Sockets", Protocol = Protocol.Udp, Clients = 1, MessageSize = 1024 };
using var recorder = new RunRecorder();
try
{
    switch (args)
    {
        case ["server", var port] when ushort.TryParse(port, out ushort number):
            await ServeAsync(number);
            return 0;
        case ["client", var server] when IPEndPoint.TryParse(server, out IPEndPoint? endPoint):
            await AskAsync(endPoint);
            return 0;
        default:
            Console.Error.WriteLine("Usage: UdpEcho server PORT | client ADDRESS:PORT");
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
    IBenchmarkServer server = new SocketsBenchmark().StartServer(
        new ServerSetup
        {
            EndPoint = new IPEndPoint(IPAddress.Loopback, port),
            Plan = plan with { Clients = MaxClients },
            Handler = new Echo(),
            Recorder = recorder,
        });
    await using (server)
    {
        Console.WriteLine($"Echo at {server.EndPoint}; Ctrl+D ends it.");
        await Console.In.ReadToEndAsync();
    }
}

async Task AskAsync(IPEndPoint server)
{
    var questions = new Questions();
    IClientGroup clients = await new SocketsBenchmark().ConnectAsync(
        new ClientSetup { EndPoint = server, Plan = plan, Handler = questions, Recorder = recorder }, CancellationToken.None);
    await using (clients)
    {
        clients.Start();
        while (await Console.In.ReadLineAsync() is { } line)
        {
            await questions.AskAsync(line).WaitAsync(plan.LossDeadline);
        }
    }
}

/// <summary>Sends back what comes.</summary>
internal sealed class Echo : IServerHandler
{
    public void OnConnected(IPeer peer, WorkerStatistics worker) => Console.WriteLine("A client has come.");

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => peer.Send(message);

    public void OnClosed(IPeer peer, WorkerStatistics worker) => Console.WriteLine("A client has gone.");
}

/// <summary>Asks one question at a time and prints the answer.</summary>
internal sealed class Questions : IClientHandler
{
    private readonly ConcurrentQueue<byte[]> _questions = new();
    private TaskCompletionSource _answered = new();

    /// <summary>Asks, and waits for the answer. UDP may lose it, so whoever calls this has a deadline.</summary>
    public Task AskAsync(string line)
    {
        _answered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _questions.Enqueue(Encoding.UTF8.GetBytes(line));
        return _answered.Task;
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        // The greeting of the harness was answered.
    }

    public void OnStart(IPeer peer, WorkerStatistics worker) => OnTick(peer, worker);

    // A client sends only within a call for it; the tick comes twenty times a second, also where nothing arrives.
    public void OnTick(IPeer peer, WorkerStatistics worker)
    {
        while (_questions.TryDequeue(out byte[]? question))
        {
            peer.Send(question);
        }
    }

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        Console.WriteLine($"Echo: {Encoding.UTF8.GetString(message)}");
        _answered.TrySetResult();
    }

    public void OnDue(IPeer peer, long due, WorkerStatistics worker)
    {
        // Only where a plan has a rate.
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker) => _answered.TrySetException(new BenchmarkException("The server has gone."));
}
