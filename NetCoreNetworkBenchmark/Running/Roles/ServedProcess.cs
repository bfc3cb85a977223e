using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>One client process as a lone server sees it: greeted, told its figures, and seen off.</summary>
internal sealed class ServedProcess(ServerSide server, Admission admission)
{
    private static readonly TimeSpan s_sendDeadline = TimeSpan.FromSeconds(2);

    /// <summary>Told, for a person to read, what the process does.</summary>
    public Action<string>? Told { get; init; }

    /// <summary>What clients need to verify the server; null without TLS.</summary>
    public TlsCredentials? Credentials { get; init; }

    /// <summary>Serves a process until it has gone. Begins on the calling thread, and goes on on one of the connection's.</summary>
    /// <param name="connection">Its connection, which ends here.</param>
    /// <param name="said">What was read of the connection: its hello, and what came with that.</param>
    /// <param name="clients">Its plan, which was admitted; its clients leave here.</param>
    /// <param name="cancellationToken">Says that the server ends.</param>
    public async Task ServeAsync(Socket connection, ReadOnlyMemory<byte> said, RunPlan clients, CancellationToken cancellationToken)
    {
        try
        {
            FrameChannel channel = Open(connection, said, clients);
            await using (channel.ConfigureAwait(false))
            {
                await AttendUntilItLeavesAsync(channel, clients, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (Exception exception) when (exception is BenchmarkException or OperationCanceledException or IOException or SocketException)
        {
            // It has gone, or it said what no process of ours does; or the server ends. The others are served on.
            return;
        }
        catch (Exception exception)
        {
            // No connection reaches more than itself, whatever went wrong with it.
            Told?.Invoke($"The connection to a process of clients has ended: {exception.Message}");
        }
        finally
        {
            connection.Dispose();
        }
    }

    private FrameChannel Open(Socket connection, ReadOnlyMemory<byte> said, RunPlan clients)
    {
        try
        {
            // A process that does not read must not keep the thread that writes.
            connection.SendTimeout = (int)s_sendDeadline.TotalMilliseconds;
            var stream = new NetworkStream(connection, ownsSocket: true);
            return new FrameChannel("A clients' process", stream, stream, besideLibrary: true, new RemoteFrames(), said);
        }
        catch
        {
            admission.Leave(clients.Clients);
            throw;
        }
    }

    private async Task AttendUntilItLeavesAsync(FrameChannel channel, RunPlan clients, CancellationToken cancellationToken)
    {
        try
        {
            // The hello, which was looked at before; its acknowledgement goes out now.
            await channel.ReceiveAsync(Deadlines.Hello, cancellationToken).ConfigureAwait(false);
            await AttendAsync(channel, clients, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            // Before the connection has ended, so that the next process finds room.
            admission.Leave(clients.Clients);
        }
    }

    private async Task AttendAsync(FrameChannel channel, RunPlan clients, CancellationToken cancellationToken)
    {
        var figures = new ServerFigures(server);
        RunPhase next = RunPhase.Measure;
        try
        {
            await channel.SendAsync(new ReadyFrame(server.EndPoint.ToString()) { Credentials = Credentials }, cancellationToken).ConfigureAwait(false);
            while (await channel.ReceiveAsync(Deadlines.OfRun(clients), cancellationToken).ConfigureAwait(false) is not ByeFrame and var frame)
            {
                if (frame is PhaseFrame { Phase: var phase })
                {
                    next = Follow(phase, next);
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

    // A phase that comes again would measure anew, and print anew.
    private static RunPhase Follow(RunPhase phase, RunPhase expected) => phase == expected
        ? phase + 1
        : throw new BenchmarkException($"A clients' process said that it is in phase {phase}, which does not follow.");
}
