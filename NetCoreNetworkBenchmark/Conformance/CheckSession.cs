using System.Threading.Channels;

namespace NetCoreNetworkBenchmark.Conformance;

internal class CheckSession(CheckSubject subject, TimeProvider? clock = null) : IAsyncDisposable
{
    // For a library that ends at its own deadline.
    private static readonly TimeSpan s_allowance = TimeSpan.FromSeconds(1);

    private readonly List<IClientGroup> _clients = [];
    private IBenchmarkServer? _server;
    private bool _hasFailed;
    private bool _isLoaded;

    public RunRecorder Recorder { get; } = new(openLoop: subject.Plan.Rate is not null, clock);
    public CheckSubject Subject => subject;
    public RunPlan Plan => subject.Plan;

    /// <summary>Handlers instead of <see cref="Server"/> and <see cref="Client"/>, such as those of a workload.</summary>
    public (IServerHandler Server, IClientHandler Client)? Handlers { get; set; }

    public bool SendsToAll { get; set; }

    public ServerActions Server { get; } = new();
    public ClientActions Client { get; } = new();
    public IPEndPoint EndPoint => _server!.EndPoint;

    public void StartServer(int port = 0, IPAddress? address = null) => _server = subject.Library.StartServer(new ServerSetup
    {
        EndPoint = new IPEndPoint(address ?? subject.Loopback, port),
        SendsToAll = SendsToAll,
        Plan = Plan,
        Credentials = subject.Credentials,
        Handler = Handlers?.Server ?? Server,
        Recorder = Recorder,
    });

    public async Task ConnectAsync(IPEndPoint? endPoint = null, TimeSpan? deadline = null, int? clients = null)
    {
        // Until all are connected.
        _hasFailed = true;
        await WithinAsync(
            deadline ?? Plan.ConnectDeadline,
            "ConnectAsync did not return",
            async () => _clients.Add(await subject.Clients.ConnectAsync(
                new ClientSetup
                {
                    EndPoint = endPoint ?? EndPoint,
                    Plan = Plan with { ConnectDeadline = deadline ?? Plan.ConnectDeadline, Clients = clients ?? Plan.Clients },
                    Credentials = subject.Credentials?.ForClients(),
                    Handler = Handlers?.Client ?? Client,
                    Recorder = Recorder,
                },
                CancellationToken.None)));
        _hasFailed = false;
    }

    public async Task StartAsync()
    {
        await WithinAsync(Plan.ConnectDeadline, "StartServer did not return", () => Task.Run(() => StartServer()));
        await ConnectAsync();
    }

    public async Task LoadAsync()
    {
        await StartAsync();
        Load();
    }

    public void Load()
    {
        _isLoaded = true;
        Recorder.Enter(RunPhase.Measure);
        _clients.ForEach(group => group.Start());
    }

    public void Pause() => _clients.ForEach(group => group.Pause());

    public Task CloseClientsAsync()
    {
        Recorder.Enter(RunPhase.Stop);
        return WithinAsync(
            Plan.StopDeadline, "DisposeAsync of the clients did not end", () => Task.WhenAll(_clients.Select(group => group.DisposeAsync().AsTask())));
    }

    public Task CloseServerAsync()
    {
        Recorder.Enter(RunPhase.Stop);
        return EndServerAsync();
    }

    public Task EndServerAsync() => WithinAsync(Plan.StopDeadline, "DisposeAsync of the server did not end", () => _server!.DisposeAsync().AsTask());

    /// <param name="what">A noun and a verb in the plural, such as "messages came back".</param>
    public async Task ReachesAsync(Tally tally, int count, string what, Func<string>? detail = null)
    {
        int number = await tally.ReachAsync(count, Plan.ConnectDeadline, Recorder.Fault);
        if (number < count)
        {
            string fault = Recorder.Fault.IsCompleted ? $" A handler or a thread failed: {(await Recorder.Fault).Message}" : string.Empty;
            string closed = Recorder.Phase != RunPhase.Stop && Client.Closed.Count is > 0 and var ended
                ? $" The connections of {ended} clients ended early."
                : string.Empty;
            throw Failure(
                $"Only {number} of {count} {what} within {Seconds(Plan.ConnectDeadline)}." +
                    $"{detail?.Invoke()}{fault}{closed}{ReceivedText()}{ErrorText()}");
        }
    }

    public void Require(bool condition, string sentence)
    {
        if (!condition)
        {
            throw Failure(sentence);
        }
    }

    public void RequireNoErrors() => Require(Recorder.Errors().Count == 0, $"The run had errors.{ErrorText()}");

