
namespace NetCoreNetworkBenchmark.Libraries.Kestrel;

/// <summary>ASP.NET Core's server over TCP and TLS: its connection layer, or its whole HTTP/1.1. It has no clients.</summary>
public sealed class KestrelBenchmark : INetworkBenchmark
{
    private const string Inline = "inline";
    private const string Ahead = "ahead";
    private const string Http = "http";

    private static readonly LibrarySetting s_scheduling = new(
        "scheduling", ["pool", Inline], Default: "pool", "thread of Kestrel's callbacks: one of the thread pool, or that of the socket's callback")
    {
        Tuned = Inline,
    };

    private static readonly LibrarySetting s_buffers = new(
        "buffers", ["late", Ahead], Default: "late", "time at which a connection takes a buffer: when data has arrived, or before")
    {
        Tuned = Ahead,
    };

    private static readonly LibrarySetting s_layer = new(
        "layer", ["connection", Http], Default: "connection", "layer that serves a connection: the connection layer, or Kestrel's whole HTTP/1.1")
    {
        HasVariants = true,
    };

    public string Name => "Kestrel";

    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Unavailable = AspNetCoreRuntime.Problem,
        Version = AspNetCoreRuntime.Problem is null ? VersionOfKestrel() : Environment.Version.ToString(),
        Protocols = [Protocol.Tcp, Protocol.Ssl],
        Framings = Enum.GetValues<Framing>(),
        ServerPushTransports = [Protocol.Tcp, Protocol.Ssl],
        Transmissions = [new TransmissionInfo(Transmission.Reliable, OverheadBytes: 0, RunPlan.LargestStreamMessage)],
        HasClients = false,
        Settings = [s_scheduling, s_buffers, StreamSendSetting.Setting, TlsContextSetting.Setting, s_layer],
        FindFault = static (plan, workload) => plan.SettingOf(s_layer) == Http && workload is not IConnectionWorkload
            ? OptionValues.Rejected(
                "--set", $"Kestrel.{s_layer.Name}={Http} is for short connections, so {plan.Test} is not applicable. Use {s_layer.Default}.")
            : null,
    };

    public IBenchmarkServer StartServer(ServerSetup setup) =>
        AspNetCoreRuntime.Problem is { } problem ? throw new BenchmarkException($"Kestrel cannot run here: {problem}.") : Start(setup);

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) =>
        throw new BenchmarkException("Kestrel has no clients. Use --client-library.");

    // A separate method, so that a caller that requests anything else is compiled before these types are resolved.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string VersionOfKestrel() => LibraryInfo.VersionOf(typeof(Microsoft.AspNetCore.Server.Kestrel.Core.KestrelServer));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static KestrelServer Start(ServerSetup setup) => new(setup, setup.Plan.SettingOf(s_layer) == Http, options =>
    {
        options.UnsafePreferInlineScheduling = setup.Plan.SettingOf(s_scheduling) == Inline;
        options.WaitForDataBeforeAllocatingBuffer = setup.Plan.SettingOf(s_buffers) != Ahead;
    });
}
