using System.Net;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Libraries.Sockets;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

namespace Chat;

/// <summary>The two programs of a chat. Lines have different lengths, so each goes with its length before it.</summary>
internal static class ChatPrograms
{
    public const int LongestLine = 1024;

    /// <summary>The part of a plan that a chat needs; a benchmark's plan says much more.</summary>
    public static RunPlan PlanOf(Protocol protocol) => new()
    {
        Library = "Sockets",
        Protocol = protocol,
        Transmission = Transmission.Reliable,
        Framing = Framing.Length,
        MessageSize = LongestLine,
        Clients = 1,
    };

    /// <summary>Runs the server until its input ends.</summary>
    public static async Task ServeAsync(RunPlan plan, int port, TlsCredentials? credentials)
    {
        using var recorder = new RunRecorder();
        IBenchmarkServer server = new SocketsBenchmark().StartServer(new ServerSetup
        {
            EndPoint = new IPEndPoint(IPAddress.Loopback, port),
            Plan = plan,
            Credentials = credentials,
            Handler = new ChatRoom(),
            Recorder = recorder,
        });
        await using (server.ConfigureAwait(false))
        {
            Console.WriteLine($"The room is open at {server.EndPoint}; Ctrl+D closes it.");
            while (await Console.In.ReadLineAsync().ConfigureAwait(false) is not null)
            {
                // The server has nothing to say itself.
            }
        }
    }

    /// <summary>Runs a client until its input ends or the server has gone.</summary>
    public static async Task VisitAsync(RunPlan plan, IPEndPoint server, TlsCredentials? credentials)
    {
        using var recorder = new RunRecorder();
        var guest = new ChatGuest();
        IClientGroup clients = await new SocketsBenchmark().ConnectAsync(
            new ClientSetup { EndPoint = server, Plan = plan, Credentials = credentials, Handler = guest, Recorder = recorder },
            CancellationToken.None).ConfigureAwait(false);
        await using (clients.ConfigureAwait(false))
        {
            clients.Start();

            // The console's reader blocks, also where it is called asynchronously.
            await Task.WhenAny(Task.Run(() => Type(guest)), guest.Gone).ConfigureAwait(false);
        }
    }

    private static void Type(ChatGuest guest)
    {
        while (Console.In.ReadLine() is { } line)
        {
            guest.Say(line);
        }
    }
}
