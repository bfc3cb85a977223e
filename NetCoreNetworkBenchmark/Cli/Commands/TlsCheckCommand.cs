using System.CommandLine;
using System.Security.Cryptography.X509Certificates;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Roles;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Shows whether a TLS server resumes sessions, by its connections per second without and with kept sessions, as wrk does.</summary>
internal sealed class TlsCheckCommand : CommandWithoutLoad
{
    private const string DefaultClients = "10";
    private const string DefaultDuration = "3";
    private const int MaxClients = 1000;
    private const double MaxSeconds = 60;
    private const string Url = "URL";
    private const string WithoutKeyExchange = "A resumed handshake of TLS 1.2 has no key exchange (RFC 5246, 7.3), which one of TLS 1.3 usually has.";
    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(0.5);
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(5);

    private readonly Argument<string> _url = new(Url) { Description = "address of the server, such as https://localhost:8443/" };

    public TlsCheckCommand(IReadOnlyList<PlanOption> declared)
        : base(
            "tls-check",
            "show whether a TLS server resumes sessions, and what that does to its rate",
            declared.Named(StreamOptions.AuthorityName) with { Help = "root certificate that verifies the server", Default = "those of the system" },
            declared.Named(LoadOptions.ClientsName) with { Default = DefaultClients },
            declared.Named(LoadOptions.DurationName) with
            {
                Help = "duration of each of the two measurements in seconds, or as 500ms",
                Default = DefaultDuration,
            }) => Add(_url);

