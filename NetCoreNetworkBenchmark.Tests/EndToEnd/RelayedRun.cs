namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The real program with a relay in its traffic: server, clients and relay in processes of their own.</summary>
internal static class RelayedRun
{
    /// <summary>The raw sockets: one message is one datagram.</summary>
    public const string Library = "Sockets";

    /// <summary>Runs a load on any machine and returns its result, valid or not.</summary>
    public static Task<RunResult> RunAsync(string arguments, string library = Library) =>
        BenchmarkProcess.AnyResultAsync($"-l {library} -p 0 --any-machine --json {arguments}");

    /// <summary>Asserts that the relay has counted all traffic except datagrams that the kernel dropped before the relay.</summary>
    public static RelayCounts AssertSeesAll(RunResult result)
    {
        RelayCounts relay = result.Relay!.Counts;
        Assert.Equal(0, result.Errors);
        if (relay is { ToServer.Stream: { } toServer, ToClients.Stream: { } toClients })
        {
            AssertSeesAll(result, toServer);
            AssertSeesAll(result, toClients);
            return relay;
        }

        Assert.Equal(result.Totals.Sent, relay.ToServer.Received + (relay.ToServer.Missed ?? 0));
        Assert.Equal((0, 0), (relay.ToServer.Overflowed, relay.ToClients.Overflowed));
        return relay;
    }

    /// <summary>
    /// The datagrams that the kernel dropped on the way to the relay, to the server and back to the relay: none, unless the machine is so busy
    /// that one of them cannot read for half a second.
    /// </summary>
    public static long LostBeside(RunResult result, RelayCounts relay) =>
        result.Totals.Sent - relay.ToServer.Received + (relay.ToServer.Forwarded - relay.ToClients.Received);

    // TLS adds its own bytes to those of the messages.
    private static void AssertSeesAll(RunResult result, RelayStreamCounts bytes)
    {
        long ofMessages = result.Totals.Sent * result.Plan.MessageSize;
        Assert.Equal(bytes.Bytes, bytes.ForwardedBytes);
        Assert.InRange(bytes.Bytes, ofMessages, result.Protocol == nameof(Protocol.Tcp) ? ofMessages : long.MaxValue);
    }
}
