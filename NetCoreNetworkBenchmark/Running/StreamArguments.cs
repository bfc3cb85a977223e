using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>
/// Converts a plan's choices for a stream, for TLS and for the library that drives the clients to the options that request them. Empty for datagrams.
/// </summary>
internal static class StreamArguments
{
    /// <summary>The option of the division into messages.</summary>
    public const string FramingOption = "--framing";

    /// <summary>The option of the library whose clients drive the server.</summary>
    public const string ClientLibraryOption = "--client-library";

    /// <summary>The option of the kind of key.</summary>
    public const string KeyOption = "--key";

    /// <summary>The option of the version of TLS.</summary>
    public const string VersionOption = "--tls";

    /// <summary>The option of clients that show a certificate.</summary>
    public const string MutualOption = "--mutual-tls";

    /// <summary>The option of the name that the server's certificate must match.</summary>
    public const string ServerNameOption = "--server-name";

    /// <summary>All options with their values.</summary>
    public static IEnumerable<string> Of(RunPlan plan) =>
    [
        .. plan.Protocol.IsStream() ? (string[])[FramingOption, plan.Framing.ToString()] : [],
        .. OfClients(plan),
        .. plan.Protocol == Protocol.Ssl ? OfTls(plan.Tls) : [],
    ];

    private static IEnumerable<string> OfClients(RunPlan plan) => plan.ClientLibrary is not { } library ? [] :
    [
        ClientLibraryOption, library,
        .. plan.ClientSettings.SelectMany(setting => (string[])[SettingArguments.SetOption, $"{library}.{setting.Key}={setting.Value}"]),
    ];

    private static IEnumerable<string> OfTls(TlsPlan tls) =>
    [
        .. tls.CertificateFile is { } certificate
            ? (string[])[OwnCertificate.CertificateOption, certificate, OwnCertificate.KeyOption, tls.CertificateKeyFile!]
            : [KeyOption, tls.Key.ToString()],
        .. Pair(OwnCertificate.AuthorityOption, tls.AuthorityFile),
        .. Pair(VersionOption, tls.Version),
        .. tls.Mutual ? (string[])[MutualOption] : [],
        .. Pair(ServerNameOption, tls.ServerName),
    ];

    private static IEnumerable<string> Pair(string option, string? value) => value is null ? [] : [option, value];
}
