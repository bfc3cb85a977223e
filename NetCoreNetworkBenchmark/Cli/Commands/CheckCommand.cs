using System.CommandLine;
using System.Text.Json;
using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Conformance;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal sealed class CheckCommand : CommandWithoutLoad
{
    public const string CommandName = "check";

    private static readonly TimeSpan s_stepDeadline = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_stopDeadline = TimeSpan.FromSeconds(3);

    // Some checks have several steps.
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);

    private static readonly JsonSerializerOptions s_jsonOptions = new(JsonSerializerDefaults.Web) { WriteIndented = true };

    private const string AllOfLibrary = "all of the library";

    private static readonly PlanOption s_only = new("--only", "one check alone")
    {
        ValueName = "NAME",
        Choices = [.. ConformanceChecks.All.Select(check => check.Name)],
    };

    private readonly IReadOnlyCollection<string> _libraries;

    public CheckCommand(IReadOnlyCollection<PlanOption> declared, IReadOnlyCollection<string> libraries)
        : base(
            CommandName,
            "check whether a library meets the requirements for every library",
            declared.Named(LibraryOptions.LibraryName) with { Help = "library to check", DefaultOf = null },
            declared.Named(LoadOptions.ProtocolName) with { Default = AllOfLibrary },
            declared.Named(LoadOptions.TransmissionName) with { Default = AllOfLibrary },
            s_only,
            RunOptions.Json with { Help = "print the verdicts as JSON" },

            // The program has loaded them before, since their libraries are valid values.
            declared.Named(LibraryOptions.LoadName) with { Help = "assembly with further libraries" })
    {
        _libraries = libraries;
        Options.Single(option => option.Name == LibraryOptions.LibraryName).Required = true;
    }

    public override async Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        string name = OptionValues.Choice(LibraryOptions.LibraryName, parsed.Argument(LibraryOptions.LibraryName)!, _libraries);
        LibraryInfo library = PlanCheck.FindLibrary(context.Catalog, name).Info;
        IEnumerable<ConformanceCheck> checks = parsed.Argument(s_only) is { } only
            ? [ConformanceChecks.Find(OptionValues.Choice(s_only.Name, only, s_only.Choices))]
            : ConformanceChecks.All;
        bool isJson = parsed.Has(RunOptions.Json);
        var verdicts = new List<JsonVerdict>();
        foreach (RunPlan plan in PlansFor(library, parsed, context))
        {
            var run = new ConformanceRun(plan, library.Over(plan.Protocol), () => new AgentProcess(AgentRole.Check), s_deadline);
            string transport = plan.Protocol.IsStream() ? plan.Protocol.OptionText() : $"{plan.Protocol.OptionText()} {plan.Transmission}";
            await foreach (CheckResult result in run.RunAsync(checks, context.Aborted))
            {
                verdicts.Add(new JsonVerdict(library.Name, transport, result.Check, Describe(result.Verdict), result.Reason));
                string reason = result.Reason is null ? string.Empty : $": {result.Reason}";
                string line = $"{Describe(result.Verdict),-16}{transport}, {result.Check}{reason}";
                await (isJson ? context.Errors : context.Output).WriteLineAsync(line);
            }
        }

        string counts = string.Join(", ", Enum.GetValues<CheckVerdict>().Select(Describe)
            .Select(verdict => $"{verdicts.Count(each => each.Verdict == verdict)} {verdict}"));
        await context.Output.WriteLineAsync(isJson ? JsonSerializer.Serialize(verdicts, s_jsonOptions) : counts);
        return verdicts.TrueForAll(each => each.Verdict != Describe(CheckVerdict.Failed)) ? ExitCode.Success : ExitCode.Failed;
    }

    private static List<RunPlan> PlansFor(LibraryInfo library, ParseResult parsed, CommandContext context)
    {
        Rule.Check([new(LibraryOptions.LibraryName, !library.CarriesMessages, () =>
            $"{library.Name} answers HTTP requests only, so no check is applicable. Use another library.")]);
        Protocol? protocol = parsed.Argument(LoadOptions.ProtocolName) is { } text ? LoadOptions.ParseProtocol(text) : null;
        Transmission? transmission = parsed.Argument(LoadOptions.TransmissionName) is { } delivery
            ? OptionValues.Choice<Transmission>(LoadOptions.TransmissionName, delivery)
            : null;
        IReadOnlyList<Protocol> protocols = protocol is { } requested ? [requested] : library.Protocols;
        List<RunPlan> plans =
        [
            .. from each in protocols
               from offered in library.TransmissionsOver(each)
               where transmission is null || transmission == offered.Transmission
               select PlanFor(library, each, offered.Transmission, context),
        ];
        Rule.Check([new(LoadOptions.TransmissionName, plans.Count == 0, () =>
            $"{library.Name} has no {transmission} delivery over {OptionValues.Or([.. protocols.Select(each => each.OptionText())])}. Omit it.")]);
        return plans;
    }

    private static RunPlan PlanFor(LibraryInfo library, Protocol protocol, Transmission transmission, CommandContext context)
    {
        var plan = new RunPlan
        {
            Library = library.Name,
            Assemblies = context.Catalog.Loaded,
            Address = (library.Addresses == AddressSupport.IPv4 ? IPAddress.Loopback : LoopbackAddress.Find()).ToString(),
            Test = context.Catalog.DefaultWorkload.Name,
            Protocol = protocol,
            Transmission = transmission,
            Tls = new TlsPlan { Key = TlsKey.P256 },
            ClientThreads = 1,
            ConnectDeadline = s_stepDeadline,
            StopDeadline = s_stopDeadline,
        };
        PlanCheck.CheckProtocol(plan, library, context.Catalog);
        return plan with { ClientLibrary = PlanCheck.FindClients(plan, library, context.Catalog)?.Info.Name };
    }

    private static string Describe(CheckVerdict verdict) => verdict == CheckVerdict.NotApplicable ? "not applicable" : $"{verdict}".ToLowerInvariant();

    private sealed record JsonVerdict(string Library, string Transport, string Check, string Verdict, string? Reason);
}
