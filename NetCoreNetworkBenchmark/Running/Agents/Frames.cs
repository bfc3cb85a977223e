using System.Text.Json;
using System.Text.Json.Serialization;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>
/// One line of the protocol between a coordinator and the processes that take part in a run: a JSON object with its type and number.
/// Docs/protocol.md describes the exchange. It carries all that is needed and assumes no shared file system.
/// </summary>
[JsonPolymorphic(TypeDiscriminatorPropertyName = "type")]
[JsonDerivedType(typeof(AckFrame), "ack")]
[JsonDerivedType(typeof(HelloFrame), "hello")]
[JsonDerivedType(typeof(ReadyFrame), "ready")]
[JsonDerivedType(typeof(GoFrame), "go")]
[JsonDerivedType(typeof(PhaseFrame), "phase")]
[JsonDerivedType(typeof(MemoryFrame), "memory")]
[JsonDerivedType(typeof(ProgressFrame), "progress")]
[JsonDerivedType(typeof(StopFrame), "stop")]
[JsonDerivedType(typeof(ResultFrame), "result")]
[JsonDerivedType(typeof(FailureFrame), "failure")]
[JsonDerivedType(typeof(ByeFrame), "bye")]
internal abstract record Frame
{
    /// <summary>The sender's number of this frame, from 1; 0 in an acknowledgement.</summary>
    public long Id { get; init; }
}

/// <summary>The frame with that number has arrived.</summary>
internal sealed record AckFrame(long Of) : Frame;

/// <summary>The coordinator's first word: who it is, and what the other is to be.</summary>
/// <param name="Version">The harness' version; both must be of the same.</param>
/// <param name="Role">What the other is to be.</param>
/// <param name="Plan">The plan of the run.</param>
/// <param name="Target">Where the server is, for clients and relay; null otherwise.</param>
internal sealed record HelloFrame(string Version, AgentRole Role, RunPlan Plan, string? Target = null) : Frame
{
    /// <summary>The part of the run's certificates and keys that is for the other; null where the plan is not for TLS.</summary>
    public TlsCredentials? Credentials { get; init; }
}

/// <summary>The server is bound, the relay is, or the clients have connected.</summary>
/// <param name="EndPoint">Where; null for clients.</param>
internal sealed record ReadyFrame(string? EndPoint = null) : Frame
{
    /// <summary>What the clients of a server that was started by hand need to verify it; null otherwise.</summary>
    public TlsCredentials? Credentials { get; init; }
}

/// <summary>Let the load begin.</summary>
internal sealed record GoFrame : Frame;

/// <summary>
/// The clients have entered a phase; told by them, and passed on to the others. A relay tells that the load may begin
/// (<see cref="RunPhase.WarmUp"/>) when its impairment is in force.
/// </summary>
internal sealed record PhaseFrame(RunPhase Phase) : Frame;

/// <summary>Tell what your process keeps in memory now, or the answer to that.</summary>
/// <param name="Memory">The answer; null where it is asked for.</param>
internal sealed record MemoryFrame(ProcessMemory? Memory = null) : Frame;

/// <summary>A sign of life, once a second.</summary>
/// <param name="Progress">Where the run is; null where there is no run to speak of.</param>
internal sealed record ProgressFrame(RunProgress? Progress = null) : Frame;

/// <summary>End what you do and tell its result.</summary>
internal sealed record StopFrame : Frame;

/// <summary>What the other measured: one of these.</summary>
internal sealed record ResultFrame : Frame
{
    public ClientReport? Clients { get; init; }

    public ServerReport? Server { get; init; }

    public RelayCounts? Relay { get; init; }

    public CrowdReport? Crowd { get; init; }

    /// <summary>A whole run, of an agent that was both sides.</summary>
    public RunResult? Run { get; init; }

    /// <summary>Round trips per second of the raw sockets.</summary>
    public double? Control { get; init; }

    /// <summary>What the relay did otherwise than it was asked to.</summary>
    public IReadOnlyList<string> Remarks { get; init; } = [];
}

/// <summary>It cannot be done, for this reason.</summary>
internal sealed record FailureFrame(string Reason, bool IsBadInput) : Frame;

/// <summary>The last word of either side.</summary>
internal sealed record ByeFrame : Frame;

/// <summary>What a process is in a run.</summary>
internal enum AgentRole
{
    /// <summary>The server.</summary>
    Server,

    /// <summary>All clients.</summary>
    Client,

    /// <summary>All clients, each of which makes one round trip.</summary>
    Crowd,

    /// <summary>Server and clients in one process.</summary>
    Both,

    /// <summary>Impairs the traffic between the two.</summary>
    Relay,

    /// <summary>Measures raw sockets alone.</summary>
    Control,
}

/// <summary>
/// Frames as JSON on one line each. What is missing or null although it must not be is an error when a frame is read, so that nobody has to
/// look for it later; so what may be null is written.
/// </summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    IncludeFields = true,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(Frame))]
internal sealed partial class FrameJson : JsonSerializerContext
{
    /// <summary>Reads a frame.</summary>
    /// <param name="line">The line without its end.</param>
    /// <exception cref="FormatException">It is no frame.</exception>
    public static Frame Read(ReadOnlySpan<byte> line)
    {
        try
        {
            return JsonSerializer.Deserialize(line, Default.Frame) ?? throw new FormatException("A line is null.");
        }
        catch (Exception exception) when (exception is JsonException or NotSupportedException or InvalidOperationException or ArgumentException or OverflowException)
        {
            throw new FormatException("A line is no frame.", exception);
        }
    }
}
