using System.Reflection;
using System.Runtime;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using System.Text.Json.Serialization;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>One line of JSON (Docs/protocol.md). It carries all necessary data and assumes no shared file system.</summary>
[JsonPolymorphic(TypeDiscriminatorPropertyName = "type")]
[JsonDerivedType(typeof(AckFrame), "ack")]
[JsonDerivedType(typeof(LengthFrame), "length")]
[JsonDerivedType(typeof(HelloFrame), "hello")]
[JsonDerivedType(typeof(ReadyFrame), "ready")]
[JsonDerivedType(typeof(GoFrame), "go")]
[JsonDerivedType(typeof(SliceFrame), "slice")]
[JsonDerivedType(typeof(PhaseFrame), "phase")]
[JsonDerivedType(typeof(DiscardFrame), "discard")]
[JsonDerivedType(typeof(HostFrame), "host")]
[JsonDerivedType(typeof(StepFrame), "step")]
[JsonDerivedType(typeof(MemoryFrame), "memory")]
[JsonDerivedType(typeof(CompilationFrame), "compilation")]
[JsonDerivedType(typeof(ProgressFrame), "progress")]
[JsonDerivedType(typeof(StopFrame), "stop")]
[JsonDerivedType(typeof(ResultFrame), "result")]
[JsonDerivedType(typeof(FailureFrame), "failure")]
[JsonDerivedType(typeof(ByeFrame), "bye")]
internal abstract record Frame;

internal sealed record AckFrame : Frame;

/// <summary>Announces the next line, which is longer than <see cref="LineReader.Longest"/>.</summary>
internal sealed record LengthFrame(int Bytes) : Frame;

// An agent of another build reads this type, its version and a failure to refuse, so these stay the same in all versions.
/// <param name="Target">The end point of the server, for clients and relay; otherwise, null.</param>
internal sealed record HelloFrame(string Version, AgentRole Role, RunPlan Plan, string? Target = null) : Frame
{
    private const int VersionDigits = 12;

    /// <summary>A hash of the schema of all frames, so that builds with other frames have another version.</summary>
    public static string ProtocolVersion { get; } = VersionOf(FrameJson.Default.Frame.GetJsonSchemaAsNode());

    /// <summary>Unlike <see cref="ProtocolVersion"/>, it is known without a schema.</summary>
    public static string OwnBuild => $"{typeof(HelloFrame).Module.ModuleVersionId} {typeof(RunPlan).Module.ModuleVersionId}";

    /// <summary>The sender's <see cref="OwnBuild"/>. Only a receiver of another build compares versions.</summary>
    public string? Build { get; init; }

    public TlsCredentials? Credentials { get; init; }

    /// <summary>The messages of the plan's <see cref="RunPlan.Payload"/>, which its JSON does not have; null if there are none.</summary>
    public IReadOnlyList<byte[]>? Payload { get; init; }
    public bool StaysAfterRun { get; init; }

    /// <summary>A suspended process cannot notice that the coordinator has gone.</summary>
    public bool MayBeSuspended { get; init; }

    public bool HasOtherLoadGenerators { get; init; }

    public bool HasLiveFigures { get; init; }

    public bool HasFramesOfThisBuild() => Build == OwnBuild || Version == ProtocolVersion;

    public static string VersionOf(JsonNode schema) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(schema.ToJsonString())))[..VersionDigits];

    /// <summary>Reads the version alone, because the plan of another one may be unreadable here; null if the line is no such frame.</summary>
    public static HelloFrame? OfOtherVersion(ReadOnlySpan<byte> line)
    {
        try
        {
            return JsonNode.Parse(line) is JsonObject frame && (string?)frame["type"] == "hello"
                && (string?)frame["version"] is { } version && version != ProtocolVersion
                    ? new HelloFrame(version, default, new RunPlan { Library = string.Empty })
                    : null;
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException or ArgumentException)
        {
            return null;
        }
    }
}

internal sealed record HostFrame(HostFacts? Facts = null) : Frame;

/// <summary>A load generator has done a step, or all have done it: the load is warm, or the measurement has ended.</summary>
internal sealed record StepFrame : Frame;

/// <param name="EndPoint">The end point that is bound; null for clients.</param>
internal sealed record ReadyFrame(string? EndPoint = null) : Frame;

