using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>A server that was started apart from the run (<c>--role Client</c>), of this or of any other program. It reports nothing.</summary>
/// <param name="addresses">The addresses of the server's name, the one to connect to first.</param>
internal sealed class RemoteServer(RunPlan plan, IReadOnlyList<IPEndPoint> addresses) : IServerHost
{
    public Task<Exception> Broken { get; } = new TaskCompletionSource<Exception>().Task;

    public string Remark =>
        "The server's cost was not measured here, because the server was started separately. " +
        "A server of this program (--role Server) prints its cost when it ends; " +
        $"{HostOptions.ServerHostName} and {HostOptions.ClientHostsName} measure both sides.";

    public Task<ServerAddress> StartAsync(CancellationToken cancellationToken) =>
        Task.FromResult(new ServerAddress(addresses[0], RunCredentials.ForClientsAlone(plan)));

    public Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken) =>
        throw new NotSupportedException("A server that was started separately does not report its memory use.");

    public Task EnterAsync(RunPhase phase) => Task.CompletedTask;

    public Task<ServerReport?> StopAsync() => Task.FromResult<ServerReport?>(null);

    public Task DismissAsync() => Task.CompletedTask;

    // Not before the clients connect: a server may be one for a single connection.
    public async Task<BenchmarkException> ExplainAsync(BenchmarkException connecting)
    {
        bool listens = plan.Protocol.IsOverTcp()
            && await ServerSearch.FindAsync(plan.Protocol, [addresses[0]], CancellationToken.None).ConfigureAwait(false) is not null;
        return new BenchmarkException(
            listens
                ? $"A server listens at {addresses[0]}, but {char.ToLowerInvariant(connecting.Message[0])}{connecting.Message[1..]}"
                : $"No server answers at {string.Join(" or ", addresses)} ({connecting.Message.TrimEnd('.')}). " +
                    $"Start one there with --role Server --library {plan.Library} and the same options.",
            connecting);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
