using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Parsing;
using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Commands;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli;

internal sealed class CommandLine
{
    private const string Quotes = "\"'\u201c\u201d\u201e";
    private const string QuotedList = "Values with spaces are one argument in quotes, such as --clients \"1, 100\".";

    private readonly IReadOnlyCollection<IWorkload> _workloads;
    private readonly IReadOnlyCollection<IBenchmarkPart> _parts;
    private readonly IReadOnlyCollection<string> _libraries;
    private readonly IReadOnlyCollection<string> _packages;
    private readonly Func<IEnumerable<string>> _settings;
    private readonly PlanOption[] _load;
    private readonly PlanOption[] _options;
    private readonly RegressOptions _regress = new();
    private readonly RootCommand _root = new("Measures .NET network libraries: one of them under a load, or all of them with -b.");

    /// <param name="libraries">The names that <c>-l</c> accepts, including libraries that are not in this build, to report the reason.</param>
    /// <param name="packages">Those of the libraries that are packages with versions; null for all.</param>
    /// <param name="settings">Returns the values of <c>--set</c>. Only a shell asks for them, because each library has to be created for it.</param>
    public CommandLine(
        IReadOnlyCollection<IWorkload> workloads,
        IReadOnlyCollection<IBenchmarkPart> parts,
        IReadOnlyCollection<string> libraries,
        IReadOnlyCollection<string> formats,
        IReadOnlyCollection<string>? packages = null,
        Func<IEnumerable<string>>? settings = null)
    {
        _settings = settings ?? (() => []);
        _packages = packages ?? libraries;
        _workloads = workloads;
        _parts = parts;
        _libraries = libraries;
        _load =
        [
            .. PlanOptions.For(
                [.. workloads.Select(workload => workload.Name)], libraries, workloads.Single(workload => workload.IsDefault).Name),
            .. workloads.SelectMany(workload => workload.Options.Select(option => PlanOption.ForTest(workload.Name, option))),
        ];
        _options = [.. _load, .. RunOptions.With([.. parts.Select(part => part.Name).Where(name => name != PredefinedBenchmarks.Whole)])];
        ThrowIfTaken();
        foreach (PlanOption option in _options)
        {
            Option added = GivenOptions.Make(option);
            added.Recursive = option == RunOptions.Verbose;
            _root.Add(added);
        }

        foreach (Command command in (Command[])
        [
            new CompareCommand(_options, formats), new ReportCommand(formats), new CertificatesCommand(_options), new CheckCommand(_options, libraries),
            new TlsCheckCommand(_options), new CompletionCommand(), _regress,
        ])
        {
            _root.Add(command);
        }

        // Suggestions are made before the parser sees the line.
        _root.Directives.Clear();
        HelpOption help = _root.Options.OfType<HelpOption>().Single();
        help.Action = new HelpPage(_root, _options, workloads, (HelpAction)help.Action!);

        // Without an action, a command with subcommands requires one of them.
        _root.SetAction(_ => ExitCode.Success);
    }

    public ParseResult Parse(IReadOnlyList<string> arguments)
    {
        var configuration = new ParserConfiguration { ResponseFileTokenReplacer = null };
        ParseResult parsed = _root.Parse(arguments, configuration);
        return parsed.CommandResult.Command == _regress && _regress.Complete(_load) ? _root.Parse(arguments, configuration) : parsed;
    }

    /// <summary>Null if the arguments do not request suggestions (<c>[suggest:POSITION]</c>).</summary>
    public IReadOnlyList<string>? SuggestionsFor(IReadOnlyList<string> arguments) =>
        Suggestions.LineOf(arguments) is { } line ? new Suggestions(Parse, ValidValues).For(line) : null;

    public bool IsHelpOrVersion(ParseResult parsed) =>
        parsed.Action is HelpPage ? HelpPage.IsTopic(parsed.UnmatchedTokens)
        : parsed.Action is not null && parsed.Action != _root.Action && parsed.UnmatchedTokens.Count == 0 && parsed.Errors.Count == 0;

