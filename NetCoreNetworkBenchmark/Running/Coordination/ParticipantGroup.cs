using System.Runtime.ExceptionServices;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>If a participant breaks, every wait ends with its reason. Disposing ends all of them.</summary>
internal sealed class ParticipantGroup : IAsyncDisposable
{
    private volatile Func<IEnumerable<IParticipant>>? _silent;

    public required IServerHost Server { get; init; }

    public required IReadOnlyList<ILoadGenerator> LoadGenerators { get; init; }
    public IRelayHost? Relay { get; init; }

    /// <summary>The costs of the participants can then not be separated.</summary>
    public bool IsOneProcess { get; init; }

    /// <summary>The names of those who have not answered in the wait that is going on or was given up; none if its subject names them.</summary>
    public IEnumerable<string> Silent => _silent?.Invoke().Select(participant => participant.Name) ?? [];

    // Clients end before the relay, and the relay before the server.
    private IEnumerable<IParticipant> All => ((IParticipant?[])[.. LoadGenerators, Relay, Server]).OfType<IParticipant>();

    public static string NotEnded(Exception exception) => $"A participant could not be ended: {exception.Message}";

    /// <param name="what">The subject of the sentence about the deadline, such as "The load".</param>
    /// <exception cref="BenchmarkException">A participant broke, or the deadline has passed.</exception>
    public async Task<T> WaitForAsync<T>(string what, Task<T> awaited, TimeSpan deadline, CancellationToken cancellationToken)
    {
        await WaitForAsync(what, (Task)awaited, deadline, cancellationToken);
        return await awaited;
    }

    /// <inheritdoc cref="WaitForAsync{T}"/>
    /// <param name="silent">Returns those who have not answered yet, for the sentence about the deadline; null if its subject names them.</param>
    public async Task WaitForAsync(
        string what, Task awaited, TimeSpan deadline, CancellationToken cancellationToken, Func<IEnumerable<IParticipant>>? silent = null)
    {
        _silent = silent;
        Task ended = awaited.OrFaultAsync(All.Select(participant => participant.Broken));
        try
        {
            await ended.WaitAsync(deadline, cancellationToken);
        }
        catch (TimeoutException exception) when (ended.Exception?.InnerException != exception)
        {
            throw Deadlines.Hung(what, deadline, exception, Silent);
        }
    }

    /// <param name="answers">The answers, in the order of the participants.</param>
    /// <inheritdoc cref="WaitForAsync{T}"/>
    public async Task<T[]> AllAsync<T>(
        string what, IReadOnlyList<IParticipant> queried, IReadOnlyList<Task<T>> answers, TimeSpan deadline, CancellationToken cancellationToken)
    {
        Task<T[]> all = Task.WhenAll(answers);
        IEnumerable<IParticipant> silent = queried.Where((_, index) => answers[index] is { IsCompleted: false } or { IsCanceled: true });
        await WaitForAsync(what, all, deadline, cancellationToken, () => silent);
        return await all;
    }

    public async Task ConnectAsync(ServerAddress server, ICoordinator coordinator, TimeSpan deadline, CancellationToken cancellationToken)
    {
        var connected = new ConcurrentBag<IParticipant>();
        Task connecting = Parallel.ForEachAsync(
            LoadGenerators,
            new ParallelOptions { MaxDegreeOfParallelism = Deadlines.MaxStarting, CancellationToken = cancellationToken },
            async (generator, token) =>
            {
                await generator.ConnectAsync(server, coordinator, token);
                connected.Add(generator);
            });
        try
        {
            await WaitForAsync("Connecting the clients", connecting, deadline, cancellationToken, () => LoadGenerators.Except(connected));
        }
        catch (BenchmarkException exception) when (connecting.IsFaulted)
        {
            throw await Server.ExplainAsync(exception);
        }
    }

    public bool CanSuspend => All.All(participant => participant.CanSuspend);

    /// <summary>The server is first, so that it sends nothing to clients that do not receive.</summary>
    public void Suspend()
    {
        foreach (IParticipant participant in All.Reverse())
        {
            participant.Suspend();
        }
    }

    public void Resume()
    {
        foreach (IParticipant participant in All)
        {
            participant.Resume();
        }
    }

    public async Task<TimeSpan> ReadCompilationTimeAsync(CancellationToken cancellationToken)
    {
        IParticipant[] queried = [.. All];
        Task<TimeSpan>[] answers = [.. queried.Select(participant => participant.ReadCompilationTimeAsync(cancellationToken))];
        TimeSpan[] times = await AllAsync("The reading of the JIT compilers", queried, answers, Deadlines.Result, cancellationToken);
        return times.Aggregate(TimeSpan.Zero, (sum, time) => sum + time);
    }

    public void Dismiss()
    {
        foreach (IParticipant participant in All)
        {
            participant.Dismiss();
        }
    }

    public async ValueTask DisposeAsync()
    {
        Exception? first = null;
        foreach (IParticipant participant in All)
        {
            try
            {
                await participant.DisposeAsync();
            }
            catch (Exception exception)
            {
                // The other participants are ended all the same.
                first ??= exception;
            }
        }

        if (first is not null)
        {
            ExceptionDispatchInfo.Throw(first);
        }
    }
}
