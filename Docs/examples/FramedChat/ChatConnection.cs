using System.Net.Sockets;
using System.Text;
using System.Threading.Channels;

namespace FramedChat;

/// <summary>
/// One connection, at either side. It sends a heartbeat when it has sent nothing for an interval. It ends when three heartbeats of the other side were missed.
/// </summary>
internal sealed class ChatConnection : IDisposable
{
    // More lines wait only for a side that does not read.
    private const int MaxWaiting = 1_000;

    // The third heartbeat that is missed has half an interval to arrive.
    private const double MaxSilentIntervals = 3.5;

    private readonly NetworkStream _stream;
    private readonly TimeSpan _heartbeat;
    private readonly CancellationTokenSource _end;
    private readonly Channel<byte[]> _waiting = Channel.CreateBounded<byte[]>(MaxWaiting);
    private volatile bool _doesNotRead;

    /// <summary>Creates a connection.</summary>
    /// <param name="socket">The connected socket, which is closed with the connection.</param>
    /// <param name="heartbeat">The interval of heartbeats, which must be the same at both sides.</param>
    /// <param name="end">Ends the connection.</param>
    public ChatConnection(Socket socket, TimeSpan heartbeat, CancellationToken end)
    {
        socket.NoDelay = true;
        _stream = new NetworkStream(socket, ownsSocket: true);
        _heartbeat = heartbeat;
        _end = CancellationTokenSource.CreateLinkedTokenSource(end);
    }

    /// <summary>Gives a line to the connection, from any thread. A line that is under way when the connection breaks can be lost.</summary>
    /// <returns>False if the connection takes no more lines.</returns>
    public bool TrySay(byte[] line)
    {
        bool isTaken = _waiting.Writer.TryWrite(Package.OfMessage(line));
        _doesNotRead |= !isTaken;
        return isTaken;
    }

    /// <summary>Sends the waiting lines and then the end of the stream. From any thread.</summary>
    public void Finish() => _waiting.Writer.TryComplete();

    /// <summary>Serves the connection until it ends.</summary>
    /// <param name="heard">Called with each line of the other side.</param>
    /// <returns>The reason for the end, as a part of a sentence.</returns>
    public async Task<string> RunAsync(Action<string> heard)
    {
        Task sending = SendAsync();
        try
        {
            while (!_doesNotRead)
            {
                _end.CancelAfter(MaxSilentIntervals * _heartbeat);
                byte[] content = await Package.ReadAsync(_stream, _end.Token).ConfigureAwait(false);
                if (content.Length > 0)
                {
                    heard(Encoding.UTF8.GetString(content));
                }
            }

            return "it does not read";
        }
        catch (EndOfStreamException)
        {
            return "it closed the connection";
        }
        catch (OperationCanceledException)
        {
            return "three of its heartbeats were missed";
        }
        catch (InvalidDataException exception)
        {
            return exception.Message;
        }
        catch (IOException exception)
        {
            return $"the connection broke ({(exception.InnerException as SocketException)?.SocketErrorCode})";
        }
        finally
        {
            Finish();
            await _end.CancelAsync().ConfigureAwait(false);

            // What could not be sent has the same reason as the end.
            await sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    public void Dispose()
    {
        _stream.Dispose();
        _end.Dispose();
    }

    private async Task SendAsync()
    {
        Task<bool> more = MoreAsync();
        while (true)
        {
            try
            {
                if (!await more.WaitAsync(_heartbeat, _end.Token).ConfigureAwait(false))
                {
                    _stream.Socket.Shutdown(SocketShutdown.Send);
                    return;
                }
            }
            catch (TimeoutException)
            {
                await _stream.WriteAsync(Package.Heartbeat, _end.Token).ConfigureAwait(false);
                continue;
            }

            while (_waiting.Reader.TryRead(out byte[]? package))
            {
                await _stream.WriteAsync(package, _end.Token).ConfigureAwait(false);
            }

            more = MoreAsync();
        }
    }

    private Task<bool> MoreAsync() => _waiting.Reader.WaitToReadAsync(_end.Token).AsTask();
}