    public CommandWithoutLoad? CommandWithoutLoadOf(ParseResult parsed)
    {
        ThrowIfWrong(parsed);
        return parsed.CommandResult.Command as CommandWithoutLoad;
    }

    public CliRequest Read(ParseResult parsed)
    {
        ThrowIfWrong(parsed);
        bool isRegress = parsed.CommandResult.Command == _regress;
        IReadOnlyList<string>? Arguments(PlanOption option) => parsed.Arguments(option.Name);
        IReadOnlyList<RunPlan> plans = PlanOptions.ReadAll(_options, Arguments);
        IWorkload? workload = _workloads.FirstOrDefault(candidate => candidate.Name == plans[0].Test);
        var request = new CliRequest(parsed)
        {
            Action = isRegress ? CliAction.Regress : ActionOf(parsed, workload is { FindsMostClients: true }),
            Plan = plans[0],
            Plans = plans,
            Varied = PlanOptions.Varied(_options, Arguments),
            BenchmarkPart = FindPart(parsed.Argument(RunOptions.Benchmark) ?? PredefinedBenchmarks.Whole),
            Given = [.. _options.Where(option => parsed.Has(option)).Select(option => option.Name)],
            Regress = isRegress ? _regress.Read(parsed, _load) : null,
            BenchmarkArguments = [.. _load.Where(option => option.IsForBenchmark).SelectMany(option => ArgumentsOf(option, plans, parsed))],
        };
        if (VersionRequest.Read(request, _libraries, _packages) is { } versions)
        {
            request = request.WithPlans(plan => plan with { Library = versions.Library }) with { Versions = versions };
        }

        new OptionRules(_options, workload, request).Check();
        return request;
    }

    // The parser has its own options, and an option that is declared twice, or has no valid name, would end every command.
    private void ThrowIfTaken()
    {
        HashSet<string> names = [.. _root.Options.SelectMany(option => option.Aliases.Append(option.Name))];
        foreach (PlanOption option in _options.OrderBy(option => IsOfTest(option.Name)))
        {
            if (!names.Add(option.Name) || !option.Name.StartsWith("--", StringComparison.Ordinal)
                || !option.Name.All(letter => char.IsAsciiLetterOrDigit(letter) || letter == '-'))
            {
                IWorkload test = _workloads.Last(workload => workload.Options.Any(declared => declared.Name == option.Name));
                throw BenchmarkException.BadInput(
                    $"{LibraryOptions.LoadName}: the test '{test.Name}' declares the option '{option.Name}', " +
                        "which is not a valid name or is declared already. Rename it in the test.");
            }
        }
    }

    private IBenchmarkPart FindPart(string text)
    {
        string name = OptionValues.Choice(RunOptions.Benchmark.Name, text, [.. _parts.Select(part => part.Name)]);
        return _parts.Single(part => part.Name == name);
    }

    private bool IsOfTest(string option) => _workloads.Any(workload => workload.Options.Any(declared => declared.Name == option));

    private (IReadOnlyCollection<string> Values, bool TakesSeveral) ValidValues(string option) =>
        option == RunOptions.Baseline.Name ? (_libraries, false)
        : option == LibraryOptions.SetName ? ([.. _settings()], false)
        : option == HelpPage.Option ? (HelpPage.Topics, false)
        : Array.Find(_options, candidate => candidate.Name == option) is { } found ? (found.Completions, found.TakesSeveral)
        : ([], false);

    // Settings are not in the plan before the libraries are known.
    private static IEnumerable<string> ArgumentsOf(PlanOption option, IReadOnlyList<RunPlan> plans, ParseResult parsed) =>
        parsed.Arguments(option.Name) is not { } texts ? []
        : option.Kind == OptionKind.Values ? texts.SelectMany(text => (string[])[option.Name, text])
        : option.TakesSeveral ? [option.Name, option.FormatValues(plans)]
        : option.ArgumentsOf(plans[0]);

