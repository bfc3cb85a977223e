using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

using static NetCoreNetworkBenchmark.Libraries.Epoll.Interop.SysSocket;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

// Each element is one datagram, or many of one size to one receiver (GSO). The memory is reused for every call and serves all sockets of a thread.
internal sealed unsafe class SendBatch
{
    // A datagram socket's buffer holds a fraction of this. With a longer wait, the messages that arrive in the meantime would be dropped.
    private static readonly TimeSpan s_longestWait = TimeSpan.FromMilliseconds(10);

    private readonly MMsgHdr* _headers;
    private readonly IoVec* _vectors;
    private readonly SocketName* _names;
    private readonly byte* _controls;
    private readonly byte* _buffer;
    private readonly int _size;
    private readonly Batch _batch;
    private readonly Array[] _memory;

    private int _count;
    private int _used;

    // The number of datagrams in the last element, and their size while more of them can be added.
    private int _segments;
    private int _segmentSize;

    private int _largestSegment = Batch.LargestSegment;
    private int _refused;

    public SendBatch(Batch batch, int largestMessage)
    {
        _batch = batch;
        _size = batch.Sent * batch.ElementSize(largestMessage);
        _memory =
        [
            PinnedArray.Allocate(batch.Sent, out _headers),
            PinnedArray.Allocate(batch.Sent, out _vectors),
            PinnedArray.Allocate(batch.Sent, out _names),
            PinnedArray.Allocate(batch.Sent * ControlMessage.Space, out _controls),
            PinnedArray.Allocate(_size, out _buffer),
        ];
        for (int index = 0; index < batch.Sent; index++)
        {
            _headers[index].msg_hdr = new MsgHdr { msg_iov = _vectors + index, msg_iovlen = 1 };
        }
    }

    public bool IsEmpty => _count == 0;

    /// <summary>Whether waiting messages are best sent before more are received, so that they need not be sent in the middle of that.</summary>
    public bool IsHalfFull => 2 * _count > _batch.Sent;

    // The size of datagrams that the system has refused to segment since the last call, and that were sent apart; 0 if there are none.
    public int TakeRefused()
    {
        int size = _refused;
        _refused = 0;
        return size;
    }

    // The receiver is null if the socket is connected. If the batch is full, the caller sends the waiting messages, then adds the message again.
    public bool TryAdd(SocketName* receiver, ReadOnlySpan<byte> message)
    {
        if (message.Length > _size - _used || !(TryJoin(receiver, message.Length) || TryBegin(receiver, message.Length)))
        {
            return false;
        }

        message.CopyTo(new Span<byte>(_buffer + _used, message.Length));
        _used += message.Length;
        return true;
    }

    // Waits briefly if the buffer of the socket or of the network device (ENOBUFS: the socket is writable nevertheless) is full. Returns the number dropped.
    public int Flush(int descriptor, Socket socket, out SocketError error)
    {
        int dropped = 0;
        bool mayWait = true;
        (int Element, long Since) stalled = (-1, 0);
        error = SocketError.Success;
        for (int sent = 0; sent < _count;)
        {
            int messages = Send(descriptor, sent);
            SocketError cause = messages < 0 ? Errno.LastError() : SocketError.Success;
            if (cause is SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable && mayWait)
            {
                stalled = stalled.Element == sent ? stalled : (sent, Stopwatch.GetTimestamp());
                mayWait = socket.Poll(s_longestWait, SelectMode.SelectWrite) && Stopwatch.GetElapsedTime(stalled.Since) < s_longestWait;
            }
            else if (cause is SocketError.MessageSize or SocketError.InvalidArgument && _headers[sent].msg_hdr.msg_control is not null)
            {
                dropped += SendSeparately(descriptor, socket, sent, ref error);
                sent++;
            }
            else if (cause is not (SocketError.Success or SocketError.Interrupted))
            {
                error = cause;
                dropped += DatagramsOf(sent);
                sent++;
            }

            sent += Math.Max(messages, 0);
        }

        (_count, _used, _segments, _segmentSize) = (0, 0, 0, 0);
        return dropped;
    }

