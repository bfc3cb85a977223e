using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>
/// A server by itself (<c>--role Server</c>), for client processes that come and go. They greet it over TCP (<see cref="ControlPort"/>),
/// in the frames of the agents; so each gets the server's figures of its own measurement, and what it needs to verify the server.
/// </summary>
internal sealed class LoneServer(RunPlan plan, INetworkBenchmark library, IWorkload workload)
{
    private const int MostBindAttempts = 5;
    private readonly ProcessMeter _meter = new();
    private readonly Admission _admission = new(plan.Clients);
    private readonly RunCredentials? _credentials = RunCredentials.For(plan);

    /// <summary>Told when the server answers: where, and where it is greeted.</summary>
    public Action<IPEndPoint, IPEndPoint>? Ready { get; init; }

    /// <summary>Told, for a person to read, what client processes do. From any thread.</summary>
    public Action<string>? Told { get; init; }

    /// <summary>Serves until it is cancelled, and tells what it has seen.</summary>
    /// <exception cref="BenchmarkException">The port cannot be bound, or a thread of the server broke down.</exception>
    public async Task<ServerResult> RunAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        Fitness fitness = FitnessInspector.Inspect(plan);
        IPEndPoint endPoint = await HostNames.ResolveAsync(plan, cancellationToken).ConfigureAwait(false);
        (TcpListener listener, ServerSide server) = await BindAsync(endPoint).ConfigureAwait(false);
        using (listener)
        {
            await using (server.ConfigureAwait(false))
            {
                ServerMark start = server.Mark();
                Ready?.Invoke(server.EndPoint, (IPEndPoint)listener.LocalEndpoint);
                await ServeAsync(listener, server, cancellationToken).ConfigureAwait(false);
                return Result(server.Between(_admission.First ?? start, server.Mark()), server.EndPoint, startedAt, fitness);
            }
        }
    }

    // The system may choose a port whose twin for greetings is taken, or does not exist; then another is tried.
    private async Task<(TcpListener Listener, ServerSide Server)> BindAsync(IPEndPoint endPoint)
    {
        for (int attempt = 1; ; attempt++)
        {
            var server = new ServerSide(plan, library, workload, endPoint, _meter, _credentials?.Server);
            IPEndPoint? greetings = ControlPort.Of(plan.Protocol, server.EndPoint);
            var listener = new TcpListener(endPoint.Address, greetings?.Port ?? 0);
            try
            {
                if (greetings is null)
                {
                    throw new SocketException((int)SocketError.AddressNotAvailable);
                }

                listener.Start();
                return (listener, server);
            }
            catch (SocketException exception)
            {
                listener.Dispose();
                await server.DisposeAsync().ConfigureAwait(false);
                if (endPoint.Port != 0 || attempt == MostBindAttempts)
                {
                    throw BindFailure.Explain(new IPEndPoint(endPoint.Address, greetings?.Port ?? server.EndPoint.Port), exception);
                }
            }
        }
    }

    private async Task ServeAsync(TcpListener listener, ServerSide server, CancellationToken cancellationToken)
    {
        using var over = new CancellationTokenSource();
        var served = new List<Task>();
        try
        {
            while (true)
            {
                Socket connection = await AcceptAsync(listener, server, cancellationToken).ConfigureAwait(false);
                served.RemoveAll(process => process.IsCompletedSuccessfully);
                served.Add(new ServedProcess(plan, server, _admission) { Told = Told, Credentials = _credentials?.Clients }.ServeAsync(connection, over.Token));
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The user has seen enough.
            return;
        }
        finally
        {
            // First of all, so that clients which leave because of it do not count as lost.
            server.EnterStop();
            await over.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(served).WaitAsync(plan.StopDeadline, CancellationToken.None).ConfigureAwait(false);
        }
    }

    private static async Task<Socket> AcceptAsync(TcpListener listener, ServerSide server, CancellationToken cancellationToken)
    {
        Task<Socket> accepted = listener.AcceptSocketAsync(cancellationToken).AsTask();
        if (await Task.WhenAny(accepted, server.Fault).ConfigureAwait(false) == server.Fault)
        {
            Exception fault = await server.Fault.ConfigureAwait(false);
            throw new BenchmarkException($"The server broke down: {fault.Message}", fault);
        }

        return await accepted.ConfigureAwait(false);
    }

    private ServerResult Result(ServerReport report, IPEndPoint endPoint, DateTimeOffset startedAt, Fitness fitness) => new()
    {
        HarnessVersion = ResultBuilder.HarnessVersion,
        Library = library.Info.Name,
        LibraryVersion = report.LibraryVersion,
        Protocol = plan.Protocol.ToString(),
        Transmission = plan.Transmission.ToString(),
        Framing = StreamFacts.FramingOf(plan),
        Tls = StreamFacts.TlsOf(plan, [], report),
        Test = plan.Test,
        EndPoint = endPoint.ToString(),
        MessageSize = plan.MessageSize,
        Settings = plan.Settings,
        ServerThreads = report.Threads,
        Pinning = report.Pinning,
        Remarks = report.Remarks,
        StartedAt = startedAt,
        ClientProcesses = _admission.Processes,
        Received = report.Received,
        Sent = report.Sent,
        ErrorsByName = report.Errors,
        Cost = report.Cost,
        Environment = MachineInspector.Inspect(),
        Fitness = fitness,
        Command = $"{PlanArguments.CommandOf(plan, library.Info)} --role Server",
    };
}
