using System.Net;
using System.Net.NetworkInformation;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Scenarios.Options;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>
/// The certificates and keys of a run, a part for each side. They are made or read by the coordinator of the run and handed to the sides.
/// They are never in a plan, a result or a log.
/// </summary>
/// <param name="Server">The certificate that the server shows, and the authority that it trusts.</param>
/// <param name="Clients">The authority that the clients trust, and the certificate that they show if the plan requires one.</param>
internal sealed record RunCredentials(TlsCredentials Server, TlsCredentials Clients)
{
    /// <summary>Reads the files that the user provides, and makes the rest.</summary>
    /// <param name="plan">The plan of the run.</param>
    /// <returns>The credentials; null if the plan is not for TLS.</returns>
    /// <exception cref="BenchmarkException">A file of the user cannot be used.</exception>
    public static RunCredentials? For(RunPlan plan)
    {
        if (!plan.Protocol.HasTls())
        {
            return null;
        }

        TlsPlan tls = plan.Tls;
        TlsCredentials? own = OwnOf(tls);
        TlsCredentials all = own ?? CertificateMaker.Make(tls.Key ?? TlsPlan.DefaultKey, NamesOf(plan));
        TlsCredentials clients = all.ForClients() with { Authority = AuthorityOf(tls) ?? all.Authority };

        // A server that makes certificates for the clients trusts those. A server by itself that shows one of the user trusts the user's authority.
        return new RunCredentials(
            all with { Authority = own is null ? all.Authority : clients.Authority, ClientCertificate = null, ClientKey = null },
            tls.Mutual ? clients : clients with { ClientCertificate = null, ClientKey = null });
    }

    /// <summary>Returns the part of clients that were started by hand.</summary>
    /// <param name="plan">The plan of the clients.</param>
    /// <param name="handedOver">The authority that a server of this program named; null if none did.</param>
    /// <returns>The credentials; null if the plan is not for TLS.</returns>
    /// <exception cref="BenchmarkException">The authority to trust, or the certificate to show, is not known.</exception>
    public static TlsCredentials? ForStandaloneClients(RunPlan plan, TlsCredentials? handedOver)
    {
        if (!plan.Protocol.HasTls())
        {
            return null;
        }

        TlsCredentials? own = plan.Tls.Mutual
            ? OwnOf(plan.Tls) ?? throw new BenchmarkException(
                $"Mutual TLS needs a certificate of the clients: {StreamOptions.CertificateName} PEM {StreamOptions.CertificateKeyName} PEM.")
            : null;

        // A file with one certificate says nothing about the authority that signed it.
        string? ownAuthority = own is null || own.Authority == own.ServerCertificate || !OwnCertificate.IsRoot(own.Authority) ? null : own.Authority;
        string? known = AuthorityOf(plan.Tls) ?? ownAuthority;
        if (known is null && handedOver is not null && !OwnCertificate.IsRoot(handedOver.Authority))
        {
            throw new BenchmarkException(
                $"The file of the server's certificate ends without its root, which the clients need to verify it: {StreamOptions.AuthorityName} PEM.");
        }

        string authority = known ?? handedOver?.Authority ?? throw new BenchmarkException(
            "No server of this program answers, and to verify another one the clients need the certificate of whoever signed that server's: " +
                $"{StreamOptions.AuthorityName} PEM. A server of this program on another host answers if it has --control any, in a network that is trusted.");
        return new TlsCredentials { Authority = authority, ClientCertificate = own?.ServerCertificate, ClientKey = own?.ServerKey };
    }

    /// <summary>Refuses files of the user that cannot be used.</summary>
    /// <param name="tls">The names of the files.</param>
    /// <param name="isVerifiedHere">
    /// Whether this process decides who is trusted: a run with both sides, or a server by itself that verifies its clients.
    /// </param>
    /// <exception cref="BenchmarkException">A file cannot be used.</exception>
    public static void Check(TlsPlan tls, bool isVerifiedHere)
    {
        string? authority = AuthorityOf(tls);
        if (OwnOf(tls) is { } own && isVerifiedHere)
        {
            OwnCertificate.RequireChain(tls.CertificateFile!, own, authority ?? own.Authority);
        }
    }

    /// <summary>Returns a text without any key: printed or logged text must not contain one.</summary>
    public override string ToString() => "credentials of a run";

    private static TlsCredentials? OwnOf(TlsPlan tls) =>
        tls is { CertificateFile: { } certificate, CertificateKeyFile: { } key } ? OwnCertificate.Read(certificate, key) : null;

    private static string? AuthorityOf(TlsPlan tls) => tls.AuthorityFile is { } file ? OwnCertificate.ReadAuthority(file) : null;

    // Clients on other hosts reach a server that listens on all addresses by one of these names.
    private static IEnumerable<string> NamesOf(RunPlan plan)
    {
        bool isEvery = IPAddress.TryParse(plan.Address, out IPAddress? address) && (address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any));
        return isEvery ? [plan.ServerName, Dns.GetHostName(), .. AddressesOfMachine()] : [plan.ServerName];
    }

    private static IEnumerable<string> AddressesOfMachine() => NetworkInterface.GetAllNetworkInterfaces()
        .SelectMany(network => network.GetIPProperties().UnicastAddresses)
        .Select(found => new IPAddress(found.Address.GetAddressBytes()).ToString());
}
