using System.Net;
using System.Net.NetworkInformation;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>
/// Each side's part of the certificates and keys of a run, made or read by whoever coordinates it and handed to the sides. They are never in
/// a plan, a result or a log.
/// </summary>
/// <param name="Server">What the server shows, and whom it trusts.</param>
/// <param name="Clients">Whom the clients trust, and what they show where the plan asks for that.</param>
internal sealed record RunCredentials(TlsCredentials Server, TlsCredentials Clients)
{
    /// <summary>Reads what the user brings, and makes what the user does not.</summary>
    /// <param name="plan">The plan of the run.</param>
    /// <returns>Null where the plan is not for TLS.</returns>
    /// <exception cref="BenchmarkException">A file of the user's cannot be used.</exception>
    public static RunCredentials? For(RunPlan plan)
    {
        if (plan.Protocol != Protocol.Ssl)
        {
            return null;
        }

        TlsPlan tls = plan.Tls;
        TlsCredentials all = OwnOf(tls) ?? CertificateMaker.Make(tls.Key, NamesOf(plan));
        TlsCredentials clients = all.ForClients() with { Authority = AuthorityOf(tls) ?? all.Authority };
        return new RunCredentials(
            all with { ClientCertificate = null, ClientKey = null },
            tls.Mutual ? clients : clients with { ClientCertificate = null, ClientKey = null });
    }

    /// <summary>The part of clients that were started by hand.</summary>
    /// <param name="plan">Their plan.</param>
    /// <param name="handedOver">What a server of ours handed over; null where there is none.</param>
    /// <returns>Null where the plan is not for TLS.</returns>
    /// <exception cref="BenchmarkException">It is not known whom they are to trust, or what they are to show.</exception>
    public static TlsCredentials? ForLoneClients(RunPlan plan, TlsCredentials? handedOver)
    {
        if (plan.Protocol != Protocol.Ssl)
        {
            return null;
        }

        string authority = AuthorityOf(plan.Tls) ?? handedOver?.Authority ?? throw new BenchmarkException(
            $"No server of this program answers, and to verify another one the clients need the certificate of whoever signed that server's: {OwnCertificate.AuthorityOption} PEM.");
        return plan.Tls.Mutual && handedOver?.ClientKey is null
            ? throw new BenchmarkException("No server of this program answers that could hand over a certificate for the clients, so mutual TLS is not possible; leave --mutual-tls out.")
            : new TlsCredentials { Authority = authority, ClientCertificate = handedOver?.ClientCertificate, ClientKey = handedOver?.ClientKey };
    }

    /// <summary>Refuses files of the user's that cannot be used.</summary>
    /// <exception cref="BenchmarkException">There is such a one.</exception>
    public static void Check(TlsPlan tls)
    {
        _ = OwnOf(tls);
        _ = AuthorityOf(tls);
    }

    /// <summary>Names no key: what is printed or logged must not have any.</summary>
    public override string ToString() => "credentials of a run";

    private static TlsCredentials? OwnOf(TlsPlan tls) =>
        tls is { CertificateFile: { } certificate, CertificateKeyFile: { } key } ? OwnCertificate.Read(certificate, key) : null;

    private static string? AuthorityOf(TlsPlan tls) => tls.AuthorityFile is { } file ? OwnCertificate.ReadAuthority(file) : null;

    // Clients on other hosts know a server that listens on all addresses by one of these.
    private static IEnumerable<string> NamesOf(RunPlan plan)
    {
        string name = plan.Tls.ServerName ?? plan.Address;
        bool isEvery = IPAddress.TryParse(plan.Address, out IPAddress? address) && (address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any));
        return isEvery ? [name, Dns.GetHostName(), .. AddressesOfMachine()] : [name];
    }

    private static IEnumerable<string> AddressesOfMachine() => NetworkInterface.GetAllNetworkInterfaces()
        .SelectMany(network => network.GetIPProperties().UnicastAddresses)
        .Select(found => new IPAddress(found.Address.GetAddressBytes()).ToString());
}
