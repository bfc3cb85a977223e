using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Scenarios.Options;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>
/// Options whose meaning depends on the sides of this process. A run with both sides makes the certificates of its clients; a side that was started
/// by hand shows the user's, because no key is handed over between hosts.
/// </summary>
internal static class RoleRules
{
    private const string MutualTls = "--mutual-tls";

    /// <summary>Rejects options that have no meaning for the action, and an action that lacks one.</summary>
    /// <exception cref="BenchmarkException">There is such an option, or one is missing.</exception>
    public static void Check(CliAction action, TlsPlan tls)
    {
        bool hasOwn = tls.CertificateFile is not null;
        switch (action)
        {
            case CliAction.Server when tls.Mutual && !hasOwn:
                throw Refused(
                    $"Option {MutualTls}: a server alone hands out no certificates, so it needs its own, of the authority that signed those of the clients; " +
                        $"valid is it with {Example("server")}, as the command 'certificates' writes them");
            case CliAction.Client when tls.Mutual && !hasOwn:
                throw Refused(
                    $"Option {MutualTls}: clients alone get no certificate from their server, so they need their own, of the authority that the server trusts" +
                        $"; valid is it with {Example("client")}, as the command 'certificates' writes them");
            case CliAction.Client when hasOwn && !tls.Mutual:
                throw Refused(
                    $"Option {StreamOptions.CertificateName} is for the server, and this process is the clients alone; " +
                        $"valid is {StreamOptions.AuthorityName} PEM, or {MutualTls} for a certificate of the clients");
            case not (CliAction.Server or CliAction.Client) when hasOwn && tls.Mutual:
                throw Refused(
                    $"Options {MutualTls} and {StreamOptions.CertificateName} exclude each other: " +
                        "the authority of one's own certificate signs none for the clients of a run");
        }
    }

    private static string Example(string side) => $"{StreamOptions.CertificateName} {side}.crt {StreamOptions.CertificateKeyName} {side}.key";

    private static BenchmarkException Refused(string sentence) => BenchmarkException.BadInput($"{sentence}. See --help.");
}