    private int Send(int socket, int from)
    {
        if (_batch.Mode != BatchMode.Call)
        {
            return sendmmsg(socket, _headers + from, (uint)(_count - from), MSG_DONTWAIT);
        }

        ref MsgHdr header = ref _headers[from].msg_hdr;
        return header.msg_name is null
            ? One(send(socket, header.msg_iov->iov_base, header.msg_iov->iov_len, MSG_DONTWAIT))
            : One(sendto(socket, header.msg_iov->iov_base, header.msg_iov->iov_len, MSG_DONTWAIT, header.msg_name, header.msg_namelen));
    }

    // The packets of the path are smaller than these segments (EMSGSIZE; EINVAL before Linux 6.14). IP divides a datagram, but segmentation does not.
    private int SendSeparately(int descriptor, Socket socket, int index, ref SocketError error)
    {
        ref MsgHdr header = ref _headers[index].msg_hdr;
        IoVec whole = _vectors[index];
        int size = ControlMessage.ReadSegmentSize(header.msg_control);
        _refused = size;
        _largestSegment = Math.Min(_largestSegment, size - 1);
        header.msg_control = null;
        header.msg_controllen = 0;
        int dropped = 0;
        for (int start = 0; start < (int)whole.iov_len; start += size)
        {
            _vectors[index] = new IoVec { iov_base = whole.iov_base + start, iov_len = (nuint)Math.Min(size, (int)whole.iov_len - start) };
            SocketError cause = SendOne(descriptor, index);
            if (cause is SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable && socket.Poll(s_longestWait, SelectMode.SelectWrite))
            {
                cause = SendOne(descriptor, index);
            }

            error = cause == SocketError.Success ? error : cause;
            dropped += cause == SocketError.Success ? 0 : 1;
        }

        return dropped;
    }

    private SocketError SendOne(int descriptor, int index) =>
        sendmmsg(descriptor, _headers + index, 1, MSG_DONTWAIT) == 1 ? SocketError.Success : Errno.LastError();

    private static int One(nint length) => length < 0 ? -1 : 1;

    // All datagrams of an element have one size, but the last may be shorter. The kernel creates no empty datagram when it segments an element.
    private bool TryJoin(SocketName* receiver, int length)
    {
        int last = _count - 1;
        if (length == 0
            || length > _segmentSize
            || _segments >= _batch.SegmentsPerElement
            || _vectors[last].iov_len + (nuint)length > Batch.LargestElement
            || (receiver is not null && !receiver->Equals(_names[last])))
        {
            return false;
        }

        _vectors[last].iov_len += (nuint)length;
        _segments++;
        if (_segments == 2)
        {
            byte* control = _controls + (last * ControlMessage.Space);
            ControlMessage.WriteSegmentSize(control, _segmentSize);
            _headers[last].msg_hdr.msg_control = control;
            _headers[last].msg_hdr.msg_controllen = ControlMessage.Space;
        }

        _segmentSize = length < _segmentSize ? 0 : _segmentSize;
        return true;
    }

    private bool TryBegin(SocketName* receiver, int length)
    {
        if (_count == _batch.Sent)
        {
            return false;
        }

        ref MsgHdr header = ref _headers[_count].msg_hdr;
        if (receiver is not null)
        {
            _names[_count] = *receiver;
            header.msg_name = (byte*)(_names + _count);
            header.msg_namelen = receiver->Length;
        }

        header.msg_control = null;
        header.msg_controllen = 0;
        _vectors[_count] = new IoVec { iov_base = _buffer + _used, iov_len = (nuint)length };
        _segments = 1;
        _segmentSize = length <= _largestSegment ? length : 0;
        _count++;
        return true;
    }

    private int DatagramsOf(int index)
    {
        ref MsgHdr header = ref _headers[index].msg_hdr;
        int length = (int)_vectors[index].iov_len;
        int size = header.msg_control is null ? length : ControlMessage.ReadSegmentSize(header.msg_control);
        return size == 0 ? 1 : (length + size - 1) / size;
    }
}
