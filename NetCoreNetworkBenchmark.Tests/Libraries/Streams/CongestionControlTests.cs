using NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Streams;

public sealed class CongestionControlTests
{
    private const int Clients = 2;

    public static IEnumerable<TheoryDataRow<string>> Available() =>
        from row in LibraryUnderTest.Settings()
        where row.Data.Item3 == CongestionControl.Setting.Name
        select new TheoryDataRow<string>(row.Data.Item4);

    [Theory, MemberData(nameof(Available))]
    public async Task Connections_of_both_sides_have_the_requested_algorithm(string algorithm)
    {
        Assert.SkipWhen(SystemProgram.Find("ss") is null, "The program ss is not installed.");
        await using var session = new LibrarySession(
            LibraryUnderTest.Create("Sockets"), Protocol.Tcp, Clients, messageSize: 32, setting: (CongestionControl.Setting.Name, algorithm));
        await session.StartAsync();
        await session.Server.Connected.ReachesAsync(Clients, "clients were accepted");
        string expected = algorithm == CongestionControl.Setting.Default ? SystemFiles.ReadLine("/proc/sys/net/ipv4/tcp_congestion_control")! : algorithm;
        foreach (string side in (string[])["sport", "dport"])
        {
            string connections = await SystemCommand.RequireAsync("ss", "-tinHO", "state", "established", side, "=", $":{session.EndPoint.Port}");
            string[] lines = connections.Split('\n', StringSplitOptions.RemoveEmptyEntries);
            Assert.Equal(Clients, lines.Length);
            Assert.All(lines, line => Assert.Contains(expected, line.Split(' ')));
        }
    }

    [Fact]
    public void FindFault_names_the_remedies_for_an_algorithm_that_the_kernel_does_not_have()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems refuse every algorithm.");
        string available = OptionValues.Or([.. Available().Select(row => row.Data)]);
        BadInput.Throws(
            $"--set: Sockets.congestion=none is not in this kernel. Load it by \"modprobe tcp_none\", or use {available}.",
            () => throw CongestionControl.FindFault("none")!);
    }
}
