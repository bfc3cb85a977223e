using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>A server that was started separately from the run (<c>--role Client</c>), of this or of any other program. It reports nothing.</summary>
/// <param name="addresses">The addresses of the server's name, the one to connect to first.</param>
internal sealed class RemoteServer(RunPlan plan, IReadOnlyList<IPEndPoint> addresses) : IServerHost
{
    public required TlsCredentials? Credentials { get; init; }

    public Task<Exception> Broken => Faults.Never;

    public string Remark =>
        "The server's cost was not measured here, because the server was started separately. " +
        "A server of this program (--role Server) prints its cost when it ends; " +
        $"{HostOptions.ServerHostName} and {HostOptions.ClientHostsName} measure both sides.";

    public Task<ServerAddress> StartAsync(CancellationToken cancellationToken) =>
        Task.FromResult(new ServerAddress(addresses[0], Credentials));

    public Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken) =>
        throw new NotSupportedException("A server that was started separately does not report its memory use.");

    public Task<ServerReport?> StopAsync() => Task.FromResult<ServerReport?>(null);

    // Not before the clients connect: a server may be one for a single connection.
    public async Task<BenchmarkException> ExplainAsync(BenchmarkException connecting)
    {
        bool listens = plan.Protocol.IsOverTcp()
            && await ServerSearch.FindAsync(plan.Protocol, [addresses[0]], CancellationToken.None) is not null;
        return new BenchmarkException(
            listens
                ? $"A server listens at {addresses[0]}, but {char.ToLowerInvariant(connecting.Message[0])}{connecting.Message[1..]}"
                : $"No server answers at {string.Join(" or ", addresses)} ({connecting.Message.TrimEnd('.')}). " +
                    $"Start one there with --role Server --library {plan.Library} and the same options.",
            connecting);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

internal static class ServerSearch
{
    // The delay between two attempts of RFC 8305, section 5.
    private static readonly TimeSpan s_delay = TimeSpan.FromMilliseconds(250);

    // ICMP reports at once that a port is closed. Without an answer, the port may be open.
    private static readonly TimeSpan s_refusal = TimeSpan.FromMilliseconds(200);

    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(3);

    /// <summary>The next address is tried when one refused, or after a delay (RFC 8305). An attempt at a port for datagrams is an empty datagram.</summary>
    public static async Task<IPEndPoint?> FindAsync(Protocol protocol, IReadOnlyList<IPEndPoint> candidates, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        over.CancelAfter(s_deadline);
        var attempts = new List<Task<bool>>();
        foreach (IPEndPoint candidate in candidates)
        {
            attempts.Add(protocol.IsOverTcp() ? ConnectsAsync(candidate, over.Token) : IsNotRefusedAsync(candidate, over.Token));
            await Task.WhenAny(attempts[^1], Task.Delay(s_delay, cancellationToken));
            if (attempts.Exists(attempt => attempt is { IsCompletedSuccessfully: true, Result: true }))
            {
                break;
            }
        }

        await foreach (Task<bool> attempt in Task.WhenEach(attempts))
        {
            if (await attempt)
            {
                break;
            }
        }

        await over.CancelAsync();
        bool[] answers = await Task.WhenAll(attempts);
        cancellationToken.ThrowIfCancellationRequested();
        int first = Array.IndexOf(answers, true);
        return first < 0 ? null : candidates[first];
    }

    private static async Task<bool> ConnectsAsync(IPEndPoint candidate, CancellationToken cancellationToken)
    {
        try
        {
            using var socket = new Socket(candidate.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(candidate, cancellationToken);
            SelfConnection.ThrowIf(socket, candidate);
            return true;
        }
        catch (Exception exception) when (exception is SocketException or OperationCanceledException)
        {
            return false;
        }
    }

    private static async Task<bool> IsNotRefusedAsync(IPEndPoint candidate, CancellationToken cancellationToken)
    {
        try
        {
            using var socket = new Socket(candidate.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            limit.CancelAfter(s_refusal);
            await socket.ConnectAsync(candidate, cancellationToken);
            SelfConnection.ThrowIf(socket, candidate);
            await socket.SendAsync(ReadOnlyMemory<byte>.Empty, cancellationToken);
            await socket.ReceiveAsync(new byte[1], limit.Token);
            return true;
        }
        catch (OperationCanceledException)
        {
            return !cancellationToken.IsCancellationRequested;
        }
        catch (SocketException exception)
        {
            // Windows reports an answer that is longer than the buffer.
            return exception.SocketErrorCode == SocketError.MessageSize;
        }
    }
}
