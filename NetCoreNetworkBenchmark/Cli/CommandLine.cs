using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Commands;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Scenarios;

using static NetCoreNetworkBenchmark.Cli.LoadOptions;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>The options and commands: names, defaults, help, and the request that they express.</summary>
internal sealed class CommandLine
{
    private const int MostLaunches = 1_000;

    private readonly LoadOptions _load;
    private readonly SideOptions _sides = new();
    private readonly ImpairmentOptions _impairment = new();
    private readonly StreamOptions _stream;
    private readonly TlsOptions _tls = new();
    private readonly MaxClientsOptions _maxClients = new();
    private readonly Option<string?> _benchmark = new("--benchmark", "-b")
    {
        HelpName = "PART",
        Arity = ArgumentArity.ZeroOrOne,
        Description = "run the predefined full benchmark with all tests and libraries, ignores all other (load) settings but --profile, --set and --pin; " +
            "-b=PART runs a part; options [udp, tcp, ssl, quick]",
    };
    private readonly Option<bool> _continue = new("--continue")
    {
        Description = "with -b: go on where it stopped, with the launches that were saved in its folder; the other options must be the same",
    };
    private readonly Option<string> _role = Value(
        "--role", null, $"what this process is; options [{Names<Role>()}]; a server runs until Ctrl+C, clients need its --address", Role.Both);
    private readonly Option<string> _launches = new("--launches")
    {
        HelpName = "VALUE",
        Description = "fresh processes that measure the same, for the spread between them " +
            $"[default with -b: {PredefinedBenchmarks.Launches}, {PredefinedBenchmarks.MatrixLaunches} for round trip and multicast]",
    };
    private readonly Option<bool> _sweep = new("--sweep")
    {
        Description = "find the highest rate at which every --limit holds and nothing is lost, from --rate on",
    };
    private readonly Option<string[]> _limits = new("--limit")
    {
        HelpName = "pN=TIME",
        Description = "with --sweep: a percentile of the round trips and its longest time, such as p99=5ms; more than once for several",
    };
    private readonly Option<string> _output = new("--output", "-o")
    {
        HelpName = "DIR",
        Description = "folder for the result files; with -b a folder of the machine's name in it [default with -b: Benchmarks, but none with -b=quick; " +
            "with --microbenchmarks: Benchmarks/Microbenchmarks]",
    };
    private readonly Option<bool> _json = new("--json") { Description = "print the result as JSON on standard output, and nothing else there" };
    private readonly Option<bool> _list = new("--list")
    {
        Description = "show the libraries: in this build or why not, version, protocols, most clients, overhead, settings",
    };
    private readonly Option<bool> _microbenchmarks = new("--microbenchmarks")
    {
        Description = "run BenchmarkDotNet over the harness' own hot paths, for about a minute; all load settings are ignored",
    };
    private readonly Option<bool> _verbose = new("--verbose") { Description = "show what a run is doing and where an error came from", Recursive = true };
    private readonly Option<bool> _agent = new(AgentProcess.Option) { Hidden = true };
    private readonly Option<string> _benchmarkDuration = Hidden("--benchmark-duration", PredefinedBenchmarks.Duration.TotalSeconds);
    private readonly Option<string> _benchmarkPort = Hidden("--benchmark-port", 3333);
    private readonly Option<string> _benchmarkDeadline = new("--benchmark-deadline") { Hidden = true };
    private readonly Option<string> _microbenchmarkTime = Hidden("--microbenchmark-time", 0.25);
    private readonly IReadOnlyList<IFileCommand> _fileCommands;
    private readonly RootCommand _root;

