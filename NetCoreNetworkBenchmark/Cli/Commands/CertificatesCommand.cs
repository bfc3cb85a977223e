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
    private readonly Option<string> _key = new(StreamOptions.KeyName)
    {
        HelpName = "VALUE",
        Description = $"kind of key; options [{string.Join(", ", Enum.GetNames<TlsKey>())}]",
        DefaultValueFactory = _ => nameof(TlsKey.Rsa4096),
        CompletionSources = { Enum.GetNames<TlsKey>() },
    };
    private readonly Option<string?> _password = new("--password-file")
    {
        HelpName = "FILE",
        Description = $"file whose first line is the password of the .pfx files [default: the variable {PasswordVariable}, or none]",
    };
    private readonly Option<bool> _force = new("--force") { Description = "replace existing files" };

    public CertificatesCommand()
        : base("certificates", "create an authority and the certificates of a server and a client")
    {
        Add(_folder);
        Add(_key);
        Add(_password);
        Add(_force);
    }

    public override async Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        string folder = parsed.GetValue(_folder)!;
        TlsKey key = OptionValues.Choice<TlsKey>(_key.Name, parsed.GetValue(_key)!);
        bool replace = parsed.GetValue(_force);
        string password = PasswordOf(parsed.GetValue(_password));
        CertificateFolder.RequireNew(folder, replace);
        CertificateSet set = CertificateMaker.MakeSet(key, [], DateTimeOffset.UtcNow + s_lifetime);
        foreach (string file in CertificateFolder.Write(folder, set, password, replace))
        {
            await context.Output.WriteLineAsync(Path.Combine(folder, file)).ConfigureAwait(false);
        }

        return ExitCode.Success;
    }

    private string PasswordOf(string? file)
    {
        try
        {
            return file is null
                ? Environment.GetEnvironmentVariable(PasswordVariable) ?? string.Empty
                : File.ReadLines(OptionValues.RegularFile(file)).First();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw OptionValues.Rejected(_password.Name, $"{FileError.Describe(file!, exception)}.", exception);
        }
    }
}
