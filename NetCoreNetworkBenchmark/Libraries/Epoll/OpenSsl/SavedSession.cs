using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

/// <summary>The last session of a client (<c>SSL_SESSION</c>), which its next connection can resume; empty at first.</summary>
internal sealed class SavedSession() : SafeHandle(invalidHandleValue: 0, ownsHandle: true)
{
    public override bool IsInvalid => handle == 0;

    /// <summary>Replaces the session. The caller gives up its reference.</summary>
    public void Keep(nint session)
    {
        OpensslSsl.SSL_SESSION_free(handle);
        SetHandle(session);
    }

    protected override bool ReleaseHandle()
    {
        OpensslSsl.SSL_SESSION_free(handle);
        return true;
    }
}
