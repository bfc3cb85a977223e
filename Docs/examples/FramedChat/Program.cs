using System.Globalization;
using System.Net;
using System.Net.Sockets;
using FramedChat;

// A chat over TCP in the packages of --framing Checked (Docs/protocol.md), by .NET's own sockets alone. Each side shows by heartbeats that it lives, and a
// client connects again when it has lost its server:
//
//     dotnet run -- server 4000
//     dotnet run -- client 127.0.0.1:4000 --reconnect 2

const string Usage = "Usage: FramedChat server PORT [--heartbeat SECONDS] | client ADDRESS:PORT [--heartbeat SECONDS] [--reconnect SECONDS]";
const double LongestInterval = 3_600;
TimeSpan heartbeat = TimeSpan.FromSeconds(5);
TimeSpan reconnect = TimeSpan.FromSeconds(1);
try
{
    switch (args)
    {
        case ["server", var port, .. var options] when ushort.TryParse(port, out ushort number) && TryRead(options, isClient: false):
            await new ChatServer(heartbeat).ServeAsync(number);
            return 0;
        case ["client", var server, .. var options] when IPEndPoint.TryParse(server, out IPEndPoint? endPoint) && TryRead(options, isClient: true):
            await new ChatClient(endPoint, heartbeat, reconnect).VisitAsync();
            return 0;
        default:
            Console.Error.WriteLine(Usage);
            return 2;
    }
}
catch (SocketException exception)
{
    Console.Error.WriteLine(exception.Message);
    return 1;
}

bool TryRead(string[] options, bool isClient)
{
    foreach (string[] option in options.Chunk(2))
    {
        if (option is not [var name, var text]
            || !double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double seconds)
            || seconds is <= 0 or > LongestInterval)
        {
            return false;
        }

        switch (name)
        {
            case "--heartbeat":
                heartbeat = TimeSpan.FromSeconds(seconds);
                break;
            case "--reconnect" when isClient:
                reconnect = TimeSpan.FromSeconds(seconds);
                break;
            default:
                return false;
        }
    }

    return true;
}
