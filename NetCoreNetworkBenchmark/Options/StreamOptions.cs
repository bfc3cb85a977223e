using static NetCoreNetworkBenchmark.Options.PlanOption;

namespace NetCoreNetworkBenchmark.Options;

internal static class StreamOptions
{
    public const string ClientLibraryName = "--client-library";
    public const string HeartbeatName = "--heartbeat";
    public const string ReconnectName = "--reconnect";
    public const string CertificateName = "--certificate";
    public const string CertificateKeyName = "--certificate-key";
    public const string AuthorityName = "--authority";
    public const string KeyName = "--key";
    public const string TlsName = "--tls";

    private static readonly Requirement s_stream = new("requires -P Tcp, Tls or Quic", plan => plan.Protocol.IsStream());
    private static readonly Requirement s_tls = new("requires -P Tls or Quic", plan => plan.Protocol.HasTls());
    private static readonly Requirement s_checked = new("requires --framing Checked", plan => plan.Framing == Framing.Checked);
    private static readonly Requirement s_heartbeat = new($"requires {HeartbeatName}", plan => plan.Liveness.Heartbeat is not null);
    private static readonly string[] s_versions = [TlsPlan.Version12, TlsPlan.Version13];
    private static readonly string[] s_groups = ["x25519", "secp256r1", "secp384r1", "secp521r1", "x448", "X25519MLKEM768"];

    public static IReadOnlyList<PlanOption> All(IReadOnlyCollection<string> libraries) => Grouped(
        OptionGroup.Streams, [.. Streams(libraries), .. Liveness(), .. Tls().Select(option => option with { Requirements = [s_tls] })]);

    private static PlanOption[] Streams(IReadOnlyCollection<string> libraries) =>
    [
        Choice(
            "--framing", null, "division of a stream into messages",
            [nameof(Framing.Fixed), nameof(Framing.Length), nameof(Framing.Checked)],
            plan => plan.Framing.ToString(), (plan, text) => plan with { Framing = Enum.Parse<Framing>(text) }) with
        {
            Details = "of one size; with the length before each; or with length, type and check code",
            Requirements = [s_stream],
            Key = text => $"framing {text}",
        },
        Choice(
            ClientLibraryName, null, "library whose clients drive the server", libraries, plan => plan.ClientLibrary,
            (plan, text) => plan with { ClientLibrary = text }) with
        {
            ValueName = "NAME",
            Choices = [],
            Completions = libraries,
            Default = "the server's library, or the fastest if it has no clients",
            Print = plan => plan.ClientLibrary is { } library ? [ClientLibraryName, library, .. LibraryOptions.SettingsOf(library, plan.ClientSettings)] : [],
            Key = text => $"clients of {text}",
        },
    ];

    private static PlanOption[] Liveness() =>
    [
        new PlanOption(HeartbeatName, "time without traffic after which a side sends a heartbeat, such as 5s")
        {
            Requirements = [s_checked],
            ValueName = "TIME",
            Apply = (plan, text) => plan with { Liveness = plan.Liveness with { Heartbeat = PlanValues.HeartbeatInterval(HeartbeatName, text) } },
            Text = plan => MillisecondsOf(plan.Liveness.Heartbeat),
            Key = text => $"heartbeats every {text}",
        },
        Number(
            "--heartbeat-misses", null, "missed heartbeats after which a connection is closed", 1, PlanLimits.MaxMisses,
            plan => plan.Liveness.HeartbeatMisses,
            (plan, misses) => plan with { Liveness = plan.Liveness with { HeartbeatMisses = misses } }) with
        {
            Requirements = [s_heartbeat],
            OmitsDefault = true,
        },
        new PlanOption(ReconnectName, "longest delay before a client reconnects, such as 1s")
        {
            Details = "each delay is between half of it and the whole",
            Requirements = [s_stream],
            ValueName = "TIME",
            Apply = (plan, text) => plan with { Liveness = plan.Liveness with { Reconnect = OptionValues.AboveZero(ReconnectName, text) } },
            Text = plan => MillisecondsOf(plan.Liveness.Reconnect),
            IsOfLastingLoad = true,
            Key = text => $"reconnecting after {text}",
        },
    ];

    private static string? MillisecondsOf(TimeSpan? time) => time is { } set ? FormattableString.Invariant($"{set.TotalMilliseconds}ms") : null;

    private static PlanOption[] Tls() =>
    [
        File(
            CertificateName, "certificate of the server, with its intermediate certificates", tls => tls.CertificateFile,
            (tls, file) => tls with { CertificateFile = file }) with
        {
            Details = "replaces the generated certificate; with --role Client the certificate of the clients",
            RequiresOption = CertificateKeyName,
        },
        File(
            CertificateKeyName, $"private key of {CertificateName}, not encrypted", tls => tls.CertificateKeyFile,
            (tls, file) => tls with { CertificateKeyFile = file }) with { RequiresOption = CertificateName },
        Choice(
            KeyName, null, "key type of the generated certificates", Enum.GetNames<TlsKey>(),
            plan => plan.Tls.Key?.ToString(), (plan, text) => plan with { Tls = plan.Tls with { Key = Enum.Parse<TlsKey>(text) } }) with
        {
            Default = TlsPlan.DefaultKey.ToString(),
            Details = "they are generated in memory for each run",
        },
        File(
            AuthorityName, "root certificate that verifies the other side", tls => tls.AuthorityFile,
            (tls, file) => tls with { AuthorityFile = file }) with
        {
            Details = "for the clients, and for the server with --mutual-tls",
            Default = $"the generated one, or the last one in the {CertificateName} file",
        },
        Choice(
            TlsName, null, "only TLS version to offer", s_versions, plan => plan.Tls.Version,
            (plan, text) => plan.Protocol == Protocol.Quic && text == TlsPlan.Version12
                ? throw OptionValues.Rejected(TlsName, "QUIC requires TLS 1.3. Use 1.3.")
                : plan with { Tls = plan.Tls with { Version = text } }) with { ValueName = "VERSION", Default = "both" },
        Choice(
            "--group", null, "only key exchange group that the clients offer", s_groups, plan => plan.Tls.Group,
            (plan, text) => plan with { Tls = plan.Tls with { Group = text } }) with
        {
            Default = "those of the clients' library",
            Key = text => $"group {text}",
        },
        Flag(
            "--mutual-tls", "require a certificate of the clients", plan => plan.Tls.Mutual,
            plan => plan with { Tls = plan.Tls with { Mutual = true } }) with { Key = _ => "mutual TLS" },
        Create(
            "--server-name", null, "name or address that the certificate of the server must have", plan => plan.Tls.ServerName,
            (plan, text) => plan with { Tls = plan.Tls with { ServerName = ServerName(text) } }) with
        {
            ValueName = "NAME",
            Default = "the --address",
        },
    ];

    private static PlanOption File(string name, string help, Func<TlsPlan, string?> get, Func<TlsPlan, string, TlsPlan> set) =>
        Create(name, null, help, plan => get(plan.Tls), (plan, text) => plan with { Tls = set(plan.Tls, text) }) with { ValueName = "PEM" };

    private static string ServerName(string text)
    {
        string name = PlanValues.Host("--server-name", text);
        return IPAddress.TryParse(name, out _) || Uri.CheckHostName(name) == UriHostNameType.Dns
            ? name
            : throw OptionValues.Invalid("--server-name", name, "a host name or an IP address");
    }
}
