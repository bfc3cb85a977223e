using NetCoreNetworkBenchmark.Workloads.Handshakes;

namespace NetCoreNetworkBenchmark.Tests.Libraries;

public sealed class KestrelHttpTests
{
    [Fact]
    public async Task The_layer_http_answers_by_Kestrels_own_HTTP()
    {
        await using var session = new LibrarySession(LibraryUnderTest.Create("Kestrel"), Protocol.Tcp, clients: 1, messageSize: 32, setting: ("layer", "http"));
        session.StartServer();
        string answer = await RequestAsync(session.EndPoint, "HEAD /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        // The connection layer answers by bytes of its own, without a date.
        answer.AssertHas("\r\nDate: ");
    }

    [Fact]
    public async Task The_layer_http_closes_the_connection_of_a_client_that_does_not_ask_for_it()
    {
        var plan = new RunPlan
        {
            Library = "Kestrel",
            Protocol = Protocol.Tcp,
            Settings = new Dictionary<string, string> { ["layer"] = "http" },
            Clients = 1,
        };
        using var recorder = new RunRecorder();
        await using IBenchmarkServer server = LibraryUnderTest.Create("Kestrel").StartServer(
            Setups.OfServer(plan, recorder, new Handshake().CreateServerHandler(plan, recorder)));
        string answer = await RequestAsync(server.EndPoint, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        answer.AssertBegins("HTTP/1.1 200 OK\r\n");
        answer.AssertHas("\r\nConnection: close\r\n");
    }

    // The answer ends with the connection.
    private static async Task<string> RequestAsync(IPEndPoint server, string request)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(server, TestContext.Current.CancellationToken);
        NetworkStream stream = client.GetStream();
        await stream.WriteAsync(Encoding.ASCII.GetBytes(request), TestContext.Current.CancellationToken);
        using var reader = new StreamReader(stream);
        using var deadline = new CancellationTokenSource(LibraryUnderTest.Deadline);
        return await reader.ReadToEndAsync(deadline.Token);
    }
}
