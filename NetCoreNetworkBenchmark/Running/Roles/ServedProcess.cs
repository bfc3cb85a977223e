using System.Net.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>The side of a standalone server towards one client process: it greets the process, reports the figures and ends the connection.</summary>
internal sealed class ServedProcess(ServerSide server, Admission admission)
{
    private static readonly TimeSpan s_sendDeadline = TimeSpan.FromSeconds(2);

    /// <summary>Called with a text for the user about the actions of the process.</summary>
    public Action<string>? Told { get; init; }

    /// <summary>The authority that clients need to verify the server; null without TLS.</summary>
    public TlsCredentials? Credentials { get; init; }

    /// <summary>Serves a process until it has gone. Begins on the calling thread, and continues on a thread of the connection.</summary>
    /// <param name="connection">The connection to the process, which ends here.</param>
    /// <param name="said">The bytes that were read of the connection: its hello, and the bytes that came with it.</param>
    /// <param name="clients">The plan of the process, which was admitted. Its clients leave here.</param>
    /// <param name="cancellationToken">Cancelled when the server ends.</param>
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
            // The process has gone, or it sent a frame that no process of this program sends, or the server ends. The others are still served.
            return;
        }
        catch (Exception exception)
        {
            // A failure of one connection, regardless of its cause, affects only that connection.
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
            // A process that does not read must not block the thread that writes.
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
            // The hello, which was checked before. Its acknowledgement is sent now.
            await channel.ReceiveAsync(Deadlines.Hello, cancellationToken).ConfigureAwait(false);
            await AttendAsync(channel, clients, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            // Called before the connection has ended, so that the next process finds room.
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

    // A phase that is repeated would start another measurement and another report.
    private static RunPhase Follow(RunPhase phase, RunPhase expected) => phase == expected
        ? phase == RunPhase.Measure ? RunPhase.Drain : RunPhase.Stop
        : throw new BenchmarkException($"A clients' process said that it is in phase {phase}, which does not follow.");
}
