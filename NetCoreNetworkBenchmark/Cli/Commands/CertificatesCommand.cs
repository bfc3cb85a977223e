using System.CommandLine;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Cli.Requests;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal sealed class CertificatesCommand : CommandWithoutLoad
{
    // A command line is visible to every user of the machine.
    private const string PasswordVariable = "NETBENCH_PASSWORD";

    private static readonly TimeSpan s_lifetime = TimeSpan.FromDays(365);

    private readonly Argument<string> _folder = new("DIR") { Description = "folder for ca, server and client as .crt, .key, .pem and .pfx" };
    private static readonly PlanOption s_password = new("--password-file", "file whose first line is the password of the .pfx files")
    {
        ValueName = "FILE",
        Default = $"the variable {PasswordVariable}, or none",
    };

    public CertificatesCommand(IEnumerable<PlanOption> declared)
        : base(
            "certificates",
            "create an authority and the certificates of a server and a client",
            declared.Named(StreamOptions.KeyName) with { Help = "kind of key", Default = nameof(TlsKey.Rsa4096) },
            s_password,
            RunOptions.Force with { Help = "replace existing files" }) => Add(_folder);

    public override async Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        string folder = parsed.GetValue(_folder)!;
        TlsKey key = parsed.Argument(StreamOptions.KeyName) is { } text ? OptionValues.Choice<TlsKey>(StreamOptions.KeyName, text) : TlsKey.Rsa4096;
        bool replace = parsed.Has(RunOptions.Force);
        string password = PasswordOf(parsed.Argument(s_password));
        CertificateFolder.RequireNew(folder, replace);
        CertificateSet set = CertificateMaker.MakeSet(key, [], DateTimeOffset.UtcNow + s_lifetime);
        foreach (string file in CertificateFolder.Write(folder, set, password, replace))
        {
            await context.Output.WriteLineAsync(Path.Combine(folder, file));
        }

        return ExitCode.Success;
    }

    private static string PasswordOf(string? file)
    {
        try
        {
            return file is null
                ? Environment.GetEnvironmentVariable(PasswordVariable) ?? string.Empty
                : File.ReadLines(OptionValues.RegularFile(file)).First();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw OptionValues.Rejected(s_password.Name, $"{FileError.Describe(file!, exception)}.", exception);
        }
    }
}
