using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Machine.Meters;

/// <summary>Shows the speed of the machine. It must not change from version to version, because results of different times are compared by it.</summary>
internal static class ControlLoop
{
    private const int InFlight = 64;
    private const int MessageSize = 32;
    private const int ReceiveTimeoutMilliseconds = 200;
    private const int Buffer = 1024 * 1024;
    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(0.25);
    private static readonly TimeSpan s_stopDeadline = TimeSpan.FromSeconds(5);

    public static async Task<double> MeasureAsync(TimeSpan duration, CancellationToken cancellationToken)
    {
        IPAddress loopback = LoopbackAddress.Find();
        using Socket server = Bind(loopback);
        using Socket client = Bind(loopback);
        client.Connect(server.LocalEndPoint!);
        server.Connect(client.LocalEndPoint!);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task echo = OwnThread.RunAsync(() => Echo(server, stop.Token));
        try
        {
            return await OwnThread.RunAsync(() => CountRoundTrips(client, duration, cancellationToken))
                .WaitAsync(s_warmUp + duration + s_stopDeadline, cancellationToken);
        }
        finally
        {
            await stop.CancelAsync();
            await echo.WaitAsync(s_stopDeadline, CancellationToken.None);
        }
    }

    private static Socket Bind(IPAddress loopback)
    {
        var socket = new Socket(loopback.AddressFamily, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveTimeout = ReceiveTimeoutMilliseconds,
            ReceiveBufferSize = Buffer,
        };
        return socket.SetUp(opened => opened.Bind(new IPEndPoint(loopback, 0)));
    }

    private static void Echo(Socket socket, CancellationToken stop)
    {
        var buffer = new byte[MessageSize];
        while (!stop.IsCancellationRequested)
        {
            int length = socket.Receive(buffer, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success)
            {
                socket.Send(buffer.AsSpan(0, length), SocketFlags.None, out _);
            }
        }
    }

    private static double CountRoundTrips(Socket socket, TimeSpan duration, CancellationToken cancellationToken)
    {
        var buffer = new byte[MessageSize];
        for (int sent = 0; sent < InFlight; sent++)
        {
            socket.Send(buffer);
        }

        Count(socket, buffer, s_warmUp, cancellationToken);
        long start = Stopwatch.GetTimestamp();
        long count = Count(socket, buffer, duration, cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        return count / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    private static long Count(Socket socket, byte[] buffer, TimeSpan duration, CancellationToken cancellationToken)
    {
        long count = 0;
        long end = Stopwatch.GetTimestamp() + RunRecorder.ToTicks(duration);
        while (Stopwatch.GetTimestamp() < end && !cancellationToken.IsCancellationRequested)
        {
            socket.Receive(buffer, SocketFlags.None, out SocketError error);
            count += error == SocketError.Success ? 1 : 0;

            // If the wait times out, the datagram is lost. A loopback whose buffers hold all datagrams should never lose one. It is replaced.
            socket.Send(buffer, SocketFlags.None, out _);
        }

        return count;
    }
}
