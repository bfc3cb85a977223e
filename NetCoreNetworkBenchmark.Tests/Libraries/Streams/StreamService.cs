using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Streams;

/// <summary>An echo server of one library over a stream, for clients that the test creates from plain sockets.</summary>
internal sealed class StreamService : IAsyncDisposable
{
    public const int Size = 32;

    private readonly IBenchmarkServer _server;

    public StreamService(string library, Protocol protocol, Func<RunPlan, RunPlan>? change = null, TlsCredentials? credentials = null)
    {
        Credentials = credentials ?? CertificateMaker.Make(TlsKey.P256, []);
        RunPlan plan = new()
        {
            Library = library,
            Protocol = protocol,
            Transmission = Transmission.Reliable,
            MessageSize = Size,
            Clients = 1,
            Port = 0,
            ConnectDeadline = LibraryUnderTest.Deadline,
        };
        Plan = change is null ? plan : change(plan);
        Recorder.Enter(RunPhase.Measure);
        _server = LibraryUnderTest.Create(library).StartServer(new ServerSetup
        {
            EndPoint = new IPEndPoint(IPAddress.Loopback, 0),
            Plan = Plan,
            Credentials = protocol == Protocol.Ssl ? Credentials : null,
            Handler = Handler,
            Recorder = Recorder,
        });
    }

    public RunPlan Plan { get; }

    public TlsCredentials Credentials { get; }

    public RunRecorder Recorder { get; } = new();

    public TestServerHandler Handler { get; } = new();

    /// <summary>The handler of the clients that the library Sockets connects.</summary>
    public TestClientHandler Client { get; } = new();

    public IPEndPoint EndPoint => _server.EndPoint;

    /// <summary>Connects a client of plain sockets, with TLS if the service uses it.</summary>
    public async Task<Stream> ConnectAsync()
    {
        Stream plain = await ConnectPlainAsync();
        if (Plan.Protocol == Protocol.Tcp)
        {
            return plain;
        }

        var secure = new SslStream(plain);
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.ImportFromPem(Credentials.Authority);
        await secure.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions { TargetHost = "127.0.0.1", CertificateChainPolicy = policy }, TestContext.Current.CancellationToken);
        return secure;
    }

    public async Task<Stream> ConnectPlainAsync()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(EndPoint, TestContext.Current.CancellationToken);
        return new NetworkStream(socket, ownsSocket: true);
    }

    /// <summary>Connects the clients of the library Sockets, with a plan and credentials from the test.</summary>
    public Task<IClientGroup> ConnectClientsAsync(
        Func<RunPlan, RunPlan> change, TlsCredentials? credentials = null) => LibraryUnderTest.Create("Sockets").ConnectAsync(
        new ClientSetup
        {
            EndPoint = EndPoint,
            Plan = change(Plan),
            Credentials = (credentials ?? Credentials).ForClients(),
            Handler = Client,
            Recorder = new RunRecorder(),
        },
        TestContext.Current.CancellationToken);

    /// <summary>Sends bytes and reads as many back.</summary>
    public static async Task<byte[]> ExchangeAsync(Stream stream, byte[] bytes)
    {
        byte[] answer = new byte[bytes.Length];
        await stream.WriteAsync(bytes, TestContext.Current.CancellationToken);
        await stream.ReadExactlyAsync(answer, TestContext.Current.CancellationToken).AsTask()
            .WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        return answer;
    }

    /// <summary>Reads until the peer has closed the connection in any way.</summary>
    public static async Task ReadToEndAsync(Stream stream)
    {
        byte[] bytes = new byte[1024];
        try
        {
            while (await stream.ReadAsync(bytes, TestContext.Current.CancellationToken).AsTask()
                .WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken) > 0)
            {
                // Bytes that were sent before the close.
            }
        }
        catch (IOException)
        {
            // A reset, if the peer has left bytes unread.
            return;
        }
    }

    /// <summary>Waits for an error whose name starts with the given text, and returns its whole name.</summary>
    public async Task<string> ErrorAsync(string begin)
    {
        using var deadline = new CancellationTokenSource(LibraryUnderTest.Deadline);
        while (!deadline.IsCancellationRequested)
        {
            if (Recorder.Errors().Keys.FirstOrDefault(name => name.StartsWith(begin, StringComparison.Ordinal)) is { } found)
            {
                return found;
            }

            await Task.Delay(TimeSpan.FromMilliseconds(5), TestContext.Current.CancellationToken);
        }

        Assert.Fail($"No error '{begin}' but: {string.Join(", ", Recorder.Errors().Keys)}");
        return string.Empty;
    }

    public async ValueTask DisposeAsync()
    {
        Recorder.Enter(RunPhase.Stop);
        await _server.DisposeAsync();
        Assert.False(Recorder.Fault.IsCompleted);
        Recorder.Dispose();
    }
}