    /// <summary>Creates the options.</summary>
    /// <param name="tests">The names that <c>-t</c> accepts.</param>
    /// <param name="libraries">The names that <c>-l</c> accepts, including libraries that are not in this build, to report the reason.</param>
    /// <param name="formats">The names of the report formats.</param>
    public CommandLine(IReadOnlyCollection<string> tests, IReadOnlyCollection<string> libraries, IReadOnlyCollection<string> formats)
    {
        _load = new LoadOptions(tests, libraries);
        _stream = new StreamOptions(libraries);
        _fileCommands = [new CompareCommand(), new MergeCommand(), new ReportCommand(formats), new CertificatesCommand()];
        _root = new RootCommand("Benchmark of .NET network libraries: message round trips over one library, or over all of them with -b.");
        foreach (Option option in (Option[])
        [
            _benchmark, _continue, .. _load.All, .. _stream.All, .. _tls.All, .. _sides.All, .. _impairment.All, _role, _launches, _sweep, _limits,
            .. _maxClients.All, _output, _json, _list, _microbenchmarks, _verbose, _agent, _benchmarkDuration, _benchmarkPort, _benchmarkDeadline,
            _microbenchmarkTime,
        ])
        {
            _root.Add(option);
        }

        foreach (IFileCommand command in _fileCommands)
        {
            _root.Add(command.Command);
        }

        // Without an action, a command with subcommands requires one of them.
        _root.SetAction(_ => ExitCode.Success);
    }

    private enum Role
    {
        Both,
        Server,
        Client,
    }

    /// <summary>Parses the arguments. Response files (@file) are not supported.</summary>
    public ParseResult Parse(IReadOnlyList<string> arguments) =>
        _root.Parse(arguments, new ParserConfiguration { ResponseFileTokenReplacer = null });

    /// <summary>Whether help or the version is requested, which the parser shows itself.</summary>
    public bool IsForParser(ParseResult parsed) =>
        parsed.Action is not null && parsed.Action != _root.Action && parsed.UnmatchedTokens.Count == 0 && parsed.Errors.Count == 0;

    /// <summary>Returns the command that works on files; null if a load is requested.</summary>
    /// <exception cref="BenchmarkException">An option is not valid.</exception>
    public IFileCommand? FileCommandOf(ParseResult parsed)
    {
        IFileCommand? found = _fileCommands.FirstOrDefault(command => command.Command == parsed.CommandResult.Command);
        if (found is not null)
        {
            ThrowIfWrong(parsed, found.Command);
        }

        return found;
    }

    /// <summary>Reads the request.</summary>
    /// <exception cref="BenchmarkException">An option or value is not valid.</exception>
    public CliRequest Read(ParseResult parsed)
    {
        ThrowIfWrong(parsed, _root);
        RunPlan plan = _maxClients.Read(parsed, _tls.Read(parsed, _stream.Read(parsed, _load.Read(parsed))));
        bool findsMostClients = plan.Test == RunPlan.MaxClients;
        if (findsMostClients)
        {
            MaxClientsOptions.ThrowIfGiven(parsed, [.. _load.OfLoads, .. _impairment.All, _benchmark, _launches, _sweep, _limits, _role, _microbenchmarks]);
        }

        LatencyLimit[] limits = [.. (parsed.GetValue(_limits) ?? []).Select(text => OptionValues.Limit(_limits.Name, text))];
        bool sweeps = parsed.GetValue(_sweep);
        if (sweeps != limits.Length > 0)
        {
            throw BenchmarkException.BadInput("Options --sweep and --limit belong together, such as --sweep --limit p99=5ms. See --help.");
        }

        if (parsed.GetValue(_continue) && !IsGiven(parsed, _benchmark))
        {
            throw BenchmarkException.BadInput($"Option {_continue.Name} goes on with a predefined benchmark; valid is it with {_benchmark.Name}. See --help.");
        }

        CliAction action = ActionOf(parsed, findsMostClients);
        if (action is CliAction.Server or CliAction.Client)
        {
            ThrowIfNeedsBoth(parsed, sweeps);
        }

        if (action == CliAction.Client)
        {
            _tls.ThrowIfForServer(parsed);
        }

        return new CliRequest
        {
            Action = action,
            Plan = _sides.Read(parsed, plan with { Impairment = _impairment.Read(parsed) }),
            LibraryWasChosen = _load.LibraryWasChosen(parsed),
            ClientThreadsWereChosen = _sides.ClientThreadsWereChosen(parsed),
            ProfileWasChosen = _sides.ProfileWasChosen(parsed),
            Settings = _sides.Settings(parsed),
            Launches = parsed.GetValue(_launches) is null ? null : Number(parsed, _launches, 1, MostLaunches),
            Limits = limits,
            MostClients = _load.ClientsWereChosen(parsed) ? plan.Clients : null,
            Json = parsed.GetValue(_json),
            Verbose = IsVerbose(parsed),
            Output = parsed.GetValue(_output),
            BenchmarkPart = parsed.GetValue(_benchmark) is { } part ? OptionValues.Choice<SuitePart>(_benchmark.Name, part) : SuitePart.All,
            Continue = parsed.GetValue(_continue),
            BenchmarkDuration = Seconds(parsed, _benchmarkDuration, 0.1),
            BenchmarkDeadline = parsed.GetValue(_benchmarkDeadline) is null ? null : Seconds(parsed, _benchmarkDeadline, 0.1),
            BenchmarkPort = Number(parsed, _benchmarkPort, 0, ushort.MaxValue),
            MicrobenchmarkTime = Seconds(parsed, _microbenchmarkTime, 0.001),
        };
    }

