namespace NetCoreNetworkBenchmark.Tests.Hostile;

/// <summary>
/// A server of the program that was started separately with packages, and a client that is served all the time while others send it packages that were changed
/// at random.
/// </summary>
internal sealed class PackageFuzzRun : InTemporaryFolder
{
    // The runtime opens some for itself in the first minutes. A leak would be as many as connections, of which there are thousands.
    private const int DescriptorsOfRuntime = 16;

    private const int Largest = 200;

    // A connection has its place until the server has noticed its end.
    private const int Clients = 8 * PackageFuzz.Parallel;

    // The first part, in which the server compiles its code and its memory grows to what it needs.
    private const double WarmUpShare = 0.2;
    private const long MaxGrowth = 32 * 1024 * 1024;
    private const string PartOfMessage = "server received part of a message";

    // The errors of packages by their names. They are those of PackageFuzzTests.IsNamed.
    private static readonly string[] s_violations =
    [
        "server received a frame of an invalid length",
        "server received a frame of an unknown type",
        "server received a heartbeat with content",
        "server received a frame with a wrong check code",
    ];

    // The youngest generation grows to about the size of the processor's cache before it is collected, which can be more than a leak. Here it is 4 MB (the
    // garbage collector's setting GCgen0size is hexadecimal).
    private static readonly Dictionary<string, string?> s_smallGeneration = new() { ["DOTNET_GCgen0size"] = "400000" };

    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(5);

    private readonly Protocol _protocol;
    private readonly string _arguments;

    public PackageFuzzRun(string library, Protocol protocol, string settings)
    {
        LibraryUnderTest.Create(library);
        _protocol = protocol;
        _arguments = $"-l {library} -P {protocol} --framing Checked -t RoundTrip -s {Largest} -c {Clients} --json {settings}";
        if (protocol == Protocol.Ssl)
        {
            CertificateFolder.Write(Folder.FullName, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);
            _arguments += $" --certificate {Folder}/server.crt --certificate-key {Folder}/server.key";
        }
    }

    /// <summary>The number of round trips of the client that is served all the time.</summary>
    public long Served { get; private set; }

    /// <summary>The growth of the server's memory after the first part, in bytes.</summary>
    public long Growth { get; private set; }
    public PackageFuzz? Fuzz { get; private set; }

    /// <summary>Sends so many changed packages, and asserts what the server does.</summary>
    /// <returns>The server's own result.</returns>
    public async Task<ServerResult> RunAsync(long mutations)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Memory and descriptors are read in Linux's /proc.");
        using BenchmarkProcess server = await BenchmarkProcess.StartServerWithAsync(s_smallGeneration, _arguments);
        var endPoint = new IPEndPoint(IPAddress.Loopback, int.Parse(server.Port, CultureInfo.InvariantCulture));
        Fuzz = new PackageFuzz(endPoint, Largest, _protocol == Protocol.Ssl ? SecureAsync : null);
        using var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(endPoint, TestContext.Current.CancellationToken);
        await using (Stream good = _protocol == Protocol.Ssl ? await SecureAsync(new NetworkStream(socket)) : new NetworkStream(socket))
        {
            using var enough = new CancellationTokenSource();
            Task serving = ServeAsync(good, enough.Token);
            Task fuzzing = FuzzAsync(server.Id, mutations);
            await Task.WhenAny(serving, fuzzing);
            await enough.CancelAsync();
            await serving;
            await fuzzing;
        }

        ServerResult result = await server.StopServerAsync();
        AssertCounts(result);
        return result;
    }

    private async Task FuzzAsync(int process, long mutations)
    {
        await Fuzz!.RunAsync((long)(WarmUpShare * mutations));
        int descriptors = Descriptors(process);
        long resident = Resident(process);
        await Fuzz.RunAsync(mutations);
        Growth = Resident(process) - resident;
        Assert.InRange(Growth, long.MinValue, MaxGrowth);
        await LeakTests.SettlesAsync(descriptors + DescriptorsOfRuntime, () => Descriptors(process), "open descriptors of the server");
    }

    // The client that is served all the time: its answers are right, and come within the deadline.
    private async Task ServeAsync(Stream stream, CancellationToken enough)
    {
        byte[] message = DecodedStream.Encode(new byte[Largest]);
        byte[] answer = new byte[message.Length];
        do
        {
            await stream.WriteAsync(message, TestContext.Current.CancellationToken);
            await stream.ReadExactlyAsync(answer, TestContext.Current.CancellationToken).AsTask()
                .WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
            Assert.True(answer.AsSpan().SequenceEqual(message));
            Served++;
            await Task.Delay(s_rest, TestContext.Current.CancellationToken);
        }
        while (!enough.IsCancellationRequested);
    }

    // A violation is an error, and each connection that ended is counted once besides. Whether a part of a message is an error or the reason of an end is the
    // library's matter.
    private void AssertCounts(ServerResult result)
    {
        IReadOnlyDictionary<string, long> errors = result.Server.Errors;
        IReadOnlyDictionary<string, long> ends = result.Server.Disconnects!;
        Assert.Empty(errors.Keys.Except([.. s_violations, PartOfMessage]));
        Assert.Empty(ends.Keys.Except([RunRecorder.PeerLost, PartOfMessage]));
        Assert.Equal(Fuzz!.Refused, s_violations.Sum(name => errors.GetValueOrDefault(name)));
        Assert.Equal(Fuzz.Cut, errors.GetValueOrDefault(PartOfMessage) + ends.GetValueOrDefault(PartOfMessage));
        Assert.InRange(ends.Values.Sum(), Fuzz.Connections, Fuzz.Connections + 1);
        Assert.Equal(Fuzz.Messages + Served, result.Server.Received);
    }

    private async Task<SslStream> SecureAsync(Stream plain)
    {
        var secure = new SslStream(plain);
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.ImportFromPemFile(PathOf("ca.crt"));
        await secure.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions { TargetHost = "127.0.0.1", CertificateChainPolicy = policy }, TestContext.Current.CancellationToken);
        return secure;
    }

    private static long Resident(int process)
    {
        using Process running = Process.GetProcessById(process);
        return running.WorkingSet64;
    }

    private static int Descriptors(int process) => Directory.GetFiles($"/proc/{process}/fd").Length;
}
