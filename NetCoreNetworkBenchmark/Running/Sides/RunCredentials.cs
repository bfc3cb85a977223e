using System.Security.Cryptography;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Running.Machine.Facts;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>Certificates and keys are never in a plan, a result or a log.</summary>
internal sealed record RunCredentials(TlsCredentials Server, TlsCredentials Clients)
{
    public static RunCredentials? For(RunPlan plan)
    {
        if (!plan.Protocol.HasTls())
        {
            return null;
        }

        TlsPlan tls = plan.Tls;
        TlsCredentials? own = OwnOf(tls);
        TlsCredentials all = own ?? Make(plan);
        TlsCredentials clients = all.ForClients() with { Authority = AuthorityOf(tls) ?? all.Authority };

        // A server that makes certificates for the clients trusts those. A server by itself that shows one of the user trusts the user's authority.
        return new RunCredentials(
            all with { Authority = own is null ? all.Authority : clients.Authority, ClientCertificate = null, ClientKey = null },
            tls.Mutual ? clients : clients with { ClientCertificate = null, ClientKey = null });
    }

    public static TlsCredentials? ForClientsAlone(RunPlan plan)
    {
        if (!plan.Protocol.HasTls())
        {
            return null;
        }

        TlsCredentials? own = plan.Tls.Mutual ? OwnOf(plan.Tls) : null;

        // A file with one certificate does not contain the authority that signed it.
        string? ownAuthority = own is null || own.Authority == own.ServerCertificate || !SuppliedCertificate.IsRoot(own.Authority) ? null : own.Authority;
        return new TlsCredentials
        {
            Authority = AuthorityOf(plan.Tls) ?? ownAuthority ?? throw BenchmarkException.BadInput(
                $"--role Client requires {StreamOptions.AuthorityName} PEM with {plan.Protocol.OptionText()}, " +
                    "the certificate of the authority that signed the server's. The command 'certificates' writes both."),
            ClientCertificate = own?.ServerCertificate,
            ClientKey = own?.ServerKey,
        };
    }

    /// <param name="isVerifiedHere">Whether this process decides who is trusted: a run with both sides, or a server that verifies its clients.</param>
    public static void Check(TlsPlan tls, bool isVerifiedHere)
    {
        string? authority = AuthorityOf(tls);
        if (OwnOf(tls) is { } own && isVerifiedHere)
        {
            SuppliedCertificate.RequireChain(tls.CertificateFile!, own, authority ?? own.Authority);
        }
    }

    /// <summary>Printed or logged text must not contain a key.</summary>
    public override string ToString() => "credentials of a run";

    private static TlsCredentials Make(RunPlan plan)
    {
        try
        {
            return CertificateMaker.Make(plan.Tls.Key ?? TlsPlan.DefaultKey, NamesOf(plan));
        }
        catch (CryptographicException exception)
        {
            throw new BenchmarkException($"The system could not make the certificates of the run: {exception.Message.TrimEnd('.')}.", exception);
        }
    }

    private static TlsCredentials? OwnOf(TlsPlan tls) =>
        tls is { CertificateFile: { } certificate, CertificateKeyFile: { } key } ? SuppliedCertificate.Read(certificate, key) : null;

    private static string? AuthorityOf(TlsPlan tls) => tls.AuthorityFile is { } file ? SuppliedCertificate.ReadAuthority(file) : null;

    // Clients on other hosts reach a server that listens on all addresses by one of these names.
    private static string[] NamesOf(RunPlan plan)
    {
        string server = plan.ServerName;
        if (!CertificateMaker.CanHave(server))
        {
            throw BenchmarkException.BadInput($"'{server}' cannot be the name in a certificate. Use --server-name with a host name or an IP address.");
        }

        bool isEvery = IPAddress.TryParse(plan.Address, out IPAddress? address) && (address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any));

        // Without the scope of an IPv6 address, which is not part of a certificate.
        return isEvery
            ?
            [
                server,
                .. ((string[])[Dns.GetHostName()]).Where(CertificateMaker.CanHave),
                .. ThisMachine.Addresses().Select(own => new IPAddress(own.GetAddressBytes()).ToString()),
            ]
            : [server];
    }
}
