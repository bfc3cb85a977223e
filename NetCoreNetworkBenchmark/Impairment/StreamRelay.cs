using System.Net;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// Carries streams (TCP, and TLS over it, whose bytes it does not inspect). Every client's connection gets a separate connection to the server.
/// The end of a stream is forwarded, and a broken connection breaks its twin. Order and bytes are kept with any plan: only delay, jitter and
/// bandwidth act, and stalls while the impairment is switched on.
/// <para>
/// Bytes that cannot leave yet are kept in memory up to a bound. Beyond it the relay stops reading, and TCP applies back-pressure to the sender.
/// </para>
/// </summary>
public sealed class StreamRelay : Relay
{
    private readonly StreamTraffic _traffic;
    private readonly StreamListener _listener;

    private StreamRelay(RelaySetup setup, PollLoop loop)
        : base(setup, loop)
    {
        _traffic = new StreamTraffic(setup.Impairment, setup.Plan.Clients, setup.Server.AddressFamily);
        _listener = new StreamListener(setup, loop, _traffic);
        loop.Post(() =>
        {
            _listener.Begin();
            loop.Add(_traffic.DelayQueue);
        });
    }

    /// <inheritdoc/>
    public override IPEndPoint EndPoint => _listener.EndPoint;

    /// <summary>Binds a relay and starts its thread.</summary>
    /// <param name="setup">The setup of the relay: its addresses and the impairment.</param>
    /// <returns>The running relay, switched off.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound.</exception>
    public static StreamRelay Start(RelaySetup setup) => Start(setup, loop => new StreamRelay(setup, loop));

    private protected override void Begin(long now) => _traffic.Begin(now);

    private protected override void End(long now) => _traffic.End(now);

    private protected override RelayCounts Count(long now) => new(
        _traffic.ToServer.Count(), _traffic.ToClients.Count(), _traffic.DelayQueue.Stalls.CountAt(now), _listener.Connections);
}
