using System.Net;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>A server of this program that was started by hand and has accepted the clients.</summary>
/// <param name="plan">The plan of the clients.</param>
/// <param name="endPoint">The end point of the server.</param>
/// <param name="channel">The connection for greetings. It is owned by this instance.</param>
/// <param name="handedOver">The authority that the clients need to verify the server; null without TLS.</param>
internal sealed class GreetedServer(RunPlan plan, IPEndPoint endPoint, FrameChannel channel, TlsCredentials? handedOver) : IServerHost
{
    public Task<Exception> Broken { get; } = GoneAsync(channel, endPoint);

    public bool MayServeOthers => true;

    public Task<ServerAddress> StartAsync(CancellationToken cancellationToken) =>
        Task.FromResult(new ServerAddress(endPoint, RunCredentials.ForStandaloneClients(plan, handedOver)));

    public Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken) =>
        throw new NotSupportedException("A server that was started by hand does not report its memory use.");

    public Task EnterAsync(RunPhase phase) => channel.SendAsync(new PhaseFrame(phase), CancellationToken.None);

    public async Task<ServerReport?> StopAsync()
    {
        await channel.SendAsync(new StopFrame(), CancellationToken.None).ConfigureAwait(false);
        Frame answer = await channel.ReceiveAsync(FrameChannel.Patience, CancellationToken.None).ConfigureAwait(false);
        return (answer as ResultFrame)?.Server ?? throw new BenchmarkException("The server did not report its figures.");
    }

    public async Task DismissAsync()
    {
        try
        {
            await channel.SendAsync(new ByeFrame(), CancellationToken.None).ConfigureAwait(false);
        }
        catch (BenchmarkException)
        {
            // The server has reported all necessary figures.
            return;
        }
    }

    public ValueTask DisposeAsync() => channel.DisposeAsync();

    private static async Task<Exception> GoneAsync(FrameChannel channel, IPEndPoint endPoint)
    {
        await channel.Ended.ConfigureAwait(false);
        return new BenchmarkException($"The run broke off: the server at {endPoint} has gone.");
    }
}

/// <summary>A server of another program, which sends back the bytes that it receives and reports nothing.</summary>
/// <param name="plan">The plan of the clients.</param>
/// <param name="tried">The end points that were tried, the one of the server first.</param>
/// <param name="silent">A program that accepted a greeting and did not answer it; null if there was none.</param>
internal sealed class PlainEchoServer(RunPlan plan, IReadOnlyList<IPEndPoint> tried, IPEndPoint? silent) : IServerHost
{
    private readonly IPEndPoint _endPoint = tried[0];

    public Task<Exception> Broken { get; } = new TaskCompletionSource<Exception>().Task;

    // On this machine a server of this program is always greeted. With reconnections nobody asks.
    public string? Remark => silent is not null
        ? $"A program accepted the greeting at {silent.Address} and did not answer it within {Deadlines.Process.TotalSeconds:0} s: " +
            "a server of this program that hangs, or another program. So there are no figures of the server."
        : IPAddress.IsLoopback(_endPoint.Address) || plan.Liveness.Reconnect is not null
        ? null
        : $"Nobody answered greetings at {_endPoint.Address}, so there are no figures of the server; " +
            "one of this program needs --control any for them, in a network that is trusted.";

    public Task<ServerAddress> StartAsync(CancellationToken cancellationToken) =>
        Task.FromResult(new ServerAddress(_endPoint, RunCredentials.ForStandaloneClients(plan, null)));

    public Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken) =>
        throw new NotSupportedException("A server of another program does not report its memory use.");

    public Task EnterAsync(RunPhase phase) => Task.CompletedTask;

    public Task<ServerReport?> StopAsync() => Task.FromResult<ServerReport?>(null);

    public Task DismissAsync() => Task.CompletedTask;

    // Not before the clients connect: a server may be one for a single connection.
    public async Task<BenchmarkException> ExplainAsync(BenchmarkException connecting)
    {
        bool listens = plan.Protocol.IsOverTcp()
            && await ServerSearch.FindAsync(plan.Protocol, [_endPoint], CancellationToken.None).ConfigureAwait(false) is not null;
        return new BenchmarkException(
            listens
                ? $"A server listens at {_endPoint}, but {char.ToLowerInvariant(connecting.Message[0])}{connecting.Message[1..]}"
                : $"No server answers at {string.Join(" or ", tried)} ({connecting.Message.TrimEnd('.')}); " +
                    $"start one there with --role Server --library {plan.Library} and the same options.",
            connecting);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
