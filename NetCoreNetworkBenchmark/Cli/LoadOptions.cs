using System.CommandLine;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>The options that define a plan. Values are kept as text until they are read, so that every error is one sentence of this program.</summary>
internal sealed class LoadOptions
{
    private const string DefaultLibrary = "LiteNetLib";

    private readonly IReadOnlyCollection<string> _tests;
    private readonly IReadOnlyCollection<string> _libraries;
    private readonly Option<string> _test;
    private readonly Option<string> _library;
    private readonly Option<string> _protocol;
    private readonly Option<string> _transmission;
    private readonly Option<string> _address;
    private readonly Option<string> _multicastInterface;
    private readonly Option<string> _port;
    private readonly Option<string> _clients;
    private readonly Option<string> _messages;
    private readonly Option<string> _rate = new("--rate")
    {
        HelpName = "MSG/S",
        Description = "messages per second over all clients, sent on schedule whether or not answers come (open loop); instead of --messages",
    };
    private readonly Option<string> _size;
    private readonly Option<string> _load;
    private readonly Option<string> _duration;
    private readonly Option<string> _iterations;
    private readonly Option<string> _warmUp;
    private readonly Option<bool> _anyMachine = new("--any-machine")
    {
        Description = "do not call a run invalid because the machine was busy with other work; what it did is recorded all the same",
    };
    private readonly Option<string> _lossDeadline;
    private readonly Option<string> _connectDeadline;

    /// <summary>Creates the options.</summary>
    /// <param name="tests">The names that <c>-t</c> accepts.</param>
    /// <param name="libraries">The names that <c>-l</c> accepts, including libraries that are not in this build, to report the reason.</param>
    public LoadOptions(IReadOnlyCollection<string> tests, IReadOnlyCollection<string> libraries)
    {
        _tests = tests;
        _libraries = libraries;
        var defaults = new RunPlan { Library = DefaultLibrary };
        _test = Value("--test", "-t", $"test; options [{string.Join(", ", _tests)}]", defaults.Test);
        _library = Value("--library", "-l", $"library target; options [{string.Join(", ", _libraries)}]", DefaultLibrary);
        _protocol = Value("--protocol", "-P", $"protocol; options [{Names<Protocol>()}]", defaults.Protocol);
        _transmission = Value("--transmission", "-r", $"delivery; options [{Names<Transmission>()}]", defaults.Transmission);
        _address = Value(
            "--address",
            "-a",
            $"address to use, of IPv4 or IPv6, or a host name; with -t {RunPlan.Multicast} over Udp also a multicast group, such as 239.255.0.1",
            defaults.Address);
        _multicastInterface = Value(
            "--multicast-interface",
            null,
            "address of the interface that carries a multicast group; with the default nothing leaves this machine",
            defaults.MulticastInterface);
        _port = Value("--port", "-p", "port; 0 for a free one", defaults.Port);
        _clients = Value(
            "--clients",
            "-c",
            $"number of simultaneous clients; with -t {RunPlan.MaxClients} the most to try [default there: as many as can be]",
            defaults.Clients);
        _messages = Value(
            "--messages",
            "-m",
            $"parallel messages per client; with -t {RunPlan.Multicast} messages that the receive buffer of a client has room for, and nothing else",
            defaults.ParallelMessages);
        _size = Value("--size", "-s", "message byte size sent by clients", defaults.MessageSize);
        _load = Value("--messageload", "-x", $"message load sent by clients; options [{Names<MessageLoad>()}]", defaults.MessageLoad);
        _duration = Value("--duration", "-d", "duration of the test in seconds", defaults.Duration.TotalSeconds);
        _iterations = Value("--iterations", null, "equal parts of the duration, each with a rate of its own", defaults.Iterations);
        _warmUp = Value(
            "--warmup",
            null,
            "most seconds of load before the test, which do not count; it ends earlier when the rate is steady",
            defaults.WarmUp.TotalSeconds);
        _lossDeadline = Hidden("--loss-deadline", defaults.LossDeadline.TotalSeconds);
        _connectDeadline = Hidden("--connect-deadline", defaults.ConnectDeadline.TotalSeconds);
    }

    public IEnumerable<Option> All =>
    [
        _test, _library, _protocol, _transmission, _address, _multicastInterface, _port, _clients, _messages, _rate, _size, _load, _duration, _iterations,
        _warmUp, _anyMachine, _lossDeadline, _connectDeadline,
    ];

    /// <summary>The options of a load that lasts for some time.</summary>
    public IEnumerable<Option> OfLoads => [_messages, _rate, _duration, _iterations, _warmUp, _anyMachine, _lossDeadline];

    public bool LibraryWasChosen(ParseResult parsed) => IsGiven(parsed, _library);

    public bool ClientsWereChosen(ParseResult parsed) => IsGiven(parsed, _clients);