/// <summary>A relay answers with the same frame when the impairment is in force.</summary>
internal sealed record GoFrame : Frame;

internal sealed record SliceFrame(SliceCommand? Command = null, SliceReport? Report = null) : Frame;

internal sealed record PhaseFrame(RunPhase Phase) : Frame;

/// <summary>The slices so far were a part of the warm-up. The server discards their figures.</summary>
internal sealed record DiscardFrame : Frame;

internal sealed record MemoryFrame(ProcessMemory? Memory = null) : Frame;

internal sealed record CompilationFrame(double? Seconds = null) : Frame
{
    public static CompilationFrame OfThisProcess() => new(JitInfo.GetCompilationTime().TotalSeconds);
}

/// <summary>A heartbeat.</summary>
/// <param name="CpuTime">The CPU time of the sender so far; null without live figures.</param>
internal sealed record ProgressFrame(RunProgress? Progress = null, TimeSpan? CpuTime = null) : Frame;

internal sealed record StopFrame : Frame;

internal sealed record ResultFrame : Frame
{
    public ClientReport? Clients { get; init; }
    public ServerReport? Server { get; init; }
    public RelayCounts? Relay { get; init; }

    /// <summary>The time by which the sender's clock was set since the first frame: forwards if positive.</summary>
    public TimeSpan ClockStep { get; init; }
    public double? Control { get; init; }
    public IReadOnlyList<string> Remarks { get; init; } = [];
}

internal sealed record FailureFrame(string Reason, bool IsBadInput) : Frame;

internal sealed record ByeFrame : Frame;

internal enum AgentRole
{
    Server,
    Client,

    Relay,

    Control,

    Inspector,

    /// <summary>The target of the hello names the check.</summary>
    Check,
}

/// <summary>A required value that is missing or null is an error when a frame is read. Therefore values that may be null are written.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    IncludeFields = true,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(Frame))]
internal sealed partial class FrameJson : JsonSerializerContext
{
    private static readonly JsonDerivedTypeAttribute[] s_types = [.. typeof(Frame).GetCustomAttributes<JsonDerivedTypeAttribute>()];

    public static byte[] LineOf(Frame frame)
    {
        Type type = frame.GetType();
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(frame, ReportJson.Default.GetTypeInfo(type) ?? Default.GetTypeInfo(type)!);
        object? name = Array.Find(s_types, known => known.DerivedType == type)!.TypeDiscriminator;
        return [.. Encoding.UTF8.GetBytes($"{{\"type\":\"{name}\"{(json.Length > "{}".Length ? "," : string.Empty)}"), .. json.AsSpan(1), (byte)'\n'];
    }

    public static Frame Read(ReadOnlySpan<byte> line)
    {
        try
        {
            Type type = TypeOf(line);
            object? frame = type == typeof(HelloFrame)
                ? RecordReader.Read(JsonElement.Parse(line), type)
                : JsonSerializer.Deserialize(line, Default.GetTypeInfo(type)!);
            return (Frame?)frame ?? throw new FormatException("A line is null.");
        }
        catch (Exception exception) when (
            exception is JsonException or NotSupportedException or InvalidOperationException or ArgumentException or OverflowException or FormatException)
        {
            return Agents.HelloFrame.OfOtherVersion(line) ?? throw new FormatException("A line is not a frame.", exception);
        }
    }

    // The frame's own type, because with the metadata of the base, which is for unknown types, those of all frames are made.
    private static Type TypeOf(ReadOnlySpan<byte> line)
    {
        var reader = new Utf8JsonReader(line);
        return reader.Read() && reader.Read() && reader.ValueTextEquals("type"u8) && reader.Read() && reader.GetString() is { } name
            && Array.Find(s_types, known => name.Equals(known.TypeDiscriminator)) is { } found
                ? found.DerivedType
                : typeof(Frame);
    }
}

/// <summary>For frames that an agent writes and does not read: the metadata for reading would be compiled.</summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Serialization,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    IncludeFields = true)]
[JsonSerializable(typeof(ProgressFrame))]
[JsonSerializable(typeof(ResultFrame))]
internal sealed partial class ReportJson : JsonSerializerContext;
