using System.Net.Quic;
using System.Reflection;

namespace NetCoreNetworkBenchmark.Libraries.Quic;

/// <summary>.NET's QUIC (System.Net.Quic) on the native library msquic. Each client has a connection with one stream in both directions.</summary>
public sealed class QuicBenchmark : INetworkBenchmark
{
    private const string Missing = "msquic 2 (libmsquic) or a TLS that it can use was not found on this machine; " +
        "install the package libmsquic of Microsoft's package repository";

    public string Name => "Quic";

    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Version = VersionOfMsQuic() is { } native ? $"{Environment.Version} (msquic {native.ToString(3)})" : Environment.Version.ToString(),
        Protocols = [Protocol.Quic],
        Framings = Enum.GetValues<Framing>(),
        ServerPushTransports = [Protocol.Quic],
        Transmissions = [new TransmissionInfo(Transmission.Reliable, OverheadBytes: 0, RunPlan.LargestStreamMessage)],
        Settings = [StreamSendSetting.Setting],
        ClientRank = 1,
        Unavailable = QuicListener.IsSupported ? null : Missing,
    };

    public IBenchmarkServer StartServer(ServerSetup setup) => QuicListener.IsSupported ? QuicServer.Start(setup) : throw NotHere();

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        if (!QuicConnection.IsSupported)
        {
            throw NotHere();
        }

        var side = StreamSide.For(setup);
        var tls = DotNetTls.For(setup);
        return CallbackClientGroup.ConnectAsync(Name, setup, observer => new QuicClient(setup, side, tls, observer), cancellationToken);
    }

    // The library does most of the work, and .NET knows its version but does not publish it.
    private static Version? VersionOfMsQuic() => typeof(QuicConnection).Assembly.GetType("System.Net.Quic.MsQuicApi")
        ?.GetProperty("Version", BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public)?.GetValue(null) as Version;

    private static BenchmarkException NotHere() => new($"Quic cannot run here: {Missing}.");
}