    private static CliAction ActionOf(ParseResult parsed, bool findsMostClients) => RunOptions.RoleOf(parsed) switch
    {
        _ when parsed.Has(RunOptions.List) => CliAction.List,
        _ when parsed.Has(RunOptions.ListNetworks) => CliAction.ListNetworks,
        _ when parsed.Has(RunOptions.Undeploy) => CliAction.Undeploy,
        _ when parsed.Has(RunOptions.HostsCheck) => CliAction.HostsCheck,
        _ when parsed.Has(RunOptions.Benchmark) => CliAction.Benchmark,
        Role.Server => CliAction.Server,
        Role.Client => CliAction.Client,
        _ when findsMostClients => CliAction.CapacitySearch,
        _ => parsed.Has(RunOptions.Sweep) ? CliAction.Sweep : CliAction.Run,
    };

    private void ThrowIfWrong(ParseResult parsed)
    {
        // The parser passes over a directive that it does not know, and a run would start.
        if (parsed.Tokens.FirstOrDefault(token => token.Type == TokenType.Directive) is { } directive)
        {
            throw BenchmarkException.BadInput($"Unknown directive \"{directive.Value}\". Shells use [suggest:POSITION]. See --help.");
        }

        if (parsed.Action is HelpPage && parsed.UnmatchedTokens is [var topic] && !topic.StartsWith('-'))
        {
            throw OptionValues.NotOneOf(HelpPage.Option, topic, string.Empty, HelpPage.Topics);
        }

        // An argument that may be left out takes an option that the command does not know.
        string[] inArguments =
        [
            .. parsed.CommandResult.Children.OfType<ArgumentResult>().SelectMany(argument => argument.Tokens).Select(token => token.Value)
                .Where(value => value.StartsWith('-')),
        ];
        if (inArguments.Concat(parsed.UnmatchedTokens).FirstOrDefault() is { } token)
        {
            if (token == RegressOptions.FormerName)
            {
                throw BenchmarkException.BadInput(
                    $"{token} is {RegressOptions.CommandName} now: {RegressOptions.CommandName} OLD [NEW]. See {RegressOptions.CommandName} --help.");
            }

            string name = token.Split('=', ':')[0];
            IEnumerable<string> valid = parsed.CommandResult.Command.Options.Where(option => !option.Hidden)
                .SelectMany(option => option.Aliases.Append(option.Name)).Where(alias => alias.StartsWith("--", StringComparison.Ordinal));
            throw BenchmarkException.BadInput(token.StartsWith('-')
                ? $"Unknown option {name}.{Suggestion.Sentence(name, valid)} See --help."
                : $"Unknown argument \"{token}\". {(IsPartOfList(parsed, token) ? QuotedList : "A value follows its option, such as --clients 100.")}" +
                    $"{Suggestion.Sentence(token, _root.Subcommands.Select(command => command.Name))} See --help.");
        }

        if (parsed.Errors is [var error, ..])
        {
            throw BenchmarkException.BadInput($"{(MissingIn(error.SymbolResult) ?? error.Message).TrimEnd('.')}. See --help.");
        }
    }

    // A shell divides a list with spaces, unless it is in quotes.
    private static bool IsPartOfList(ParseResult parsed, string token) =>
        token.Any(Quotes.Contains) || parsed.Tokens.Any(other => other.Value.EndsWith(','));

    // The parser's sentence has neither the form of the value nor the valid ones.
    private string? MissingIn(SymbolResult? result) => result switch
    {
        OptionResult { Tokens.Count: 0, IdentifierToken: { } name } found when Array.Find(_options, option => option.Name == found.Option.Name) is { } option =>
            $"{name.Value} requires a value: {option.Usage}",
        ArgumentResult { Tokens.Count: 0, Parent: CommandResult command } found => MissingIn(command.Command, found.Argument),
        CommandResult { Command: { Arguments.Count: > 0 } command } found
            when command.Arguments.FirstOrDefault(argument => found.GetResult(argument) is not { Tokens.Count: > 0 }) is { } argument =>
            MissingIn(command, argument),
        _ => null,
    };

    private static string MissingIn(Command command, Argument argument) => $"{command.Name} requires {argument.Name}: {argument.Description}";
}
