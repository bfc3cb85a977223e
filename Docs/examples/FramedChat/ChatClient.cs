using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace FramedChat;

/// <summary>The client's side: prints what it hears, says what is typed, and connects again when it has lost its server.</summary>
internal sealed class ChatClient(IPEndPoint server, TimeSpan heartbeat, TimeSpan reconnect)
{
    // Many clients that lose their server at once do not come back at once.
    private const double Jitter = 0.2;

    private static readonly TimeSpan s_connectDeadline = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_lastWords = TimeSpan.FromSeconds(1);

    private volatile ChatConnection? _connection;
    private volatile bool _hasEnded;

    /// <summary>Runs the client until its input ends.</summary>
    public async Task VisitAsync()
    {
        using var end = new CancellationTokenSource();
        Task staying = StayAsync(end.Token);

        // The console's reader blocks, also where it is called asynchronously.
        await Task.WhenAny(Task.Run(Type), staying).ConfigureAwait(false);
        _hasEnded = true;
        _connection?.Finish();
        end.CancelAfter(_connection is null ? TimeSpan.Zero : s_lastWords);
        try
        {
            await staying.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
            // It was not connected, or the server did not close its end in time.
            return;
        }
    }

    private void Type()
    {
        while (Console.In.ReadLine() is { } line)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(line);
            if (bytes.Length is 0 or > Package.LargestContent)
            {
                Console.Error.WriteLine($"Not sent: a line has 1 to {Package.LargestContent} bytes.");
            }
            else if (_connection?.TrySay(bytes) != true)
            {
                Console.Error.WriteLine($"Not sent, as there is no connection: {line}");
            }
        }
    }

    // Each loss is told once, and so is each return; the attempts between them are not.
    private async Task StayAsync(CancellationToken end)
    {
        for (bool isFirst = true; ; isFirst = false)
        {
            string? reason = await VisitOnceAsync(end).ConfigureAwait(false);
            if (_hasEnded)
            {
                return;
            }

            if (reason is not null || isFirst)
            {
                string seconds = reconnect.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture);
                Console.WriteLine($"{server} is lost: {reason ?? "it cannot be reached"}. The client tries again every {seconds} s.");
            }

            await Task.Delay(reconnect * (1 - Jitter + (2 * Jitter * Random.Shared.NextDouble())), end).ConfigureAwait(false);
        }
    }

    // Returns the reason for the end of the connection; null if there was none.
    private async Task<string?> VisitOnceAsync(CancellationToken end)
    {
        using ChatConnection? connection = await ConnectAsync(end).ConfigureAwait(false);
        if (connection is null)
        {
            return null;
        }

        Console.WriteLine($"Connected to {server}.");
        _connection = connection;
        try
        {
            return await connection.RunAsync(Console.WriteLine).ConfigureAwait(false);
        }
        finally
        {
            _connection = null;
        }
    }

    private async Task<ChatConnection?> ConnectAsync(CancellationToken end)
    {
        var socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(server, end).AsTask().WaitAsync(s_connectDeadline, end).ConfigureAwait(false);
            return new ChatConnection(socket, heartbeat, end);
        }
        catch (Exception exception) when (exception is SocketException or TimeoutException)
        {
            // The next attempt follows.
            socket.Dispose();
            return null;
        }
    }
}
