namespace NetCoreNetworkBenchmark.Tests.Running.Coordination;

public sealed class ParticipantGroupTests
{
    private static readonly RunPlan s_plan = new() { Test = "PingPong", Library = SampleLibrary.Name, Clients = 1, Port = 0 };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_timeout_of_a_library_is_not_reported_as_the_deadline_of_the_run()
    {
        await using ParticipantGroup participants = Placement.InThisProcess(s_plan, new SocketsBenchmark(), new PingPong());
        var timeout = new TimeoutException("The library waited for too long.");
        Assert.Same(timeout, await Assert.ThrowsAsync<TimeoutException>(
            () => participants.WaitForAsync("It", Task.FromException(timeout), LibraryUnderTest.Deadline, Token)));
    }

    [Fact]
    public async Task A_deadline_names_those_who_did_not_answer()
    {
        await using ParticipantGroup participants = Placement.InThisProcess(s_plan, new SocketsBenchmark(), new PingPong());
        BenchmarkException late = await Assert.ThrowsAsync<BenchmarkException>(() => participants.AllAsync(
            "A slice",
            [participants.Server, participants.LoadGenerators[0]],
            [Task.FromResult(1), new TaskCompletionSource<int>().Task],
            TimeSpan.Zero,
            Token));
        Assert.Equal("A slice did not end within its deadline of 0 s and was stopped. No answer came from the clients.", late.Message);
    }

    [Fact]
    public async Task A_server_that_starts_after_its_deadline_is_stopped()
    {
        var library = new LateLibrary();
        ParticipantGroup participants = Placement.InThisProcess(s_plan with { StopDeadline = TimeSpan.FromMilliseconds(1) }, library, new PingPong());
        Task<ServerAddress> starting = participants.Server.StartAsync(Token);
        await library.Starting.WaitAsync(LibraryUnderTest.Deadline, Token);
        await participants.DisposeAsync();
        library.Start();
        await starting.WaitAsync(LibraryUnderTest.Deadline, Token);
        await library.Stopped.WaitAsync(LibraryUnderTest.Deadline, Token);
    }

    private sealed class LateLibrary : INetworkBenchmark, IBenchmarkServer
    {
        private readonly TaskCompletionSource _starting = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly ManualResetEventSlim _start = new();

        public LibraryInfo Info => SampleLibrary.Info;
        public IPEndPoint EndPoint { get; } = new(IPAddress.Loopback, 1);
        public Task Starting => _starting.Task;
        public Task Stopped => _stopped.Task;

        public void Start() => _start.Set();

        public IBenchmarkServer StartServer(ServerSetup setup)
        {
            _starting.TrySetResult();
            Assert.True(_start.Wait(LibraryUnderTest.Deadline, Token));
            return this;
        }

        public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) => throw new NotSupportedException();

        public ValueTask DisposeAsync()
        {
            _start.Dispose();
            _stopped.TrySetResult();
            return ValueTask.CompletedTask;
        }
    }
}
