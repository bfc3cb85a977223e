using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>
/// The common part of the library's stream clients, over TCP and over SSL. Each is derived from a class of the library, so they cannot inherit it.
/// </summary>
internal sealed class NetCoreClientCalls(ClientSetup setup, IConnectObserver observer, INetCoreEndpoint endpoint)
{
    private readonly Action<IPeer, long, WorkerStatistics> _due = setup.Handler.OnDue;
    private int _told;
    private string? _failure;

    public NetCorePeer Peer { get; } = new(setup.Plan, setup.Recorder, setup.Handler, endpoint, isServer: false);

    public void Start() => CallConnected(setup.Handler.OnStart);

    public void Due(long due) => Peer.Call(_due, due);

    public void Tick() => CallConnected(setup.Handler.OnTick);

    /// <summary>Whether the connection is established and TLS is not.</summary>
    public bool IsHandshaking { get; set; }

    /// <summary>Called when the connection can be used.</summary>
    public void OnConnected()
    {
        IsHandshaking = false;
        Peer.OnConnected();
        if (Interlocked.Exchange(ref _told, 1) == 0)
        {
            observer.Connected();
        }
    }

    /// <summary>Called when the connection has ended, or could not be made.</summary>
    public void OnDisconnected()
    {
        Peer.OnDisconnected();
        if (Interlocked.Exchange(ref _told, 1) == 0)
        {
            // The library does not report that a connection was refused or reset.
            observer.Refused(_failure ?? "the server refused the connection or ended it");
        }
    }

    /// <summary>Stores the reason that the connection cannot be made, if it is known better than by the library.</summary>
    public void Fail(string reason) => _failure = reason;

    public void OnError(SocketError error)
    {
        if (Peer.IsConnected)
        {
            setup.Recorder.CountError($"client {error}");
        }
        else
        {
            _failure ??= $"{error}";
        }
    }

    private void CallConnected(Action<IPeer, WorkerStatistics> call)
    {
        if (Peer.IsConnected)
        {
            Peer.Call(call);
        }
    }
}
