namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>
/// Options whose meaning depends on the sides of this process. A run with both sides makes the certificates of its clients; a side that was started
/// by hand shows the user's, because no key is handed over between hosts.
/// </summary>
internal static class RoleRules
{
    private const string MutualTls = "--mutual-tls";

    /// <summary>Rejects options that have no meaning for the action, and an action that lacks one.</summary>
    public static void Check(CliAction action, TlsPlan tls)
    {
        bool hasOwn = tls.CertificateFile is not null;
        switch (action)
        {
            case CliAction.Server when tls.Mutual && !hasOwn:
                throw BenchmarkException.BadInput(
                    $"{MutualTls} with {RunOptions.Role.Name} {Role.Server} requires {Example("server")}. The command 'certificates' writes both files.");
            case CliAction.Client when tls.Mutual && !hasOwn:
                throw BenchmarkException.BadInput(
                    $"{MutualTls} with {RunOptions.Role.Name} {Role.Client} requires {Example("client")}. The command 'certificates' writes both files.");
            case CliAction.Client when hasOwn && !tls.Mutual:
                throw BenchmarkException.BadInput(
                    $"{StreamOptions.CertificateName} with {RunOptions.Role.Name} {Role.Client} requires {MutualTls}. " +
                        $"Use {StreamOptions.AuthorityName} PEM to trust the certificate of the server.");
            case not (CliAction.Server or CliAction.Client) when hasOwn && tls.Mutual:
                throw BenchmarkException.BadInput(
                    $"{MutualTls} cannot be combined with {StreamOptions.CertificateName}: " +
                        "the authority of this certificate signs none for the clients of a run.");
        }
    }

    private static string Example(string side) => $"{StreamOptions.CertificateName} {side}.crt {StreamOptions.CertificateKeyName} {side}.key";
}
