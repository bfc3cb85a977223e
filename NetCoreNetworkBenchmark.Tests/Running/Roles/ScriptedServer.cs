using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>A server that echoes datagrams, acknowledges every frame over TCP, and answers some frames with text that the test chooses.</summary>
internal sealed class ScriptedServer : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly PlainEcho _echo;
    private readonly TcpListener _listener;
    private readonly Task _running;

    /// <param name="answers">The text that is written after a frame of the type; nothing if there is none.</param>
    public ScriptedServer(IReadOnlyDictionary<string, string> answers)
    {
        (Socket datagrams, _listener) = PlainEcho.Listen();
        _echo = new PlainEcho(datagrams);
        _running = AnswerAsync(answers);
    }

    public IPEndPoint EndPoint => _echo.EndPoint;

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _listener.Dispose();
        await _echo.DisposeAsync();
        _stop.Dispose();
    }

    private async Task AnswerAsync(IReadOnlyDictionary<string, string> answers)
    {
        using TcpClient connection = await _listener.AcceptTcpClientAsync(_stop.Token);
        NetworkStream stream = connection.GetStream();
        using var reader = new StreamReader(stream);
        while (await reader.ReadLineAsync(_stop.Token) is { } line)
        {
            JsonNode frame = JsonNode.Parse(line)!;
            string type = frame["type"]!.GetValue<string>();
            if (type != "ack")
            {
                string acknowledgement = JsonSerializer.Serialize(new AckFrame(frame["id"]!.GetValue<long>()), FrameJson.Default.Frame);
                await stream.WriteAsync(Encoding.UTF8.GetBytes($"{acknowledgement}\n{answers.GetValueOrDefault(type)}"), _stop.Token);
            }
        }
    }
}
