namespace NetCoreNetworkBenchmark.Tests.Libraries.Streams;

public sealed class KestrelTests
{
    [Fact]
    public void ConnectAsync_is_refused_as_Kestrel_has_no_clients()
    {
        INetworkBenchmark kestrel = LibraryUnderTest.Create("Kestrel");
        Assert.False(kestrel.Info.HasClients);
        var setup = new ClientSetup
        {
            EndPoint = new(System.Net.IPAddress.Loopback, 1),
            Plan = new RunPlan { Library = "Kestrel" },
            Handler = new TestClientHandler(),
            Recorder = new RunRecorder(),
        };
        var exception = Assert.Throws<BenchmarkException>(() => { _ = kestrel.ConnectAsync(setup, TestContext.Current.CancellationToken); });
        Assert.Equal("Kestrel has no clients. Use --client-library.", exception.Message);
    }

    [Fact]
    public void Its_version_is_that_of_the_assembly_that_runs() =>
        Assert.StartsWith($"{Environment.Version.Major}.", LibraryUnderTest.Create("Kestrel").Info.Version, StringComparison.Ordinal);
}
