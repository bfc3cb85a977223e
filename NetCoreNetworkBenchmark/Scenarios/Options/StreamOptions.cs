using System.Net;

using static NetCoreNetworkBenchmark.Scenarios.Options.ScenarioOption;

namespace NetCoreNetworkBenchmark.Scenarios.Options;

/// <summary>The options of streams: the framing of messages, the library that drives the clients, and TLS.</summary>
internal static class StreamOptions
{
    public const string ClientLibraryName = "--client-library";
    public const string CertificateName = "--certificate";
    public const string CertificateKeyName = "--certificate-key";
    public const string AuthorityName = "--authority";
    public const string KeyName = "--key";

    private static readonly string[] s_versions = ["1.2", "1.3"];

    public static IReadOnlyList<ScenarioOption> All(IReadOnlyCollection<string> libraries) => Grouped(
        OptionGroup.Streams, [.. Streams(libraries).Select(ForStreams), .. Tls().Select(ForTls)]);

    private static ScenarioOption ForStreams(ScenarioOption option) => option with
    {
        Unfit = plan => plan.Protocol.IsStream()
            ? null
            : $"is for streams and {plan.Protocol} carries datagrams; valid is -P {Protocol.Tcp} or {Protocol.Ssl}",
    };

    private static ScenarioOption ForTls(ScenarioOption option) => option with
    {
        Unfit = plan => plan.Protocol == Protocol.Ssl ? null : $"is for TLS and {plan.Protocol} has none; valid is -P {Protocol.Ssl}",
    };

    private static ScenarioOption[] Streams(IReadOnlyCollection<string> libraries) =>
    [
        Choice<Framing>(
            "--framing", null, "with -P Tcp or Ssl: messages of one size and nothing else, or each with its length before it", plan => plan.Framing,
            (plan, value) => plan with { Framing = value }) with { Key = text => $"framing {text}" },
        Choice(
            ClientLibraryName, null, "with -P Tcp or Ssl: the library whose clients drive the server", libraries, plan => plan.ClientLibrary,
            (plan, value) => plan with { ClientLibrary = value }) with
        {
            ValueName = "NAME",
            Choices = [],
            Default = "the server's own, or the fastest where it has none",
            Print = plan => plan.ClientLibrary is { } library ? [ClientLibraryName, library, .. LibraryOptions.SettingsOf(library, plan.ClientSettings)] : [],
            Key = text => $"clients of {text}",
        },
    ];

    private static ScenarioOption[] Tls() =>
    [
        File(
            CertificateName, "TLS: the server's own certificate, with those between it and its authority; instead of one that is made",
            tls => tls.CertificateFile, (tls, value) => tls with { CertificateFile = value }) with
        {
            Partner = (CertificateKeyName, $"{CertificateName} server.crt {CertificateKeyName} server.key"),
        },
        File(
            CertificateKeyName, "TLS: the key of the server's own certificate, not encrypted", tls => tls.CertificateKeyFile,
            (tls, value) => tls with { CertificateKeyFile = value }),
        Choice<TlsKey>(
            KeyName, null, "TLS: kind of key of the certificates, which are made in memory for each run", plan => plan.Tls.Key,
            (plan, value) => plan with { Tls = plan.Tls with { Key = value } }) with
        {
            Text = plan => plan.Tls.CertificateFile is null ? plan.Tls.Key.ToString() : null,
            Excludes = (CertificateName, "one's own certificate has its kind of key"),
            Key = text => $"key {text}",
        },
        File(AuthorityName, "TLS: the certificate that clients trust", tls => tls.AuthorityFile, (tls, value) => tls with { AuthorityFile = value }) with
        {
            Default = $"the one that is made, or the last one in the file of {CertificateName}",
        },
        Choice(
            "--tls", null, "TLS: the one version that is offered", s_versions, plan => plan.Tls.Version,
            (plan, value) => plan with { Tls = plan.Tls with { Version = value } }) with
        {
            ValueName = "VERSION",
            Default = "both",
        },
        Flag(
            "--mutual-tls", "TLS: clients show a certificate too, and the server verifies it", plan => plan.Tls.Mutual,
            plan => plan with { Tls = plan.Tls with { Mutual = true } }) with
        {
            Excludes = (CertificateName, "the authority of one's own certificate signs none for the clients of a run"),
            Key = _ => "mutual TLS",
        },
        Of(
            "--server-name", null, "TLS: the name or address that the server's certificate must be for", ServerName, plan => plan.Tls.ServerName,
            (plan, value) => plan with { Tls = plan.Tls with { ServerName = value } }) with
        {
            ValueName = "NAME",
            Default = "the --address",
        },
    ];

    private static ScenarioOption File(string name, string help, Func<TlsPlan, string?> get, Func<TlsPlan, string?, TlsPlan> set) =>
        Of(name, null, help, (_, text) => text, plan => get(plan.Tls), (plan, value) => plan with { Tls = set(plan.Tls, value) }) with
        {
            ValueName = "PEM",
        };

    private static string? ServerName(string option, string text)
    {
        string name = OptionValues.Host(option, text);
        return IPAddress.TryParse(name, out _) || Uri.CheckHostName(name) == UriHostNameType.Dns
            ? name
            : throw OptionValues.Invalid(option, name, "a host name or an IP address");
    }
}
