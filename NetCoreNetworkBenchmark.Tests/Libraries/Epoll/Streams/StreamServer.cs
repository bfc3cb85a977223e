using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Libraries.Epoll;
using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.Streams;

/// <summary>A server of Epoll that echoes, with clients of Epoll and of plain sockets.</summary>
internal sealed class StreamServer : IAsyncDisposable
{
    public const int MessageSize = 32;

    private readonly IBenchmarkServer _server;

    /// <param name="protocol">The transport.</param>
    /// <param name="change">Changes the plan; null for no change.</param>
    /// <param name="credentials">The credentials for TLS; null to generate them.</param>
    /// <param name="wrap">Wraps the transport of each connection; null for no wrapper.</param>
    /// <param name="handler">The handler of the server; null for <see cref="Handler"/>.</param>
    public StreamServer(
        Protocol protocol, Func<RunPlan, RunPlan>? change = null, TlsCredentials? credentials = null, Func<StreamTransport, StreamTransport>? wrap = null,
        IServerHandler? handler = null)
    {
        var plan = new RunPlan { Library = "Epoll", Protocol = protocol, Clients = 1, MessageSize = MessageSize, ConnectDeadline = LibraryUnderTest.Deadline };
        Plan = change?.Invoke(plan) ?? plan;
        Credentials = credentials ?? (protocol == Protocol.Ssl ? CertificateMaker.Make(TlsKey.P256, []) : null);
        Recorder.Enter(RunPhase.Measure);
        var setup = new ServerSetup
        {
            EndPoint = new IPEndPoint(IPAddress.Loopback, 0),
            Plan = Plan,
            Credentials = Credentials,
            Handler = handler ?? Handler,
            Recorder = Recorder,
        };
        INetworkBenchmark library = LibraryUnderTest.Create("Epoll");
        _server = wrap is null
            ? library.StartServer(setup)
            : PolledServer.Start("Epoll", setup, (loop, each) => new StreamListener(each, loop, Wrapped(EpollBenchmark.CarryOf(each), wrap)));
    }

    public RunPlan Plan { get; }

    public TlsCredentials? Credentials { get; }

    public RunRecorder Recorder { get; } = new();

    public TestServerHandler Handler { get; } = new();

    public IPEndPoint EndPoint => _server.EndPoint;

    /// <summary>Connects clients of Epoll with a wrapper around the transport of each.</summary>
    public Task<IClientGroup> ConnectAsync(Func<StreamTransport, StreamTransport> wrap, IClientHandler handler)
    {
        var setup = new ClientSetup { EndPoint = EndPoint, Plan = Plan, Credentials = Credentials?.ForClients(), Handler = handler, Recorder = Recorder };
        var threads = new ConcurrentDictionary<PollLoop, StreamClients>();
        return PolledClientGroup.ConnectAsync(
            "Epoll",
            setup,
            (loop, observer) => threads.GetOrAdd(loop, _ => new StreamClients(setup, loop, Wrapped(EpollBenchmark.CarryOf(setup), wrap))).Connect(observer),
            TestContext.Current.CancellationToken);
    }

    /// <summary>Connects clients of Epoll, with a plan or credentials of their own.</summary>
    public Task<IClientGroup> ConnectAsync(
        Func<RunPlan, RunPlan>? change = null, TlsCredentials? credentials = null, IClientHandler? handler = null, RunRecorder? recorder = null) =>
        new EpollBenchmark().ConnectAsync(
            new ClientSetup
            {
                EndPoint = EndPoint,
                Plan = change?.Invoke(Plan) ?? Plan,
                Credentials = credentials ?? Credentials?.ForClients(),
                Handler = handler ?? new TestClientHandler(),
                Recorder = recorder ?? Recorder,
            },
            TestContext.Current.CancellationToken);

    /// <summary>Connects a plain socket whose calls have a timeout.</summary>
    public Socket Connect()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
            ReceiveTimeout = (int)LibraryUnderTest.Deadline.TotalMilliseconds,
            SendTimeout = (int)LibraryUnderTest.Deadline.TotalMilliseconds,
        };
        socket.Connect(EndPoint);
        return socket;
    }

    /// <summary>Connects and, if the server uses TLS, makes the handshake with .NET's own implementation.</summary>
    public Stream ConnectStream()
    {
        var stream = new NetworkStream(Connect(), ownsSocket: true);
        if (Plan.Protocol == Protocol.Tcp)
        {
            return stream;
        }

        using X509Certificate2 authority = X509Certificate2.CreateFromPem(Credentials!.Authority);
        var tls = new SslStream(stream, leaveInnerStreamOpen: false);
        tls.AuthenticateAsClient(new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                CustomTrustStore = { authority },
                RevocationMode = X509RevocationMode.NoCheck,
            },
        });
        return tls;
    }

    /// <summary>Asserts that other clients are served.</summary>
    public void AssertServes()
    {
        using Stream stream = ConnectStream();
        byte[] message = [.. Enumerable.Range(0, MessageSize).Select(value => (byte)value)];
        byte[] framed = Plan.Framing == Framing.Length ? [0, 0, 0, MessageSize, .. message] : message;
        stream.Write(framed);
        byte[] answer = new byte[framed.Length];
        stream.ReadExactly(answer);
        Assert.Equal(framed, answer);
    }

    /// <summary>Waits until an error was counted, and asserts that it is the only one.</summary>
    public async Task AssertErrorAsync(string name)
    {
        long start = Stopwatch.GetTimestamp();
        while (Recorder.Errors().Count == 0 && Stopwatch.GetElapsedTime(start) < LibraryUnderTest.Deadline)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(5), TestContext.Current.CancellationToken);
        }

        Assert.Equal(KeyValuePair.Create(name, 1L), Assert.Single(Recorder.Errors()));
        Assert.False(Recorder.Fault.IsCompleted);
    }

    /// <summary>Asserts that the server ends a connection.</summary>
    public static void AssertEnds(Socket socket)
    {
        byte[] buffer = new byte[4096];
        SocketError error;
        while (socket.Receive(buffer, SocketFlags.None, out error) > 0)
        {
            // Answers to messages that were sent before.
        }

        Assert.True(error is SocketError.Success or SocketError.ConnectionReset, $"{error}");
    }

    private static Func<int, StreamTransport> Wrapped(Func<int, StreamTransport> carry, Func<StreamTransport, StreamTransport> wrap) =>
        descriptor => wrap(carry(descriptor));

    public async ValueTask DisposeAsync()
    {
        Recorder.Enter(RunPhase.Stop);
        await _server.DisposeAsync();
        Recorder.Dispose();
    }
}
