using System.CommandLine;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Running;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>
/// The options: names, defaults, help, and how they are read. Values are kept as text until <see cref="Read"/>, so that every error
/// is one sentence of ours.
/// </summary>
internal sealed class CommandLine
{
    private const string DefaultLibrary = "LiteNetLib";
    private const int MostClients = 1_000_000;
    private const int MostMessages = 1_000_000;
    private const int MostBytes = 32 * 1024 * 1024;
    private const double MostSeconds = 86_400;

    private readonly IReadOnlyCollection<string> _tests;
    private readonly IReadOnlyCollection<string> _libraries;
    private readonly RunPlan _defaults = new() { Library = DefaultLibrary };
    private readonly Option<bool> _benchmark = new("--benchmark", "-b") { Description = "run the predefined full benchmark with all tests and libraries, ignores all other (load) settings" };
    private readonly Option<string> _test;
    private readonly Option<string> _library;
    private readonly Option<string> _protocol;
    private readonly Option<string> _transmission;
    private readonly Option<string> _address;
    private readonly Option<string> _port;
    private readonly Option<string> _clients;
    private readonly Option<string> _messages;
    private readonly Option<string> _size;
    private readonly Option<string> _load;
    private readonly Option<string> _duration;
    private readonly Option<string> _warmUp;
    private readonly Option<string> _output;
    private readonly Option<bool> _json = new("--json") { Description = "print the result as JSON on standard output, and nothing else there" };
    private readonly Option<bool> _list = new("--list") { Description = "show the libraries: in this build or why not, version, protocols, most clients, overhead" };
    private readonly Option<bool> _verbose = new("--verbose") { Description = "show where an error came from" };
    private readonly Option<bool> _child = new(ChildRun.Option) { Hidden = true };
    private readonly Option<string> _lossDeadline;
    private readonly Option<string> _connectDeadline;
    private readonly Option<string> _benchmarkDuration;
    private readonly Option<string> _benchmarkPort;
    private readonly Option<string> _benchmarkDeadline = new("--benchmark-deadline") { Hidden = true };
    private readonly RootCommand _root;

    /// <summary>Makes the options.</summary>
    /// <param name="tests">The names that <c>-t</c> takes.</param>
    /// <param name="libraries">The names that <c>-l</c> takes: also of libraries that are not in this build, to say why.</param>
    public CommandLine(IReadOnlyCollection<string> tests, IReadOnlyCollection<string> libraries)
    {
        _tests = tests;
        _libraries = libraries;
        _test = Value("--test", "-t", $"test; options [{string.Join(", ", _tests)}]", _defaults.Test);
        _library = Value("--library", "-l", $"library target; options [{string.Join(", ", _libraries)}]", DefaultLibrary);
        _protocol = Value("--protocol", "-P", $"protocol; options [{Names<Protocol>()}]", _defaults.Protocol);
        _transmission = Value("--transmission", "-r", $"delivery; options [{Names<Transmission>()}]", _defaults.Transmission);
        _address = Value("--address", "-a", "address to use", _defaults.Address);
        _port = Value("--port", "-p", "port; 0 for a free one", _defaults.Port);
        _clients = Value("--clients", "-c", "number of simultaneous clients", _defaults.Clients);
        _messages = Value("--messages", "-m", "parallel messages per client", _defaults.ParallelMessages);
        _size = Value("--size", "-s", "message byte size sent by clients", _defaults.MessageSize);
        _load = Value("--messageload", "-x", $"message load sent by clients; options [{Names<MessageLoad>()}]", _defaults.MessageLoad);
        _duration = Value("--duration", "-d", "duration of the test in seconds", _defaults.Duration.TotalSeconds);
        _warmUp = Value("--warmup", null, "seconds of load before the test, which do not count", _defaults.WarmUp.TotalSeconds);
        _output = new Option<string>("--output", "-o") { HelpName = "DIR", Description = "folder for the result files; with -b a folder of the machine's name in it [default with -b: Benchmarks]" };
        _lossDeadline = Hidden("--loss-deadline", _defaults.LossDeadline.TotalSeconds);
        _connectDeadline = Hidden("--connect-deadline", _defaults.ConnectDeadline.TotalSeconds);
        _benchmarkDuration = Hidden("--benchmark-duration", _defaults.Duration.TotalSeconds);
        _benchmarkPort = Hidden("--benchmark-port", _defaults.Port);
        _root = new RootCommand("Benchmark of .NET network libraries: message round trips over one library, or over all of them with -b.")
        {
            _benchmark, _test, _library, _protocol, _transmission, _address, _port, _clients, _messages, _size, _load, _duration, _warmUp,
            _output, _json, _list, _verbose, _child, _lossDeadline, _connectDeadline, _benchmarkDuration, _benchmarkPort, _benchmarkDeadline,
        };
    }

