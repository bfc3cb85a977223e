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

    private readonly IReadOnlyCollection<string> _libraries;
    private readonly Option<string> _library;
    private readonly Option<string?> _protocol = Chosen("--protocol", "-P", "transport protocol", LoadOptions.ProtocolNames);
    private readonly Option<string?> _transmission = Chosen("--transmission", "-r", "delivery of datagrams", Enum.GetNames<Transmission>());

    private readonly Option<string?> _only = new("--only")
    {
        HelpName = "NAME",
        Description = $"one check alone; options [{string.Join(", ", ConformanceChecks.All.Select(check => check.Name))}]",
    };

    private readonly Option<bool> _json = new(RunOptions.Json.Name) { Description = "print the verdicts as JSON" };

    public CheckCommand(IReadOnlyCollection<string> libraries)
        : base(CommandName, "check whether a library meets the requirements for every library")
    {
        _libraries = libraries;
        _library = new Option<string>(LibraryOptions.LibraryName, "-l") { HelpName = "VALUE", Description = "library to check", Required = true };
        _library.CompletionSources.Add([.. libraries]);
        Add(_library);
        Add(_protocol);
        Add(_transmission);
        _only.CompletionSources.Add([.. ConformanceChecks.All.Select(check => check.Name)]);
        Add(_only);
        Add(_json);

        // The program has loaded them before, since their libraries are valid values.
        Add(new Option<string[]>(LibraryOptions.LoadName) { HelpName = "PATH", Description = "assembly with further libraries" });
    }

    public override async Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        string name = OptionValues.Choice(LibraryOptions.LibraryName, parsed.GetValue(_library)!, _libraries);
        LibraryInfo library = PlanCheck.FindLibrary(context.Catalog, name).Info;
        string[] names = [.. ConformanceChecks.All.Select(check => check.Name)];
        IEnumerable<ConformanceCheck> checks = parsed.GetValue(_only) is { } only
            ? [ConformanceChecks.Find(OptionValues.Choice(_only.Name, only, names))]
            : ConformanceChecks.All;
        bool isJson = parsed.GetValue(_json);
        var verdicts = new List<JsonVerdict>();
        foreach (RunPlan plan in PlansFor(library, parsed, context))
        {
            var run = new ConformanceRun(plan, library.Over(plan.Protocol), () => new AgentProcess(AgentRole.Check), s_deadline);
            string transport = plan.Protocol.IsStream() ? plan.Protocol.OptionText() : $"{plan.Protocol.OptionText()} {plan.Transmission}";
            await foreach (CheckResult result in run.RunAsync(checks, context.Aborted).ConfigureAwait(false))
            {
                verdicts.Add(new JsonVerdict(library.Name, transport, result.Check, Describe(result.Verdict), result.Reason));
                string reason = result.Reason is null ? string.Empty : $": {result.Reason}";
                string line = $"{Describe(result.Verdict),-16}{transport}, {result.Check}{reason}";
                await (isJson ? context.Errors : context.Output).WriteLineAsync(line).ConfigureAwait(false);
            }
        }

        string counts = string.Join(", ", Enum.GetValues<CheckVerdict>().Select(Describe)
            .Select(verdict => $"{verdicts.Count(each => each.Verdict == verdict)} {verdict}"));
        await context.Output.WriteLineAsync(isJson ? JsonSerializer.Serialize(verdicts, s_jsonOptions) : counts).ConfigureAwait(false);
        return verdicts.TrueForAll(each => each.Verdict != Describe(CheckVerdict.Failed)) ? ExitCode.Success : ExitCode.Failed;
    }

    private List<RunPlan> PlansFor(LibraryInfo library, ParseResult parsed, CommandContext context)
    {
        Rule.Check([new(LibraryOptions.LibraryName, !library.CarriesMessages, () =>
            $"{library.Name} answers HTTP requests only, so no check is applicable. Use another library.")]);
        Protocol? protocol = parsed.GetValue(_protocol) is { } text ? LoadOptions.ParseProtocol(text) : null;
        Transmission? transmission = parsed.GetValue(_transmission) is { } delivery ? OptionValues.Choice<Transmission>(_transmission.Name, delivery) : null;
        IReadOnlyList<Protocol> protocols = protocol is { } requested ? [requested] : library.Protocols;
        List<RunPlan> plans =
        [
            .. from each in protocols
               from offered in library.TransmissionsOver(each)
               where transmission is null || transmission == offered.Transmission
               select PlanFor(library, each, offered.Transmission, context),
        ];
        Rule.Check([new(_transmission.Name, plans.Count == 0, () =>
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

    private static Option<string?> Chosen(string name, string alias, string description, IReadOnlyList<string> values)
    {
        var option = new Option<string?>(name, alias)
        {
            HelpName = "VALUE",
            Description = $"{description}; options [{string.Join(", ", values)}] [default: all of the library]",
        };
        option.CompletionSources.Add([.. values]);
        return option;
    }

    private sealed record JsonVerdict(string Library, string Transport, string Check, string Verdict, string? Reason);
}
