using System.Net;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// Carries streams (TCP, and TLS over it, whose bytes it does not look at). Every client's connection gets one of its own to the server;
/// an end is passed on, and a connection that breaks breaks its twin. Order and bytes are kept whatever the plan says: of it delay,
/// jitter and bandwidth act, and stalls while the impairment is switched on.
/// <para>
/// What cannot leave yet is kept in memory up to a bound; beyond it the relay reads no more, and TCP holds the sender back.
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
            loop.Add(_traffic.Departures);
        });
    }

    /// <inheritdoc/>
    public override IPEndPoint EndPoint => _listener.EndPoint;

    /// <summary>Binds a relay and starts its thread.</summary>
    /// <param name="setup">From where to where, and what happens on the way.</param>
    /// <returns>The running relay, switched off.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound.</exception>
    public static StreamRelay Start(RelaySetup setup) => Start(setup, loop => new StreamRelay(setup, loop));

    private protected override void Begin(long now) => _traffic.Begin(now);

    private protected override void End(long now) => _traffic.End(now);

    private protected override RelayCounts Count(long now) => new(
        _traffic.ToServer.Count(), _traffic.ToClients.Count(), _traffic.Departures.Stalls.CountAt(now), _listener.Connections);
}
