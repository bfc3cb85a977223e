using System.Net;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// Carries datagrams. Every client gets a separate socket to the server. Loss, duplicates, reordering, corruption and stalls act while the
/// impairment is switched on.
/// </summary>
public sealed class UdpRelay : Relay
{
    private readonly Traffic _traffic;
    private readonly RelayListener _listener;
    private readonly RunRecorder _recorder;

    private UdpRelay(RelaySetup setup, PollLoop loop)
        : base(setup, loop)
    {
        _recorder = setup.Recorder;
        _traffic = new Traffic(setup.Impairment, setup.Server.AddressFamily);
        _listener = new RelayListener(setup, loop, _traffic);
        loop.Post(() =>
        {
            loop.Add(_listener);
            loop.Add(_traffic.DelayQueue);
            loop.Add(_traffic.ReorderBuffer);
        });
    }

    /// <inheritdoc/>
    public override IPEndPoint EndPoint => _listener.EndPoint;

    /// <summary>Binds a relay and starts its thread.</summary>
    /// <param name="setup">The setup of the relay: its addresses and the impairment.</param>
    /// <returns>The running relay, switched off.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound.</exception>
    public static UdpRelay Start(RelaySetup setup) => Start(setup, loop => new UdpRelay(setup, loop));

    private protected override void Begin(long now) => _traffic.Begin(now);

    private protected override void End(long now) => _traffic.End(now);

    private protected override RelayCounts Count(long now)
    {
        long? missed = _listener.Missed;
        if (missed is null)
        {
            _recorder.Remark(
                "The system does not report how many datagrams it dropped because the relay was too slow (SO_MEMINFO), so such losses count as the network's.");
        }

        return new RelayCounts(
            _traffic.ToServer.Count(missed), _traffic.ToClients.Count(_listener.MissedFromServer), _traffic.DelayQueue.Stalls.CountAt(now), _listener.Clients);
    }
}
