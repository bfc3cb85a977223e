using System.Text.RegularExpressions;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The C programs of <c>build/limit</c>, with which the harness is compared.</summary>
public sealed partial class LimitTests(CompiledPrograms programs) : IClassFixture<CompiledPrograms>
{
    // The messages in flight always fit into the server's socket buffer, even if an ordinary user runs this and the server cannot read in time.
    [Theory]
    [InlineData("call", 1, 1, 32)]
    [InlineData("call", 5, 20, 32)]
    [InlineData("mmsg", 1, 1, 32)]
    [InlineData("mmsg", 5, 80, 32)]
    [InlineData("gso", 1, 1, 32)]
    [InlineData("gso", 5, 200, 32)]
    [InlineData("gso", 2, 70, 1400)]
    public void Udp_makes_round_trips_and_loses_none(string mode, int clients, int messages, int size) =>
        AssertRoundTrips(CCompiler.Run(programs.Compile("udp.c"), [mode, .. Load(clients, messages, size)]));

    [Theory, InlineData(1, 1, 32), InlineData(20, 50, 32), InlineData(2, 2, 3000)]
    public void Libenet_makes_round_trips_and_loses_none(int clients, int messages, int size) =>
        AssertRoundTrips(CCompiler.Run(programs.Compile("enet.c", "enet"), Load(clients, messages, size)));

    public static TheoryData<string, int, int, int> StreamLoads => new()
    {
        { "message", 1, 1, 32 },
        { "message", 20, 50, 32 },
        { "message", 3, 2000, 32 },
        { "message", 2, 70, 60000 },
        { "receive", 1, 1, 32 },
        { "receive", 20, 50, 32 },
        { "receive", 3, 20000, 32 },
        { "receive", 2, 70, 60000 },
    };

    [Theory, MemberData(nameof(StreamLoads))]
    public void Tcp_makes_round_trips_and_loses_none(string mode, int clients, int messages, int size) =>
        AssertRoundTrips(CCompiler.Run(programs.Compile("tcp.c"), [mode, .. Load(clients, messages, size)]));

    [Theory, MemberData(nameof(StreamLoads))]
    public void Tls_makes_round_trips_and_loses_none(string mode, int clients, int messages, int size) =>
        AssertRoundTrips(CCompiler.Run(programs.Compile("tls.c", "ssl", "crypto"), [mode, .. Load(clients, messages, size)]));

    private static string[] Load(int clients, int messages, int size) => [Text(clients), Text(messages), "0.1", Text(size)];

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static void AssertRoundTrips(string printed)
    {
        Match line = Line().Match(printed);
        Assert.True(line.Success, $"It printed '{printed}'.");
        Assert.True(long.Parse(line.Groups["rate"].ValueSpan, CultureInfo.InvariantCulture) > 0, printed);
        Assert.Equal("0", line.Groups["lost"].Value);
    }

    [GeneratedRegex("^round_trips_per_second (?<rate>[0-9]+) lost (?<lost>[0-9]+)\n$")]
    private static partial Regex Line();
}
