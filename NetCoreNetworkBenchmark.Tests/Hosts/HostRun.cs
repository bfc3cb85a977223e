namespace NetCoreNetworkBenchmark.Tests.Hosts;

/// <summary>A run of the real program over several hosts, and what its result must satisfy.</summary>
internal static class HostRun
{
    /// <summary>The hosts of most tests: the server on the first, the clients on the others.</summary>
    public const string ThreeHosts = "--server-host host-a --client-hosts host-b,host-c";

    /// <summary>Splits a command line without quotation marks.</summary>
    public static string[] Words(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    public static RunResult ValidResultOf((int ExitCode, string Output, string Errors) run)
    {
        Assert.True(run.ExitCode == 0, run.Errors);
        RunResult result = ResultOf(run.Output);
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        return result;
    }

    public static RunResult ResultOf(string output) => JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;

    public static void AssertAddsUp(RunResult result)
    {
        HostsResult hosts = result.Hosts!;
        Assert.NotNull(hosts.Server);
        Assert.Equal(result.Plan.Clients, hosts.Clients.Sum(host => host.Clients));
        Assert.Equal(result.Messages.ClientReceived, hosts.Clients.Sum(host => host.Messages));
        Assert.Equal(1, hosts.Clients.Sum(host => host.Share)!.Value, tolerance: 1e-9);
        Assert.Equal(result.Totals.Sent, result.Totals.Received + result.Totals.Lost + result.Totals.Unanswered);
        Assert.All(hosts.Clients, host => Assert.Equal(host.Messages, HistogramCodec.Decode(host.Histogram!).Count));
        var sum = new LatencyHistogram();
        foreach (HostResult host in hosts.Clients)
        {
            sum.Add(HistogramCodec.Decode(host.Histogram!));
        }

        Assert.Equal(sum.RecordedBuckets(), HistogramCodec.Decode(result.Clients.Latency.Histogram!).RecordedBuckets());
    }

    public static void AssertKeepsLittlesLaw(RunResult result, int inFlight)
    {
        double off = LittlesLaw.MostOff(result);
        Assert.InRange(LittlesLaw.InFlight(result) / inFlight, 0.9 - off, 1.05 + off);
    }
}
