using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>One client process as a lone server sees it: greeted, told its figures, and seen off.</summary>
internal sealed class ServedProcess(RunPlan plan, ServerSide server, Admission admission)
{
    /// <summary>Told, for a person to read, what the process does.</summary>
    public Action<string>? Told { get; init; }

    /// <summary>What clients need to verify the server; null without TLS.</summary>
    public TlsCredentials? Credentials { get; init; }

    /// <summary>Serves a process until it has gone.</summary>
    /// <param name="connection">Its connection, which ends here.</param>
    /// <param name="cancellationToken">Says that the server ends.</param>
    public async Task ServeAsync(Socket connection, CancellationToken cancellationToken)
    {
        using (connection)
        {
            try
            {
                var stream = new NetworkStream(connection, ownsSocket: true);
                var channel = new FrameChannel("A clients' process", stream, stream, besideLibrary: true);
                await using (channel.ConfigureAwait(false))
                {
                    await GreetAsync(channel, cancellationToken).ConfigureAwait(false);
                }
            }
            catch (Exception exception) when (exception is BenchmarkException or OperationCanceledException or IOException)
            {
                // It has gone, or it is not one of ours; or the server ends. The others are served on.
                return;
            }
        }
    }

    private async Task GreetAsync(FrameChannel channel, CancellationToken cancellationToken)
    {
        if (await channel.ReceiveAsync(Deadlines.Hello, cancellationToken).ConfigureAwait(false) is not HelloFrame hello)
        {
            return;
        }

        if ((Greeting.FindMismatch(plan, hello) ?? admission.TryEnter(hello.Plan.Clients, server.Mark())) is { } refusal)
        {
            await channel.SendAsync(new FailureFrame(refusal, IsBadInput: false), cancellationToken).ConfigureAwait(false);
            return;
        }

        try
        {
            await AttendAsync(channel, hello.Plan, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            admission.Leave(hello.Plan.Clients);
        }
    }

    private async Task AttendAsync(FrameChannel channel, RunPlan clients, CancellationToken cancellationToken)
    {
        var figures = new ServerFigures(server);
        try
        {
            await channel.SendAsync(new ReadyFrame(server.EndPoint.ToString()) { Credentials = Credentials }, cancellationToken).ConfigureAwait(false);
            while (await channel.ReceiveAsync(Deadlines.OfRun(clients), cancellationToken).ConfigureAwait(false) is not ByeFrame and var frame)
            {
                if (frame is PhaseFrame { Phase: var phase })
                {
                    figures.Enter(phase);
                    Told?.Invoke(FormattableString.Invariant($"A process with {clients.Clients} clients is in phase {phase}."));
                }
                else if (frame is StopFrame && !figures.AreTold)
                {
                    server.ExpectDeparture(clients.Clients);
                    await channel.SendAsync(new ResultFrame { Server = figures.Tell() }, cancellationToken).ConfigureAwait(false);
                }
            }
        }
        catch (BenchmarkException) when (!figures.AreTold)
        {
            server.CountAbandoned(clients.Clients);
            Told?.Invoke(FormattableString.Invariant($"A process with {clients.Clients} clients has gone before its time."));
            throw;
        }
    }
}
