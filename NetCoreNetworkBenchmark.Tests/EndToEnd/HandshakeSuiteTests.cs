namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>
/// The predefined benchmarks of TLS handshakes, as a user starts them. No other test runs at the same time: each handshake of a hundred clients is work for
/// all cores, and each case needs some that are complete in its time.
/// </summary>
[CollectionDefinition(nameof(HandshakeSuiteTests), DisableParallelization = true)]
[Collection(nameof(HandshakeSuiteTests))]
[Trait("Category", "Long")]
public sealed class HandshakeSuiteTests : InTemporaryFolder
{
    [Fact]
    public async Task Tls_has_a_row_for_each_server_and_architecture()
    {
        (_, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-b=tls --launches 1 --benchmark-duration 0.3 --any-machine -o {Folder.FullName}");
        var suite = (SuiteResult)ResultFile.Parse(await SuiteTests.ReadAsync(Assert.Single(Folder.GetDirectories()), "results.json"));
        Assert.Equal(["TLS handshakes, Rsa2048", "TLS handshakes, P256"], suite.Benchmarks.Select(benchmark => benchmark.Title));
        string[] servers =
        [
            "Epoll (workers)", "Epoll (reactor)", "Epoll (threads)", "Epoll (pool)", "Kestrel (own-context)", "Kestrel (shared-context)", "Kestrel (http)",
            "Sockets (own-context)", "Sockets (shared-context)",
        ];
        Assert.All(suite.Benchmarks, benchmark =>
        {
            RunResult[] runs = RunsOf(benchmark);
            Assert.Empty(servers.Except(runs.Select(run => run.Name)));
            Assert.All(runs, run => Assert.Equal((0, 0), (run.Errors, run.Lost)));
            Assert.All(runs, run => Assert.All(run.Tls!.Clients, handshake => Assert.False(handshake.Resumed)));
            Assert.All(servers, server => Assert.Contains($"| {server}", output, StringComparison.Ordinal));
        });
        Assert.DoesNotContain("failed", errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_matrix_of_handshakes_has_a_row_for_each_combination()
    {
        (_, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-b=tls-matrix --launches 1 --benchmark-duration 1 --any-machine -o {Folder.FullName}");
        var suite = (SuiteResult)ResultFile.Parse(await SuiteTests.ReadAsync(Assert.Single(Folder.GetDirectories()), "results.json"));
        Assert.Equal(
            ["TLS 1.3 handshakes, Rsa2048", "TLS 1.2 handshakes, Rsa2048", "TLS 1.3 handshakes, P256", "TLS 1.2 handshakes, P256"],
            suite.Benchmarks.Select(benchmark => benchmark.Title));
        Assert.Equal("NetCoreNetworkBenchmark --benchmark=tls-matrix --library Epoll --launches 1 --any-machine", suite.Command);
        Assert.All(suite.Benchmarks, benchmark =>
        {
            RunResult[] runs = RunsOf(benchmark);
            Assert.Equal(9, runs.Length);
            Assert.Equal("Epoll (x25519)", benchmark.Baseline);
            Assert.All(runs, run => Assert.Equal((0, 0), (run.Errors, run.Lost)));
            Assert.All(runs, run =>
            {
                bool resumes = run.Plan.Variant!.Contains(',', StringComparison.Ordinal);
                TlsHandshakes most = run.Tls!.Clients.MaxBy(handshake => handshake.Count)!;
                Assert.Equal((resumes, true), (most.Resumed == true, benchmark.Title.StartsWith($"TLS {most.Version}", StringComparison.Ordinal)));
                Assert.True(resumes || most.Group == run.Plan.Variant, $"{run.Plan.Variant}: {most.Group}");
            });
        });
        Assert.Contains("| Epoll (secp384r1, session)", output, StringComparison.Ordinal);
        Assert.DoesNotContain("failed", errors, StringComparison.Ordinal);
    }

    private static RunResult[] RunsOf(BenchmarkResult benchmark)
    {
        Assert.All(benchmark.Cases, caseResult => Assert.Null(caseResult.Launches[0].Failure));
        return [.. benchmark.Cases.Select(caseResult => caseResult.Launches[0].Result!)];
    }
}
