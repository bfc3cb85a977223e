using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>
/// A server by itself (<c>--role Server</c>), for client processes that come and go. They greet it over TCP (<see cref="ControlPort"/>),
/// with the frames of the agents. Each receives the server's figures of its own measurement, and the authority to verify the server.
/// </summary>
internal sealed class StandaloneServer(RunPlan plan, INetworkBenchmark library, IWorkload workload)
{
    // Linux chooses odd ports for those who listen and even ones for those who connect. So on a machine with many connections most next ports are taken.
    private const int MostBindAttempts = 50;

    private readonly ProcessMeter _meter = new();
    private readonly Admission _admission = new(plan.Clients);
    private readonly RunCredentials? _credentials = RunCredentials.For(plan);
    private Reception? _reception;

    /// <summary>
    /// The conditions that could disturb the run, as found before it. If null, they are inspected again, without the load of other programs.
    /// </summary>
    public Fitness? Fitness { get; init; }

    /// <summary>From where the server may be greeted.</summary>
    public ControlAccess Control { get; init; }

    /// <summary>The end of the command that repeats the result: the arguments of this side.</summary>
    public IReadOnlyList<string> CommandEnd { get; init; } = ["--role", "Server"];

    /// <summary>Called when the server answers, with the end point of the server and the end point of greetings.</summary>
    public Action<IPEndPoint, IPEndPoint>? Ready { get; init; }

    /// <summary>Called with a text for the user about the actions of client processes. Can be called from any thread.</summary>
    public Action<string>? Told { get; init; }

    /// <summary>Connections for greetings that are open now.</summary>
    public int Connections => (Volatile.Read(ref _reception)?.Strangers ?? 0) + _admission.Present;

    /// <summary>Serves until it is cancelled, and returns the result.</summary>
    /// <exception cref="BenchmarkException">The port cannot be bound, or a thread of the server broke down.</exception>
    public async Task<ServerResult> RunAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        Fitness fitness = Fitness ?? FitnessInspector.Inspect(plan);
        IPEndPoint endPoint = await HostNames.ResolveAsync(plan, library.Info, cancellationToken).ConfigureAwait(false);
        (TcpListener listener, ServerSide server) = await BindAsync(endPoint).ConfigureAwait(false);
        using (listener)
        {
            await using (server.ConfigureAwait(false))
            {
                ServerMark start = server.Mark();
                Ready?.Invoke(server.EndPoint, (IPEndPoint)listener.LocalEndpoint);
                await ServeAsync(listener, server, cancellationToken).ConfigureAwait(false);
                return Result(server.Report(server.Mark().Since(_admission.First ?? start)), server.EndPoint, startedAt, fitness);
            }
        }
    }

    // The system may choose a port whose counterpart for greetings is taken or does not exist. Then another port is tried.
    private async Task<(TcpListener Listener, ServerSide Server)> BindAsync(IPEndPoint endPoint)
    {
        for (int attempt = 1; ; attempt++)
        {
            var server = new ServerSide(plan, library, workload, endPoint, _meter, _credentials?.Server);
            IPAddress greeted = ControlPort.AddressOf(Control, endPoint.Address);
            IPEndPoint? greetings = ControlPort.Of(plan.Protocol, server.EndPoint);
            var listener = new TcpListener(greeted, greetings?.Port ?? 0);
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
                    throw BindFailure.Explain(new IPEndPoint(greeted, greetings?.Port ?? server.EndPoint.Port), exception);
                }
            }
        }
    }

    private async Task ServeAsync(TcpListener listener, ServerSide server, CancellationToken cancellationToken)
    {
        using var over = new CancellationTokenSource();
        using var recorder = new RunRecorder();

        // Only the thread of the reception adds to it, and that thread has ended when this is read.
        var served = new List<Task>();
        var reception = new Reception(listener.Server, recorder)
        {
            Refusal = hello => ControlHandshake.FindMismatch(plan, workload.LatencyKind, hello) ?? _admission.TryEnter(hello.Plan.Clients, server.Mark()),
            Admitted = (connection, said, hello) =>
            {
                served.RemoveAll(process => process.IsCompleted);
                served.Add(new ServedProcess(server, _admission)
                {
                    Told = Told,
                    Credentials = _credentials is null ? null : new TlsCredentials { Authority = _credentials.Clients.Authority },
                }.ServeAsync(connection, said, hello.Plan, over.Token));
            },
            Told = Told,
        };
        Volatile.Write(ref _reception, reception);
        try
        {
            reception.Begin();
            await UntilTheEndAsync(server, reception, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            // This comes first, so that clients that leave because of it do not count as lost.
            server.EnterStop();
            await over.CancelAsync().ConfigureAwait(false);
            await EndAsync(reception, served).ConfigureAwait(false);
        }
    }

    private async Task UntilTheEndAsync(ServerSide server, Reception reception, CancellationToken cancellationToken)
    {
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = cancellationToken.Register(cancelled.SetResult);
        if (await Task.WhenAny(cancelled.Task, server.Fault, reception.Fault).ConfigureAwait(false) == reception.Fault)
        {
            // The measurement of the connected processes continues, and the result is reported all the same.
            Exception fault = await reception.Fault.ConfigureAwait(false);
            Told?.Invoke($"No more processes of clients can be let in: {fault.Message}");
            await Task.WhenAny(cancelled.Task, server.Fault).ConfigureAwait(false);
        }

        if (server.Fault.IsCompleted && !cancelled.Task.IsCompleted)
        {
            Exception fault = await server.Fault.ConfigureAwait(false);
            throw new BenchmarkException($"The server broke down: {fault.Message}", fault);
        }
    }

    private async Task EndAsync(Reception reception, List<Task> served)
    {
        try
        {
            await reception.StopAsync(plan.StopDeadline).ConfigureAwait(false);
            await Task.WhenAll(served).WaitAsync(plan.StopDeadline, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is BenchmarkException or TimeoutException)
        {
            // The process ends them soon. The measured figures are reported all the same.
            Told?.Invoke(FormattableString.Invariant($"Not all connections for greetings have ended within {plan.StopDeadline.TotalSeconds:0.#} s."));
        }
    }

    private ServerResult Result(ServerReport report, IPEndPoint endPoint, DateTimeOffset startedAt, Fitness fitness) => new()
    {
        HarnessVersion = ResultBuilder.HarnessVersion,
        Library = library.Info.Name,
        LibraryVersion = report.LibraryVersion,
        Protocol = plan.Protocol.ToString(),
        Transmission = plan.Transmission.ToString(),
        Framing = StreamFacts.FramingOf(plan),
        NoDelay = StreamFacts.NoDelayOf(plan),
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
        Foreign = report.Foreign.Count > 0 ? report.Foreign : null,
        Cost = report.Cost,
        Environment = MachineInspector.Inspect(),
        Fitness = fitness,
        Command = PlanArguments.CommandOf(plan, library.Info, workload, CommandEnd),
    };
}
