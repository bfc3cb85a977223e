using System.Net.Sockets;
using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>Transports the bytes unchanged. One system call moves all bytes that are available.</summary>
internal sealed unsafe class PlainTransport(int descriptor) : StreamTransport(descriptor)
{
    private bool _wasFilled;

    // A call that did not fill the buffer has left nothing.
    public override bool HasMore => _wasFilled;

    public override bool HoldsBytes => false;

    public override bool CanGather => true;

    public override Outcome Agree() => Outcome.Done;

    public override Outcome Receive(byte* buffer, int size, out int count)
    {
        nint received = SysSocket.recv(Descriptor, buffer, (nuint)size, 0);
        count = (int)Math.Max(received, 0);
        _wasFilled = received == size;
        return received > 0 ? Outcome.Done : received == 0 ? Outcome.Ended : FailedUnless(Outcome.WantsRead);
    }

    public override Outcome Send(byte* bytes, int size, out int count)
    {
        nint sent = SysSocket.send(Descriptor, bytes, (nuint)size, SysSocket.MSG_NOSIGNAL);
        count = (int)Math.Max(sent, 0);
        return sent > 0 ? Outcome.Done : FailedUnless(Outcome.WantsWrite);
    }

    public override Outcome SendGathered(byte* header, int headerSize, byte* message, int size, out int count)
    {
        SysSocket.IoVec* parts = stackalloc SysSocket.IoVec[2];
        parts[0] = new SysSocket.IoVec { iov_base = header, iov_len = (nuint)headerSize };
        parts[1] = new SysSocket.IoVec { iov_base = message, iov_len = (nuint)size };
        var both = new SysSocket.MsgHdr { msg_iov = parts, msg_iovlen = 2 };
        nint sent = SysSocket.sendmsg(Descriptor, both, SysSocket.MSG_NOSIGNAL);
        count = (int)Math.Max(sent, 0);
        return sent > 0 ? Outcome.Done : FailedUnless(Outcome.WantsWrite);
    }

    protected internal override void End()
    {
        // The close of the socket is sufficient.
    }

    private Outcome FailedUnless(Outcome waiting)
    {
        SocketError error = Errno.LastError();
        if (error is SocketError.WouldBlock or SocketError.Interrupted)
        {
            return waiting;
        }

        Failure = error.ToString();
        return Outcome.Failed;
    }
}