    /// <summary>Whether the user wants to see the progress of a run and the origin of errors. Called before the other options are read.</summary>
    public bool IsVerbose(ParseResult parsed) => IsGiven(parsed, _verbose);

    private CliAction ActionOf(ParseResult parsed, bool findsMostClients) => OptionValues.Choice<Role>(_role.Name, Text(parsed, _role)) switch
    {
        _ when parsed.GetValue(_agent) => CliAction.Agent,
        _ when parsed.GetValue(_list) => CliAction.List,
        _ when parsed.GetValue(_microbenchmarks) => CliAction.Microbenchmarks,
        _ when IsGiven(parsed, _benchmark) => CliAction.Benchmark,
        Role.Server => CliAction.Server,
        Role.Client => CliAction.Client,
        _ when findsMostClients => CliAction.MaxClients,
        _ => parsed.GetValue(_sweep) ? CliAction.Sweep : CliAction.Run,
    };

    // These options start separate processes for both sides.
    private void ThrowIfNeedsBoth(ParseResult parsed, bool sweeps)
    {
        string? other = sweeps ? _sweep.Name
            : IsGiven(parsed, _launches) ? _launches.Name
            : _impairment.All.FirstOrDefault(option => IsGiven(parsed, option))?.Name;
        if (other is not null)
        {
            throw BenchmarkException.BadInput(
                $"Option {_role.Name}: {Text(parsed, _role)} is one side alone, and {other} needs both; valid is Both. See --help.");
        }
    }

    private void ThrowIfWrong(ParseResult parsed, Command command)
    {
        if (parsed.UnmatchedTokens.Count > 0)
        {
            string token = parsed.UnmatchedTokens[0];
            string name = token.Split('=', ':')[0];
            IEnumerable<string> valid = command.Options.Where(option => !option.Hidden)
                .SelectMany(option => option.Aliases.Append(option.Name)).Where(alias => alias.StartsWith("--", StringComparison.Ordinal));
            throw BenchmarkException.BadInput(token.StartsWith('-')
                ? $"Option {name} is not known; valid are those that --help shows.{Suggestion.Sentence(name, valid)}"
                : $"'{token}' belongs to no option; every value follows its option, such as --clients 100. " +
                    $"See --help.{Suggestion.Sentence(token, _fileCommands.Select(found => found.Command.Name))}");
        }

        if (parsed.Errors.Count > 0)
        {
            throw BenchmarkException.BadInput($"{parsed.Errors[0].Message.TrimEnd('.')}. See --help.");
        }
    }
}
