namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

internal static class StreamRun
{
    /// <summary>A short load. On a machine that is busy with other tests, a tenth of a second can pass without a message.</summary>
    public const string Load = "-p 0 -c 4 -m 3 --warmup 0.05 -d 0.3 --any-machine --json";

    /// <summary>The option for server and clients in a process each: a setting of the runtime, to its default, is for processes of the run alone.</summary>
    public const string TwoProcesses = "--runtime gcConcurrent=1";

    /// <summary>
    /// The option for a key that is made at once, for tests of anything but the key. The default is RSA: to make such keys takes several times as long as the
    /// rest of a short run.
    /// </summary>
    public static string KeyOf(Protocol protocol) => protocol.HasTls() ? "--key P256" : string.Empty;

    public static IEnumerable<TheoryDataRow<string, Protocol>> Streams() => LibraryUnderTest.Transports().Where(row => row.Data.Item2.IsStream());

    public static IEnumerable<TheoryDataRow<string, Protocol>> StreamsOneInPlain() => LibraryUnderTest.OneInPlain(Streams(), "Sockets");

    public static IEnumerable<TheoryDataRow<string, Protocol>> OverTcpOneInPlain() => LibraryUnderTest.OneInPlain(LibraryUnderTest.OverTcp(), "Sockets");

    public static IEnumerable<TheoryDataRow<string>> OverTls() =>
        from row in Streams()
        where row.Data.Item2 == Protocol.Ssl
        select new TheoryDataRow<string>(row.Data.Item1) { Skip = row.Skip };

    /// <summary>Asserts that the result contains the negotiated parameters that the connections reported, or none over TCP.</summary>
    public static void AssertTls(RunResult run, Protocol protocol, string key)
    {
        if (!protocol.HasTls())
        {
            Assert.Null(run.Tls);
            return;
        }

        Assert.Equal((key, run.Plan.Clients), (run.Tls!.Key, (int)run.Tls.Clients.Sum(agreed => agreed.Count)));
        Assert.All(run.Tls.Clients, agreed => Assert.Contains(agreed.Version, (string[])["1.2", "1.3"]));
        Assert.All(run.Tls.Clients, agreed => Assert.StartsWith("TLS_", agreed.Cipher, StringComparison.Ordinal));

        // The library for QUIC has a TLS of its own.
        Assert.Equal(OperatingSystem.IsLinux() && protocol != Protocol.Quic, run.Tls.OpenSslVersion is not null);
    }
}