    public override async Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        string text = parsed.GetValue(_url)!;
        Uri url = Uri.TryCreate(text, UriKind.Absolute, out Uri? read) && read.Scheme == Uri.UriSchemeHttps
            ? read
            : throw OptionValues.Invalid(Url, text, "an address such as https://localhost:8443/");
        string? file = parsed.Argument(StreamOptions.AuthorityName);
        string authority = file is null ? AuthoritiesOfSystem() : SuppliedCertificate.ReadAuthority(file);
        RunPlan plan = new RunPlan
        {
            Library = string.Empty,
            Protocol = Protocol.Ssl,
            Clients = OptionValues.WholeNumber(LoadOptions.ClientsName, parsed.Argument(LoadOptions.ClientsName) ?? DefaultClients, 1, MaxClients),
            WarmUp = s_warmUp,
            Duration = PlanValues.Seconds(LoadOptions.DurationName, parsed.Argument(LoadOptions.DurationName) ?? DefaultDuration, 0.1, MaxSeconds),
            ConnectDeadline = s_deadline,
            AnyMachine = true,
        }.WithWorkloadOption("--path", url.PathAndQuery);
        IPEndPoint server = await FindAsync(url, context.Aborted);
        plan = plan with { Address = $"{server.Address}", Port = server.Port, Tls = new TlsPlan { ServerName = url.IdnHost } };
        try
        {
            RunResult without = await MeasureAsync(plan, TlsPlan.NoResumption, authority, context);
            return Report(url, without, await MeasureAsync(plan, TlsPlan.ByTicket, authority, context), context);
        }
        catch (BenchmarkException exception) when (file is null && !exception.IsBadInput)
        {
            throw new BenchmarkException($"{exception.Message} {StreamOptions.AuthorityName} PEM is the root certificate that verifies the server.", exception);
        }
    }

    private async Task<RunResult> MeasureAsync(RunPlan plan, string resumption, string authority, CommandContext context)
    {
        IWorkload workload = context.Catalog.Workloads.OfType<IConnectionWorkload>().First(test => test.GetType().Assembly == BuiltIn.Workloads);
        LibraryInfo library = ClientLibraries.FastestOfAll(workload, Protocol.Ssl, context.Catalog.Infos)
            ?? throw new BenchmarkException($"{Name} requires OpenSSL 3 on Linux, which was not found here.") { IsBadInput = true };
        RunPlan complete = workload.Complete(
            plan with { Library = library.Name, Test = workload.Name, Tls = plan.Tls with { Resumption = resumption } });
        ParticipantGroup participants = await Placement.AtSeparateServerAsync(
            complete, context.Catalog.CreateLibrary(library.Name)!, workload, clientLibrary: null, context.Aborted, authority);
        return await new Run(complete, library, workload, participants).RunAsync(context.Aborted);
    }

    internal static int Report(Uri url, RunResult without, RunResult keeping, CommandContext context)
    {
        bool hasHandshakes = without.Clients.Handshakes.Count > 0;
        if (hasHandshakes)
        {
            context.Output.WriteLine($"{url.Authority}: {Describe(without.Clients.Handshakes[0])}");
            context.Show(
                ["clients", "connections/s", "full handshakes", "resumed"], [RowOf("bring no session", without), RowOf("keep their session", keeping)]);
        }

        if (hasHandshakes && without.MessagesPerSecond > 0 && keeping.MessagesPerSecond > 0)
        {
            context.Output.WriteLine(Conclude(without, keeping));
        }

        // A server that resumes nothing is an answer here, and no fault.
        string[] faults = [.. ((RunResult[])[without, keeping]).Where(HasFailed).SelectMany(result => result.Verdict.Faults).Distinct()];
        context.Notify("Invalid", faults);
        return faults.Length == 0 ? ExitCode.Success : ExitCode.Failed;
    }

    private static string Describe(NegotiatedTls agreed)
    {
        string group = agreed.Group is null ? string.Empty : $", group {agreed.Group}";
        return $"TLS {agreed.Version}, {agreed.Cipher}{group}, certificate with the key {agreed.Key ?? "of another kind"}";
    }

    private static bool HasFailed(RunResult result) => result.Clients.Aborted || result.Errors + result.Lost > 0 || result.Messages.ClientReceived == 0;

    private static async Task<IPEndPoint> FindAsync(Uri url, CancellationToken cancellationToken)
    {
        IPAddress[] addresses;
        try
        {
            addresses = await Dns.GetHostAddressesAsync(url.IdnHost, cancellationToken).WaitAsync(s_deadline, cancellationToken);
        }
        catch (Exception exception) when (exception is SocketException or TimeoutException)
        {
            throw BenchmarkException.BadInput($"{Url}: the host \"{url.IdnHost}\" cannot be resolved. Use one such as localhost.", exception);
        }

        IPEndPoint[] candidates = [.. addresses.Select(address => new IPEndPoint(address, url.Port))];
        return await ServerSearch.FindAsync(Protocol.Ssl, candidates, cancellationToken)
            ?? throw new BenchmarkException($"No server accepts connections at {string.Join(" or ", (object[])candidates)}. Start it, or correct the address.");
    }

    private static string AuthoritiesOfSystem()
    {
        using var store = new X509Store(StoreName.Root, StoreLocation.LocalMachine, OpenFlags.ReadOnly);
        string all = string.Join('\n', store.Certificates.Select(certificate => certificate.ExportCertificatePem()));
        return all.Length > 0 ? all : throw OptionValues.Rejected(StreamOptions.AuthorityName, "this system trusts no certificates. Pass a PEM file with one.");
    }

    private static string[] RowOf(string clients, RunResult result) =>
    [
        clients, Invariant($"{result.MessagesPerSecond:N0}"), CountOf(result, resumed: false), CountOf(result, resumed: true),
    ];

    private static string CountOf(RunResult result, bool resumed)
    {
        double share = ShareOfResumed(result);
        long count = result.Clients.Handshakes.Where(handshake => handshake.Resumed == resumed).Sum(handshake => handshake.Count);
        return Invariant($"{count:N0} ({100 * (resumed ? share : 1 - share):0.#} %)");
    }

    private static double ShareOfResumed(RunResult result)
    {
        long all = result.Clients.Handshakes.Sum(handshake => handshake.Count);
        return all == 0 ? 0 : (double)result.Clients.Handshakes.Where(handshake => handshake.Resumed == true).Sum(handshake => handshake.Count) / all;
    }

    private static string Conclude(RunResult without, RunResult keeping)
    {
        double share = ShareOfResumed(keeping);
        NegotiatedTls? resumed = keeping.Clients.Handshakes.FirstOrDefault(handshake => handshake.Resumed == true);
        double ratio = keeping.MessagesPerSecond / without.MessagesPerSecond;
        return resumed is null
            ? "This server does not resume: all handshakes were full ones, so a rate that wrk reports is of full handshakes."
            : Invariant($"This server resumes: clients that keep their session, as wrk does, resumed it in {100 * share:0.#} % of the handshakes ") +
                Invariant($"(by {resumed.ResumedBy}), at {ratio:0.0} times the rate, so a rate that wrk reports is of ") +
                (share > 0.5 ? "resumed handshakes." : "both kinds.") +
                (resumed.Version == "1.2" ? $" {WithoutKeyExchange}" : string.Empty);
    }
}
