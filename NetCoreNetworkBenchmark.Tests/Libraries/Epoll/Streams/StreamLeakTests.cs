using System.Net.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.Streams;

/// <summary>Counts the resources of the whole process, so no other test may run at the same time.</summary>
[Collection(nameof(LeakTests))]
public sealed class StreamLeakTests
{
    [Theory]
    [InlineData(Protocol.Tcp, 10_000)]
    [InlineData(Protocol.Ssl, 10_000)]
    public async Task Ten_thousand_connects_and_closes_leave_no_descriptor(Protocol protocol, int connects)
    {
        const int Portion = 100;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Descriptors are counted in Linux's /proc.");
        await using var server = new StreamServer(protocol, plan => plan with { Clients = 2 * Portion });
        int before = Descriptors();
        for (int done = 0; done < connects; done += Portion)
        {
            Socket[] sockets = [.. Enumerable.Range(0, Portion).Select(_ => server.Connect())];
            foreach (Socket socket in sockets)
            {
                // A reset leaves no port in a wait state for a minute.
                socket.LingerState = new LingerOption(enable: true, seconds: 0);
                socket.Dispose();
            }
        }

        server.AssertServes();
        await SettlesAsync(before);
        Assert.False(server.Recorder.Fault.IsCompleted);
    }

    [Fact]
    public async Task Handshakes_that_come_about_leave_no_descriptor()
    {
        await using var server = new StreamServer(Protocol.Ssl, plan => plan with { Clients = 100 });
        await using (await server.ConnectAsync())
        {
            // The first connections open resources that the process keeps.
        }

        int before = Descriptors();
        for (int round = 0; round < 5; round++)
        {
            await using IClientGroup clients = await server.ConnectAsync();
        }

        await SettlesAsync(before);
    }

    private static async Task SettlesAsync(int expected)
    {
        long start = System.Diagnostics.Stopwatch.GetTimestamp();
        while (Descriptors() > expected)
        {
            Assert.True(
                System.Diagnostics.Stopwatch.GetElapsedTime(start) < LibraryUnderTest.Deadline, $"{Descriptors()} open descriptors instead of {expected}");
            await Task.Delay(TimeSpan.FromMilliseconds(5), TestContext.Current.CancellationToken);
        }
    }

    private static int Descriptors() => Directory.GetFiles("/proc/self/fd").Length;
}
