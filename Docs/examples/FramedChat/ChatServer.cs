using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace FramedChat;

/// <summary>The server's side: what one guest says goes to all.</summary>
internal sealed class ChatServer(TimeSpan heartbeat)
{
    // An accept fails at once, again and again, while the process has no descriptors left.
    private static readonly TimeSpan s_restAfterAnError = TimeSpan.FromMilliseconds(50);

    private readonly ConcurrentDictionary<ChatConnection, Task> _guests = new();

    /// <summary>Runs the server until its input ends.</summary>
    /// <exception cref="SocketException">The port cannot be bound.</exception>
    public async Task ServeAsync(int port)
    {
        using var end = new CancellationTokenSource();
        using var listener = new TcpListener(IPAddress.Loopback, port);
        listener.Start();
        Console.WriteLine($"The room is open at {listener.LocalEndpoint}; Ctrl+D closes it.");
        Task accepting = AcceptAsync(listener, end.Token);
        while (await Console.In.ReadLineAsync(CancellationToken.None).ConfigureAwait(false) is not null)
        {
            // The server has nothing to say itself.
        }

        await end.CancelAsync().ConfigureAwait(false);
        await accepting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await Task.WhenAll(_guests.Values).ConfigureAwait(false);
    }

    private async Task AcceptAsync(TcpListener listener, CancellationToken end)
    {
        while (true)
        {
            try
            {
                Socket socket = await listener.AcceptSocketAsync(end).ConfigureAwait(false);
                var guest = new ChatConnection(socket, heartbeat, end);
                var isInRoom = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                _guests[guest] = ServeAsync(guest, $"{socket.RemoteEndPoint}", isInRoom.Task, end);
                isInRoom.SetResult();
            }
            catch (SocketException exception)
            {
                Console.Error.WriteLine($"A guest could not come: {exception.SocketErrorCode}.");
                await Task.Delay(s_restAfterAnError, end).ConfigureAwait(false);
            }
        }
    }

    private async Task ServeAsync(ChatConnection guest, string name, Task isInRoom, CancellationToken end)
    {
        await isInRoom.ConfigureAwait(false);
        using (guest)
        {
            Say($"A guest has come; there are {_guests.Count}.");
            string reason = await guest.RunAsync(Say).ConfigureAwait(false);
            _guests.TryRemove(guest, out _);
            if (!end.IsCancellationRequested)
            {
                Console.WriteLine($"{name} has gone: {reason}.");
                Say($"A guest has gone; there are {_guests.Count}.");
            }
        }
    }

    private void Say(string line)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(line);
        foreach (ChatConnection guest in _guests.Keys)
        {
            guest.TrySay(bytes);
        }
    }
}