    /// <summary>Reads the plan.</summary>
    /// <exception cref="BenchmarkException">A value is not valid.</exception>
    public RunPlan Read(ParseResult parsed)
    {
        if (IsGiven(parsed, _rate) && IsGiven(parsed, _messages))
        {
            throw BenchmarkException.BadInput(
                "Options --rate and --messages exclude each other: in an open loop nothing limits how many are in flight. See --help.");
        }

        Protocol protocol = OptionValues.Choice<Protocol>(_protocol.Name, Text(parsed, _protocol));
        TimeSpan duration = Seconds(parsed, _duration, 0.1);
        return new RunPlan
        {
            Test = OptionValues.Choice(_test.Name, Text(parsed, _test), _tests),
            Library = LibraryWasChosen(parsed) ? OptionValues.Choice(_library.Name, Text(parsed, _library), _libraries) : DefaultLibrary,
            Protocol = protocol,
            Transmission = protocol.IsStream() && !IsGiven(parsed, _transmission)
                ? Transmission.Reliable
                : OptionValues.Choice<Transmission>(_transmission.Name, Text(parsed, _transmission)),
            Address = OptionValues.Host(_address.Name, Text(parsed, _address)),
            MulticastInterface = MulticastInterface(parsed),
            Port = Number(parsed, _port, 0, ushort.MaxValue),
            Clients = Number(parsed, _clients, 1, PlanLimits.MostClients),
            ParallelMessages = Number(parsed, _messages, 1, PlanLimits.MostMessages),
            Rate = parsed.GetValue(_rate) is { } rate
                ? OptionValues.Number(_rate.Name, rate, "messages per second", PlanLimits.LeastRate, PlanLimits.MostRate)
                : null,
            MessageSize = Number(parsed, _size, 1, RunPlan.LargestStreamMessage),
            MessageLoad = OptionValues.Choice<MessageLoad>(_load.Name, Text(parsed, _load)),
            Duration = duration,
            Iterations = Iterations(parsed, duration),
            WarmUp = Seconds(parsed, _warmUp, 0),
            AnyMachine = parsed.GetValue(_anyMachine),
            LossDeadline = Seconds(parsed, _lossDeadline, 0.1),
            ConnectDeadline = Seconds(parsed, _connectDeadline, 0.1),
        };
    }

    private int Iterations(ParseResult parsed, TimeSpan duration)
    {
        int iterations = Number(parsed, _iterations, 1, PlanLimits.MostIterations);
        int most = (int)Math.Min(PlanLimits.MostIterations, duration / RunPlan.LeastIteration);
        double least = RunPlan.LeastIteration.TotalMilliseconds;
        string valid = string.Create(CultureInfo.InvariantCulture, $"a whole number from 1 to {most} with this duration");
        return iterations <= most
            ? iterations
            : throw BenchmarkException.BadInput(string.Create(
                CultureInfo.InvariantCulture,
                $"Option {_iterations.Name}: {iterations} parts of {duration.TotalSeconds} s are shorter than {least} ms each; valid is {valid}. See --help."));
    }

    private string MulticastInterface(ParseResult parsed)
    {
        string text = Text(parsed, _multicastInterface);
        return IPAddress.TryParse(text, out IPAddress? address) && address.AddressFamily == AddressFamily.InterNetwork && !MulticastGroup.Is(address)
            ? address.ToString()
            : throw BenchmarkException.BadInput(
                $"Option {_multicastInterface.Name}: '{text}' is not valid; " +
                    "valid is the IPv4 address of one of this machine's interfaces, such as 127.0.0.1. See --help.");
    }

    public static bool IsGiven(ParseResult parsed, Option option) => parsed.GetResult(option) is { Implicit: false };

    public static Option<string> Value<T>(string name, string? alias, string description, T defaultValue)
    {
        string text = Convert.ToString(defaultValue, CultureInfo.InvariantCulture)!;
        return new Option<string>(name, alias is null ? [] : [alias])
        {
            HelpName = "VALUE",
            Description = description,
            DefaultValueFactory = _ => text,
        };
    }

    public static Option<string> Hidden<T>(string name, T defaultValue)
    {
        Option<string> option = Value(name, null, string.Empty, defaultValue);
        option.Hidden = true;
        return option;
    }

    public static int Number(ParseResult parsed, Option<string> option, int least, int most) =>
        OptionValues.WholeNumber(option.Name, Text(parsed, option), least, most);

    public static TimeSpan Seconds(ParseResult parsed, Option<string> option, double least) =>
        OptionValues.Seconds(option.Name, Text(parsed, option), least, PlanLimits.MostSeconds);

    public static string Names<T>()
        where T : struct, Enum => string.Join(", ", Enum.GetNames<T>());

    public static string Text(ParseResult parsed, Option<string> option) => parsed.GetValue(option)!;
}
