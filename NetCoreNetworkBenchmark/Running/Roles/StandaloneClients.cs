using System.Net;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>
/// The clients by themselves (<c>--role Client</c>), for a server that was started elsewhere. A server of this program reports its figures.
/// Any other server that sends back the bytes it receives is a plain echo, and the run goes on without server figures.
/// </summary>
internal sealed class StandaloneClients(RunPlan plan, INetworkBenchmark library, IWorkload workload, INetworkBenchmark? clientLibrary = null)
{
    // If no server of this program has answered, most likely no server answers at all. This is to be reported soon.
    private static readonly TimeSpan s_strangersDeadline = TimeSpan.FromSeconds(3);

    /// <summary>
    /// The conditions that could disturb the run, as found before it. If null, they are inspected again, without the load of other programs.
    /// </summary>
    public Fitness? Fitness { get; init; }

    /// <summary>Called now and then with the progress of the run.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Runs the load.</summary>
    /// <exception cref="BenchmarkException">No server answered, or it does not fit, or the run broke off.</exception>
    public async Task<RunResult> RunAsync(CancellationToken cancellationToken)
    {
        Fitness fitness = Fitness ?? FitnessInspector.Inspect(plan);
        IReadOnlyList<IPEndPoint> candidates = await HostNames.ResolveAllAsync(
            plan, library.Info, Dns.GetHostAddressesAsync, cancellationToken).ConfigureAwait(false);
        (IPEndPoint endPoint, GreetedServer? greeted) = await ControlHandshake.TryGreetAsync(plan, candidates, cancellationToken).ConfigureAwait(false);
        FrameChannel? server = greeted?.Channel;
        await using (server)
        {
            TlsCredentials? credentials = RunCredentials.ForStandaloneClients(plan, greeted?.Credentials);
            var clients = new ClientSide(PlanFor(server), clientLibrary ?? library, workload, new ProcessMeter(), credentials)
            {
                Progress = Progress,
                ServerFault = server is null ? null : GoneAsync(server, endPoint),
                Entered = phase => server?.SendAsync(new PhaseFrame(phase), CancellationToken.None) ?? Task.CompletedTask,
            };
            await using (clients.ConfigureAwait(false))
            {
                await (server is null
                    ? ConnectToStrangerAsync(clients, endPoint, cancellationToken)
                    : ConnectAsync(clients, endPoint, server, cancellationToken)).ConfigureAwait(false);
                ClientReport measured = await clients.LoadAsync(cancellationToken).ConfigureAwait(false);
                ServerReport? served = server is null ? null : await AskAsync(server).ConfigureAwait(false);
                clients.EnterStop();
                return ResultBuilder.Build(new RunMeasurements
                {
                    Plan = plan,
                    Library = library.Info.DrivenBy(clientLibrary?.Info, plan.Protocol),
                    EndPoint = endPoint,
                    Clients = measured,
                    Server = served,
                    Fitness = fitness,
                });
            }
        }
    }

    private static async Task<Exception> GoneAsync(FrameChannel server, IPEndPoint endPoint)
    {
        await server.Ended.ConfigureAwait(false);
        return new BenchmarkException(Gone(endPoint));
    }

    private static string Gone(IPEndPoint endPoint) => $"the server at {endPoint} has gone.";

    private static async Task<ServerReport> AskAsync(FrameChannel server)
    {
        await server.SendAsync(new StopFrame(), CancellationToken.None).ConfigureAwait(false);
        Frame answer = await server.ReceiveAsync(FrameChannel.Patience, CancellationToken.None).ConfigureAwait(false);
        ServerReport report = (answer as ResultFrame)?.Server ?? throw new BenchmarkException("The server did not report its figures.");
        try
        {
            await server.SendAsync(new ByeFrame(), CancellationToken.None).ConfigureAwait(false);
        }
        catch (BenchmarkException)
        {
            // The server has reported all necessary figures.
            return report;
        }

        return report;
    }

    private RunPlan PlanFor(FrameChannel? server) => server is not null || plan.ConnectDeadline < s_strangersDeadline
        ? plan
        : plan with { ConnectDeadline = s_strangersDeadline };

    private static async Task ConnectAsync(ClientSide clients, IPEndPoint endPoint, FrameChannel server, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task connecting = clients.ConnectAsync(endPoint, over.Token);
        if (await Task.WhenAny(connecting, server.Ended).ConfigureAwait(false) != connecting)
        {
            await over.CancelAsync().ConfigureAwait(false);

            // The outcome of the connect does not matter: the reason is the server's end.
            await connecting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw new BenchmarkException($"The run broke off: {Gone(endPoint)}");
        }

        await connecting.ConfigureAwait(false);
    }

    private async Task ConnectToStrangerAsync(ClientSide clients, IPEndPoint endPoint, CancellationToken cancellationToken)
    {
        try
        {
            await clients.ConnectAsync(endPoint, cancellationToken).ConfigureAwait(false);
        }
        catch (BenchmarkException exception)
        {
            throw new BenchmarkException(
                $"No server answers at {endPoint} ({exception.Message.TrimEnd('.')}); " +
                    $"start one there with --role Server --library {library.Info.Name} and the same options.",
                exception);
        }
    }
}
