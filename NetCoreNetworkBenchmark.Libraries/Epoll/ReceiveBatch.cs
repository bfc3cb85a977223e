using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

using static NetCoreNetworkBenchmark.Libraries.Epoll.Interop.SysSocket;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

// Each element is one datagram, or many of one sender and size (GRO). The pinned memory is reused for every call and serves all sockets of a thread.
internal sealed unsafe class ReceiveBatch
{
    private const int CacheLine = 64;

    private readonly MMsgHdr* _headers;
    private readonly IoVec* _vectors;
    private readonly SocketName* _names;
    private readonly byte* _controls;
    private readonly byte* _buffers;
    private readonly int _stride;
    private readonly Batch _batch;
    private readonly bool _fromAnyone;

    // Keeps the memory behind the pointers alive.
    private readonly Array[] _memory;

    // Elements that the last call wrote to.
    private int _used;

    // A connected socket knows the sender.
    public ReceiveBatch(Batch batch, bool fromAnyone)
    {
        _batch = batch;
        _fromAnyone = fromAnyone;

        // Buffers at multiples of 4 KiB would all compete for the same few lines of the first-level cache.
        _stride = (batch.BufferSize + CacheLine - 1) / CacheLine * CacheLine;
        _stride += _stride / CacheLine % 2 == 0 ? CacheLine : 0;
        _memory =
        [
            PinnedArray.Allocate(batch.Received, out _headers),
            PinnedArray.Allocate(batch.Received, out _vectors),
            PinnedArray.Allocate(batch.Received, out _names),
            PinnedArray.Allocate(batch.Received * ControlMessage.Space, out _controls),
            PinnedArray.Allocate(batch.Received * _stride, out _buffers),
        ];
        for (int index = 0; index < batch.Received; index++)
        {
            _vectors[index] = new IoVec { iov_base = _buffers + (index * _stride), iov_len = (nuint)batch.BufferSize };
            _headers[index].msg_hdr = new MsgHdr { msg_iov = _vectors + index, msg_iovlen = 1 };
            Prepare(index);
        }
    }

    public int Receive(int socket, out SocketError error)
    {
        int count = _batch.Mode == BatchMode.Call ? ReceiveOne(socket) : ReceiveMany(socket);
        error = count > 0 ? SocketError.Success : Errno.LastError();
        return Math.Max(count, 0);
    }

    public ReadOnlySpan<byte> BytesOf(int index) => new(_buffers + (index * _stride), (int)_headers[index].msg_len);

    public ref readonly SocketName NameOf(int index) => ref _names[index];

    /// <summary>The last datagram of an element may be shorter.</summary>
    public int SegmentSizeOf(int index)
    {
        int size = _batch.Mode == BatchMode.Gso
            ? ControlMessage.ReadReceivedSize(_controls + (index * ControlMessage.Space), _headers[index].msg_hdr.msg_controllen)
            : 0;
        return size > 0 ? size : Math.Max((int)_headers[index].msg_len, 1);
    }

    private int ReceiveOne(int socket)
    {
        nint length;
        if (_fromAnyone)
        {
            uint nameLength = (uint)sizeof(SocketName);
            length = recvfrom(socket, _buffers, (nuint)_batch.BufferSize, MSG_DONTWAIT, (byte*)_names, &nameLength);
        }
        else
        {
            length = recv(socket, _buffers, (nuint)_batch.BufferSize, MSG_DONTWAIT);
        }

        _headers->msg_len = (uint)length;
        return length < 0 ? -1 : 1;
    }

    private int ReceiveMany(int socket)
    {
        for (int index = 0; index < _used; index++)
        {
            Prepare(index);
        }

        int count = recvmmsg(socket, _headers, (uint)_batch.Received, MSG_DONTWAIT, null);
        _used = Math.Max(count, 0);
        return count;
    }

    // The kernel writes back the used lengths of name and control, so both are set again before the next call.
    private void Prepare(int index)
    {
        ref MsgHdr header = ref _headers[index].msg_hdr;
        header.msg_name = _fromAnyone ? (byte*)(_names + index) : null;
        header.msg_namelen = _fromAnyone ? (uint)sizeof(SocketName) : 0;
        header.msg_control = _batch.Mode == BatchMode.Gso ? _controls + (index * ControlMessage.Space) : null;
        header.msg_controllen = (nuint)(_batch.Mode == BatchMode.Gso ? ControlMessage.Space : 0);
    }
}