    public async ValueTask DisposeAsync()
    {
        // A side that does not stop is the fault of the check "stop". No end of a session may hide the reason of a failure before it.
        foreach (Func<Task> close in (Func<Task>[])[CloseClientsAsync, _server is null ? () => Task.CompletedTask : CloseServerAsync])
        {
            Task closing = close();
            await closing.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (closing.Exception?.InnerException is { } exception and not HungException && !_hasFailed)
            {
                throw new BenchmarkException($"DisposeAsync failed: {exception.Message}", exception);
            }
        }

        Recorder.Dispose();
        GC.SuppressFinalize(this);
    }

    public static string Seconds(TimeSpan time) => Invariant($"{time.TotalSeconds:0.#} s");

    private BenchmarkException Failure(string sentence)
    {
        _hasFailed = true;
        return new BenchmarkException(sentence);
    }

    // Whether the fault is on the way to the server or back.
    private string ReceivedText() => !_isLoaded || Handlers is not null ? string.Empty
        : Server.Received == 0 ? " No message reached the server."
        : $" {Server.Received:N0} messages reached the server.";

    private string ErrorText()
    {
        string errors = string.Join(", ", Recorder.Errors().Select(error => $"{error.Key} ({error.Value})"));
        return errors.Length == 0 ? string.Empty : $" Errors: {errors}.";
    }

    // The call may block its thread.
    private static async Task WithinAsync(TimeSpan deadline, string fault, Func<Task> call)
    {
        TimeSpan max = deadline + s_allowance;
        Task ending = Task.Run(call);
        if (await Task.WhenAny(ending, Task.Delay(max)) != ending)
        {
            throw new HungException($"{fault} within {Seconds(max)}.");
        }

        await ending;
    }
}

internal sealed class HungException(string message) : Exception(message);

internal sealed class Tally
{
    private readonly Channel<bool> _done = Channel.CreateUnbounded<bool>();
    private int _count;

    public int Count => Volatile.Read(ref _count);

    public void Add()
    {
        Interlocked.Increment(ref _count);
        _done.Writer.TryWrite(true);
    }

    /// <summary>Returns how many further events there were at the deadline, or when <paramref name="end"/> completed.</summary>
    public async Task<int> ReachAsync(int count, TimeSpan deadline, Task? end = null)
    {
        using var over = new CancellationTokenSource(deadline);
        end?.ContinueWith(_ => over.CancelAsync(), over.Token, TaskContinuationOptions.None, TaskScheduler.Default);
        int number = 0;
        try
        {
            for (; number < count; number++)
            {
                await _done.Reader.ReadAsync(over.Token);
            }
        }
        catch (OperationCanceledException)
        {
            return number;
        }

        return number;
    }
}

internal sealed class ServerActions : IServerHandler
{
    private int _received;
    private IPeer? _group;

    public int Received => Volatile.Read(ref _received);

    public IPeer? Group => Volatile.Read(ref _group);

    public Tally Connected { get; } = new();
    public Tally Closed { get; } = new();
    public int WritableCalls { get; private set; }
    /// <summary>Null for an echo, which allocates nothing.</summary>
    public Action<IPeer, byte[]>? Message { get; set; }
    public Action<IPeer> Writable { get; set; } = _ => { };

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        if (peer.IsGroup)
        {
            Volatile.Write(ref _group, peer);
            return;
        }

        Connected.Add();
    }

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        Interlocked.Increment(ref _received);
        if (Message is null)
        {
            peer.Send(message);
            return;
        }

        Message(peer, message.ToArray());
    }

    public void OnWritable(IPeer peer, WorkerStatistics worker)
    {
        WritableCalls++;
        Writable(peer);
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker) => Closed.Add();
}

internal sealed class ClientActions : IClientHandler
{
    public Tally Connected { get; } = new();
    public Tally Answers { get; } = new();
    public Tally Closed { get; } = new();
    public Action<IPeer> Started { get; set; } = _ => { };
    public Action<IPeer, byte[]>? Message { get; set; }
    public Action<IPeer, long, WorkerStatistics> Due { get; set; } = (_, _, _) => { };
    public Action<IPeer> Tick { get; set; } = _ => { };

    /// <summary>Called after <see cref="Started"/> and <see cref="Message"/>.</summary>
    public Action<IPeer, WorkerStatistics> Think { get; set; } = (_, _) => { };

    public void OnConnected(IPeer peer, WorkerStatistics worker) => Connected.Add();

    public void OnStart(IPeer peer, WorkerStatistics worker)
    {
        Started(peer);
        Think(peer, worker);
    }

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        Message?.Invoke(peer, message.ToArray());
        Answers.Add();
        Think(peer, worker);
    }

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) => Due(peer, due, worker);

    public void OnTick(IPeer peer, WorkerStatistics worker) => Tick(peer);

    public void OnClosed(IPeer peer, WorkerStatistics worker) => Closed.Add();
}
