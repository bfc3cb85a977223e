using System.CommandLine;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>The options of streams: the framing of messages, and the library that drives the clients.</summary>
internal sealed class StreamOptions
{
    private readonly IReadOnlyCollection<string> _libraries;
    private readonly Option<string> _framing = LoadOptions.Value(
        StreamArguments.FramingOption,
        null,
        $"with -P Tcp or Ssl: messages of one size and nothing else, or each with its length before it; options [{LoadOptions.Names<Framing>()}]",
        Framing.Fixed);
    private readonly Option<string> _clientLibrary;

    /// <summary>Creates the options.</summary>
    /// <param name="libraries">
    /// The names that the option of the client library accepts, including libraries that are not in this build, to report the reason.
    /// </param>
    public StreamOptions(IReadOnlyCollection<string> libraries)
    {
        _libraries = libraries;
        _clientLibrary = new Option<string>(StreamArguments.ClientLibraryOption)
        {
            HelpName = "NAME",
            Description = "with -P Tcp or Ssl: the library whose clients drive the server [default: the server's own, or the fastest where it has none]",
        };
    }

    public IEnumerable<Option> All => [_framing, _clientLibrary];

    /// <summary>Adds framing and client library to a plan.</summary>
    /// <exception cref="BenchmarkException">A value is not valid, or the plan is for datagrams.</exception>
    public RunPlan Read(ParseResult parsed, RunPlan plan)
    {
        if (!plan.Protocol.IsStream())
        {
            return All.FirstOrDefault(option => LoadOptions.IsGiven(parsed, option)) is { } given
                ? throw BenchmarkException.BadInput(
                    $"Option {given.Name} is for streams and {plan.Protocol} carries datagrams; valid is -P {Protocol.Tcp} or {Protocol.Ssl}. See --help.")
                : plan;
        }

        return plan with
        {
            Framing = OptionValues.Choice<Framing>(_framing.Name, LoadOptions.Text(parsed, _framing)),
            ClientLibrary = parsed.GetValue(_clientLibrary) is { } library ? OptionValues.Choice(_clientLibrary.Name, library, _libraries) : null,
        };
    }
}
