namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.Streams;

/// <summary>A server of Epoll with a thread for each connection.</summary>
public sealed class BlockingServerTests
{
    [Fact]
    public async Task A_handshake_ends_at_a_deadline_of_less_than_a_second()
    {
        await using var service = new StreamService("Epoll", Protocol.Ssl, plan => plan with
        {
            ConnectDeadline = TimeSpan.FromSeconds(0.3),
            Settings = new Dictionary<string, string> { ["architecture"] = "threads" },
        });
        await using NetworkStream silent = await service.ConnectPlainAsync();
        await service.AssertOnlyErrorAsync("server TLS handshake failed: the client did not complete it within 0.3 s");
    }
}
