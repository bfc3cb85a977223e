using System.Diagnostics;
using System.Net.Sockets;
using System.Text.Json;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Phases;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>
/// A connection that has not sent hello yet, or was refused. An event loop serves it, so it costs no thread. It is closed at its deadline, and as
/// soon as it sends anything else.
/// </summary>
internal sealed class Stranger : IPollable
{
    private const int FirstBuffer = 4 * 1024;
    private readonly Socket _socket;
    private readonly Action<Stranger, HelloFrame> _greeted;
    private readonly Action<Stranger> _ended;
    private byte[] _said = new byte[FirstBuffer];
    private int _length;
    private bool _refused;
    private long _since = Stopwatch.GetTimestamp();

    /// <summary>Initializes a connection. It has to be added to a loop.</summary>
    /// <param name="socket">The connection.</param>
    /// <param name="greeted">Called when the connection has sent hello.</param>
    /// <param name="ended">Called when the connection has to be closed.</param>
    public Stranger(Socket socket, Action<Stranger, HelloFrame> greeted, Action<Stranger> ended)
    {
        _socket = socket;
        _greeted = greeted;
        _ended = ended;
        _socket.Blocking = false;
        SocketHandle = socket.Handle;
    }

    public nint SocketHandle { get; }

    /// <summary>All bytes that were read so far.</summary>
    public ReadOnlyMemory<byte> Said => _said.AsMemory(0, _length);

    public void OnReadable()
    {
        try
        {
            Read();
        }
        catch (Exception exception) when (exception is FormatException or InvalidDataException)
        {
            // The connection is not from a process of this program.
            _ended(this);
        }
    }

    public void OnTick()
    {
        if (Stopwatch.GetElapsedTime(_since) > (_refused ? FrameChannel.Patience : Deadlines.Hello))
        {
            _ended(this);
        }
    }

    /// <summary>Sends the reason why the connection is refused. It is closed when the peer ends it, or at a deadline.</summary>
    /// <param name="reason">The reason, one sentence.</param>
    /// <param name="hello">The frame that is refused.</param>
    public void Refuse(string reason, HelloFrame hello)
    {
        _refused = true;
        _since = Stopwatch.GetTimestamp();
        byte[] answer = [.. Line(new AckFrame(hello.Id)), .. Line(new FailureFrame(reason, IsBadInput: false) { Id = 1 })];
        try
        {
            // The hello can still be acknowledged: a connection that is closed with unread bytes is reset, and the answer is lost.
            _socket.Send(answer);
            _socket.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // The peer has gone, or does not read.
            _ended(this);
        }
    }

    /// <summary>Hands over the connection, which blocks from now on.</summary>
    public Socket Release()
    {
        _socket.Blocking = true;
        return _socket;
    }

    public void Dispose() => _socket.Dispose();

    private static byte[] Line(Frame frame) => [.. JsonSerializer.SerializeToUtf8Bytes(frame, FrameJson.Default.Frame), (byte)'\n'];

    private void Read()
    {
        if (_length == _said.Length)
        {
            Array.Resize(ref _said, 2 * _length);
        }

        int read = _socket.Receive(_said.AsSpan(_length), SocketFlags.None, out SocketError error);
        if (error == SocketError.WouldBlock)
        {
            return;
        }

        if (error != SocketError.Success || read == 0 || _length + read > RemoteFrames.LongestLine)
        {
            _ended(this);
            return;
        }

        int end = _said.AsSpan(_length, read).IndexOf((byte)'\n');
        int line = _length + end;
        _length += read;
        if (!_refused && end >= 0)
        {
            Greet(_said.AsSpan(0, line));
        }
    }

    private void Greet(ReadOnlySpan<byte> line)
    {
        if (new RemoteFrames().Admit(FrameJson.Read(line), line.Length) is HelloFrame hello)
        {
            _greeted(this, hello);
        }
        else
        {
            _ended(this);
        }
    }
}
