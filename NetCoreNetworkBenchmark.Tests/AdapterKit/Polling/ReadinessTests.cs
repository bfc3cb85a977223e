namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Polling;

public sealed class ReadinessTests
{
    private const int Deadline = 60_000;

    public static TheoryData<string> Implementations => OperatingSystem.IsLinux() ? ["epoll", "epoll in milliseconds", "select"] : ["select"];

    [Theory, MemberData(nameof(Implementations))]
    public void Wait_reports_the_token_of_the_socket_that_can_be_read(string implementation)
    {
        using IReadiness readiness = Create(implementation);

        // More than FD_SETSIZE of Windows.
        Socket[] sockets = [.. Enumerable.Range(0, 100).Select(_ => Setups.BoundUdp())];
        for (int index = 0; index < sockets.Length; index++)
        {
            readiness.Add(sockets[index].Handle, 100 + index, Interest.Read);
        }

        Send(sockets[7]);
        Span<Ready> ready = stackalloc Ready[32];
        Assert.Equal((1, new Ready(107, Interest.Read)), (readiness.Wait(ready, Deadline), ready[0]));
        Array.ForEach(sockets, socket => socket.Dispose());
    }

    [Theory, MemberData(nameof(Implementations))]
    public void Wait_and_WaitExactly_report_again_what_was_not_read(string implementation)
    {
        using IReadiness readiness = Create(implementation);
        using Socket socket = Setups.BoundUdp();
        readiness.Add(socket.Handle, 5, Interest.Read);
        Send(socket);
        Span<Ready> ready = stackalloc Ready[4];
        Assert.Equal(1, readiness.Wait(stackalloc Ready[4], Deadline));
        Assert.Equal(1, readiness.Wait(stackalloc Ready[4], Deadline));
        Assert.Equal((1, new Ready(5, Interest.Read)), (readiness.WaitExactly(ready, Deadline * 1_000_000L), ready[0]));
    }

    [Theory, MemberData(nameof(Implementations))]
    public void Wait_reports_every_ready_socket_in_turn_when_more_are_ready_than_it_can_report(string implementation)
    {
        using IReadiness readiness = Create(implementation);
        Socket[] sockets = [.. Enumerable.Range(0, 5).Select(_ => Setups.BoundUdp())];
        foreach ((int token, Socket socket) in sockets.Index())
        {
            readiness.Add(socket.Handle, token, Interest.Read);
            Send(socket);
        }

        var ready = new Ready[2];
        var reported = new List<int>();
        while (reported.Count < 2 * sockets.Length)
        {
            Assert.Equal(2, readiness.Wait(ready, Deadline));
            reported.AddRange(ready.Select(socket => socket.Token));
        }

        Assert.Equal([0, 1, 2, 3, 4], reported.Take(5).Order());
        Assert.Equal([0, 1, 2, 3, 4], reported.Skip(5).Order());
        Array.ForEach(sockets, socket => socket.Dispose());
    }

    [Theory, MemberData(nameof(Implementations))]
    public void Wait_and_WaitExactly_end_empty_when_nothing_comes_and_at_once_when_the_time_has_passed(string implementation)
    {
        using IReadiness readiness = Create(implementation);
        using Socket socket = Setups.BoundUdp();
        readiness.Add(socket.Handle, 1, Interest.Read);
        Assert.Equal(0, readiness.Wait(stackalloc Ready[4], 1));
        Assert.Equal(0, readiness.WaitExactly(stackalloc Ready[4], -1));
        Assert.Equal(0, readiness.WaitExactly(stackalloc Ready[4], long.MinValue));
    }

    [Theory, MemberData(nameof(Implementations))]
    public void WaitExactly_ends_early_by_less_than_a_millisecond(string implementation)
    {
        using IReadiness readiness = Create(implementation);
        using Socket socket = Setups.BoundUdp();
        readiness.Add(socket.Handle, 1, Interest.Read);
        long start = Stopwatch.GetTimestamp();
        Assert.Equal(0, readiness.WaitExactly(stackalloc Ready[4], 2_500_000));
        Assert.True(Stopwatch.GetElapsedTime(start) >= TimeSpan.FromMilliseconds(1.5), $"It ended after {Stopwatch.GetElapsedTime(start)}.");
    }

    [Theory, MemberData(nameof(Implementations))]
    public void Remove_ends_the_reports_and_leaves_the_socket_usable(string implementation)
    {
        using IReadiness readiness = Create(implementation);
        using Socket socket = Setups.BoundUdp();
        using Socket other = Setups.BoundUdp();
        readiness.Add(socket.Handle, 1, Interest.Read);
        readiness.Add(other.Handle, 2, Interest.Read);
        readiness.Remove(socket.Handle);
        Send(socket);
        Assert.Equal(0, readiness.Wait(stackalloc Ready[4], 1));
        Assert.Equal(1, socket.Receive(new byte[8]));
    }

    [Theory, MemberData(nameof(Implementations))]
    public async Task Wait_reports_room_to_write_only_where_that_is_of_interest(string implementation)
    {
        using IReadiness readiness = Create(implementation);
        (Socket socket, Socket other) = await ConnectedAsync();
        using (socket)
        using (other)
        {
            var ready = new Ready[4];
            readiness.Add(socket.Handle, 1, Interest.Read);
            Assert.Equal(0, readiness.Wait(ready, 1));
            readiness.Change(socket.Handle, 1, Interest.Read | Interest.Write);
            Assert.Equal((1, new Ready(1, Interest.Write)), (readiness.Wait(ready, Deadline), ready[0]));
            other.Send([1]);
            await Tests.Wait.UntilAsync(() => socket.Available > 0, "a byte");
            Assert.Equal((1, new Ready(1, Interest.Read | Interest.Write)), (readiness.Wait(ready, Deadline), ready[0]));
            readiness.Change(socket.Handle, 1, Interest.None);
            Assert.Equal(0, readiness.Wait(ready, 1));
            readiness.Remove(socket.Handle);
        }
    }

    [Theory, MemberData(nameof(Implementations))]
    public async Task Wait_reports_the_end_of_a_connection_as_something_to_read(string implementation)
    {
        using IReadiness readiness = Create(implementation);
        (Socket socket, Socket other) = await ConnectedAsync();
        using (socket)
        {
            var ready = new Ready[4];
            readiness.Add(socket.Handle, 1, Interest.Read);
            other.Dispose();
            Assert.Equal(1, readiness.Wait(ready, Deadline));
            Assert.True((ready[0].Possible & Interest.Read) != 0);
            readiness.Remove(socket.Handle);
        }
    }

    private static async Task<(Socket Socket, Socket Other)> ConnectedAsync()
    {
        using Socket listener = Setups.ListeningTcp();
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(listener.LocalEndPoint!, TestContext.Current.CancellationToken);
        return (socket, await listener.AcceptAsync(TestContext.Current.CancellationToken));
    }

    private static IReadiness Create(string implementation) => implementation == "select"
        ? new SelectReadiness()
        : new EpollReadiness(countsNanoseconds: implementation == "epoll");

    private static void Send(Socket receiver)
    {
        using var sender = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        sender.SendTo([1], receiver.LocalEndPoint!);
    }
}

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
