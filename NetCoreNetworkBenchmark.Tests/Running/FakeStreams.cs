namespace NetCoreNetworkBenchmark.Tests.Running;

/// <summary>
/// Libraries that claim to support TCP and SSL, and carry the messages in datagrams. They report the input of each side as remarks, which are
/// in the result.
/// </summary>
internal static class FakeStreams
{
    /// <summary>A build that contains only these libraries.</summary>
    public static Catalog Catalog { get; } = new(
    [
        typeof(FastLibrary), typeof(SlowLibrary), typeof(ServerOnlyLibrary), typeof(AbsentLibrary), typeof(DatagramLibrary), typeof(PlainLibrary),
        typeof(WrappedLibrary), typeof(PingPong), typeof(MaxClients), .. Catalog.PlugIns(BuiltIn.Benchmarks),
    ]);

    public static NegotiatedTls Negotiated { get; } = new("1.3", "TLS_AES_256_GCM_SHA384", "x25519", false);

    /// <summary>The parts of the credentials and the identity of the authority, but no key.</summary>
    public static string Parts(TlsCredentials? credentials) => credentials is null ? "nothing" : string.Join(
        ' ',
        [
            $"authority {Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(credentials.Authority)))[..8]}",
            .. credentials.ServerCertificate is null ? [] : (string[])["server certificate"],
            .. credentials.ServerKey is null ? [] : (string[])["server key"],
            .. credentials.ClientCertificate is null ? [] : (string[])["client certificate"],
            .. credentials.ClientKey is null ? [] : (string[])["client key"],
        ]);
}

internal abstract class FakeStreamLibrary(string name) : INetworkBenchmark
{
    private static readonly LibrarySetting s_mode = new("mode", ["calm", "quick"], "calm", "how it goes about it");

    private readonly SocketsBenchmark _carrier = new();

    public string Name => name;

    public LibraryInfo Info => Change(new LibraryInfo
    {
        Name = name,
        Version = $"{name.Length}.0",
        Protocols = [Protocol.Tcp, Protocol.Ssl],
        Transmissions = [],
        Framings = [Framing.Fixed, Framing.Length],
        Settings = [s_mode],
    });

    public IBenchmarkServer StartServer(ServerSetup setup)
    {
        setup.Recorder.Remark($"The server of {name} with mode={setup.Plan.SettingOf(s_mode)} has {FakeStreams.Parts(setup.Credentials)}.");
        return _carrier.StartServer(setup with { Plan = OverDatagrams(setup.Plan) });
    }

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        setup.Recorder.Remark(
            $"The clients of {name} with mode={setup.Plan.SettingOf(s_mode)} want {setup.Plan.ServerName} and have {FakeStreams.Parts(setup.Credentials)}.");
        for (int client = 0; client < setup.Plan.Clients && setup.Credentials is not null; client++)
        {
            setup.Recorder.CountHandshake(FakeStreams.Negotiated);
        }

        return _carrier.ConnectAsync(setup with { Plan = OverDatagrams(setup.Plan) }, cancellationToken);
    }

    protected virtual LibraryInfo Change(LibraryInfo info) => info;

    private static RunPlan OverDatagrams(RunPlan plan) => plan with { Protocol = Protocol.Udp, Transmission = Transmission.Unreliable };
}

internal sealed class FastLibrary() : FakeStreamLibrary("Fast")
{
    protected override LibraryInfo Change(LibraryInfo info) => info with { ClientRank = 2, ClientThreadsByPlan = true };
}

internal sealed class SlowLibrary() : FakeStreamLibrary("Slow")
{
    protected override LibraryInfo Change(LibraryInfo info) => info with { ClientRank = 1 };
}

internal sealed class ServerOnlyLibrary() : FakeStreamLibrary("ServerOnly")
{
    protected override LibraryInfo Change(LibraryInfo info) => info with { HasClients = false };
}

internal sealed class AbsentLibrary() : FakeStreamLibrary("Absent")
{
    protected override LibraryInfo Change(LibraryInfo info) => info with { ClientRank = 3, Unavailable = "this system has not what it needs" };
}

internal sealed class WrappedLibrary() : FakeStreamLibrary("Wrapped")
{
    protected override LibraryInfo Change(LibraryInfo info) => info with { ClientRank = 5, WireFormat = "Wrap" };
}

internal sealed class PlainLibrary() : FakeStreamLibrary("Plain")
{
    protected override LibraryInfo Change(LibraryInfo info) => info with { Protocols = [Protocol.Udp], HasPlainDatagrams = true };
}

internal sealed class DatagramLibrary() : FakeStreamLibrary("Datagram")
{
    protected override LibraryInfo Change(LibraryInfo info) => info with
    {
        Protocols = [Protocol.Udp],
        ClientRank = 4,
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, 0, RunPlan.LargestDatagram)],
    };
}
