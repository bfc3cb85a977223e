using NetCoreNetworkBenchmark.Running.Machine.Facts;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>As the clients see it: in their process, or at the other end of a channel.</summary>
internal interface ICoordinator
{
    /// <summary>Each measurement then begins when all loads are warm.</summary>
    bool HasOtherLoadGenerators { get; }

    bool HasLiveFigures { get; }

    void Report(RunProgress progress);

    void Enter(RunPhase phase);

    /// <summary>Ends when all load generators have done the step and the server has been notified of it. The load goes on meanwhile.</summary>
    Task StepAsync(CancellationToken cancellationToken);
}

/// <param name="ForClients">The authority to trust and the certificate to show; null without TLS.</param>
internal sealed record ServerAddress(IPEndPoint EndPoint, TlsCredentials? ForClients);

/// <param name="Figures">The figures of about the last second; null without live figures, or outside of warm-up and measurement.</param>
/// <param name="Host">The host of the clients that report; null for this machine.</param>
internal sealed record RunProgress(
    RunPhase Phase, TimeSpan PhaseElapsed, TimeSpan? PhaseLength, double MessagesPerSecond, LiveFigures? Figures = null, string? Host = null);

internal sealed record HostReport(string Name, HostFacts Facts, TimeSpan ClockStep);
