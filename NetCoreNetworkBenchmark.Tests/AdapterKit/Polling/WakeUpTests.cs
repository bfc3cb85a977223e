namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Polling;

public sealed class WakeUpTests
{
    private const int Token = 3;
    private const int Deadline = 60_000;

    public static TheoryData<string> Implementations => OperatingSystem.IsLinux() ? ["eventfd", "socket"] : ["socket"];

    [Theory, MemberData(nameof(Implementations))]
    public async Task Signal_from_another_thread_ends_a_wait(string implementation)
    {
        using IWakeUp wakeUp = Create(implementation);
        Task<int> waiting = Task.Run(() => Wait(wakeUp, Deadline), TestContext.Current.CancellationToken);
        wakeUp.Signal();
        Assert.Equal(1, await waiting);
    }

    [Theory, MemberData(nameof(Implementations))]
    public void TakeSignals_takes_all_of_them_and_none_does_no_harm(string implementation)
    {
        using IWakeUp wakeUp = Create(implementation);
        for (int signal = 0; signal < 10_000; signal++)
        {
            wakeUp.Signal();
        }

        Assert.Equal(1, Wait(wakeUp, Deadline));
        wakeUp.TakeSignals();
        Assert.Equal(0, Wait(wakeUp, 0));
        wakeUp.TakeSignals();
        wakeUp.Signal();
        Assert.Equal(1, Wait(wakeUp, Deadline));
    }

    [Theory, MemberData(nameof(Implementations))]
    public void Signal_returns_false_after_the_end(string implementation)
    {
        IWakeUp wakeUp = Create(implementation);
        wakeUp.Dispose();
        Assert.Throws<ObjectDisposedException>(wakeUp.Signal);
    }

    [Fact]
    public void Constants_of_eventfd_have_the_values_of_the_header() => Assert.Equal(
        [SysEventfd.EFD_CLOEXEC, SysEventfd.EFD_NONBLOCK],
        CCompiler.Evaluate(["sys/eventfd.h"], ["EFD_CLOEXEC", "EFD_NONBLOCK"]));

    private static IWakeUp Create(string implementation) => implementation == "eventfd" ? new EventFdWakeUp() : new SocketWakeUp();

    private static int Wait(IWakeUp wakeUp, int milliseconds)
    {
        using IReadiness readiness = OperatingSystem.IsLinux() ? new EpollReadiness() : new SelectReadiness();
        readiness.Add(wakeUp.Handle, Token, Interest.Read);
        Span<Ready> ready = stackalloc Ready[4];
        int count = readiness.Wait(ready, milliseconds);
        Assert.All(ready[..count].ToArray(), socket => Assert.Equal(Token, socket.Token));
        return count;
    }
}
