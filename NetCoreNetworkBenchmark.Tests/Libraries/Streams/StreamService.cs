namespace NetCoreNetworkBenchmark.Tests.Libraries.Streams;

/// <summary>An echo server of one library over a stream, for clients of plain sockets and of the libraries.</summary>
internal sealed class StreamService : IAsyncDisposable
{
    public const int Size = 32;

    private readonly IBenchmarkServer _server;

    public StreamService(
        string library, Protocol protocol, Func<RunPlan, RunPlan>? change = null, TlsCredentials? credentials = null, IServerHandler? handler = null,
        Func<ServerSetup, IBenchmarkServer>? start = null)
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
        start ??= LibraryUnderTest.Create(library).StartServer;
        _server = start(Setups.OfServer(Plan, Recorder, handler ?? Handler) with { Credentials = protocol.HasTls() ? Credentials : null });
    }

    public RunPlan Plan { get; }
    public TlsCredentials Credentials { get; }
    public RunRecorder Recorder { get; } = new();
    public ServerActions Handler { get; } = new();
    public ClientActions Client { get; } = new();
    public RunRecorder ClientRecorder { get; } = new();
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

    public async Task<NetworkStream> ConnectPlainAsync() => new(await ConnectSocketAsync(), ownsSocket: true);

    /// <summary>Connects a plain socket and resets the connection.</summary>
    public async Task ConnectAndResetAsync(Func<Task>? connected = null)
    {
        using Socket socket = await ConnectSocketAsync();
        if (connected is not null)
        {
            await connected();
        }

        // A reset also leaves no port in a wait state for a minute.
        socket.LingerState = new LingerOption(enable: true, seconds: 0);
    }

    /// <summary>Connects clients of the same library, or of another one if it has none, with a plan and credentials from the test.</summary>
    public Task<IClientGroup> ConnectClientsAsync(
        Func<RunPlan, RunPlan>? change = null, TlsCredentials? credentials = null, IClientHandler? handler = null) =>
        LibraryUnderTest.ClientsFor(LibraryUnderTest.Create(Plan.Library), Plan.Protocol).ConnectAsync(
            CreateClientSetup(handler ?? Client) with { Plan = change?.Invoke(Plan) ?? Plan, Credentials = (credentials ?? Credentials).ForClients() },
            TestContext.Current.CancellationToken);

    public ClientSetup CreateClientSetup(IClientHandler handler) =>
        Setups.OfClients(Plan, ClientRecorder, handler, EndPoint) with { Credentials = Credentials.ForClients() };

    public byte[] Framed(byte[] message)
    {
        byte length = (byte)(message.Length + 6);
        return Plan.Framing switch
        {
            Framing.Length => [0, 0, 0, (byte)message.Length, .. message],
            Framing.Checked => [0, 0, 0, length, 1, message.Aggregate((byte)(length ^ 1), (check, next) => (byte)(check ^ next)), .. message],
            _ => message,
        };
    }

    public async Task AssertServesAsync()
    {
        if (!Plan.Protocol.IsOverTcp() || !LibraryUnderTest.HasPlainStream(Plan.Library))
        {
            await using IClientGroup clients = await ConnectClientsAsync(handler: new ClientActions());
            return;
        }

        await using Stream stream = await ConnectAsync();
        byte[] message = Framed([.. Enumerable.Range(0, Plan.MessageSize).Select(number => (byte)number)]);
        Assert.Equal(message, await ExchangeAsync(stream, message));
    }

    public static async Task<byte[]> ExchangeAsync(Stream stream, byte[] bytes)
    {
        await stream.WriteAsync(bytes, TestContext.Current.CancellationToken);
        return await ReadAsync(stream, bytes.Length);
    }

    public static async Task<byte[]> ReadAsync(Stream stream, int count)
    {
        byte[] bytes = new byte[count];
        await stream.ReadExactlyAsync(bytes, TestContext.Current.CancellationToken).AsTask()
            .WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        return bytes;
    }

    /// <summary>
    /// Sends portions of a client that reads nothing until the server takes no more of them, and asserts that it serves others then. After that, the
    /// client receives everything.
    /// </summary>
    public async Task AssertHoldsBackAsync(int portion, Func<Task> sendAsync, Func<Task> receiveAsync)
    {
        const int MaxBytes = 64 * 1024 * 1024;
        int sent = 0;
        bool stops = false;
        Task sending = Task.Run(
            async () =>
            {
                for (; sent < MaxBytes / portion && !Volatile.Read(ref stops); sent++)
                {
                    await sendAsync();
                }
            },
            TestContext.Current.CancellationToken);
        for (int before = -1; before != Volatile.Read(ref sent) && !sending.IsCompleted;)
        {
            before = Volatile.Read(ref sent);
            await Task.Delay(TimeSpan.FromSeconds(0.5), TestContext.Current.CancellationToken);
        }

        Assert.False(sending.IsCompleted, $"{sent} portions of {portion} bytes were taken from a client that reads nothing.");
        await AssertServesAsync();

        // With the portion that is being sent.
        Volatile.Write(ref stops, true);
        for (int left = Volatile.Read(ref sent) + 1; left > 0; left--)
        {
            await receiveAsync();
        }

        await sending.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        Assert.Empty(Recorder.Errors());
    }

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
        string? Find() => Recorder.Errors().Keys.FirstOrDefault(name => name.StartsWith(begin, StringComparison.Ordinal));
        await Wait.UntilAsync(() => Find() is not null, () => $"error '{begin}' but: {string.Join(", ", Recorder.Errors().Keys)}");
        return Find()!;
    }

    /// <summary>Waits until an error was counted whose name starts with the given text, and asserts that it is the only one.</summary>
    public async Task AssertOnlyErrorAsync(string begin) => Assert.Equal(KeyValuePair.Create(await ErrorAsync(begin), 1L), Assert.Single(Recorder.Errors()));

    public async Task StopAsync()
    {
        Recorder.Enter(RunPhase.Stop);
        await _server.DisposeAsync();
        Assert.False(Recorder.Fault.IsCompleted);
    }

    private async Task<Socket> ConnectSocketAsync()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(EndPoint, TestContext.Current.CancellationToken);
        return socket;
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        Recorder.Dispose();
        ClientRecorder.Dispose();
    }
}