    /// <summary>Parses the arguments. Response files (@file) are not a thing here.</summary>
    public ParseResult Parse(IReadOnlyList<string> arguments) =>
        _root.Parse(arguments, new ParserConfiguration { ResponseFileTokenReplacer = null });

    /// <summary>Reads the request.</summary>
    /// <exception cref="BenchmarkException">An option or value is not valid.</exception>
    public CliRequest Read(ParseResult parsed)
    {
        ThrowIfUnknown(parsed);
        if (parsed.Errors.Count > 0)
        {
            throw BenchmarkException.BadInput($"{parsed.Errors[0].Message.TrimEnd('.')}. See --help.");
        }

        return new CliRequest
        {
            Plan = ReadPlan(parsed),
            LibraryWasChosen = parsed.GetResult(_library) is { Implicit: false },
            Benchmark = parsed.GetValue(_benchmark),
            List = parsed.GetValue(_list),
            Json = parsed.GetValue(_json),
            Verbose = parsed.GetValue(_verbose),
            Output = parsed.GetValue(_output),
            IsChild = parsed.GetValue(_child),
            BenchmarkDuration = Seconds(parsed, _benchmarkDuration, 0.1),
            BenchmarkDeadline = parsed.GetValue(_benchmarkDeadline) is null ? null : Seconds(parsed, _benchmarkDeadline, 0.1),
            BenchmarkPort = Number(parsed, _benchmarkPort, 0, ushort.MaxValue),
        };
    }

    /// <summary>Whether the user asked to see where errors come from; asked before the rest is read.</summary>
    public bool IsVerbose(ParseResult parsed) => parsed.GetResult(_verbose) is { Implicit: false };

    private static string Names<T>()
        where T : struct, Enum => string.Join(", ", Enum.GetNames<T>());

    private static Option<string> Value<T>(string name, string? alias, string description, T defaultValue)
    {
        string text = Convert.ToString(defaultValue, System.Globalization.CultureInfo.InvariantCulture)!;
        return new Option<string>(name, alias is null ? [] : [alias])
        {
            HelpName = "VALUE",
            Description = description,
            DefaultValueFactory = _ => text,
        };
    }

    private static Option<string> Hidden<T>(string name, T defaultValue)
    {
        Option<string> option = Value(name, null, string.Empty, defaultValue);
        option.Hidden = true;
        return option;
    }

    private static string Text(ParseResult parsed, Option<string> option) => parsed.GetValue(option)!;

    private static int Number(ParseResult parsed, Option<string> option, int least, int most) =>
        OptionValues.WholeNumber(option.Name, Text(parsed, option), least, most);

    private static TimeSpan Seconds(ParseResult parsed, Option<string> option, double least) =>
        OptionValues.Seconds(option.Name, Text(parsed, option), least, MostSeconds);

    private RunPlan ReadPlan(ParseResult parsed) => new()
    {
        Test = OptionValues.Choice(_test.Name, Text(parsed, _test), _tests),
        Library = parsed.GetResult(_library) is { Implicit: false } ? OptionValues.Choice(_library.Name, Text(parsed, _library), _libraries) : DefaultLibrary,
        Protocol = OptionValues.Choice<Protocol>(_protocol.Name, Text(parsed, _protocol)),
        Transmission = OptionValues.Choice<Transmission>(_transmission.Name, Text(parsed, _transmission)),
        Address = Text(parsed, _address),
        Port = Number(parsed, _port, 0, ushort.MaxValue),
        Clients = Number(parsed, _clients, 1, MostClients),
        ParallelMessages = Number(parsed, _messages, 1, MostMessages),
        MessageSize = Number(parsed, _size, 1, MostBytes),
        MessageLoad = OptionValues.Choice<MessageLoad>(_load.Name, Text(parsed, _load)),
        Duration = Seconds(parsed, _duration, 0.1),
        WarmUp = Seconds(parsed, _warmUp, 0),
        LossDeadline = Seconds(parsed, _lossDeadline, 0.1),
        ConnectDeadline = Seconds(parsed, _connectDeadline, 0.1),
    };

    private void ThrowIfUnknown(ParseResult parsed)
    {
        if (parsed.UnmatchedTokens.Count > 0)
        {
            string token = parsed.UnmatchedTokens[0];
            string name = token.Split('=', ':')[0];
            IEnumerable<string> valid = _root.Options.Where(option => !option.Hidden)
                .SelectMany(option => option.Aliases.Append(option.Name)).Where(alias => alias.StartsWith("--", StringComparison.Ordinal));
            throw BenchmarkException.BadInput(token.StartsWith('-')
                ? $"Option {name} is not known; valid are those that --help shows.{Suggestion.Sentence(name, valid)}"
                : $"'{token}' belongs to no option; every value follows its option, such as --clients 100. See --help.");
        }
    }
}
