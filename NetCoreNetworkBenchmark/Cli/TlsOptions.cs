using System.CommandLine;
using System.Net;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>The options of TLS: certificates, version, and the verification of the peers.</summary>
internal sealed class TlsOptions
{
    private static readonly string[] s_versions = ["1.2", "1.3"];

    private readonly Option<string> _key = LoadOptions.Value(
        StreamArguments.KeyOption,
        null,
        $"TLS: kind of key of the certificates, which are made in memory for each run; options [{LoadOptions.Names<TlsKey>()}]",
        new TlsPlan().Key);
    private readonly Option<string> _version = Make(
        StreamArguments.VersionOption, "VERSION", $"TLS: the one version that is offered; options [{string.Join(", ", s_versions)}] [default: both]");
    private readonly Option<bool> _mutual = new(StreamArguments.MutualOption)
    {
        Description = "TLS: clients show a certificate too, and the server verifies it",
    };
    private readonly Option<string> _certificate = Make(
        OwnCertificate.CertificateOption, "PEM", "TLS: the server's own certificate, with those between it and its authority; instead of one that is made");
    private readonly Option<string> _certificateKey = Make(OwnCertificate.KeyOption, "PEM", "TLS: the key of the server's own certificate, not encrypted");
    private readonly Option<string> _authority = Make(
        OwnCertificate.AuthorityOption,
        "PEM",
        "TLS: the certificate that clients trust [default: the one that is made, or the last one in the file of --certificate]");
    private readonly Option<string> _serverName = Make(
        StreamArguments.ServerNameOption, "NAME", "TLS: the name or address that the server's certificate must be for [default: the --address]");

    public IEnumerable<Option> All => [_key, _version, _mutual, _certificate, _certificateKey, _authority, _serverName];

    /// <summary>Adds TLS to a plan.</summary>
    /// <exception cref="BenchmarkException">A value is not valid, options exclude each other, or the plan is not for TLS.</exception>
    public RunPlan Read(ParseResult parsed, RunPlan plan)
    {
        if (plan.Protocol != Protocol.Ssl)
        {
            return All.FirstOrDefault(option => LoadOptions.IsGiven(parsed, option)) is { } given
                ? throw BenchmarkException.BadInput($"Option {given.Name} is for TLS and {plan.Protocol} has none; valid is -P {Protocol.Ssl}. See --help.")
                : plan;
        }

        RequireFitting(parsed);
        return plan with
        {
            Tls = new TlsPlan
            {
                Key = OptionValues.Choice<TlsKey>(_key.Name, LoadOptions.Text(parsed, _key)),
                Version = parsed.GetValue(_version) is { } version ? OptionValues.Choice(_version.Name, version, s_versions) : null,
                Mutual = parsed.GetValue(_mutual),
                ServerName = ServerName(parsed),
                CertificateFile = parsed.GetValue(_certificate),
                CertificateKeyFile = parsed.GetValue(_certificateKey),
                AuthorityFile = parsed.GetValue(_authority),
            },
        };
    }

    /// <summary>Rejects options that are not for clients alone.</summary>
    /// <exception cref="BenchmarkException">A server's certificate is given.</exception>
    public void ThrowIfForServer(ParseResult parsed)
    {
        if (LoadOptions.IsGiven(parsed, _certificate))
        {
            throw BenchmarkException.BadInput(
                $"Option {_certificate.Name} is for the server, and this process is the clients alone; valid is {_authority.Name} PEM. See --help.");
        }
    }

    private static Option<string> Make(string name, string value, string description) => new(name) { HelpName = value, Description = description };

    private void RequireFitting(ParseResult parsed)
    {
        bool isOwn = LoadOptions.IsGiven(parsed, _certificate);
        if (isOwn != LoadOptions.IsGiven(parsed, _certificateKey))
        {
            throw BenchmarkException.BadInput(
                $"Options {_certificate.Name} and {_certificateKey.Name} belong together, " +
                    $"such as {_certificate.Name} server.crt {_certificateKey.Name} server.key. See --help.");
        }

        if (isOwn && LoadOptions.IsGiven(parsed, _key))
        {
            throw BenchmarkException.BadInput(
                $"Options {_key.Name} and {_certificate.Name} exclude each other: one's own certificate has its kind of key. See --help.");
        }

        if (isOwn && LoadOptions.IsGiven(parsed, _mutual))
        {
            throw BenchmarkException.BadInput(
                $"Options {_mutual.Name} and {_certificate.Name} exclude each other: " +
                    "the authority of one's own certificate signs none for the clients of a run. See --help.");
        }
    }

    private string? ServerName(ParseResult parsed)
    {
        string? name = parsed.GetValue(_serverName) is { } text ? OptionValues.Host(_serverName.Name, text) : null;
        bool isValid = name is null || IPAddress.TryParse(name, out _) || Uri.CheckHostName(name) == UriHostNameType.Dns;
        return isValid
            ? name
            : throw BenchmarkException.BadInput($"Option {_serverName.Name}: '{name}' is not valid; valid is a host name or an IP address. See --help.");
    }
}
