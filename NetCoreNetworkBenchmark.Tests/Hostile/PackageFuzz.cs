namespace NetCoreNetworkBenchmark.Tests.Hostile;

/// <summary>
/// Sends packages that were changed at random to an echo server, over many connections (Linux). A connection that has sent one that is not valid must be ended
/// by the server. If it was sent by one call, the answers to what came before it must arrive; otherwise, bytes that the server has not read can reset the
/// connection, and the last answers with it. Each other connection must get all its answers, and end after the client has ended its half.
/// </summary>
/// <param name="secure">Makes the TLS handshake of a connection; null for no TLS.</param>
internal sealed class PackageFuzz(IPEndPoint server, int largest, Func<Stream, Task<SslStream>>? secure)
{
    public const int Parallel = 12;

    private const int Seed = 20_261_124;
    private const int MaxPackages = 60;
    private const int StreamsToOneWhole = 3;
    private const double WrongShare = 0.05;

    // A client that ends its half first keeps its port for a minute. From addresses of their own, thousands of them leave the ports of 127.0.0.1 to others.
    private const byte Loopback = 127;
    private const int MaxAddresses = 250;

    private readonly MutatedStream[] _streams = [.. Enumerable.Range(Seed, Parallel).Select(seed => new MutatedStream(seed, largest, WrongShare))];
    private long _mutations;
    private long _connections;
    private long _refused;
    private long _cut;
    private long _messages;

    /// <summary>The changed packages that the server has looked at; those behind the first that is not valid do not count.</summary>
    public long Mutations => Interlocked.Read(ref _mutations);
    public long Connections => Interlocked.Read(ref _connections);
    public long Refused => Interlocked.Read(ref _refused);
    public long Cut => Interlocked.Read(ref _cut);
    public long Messages => Interlocked.Read(ref _messages);

    /// <summary>Sends until the server has looked at so many changed packages, with those of earlier calls.</summary>
    public Task RunAsync(long mutations) => Task.WhenAll(_streams.Select((stream, sender) => Task.Run(async () =>
    {
        for (int number = 0; Mutations < mutations; number++)
        {
            stream.Next(MaxPackages);
            bool isWhole = number % StreamsToOneWhole == 0;
            await SendAsync(stream, isWhole, new IPAddress([Loopback, 0, (byte)(sender + 1), (byte)(1 + (number % MaxAddresses))]));
        }
    })));

    private async Task SendAsync(MutatedStream stream, bool isWhole, IPAddress source)
    {
        byte[] bytes = stream.Bytes.ToArray();
        var expected = DecodedStream.Decode(bytes, largest);
        bool mustEnd = expected.Faults != PackageFaults.None;
        byte[] answers = [.. expected.Messages.SelectMany(message => DecodedStream.Encode(message))];
        using var deadline = new CancellationTokenSource(LibraryUnderTest.Deadline);
        try
        {
            using var socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            socket.Bind(new IPEndPoint(source, 0));
            await socket.ConnectAsync(server, deadline.Token);
            await using Stream connection = await OpenAsync(socket);
            await WriteAsync(connection, bytes, isWhole ? null : stream, mustEnd, deadline.Token);
            byte[] received = await ReadAsync(connection, mustEnd ? answers.Length + 1 : answers.Length, deadline.Token);
            bool isRight = isWhole || !mustEnd ? received.AsSpan().SequenceEqual(answers) : answers.AsSpan().StartsWith(received);
            Assert.True(isRight, $"Sent by one call: {isWhole}; the answers are {answers.Length} bytes, not: {Convert.ToHexString(received)}");
            if (!mustEnd)
            {
                await EndAsync(connection, socket);
                Assert.Empty(await ReadAsync(connection, count: 1, deadline.Token));
            }
        }
        catch (Exception exception)
        {
            throw new InvalidOperationException($"{expected.Faults}, cut: {expected.IsCut}: {Convert.ToHexString(bytes)}", exception);
        }

        Interlocked.Add(ref _mutations, stream.MutationsTo(expected.Taken));
        Interlocked.Add(ref _messages, expected.Messages.Count);
        Interlocked.Add(ref _refused, mustEnd ? 1 : 0);
        Interlocked.Add(ref _cut, expected.IsCut ? 1 : 0);
        Interlocked.Increment(ref _connections);
    }

    private async Task<Stream> OpenAsync(Socket socket)
    {
        var plain = new NetworkStream(socket);
        return secure is null ? plain : await secure(plain);
    }

    // By one call, or in up to three parts, which the server may receive apart.
    private static async Task WriteAsync(Stream connection, ReadOnlyMemory<byte> bytes, MutatedStream? parted, bool mustEnd, CancellationToken deadline)
    {
        try
        {
            for (int parts = 2; parted is not null && parts > 0 && bytes.Length > 0; parts--)
            {
                int part = parted.NextPart(bytes.Length);
                await connection.WriteAsync(bytes[..part], deadline);
                bytes = bytes[part..];
            }

            await connection.WriteAsync(bytes, deadline);
        }
        catch (IOException) when (mustEnd)
        {
            // The server has ended the connection before it was sent all.
            return;
        }
    }

    // Reads so many bytes, or fewer if the server ends the connection before.
    private static async Task<byte[]> ReadAsync(Stream connection, int count, CancellationToken deadline)
    {
        byte[] bytes = new byte[count];
        int received = 0;
        try
        {
            int length;
            while (received < count && (length = await connection.ReadAsync(bytes.AsMemory(received), deadline)) > 0)
            {
                received += length;
            }
        }
        catch (IOException)
        {
            // A reset: the server has left bytes unread.
            return bytes[..received];
        }

        return bytes[..received];
    }

    private static async Task EndAsync(Stream connection, Socket socket)
    {
        if (connection is SslStream tls)
        {
            await tls.ShutdownAsync();
        }

        socket.Shutdown(SocketShutdown.Send);
    }
}
