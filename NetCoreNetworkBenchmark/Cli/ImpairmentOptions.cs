using System.CommandLine;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>The options that impair the traffic between clients and server, through a relay in a separate process.</summary>
internal sealed class ImpairmentOptions
{
    private readonly Option<string> _delay = Make("--delay", "TIME", "impair: delay every datagram, or chunk of a stream, each way, such as 5ms");
    private readonly Option<string> _jitter = Make("--jitter", "TIME", "impair: vary the delay by up to this, either way");
    private readonly Option<string> _loss = Make("--loss", "SHARE", "impair: lose this share of the datagrams each way, such as 1%");
    private readonly Option<string> _duplicate = Make("--duplicate", "SHARE", "impair: double this share of the datagrams each way");
    private readonly Option<string> _reorder = Make(
        "--reorder", "SHARE", "impair: let this share of the datagrams to the server change places with the next one");
    private readonly Option<string> _corrupt = Make("--corrupt", "SHARE", "impair: change one byte of this share of the datagrams each way");
    private readonly Option<string> _stall = Make("--stall", "TIME/TIME", "impair: let nothing through for a time in every period, such as 100ms/1s");
    private readonly Option<string> _bandwidth = Make("--bandwidth", "RATE", "impair: let so many bits a second through each way, such as 10mbit");
    private readonly Option<string> _seed = LoadOptions.Value("--seed", null, "seed of what is left to chance in the impairments", new ImpairmentPlan().Seed);

    public IEnumerable<Option> All => [_delay, _jitter, _loss, _duplicate, _reorder, _corrupt, _stall, _bandwidth, _seed];

    /// <exception cref="BenchmarkException">A value is not valid.</exception>
    public ImpairmentPlan Read(ParseResult parsed) => new()
    {
        Delay = Time(parsed, _delay),
        Jitter = Time(parsed, _jitter),
        Loss = Share(parsed, _loss),
        Duplicate = Share(parsed, _duplicate),
        Reorder = Share(parsed, _reorder),
        Corrupt = Share(parsed, _corrupt),
        Stall = parsed.GetValue(_stall) is { } stall ? OptionValues.Stall(_stall.Name, stall) : null,
        BandwidthBitsPerSecond = parsed.GetValue(_bandwidth) is { } bandwidth ? OptionValues.Bandwidth(_bandwidth.Name, bandwidth) : null,
        Seed = LoadOptions.Number(parsed, _seed, int.MinValue, int.MaxValue),
    };

    private static Option<string> Make(string name, string value, string description) => new(name) { HelpName = value, Description = description };

    private static TimeSpan Time(ParseResult parsed, Option<string> option) =>
        parsed.GetValue(option) is { } text ? OptionValues.Duration(option.Name, text) : TimeSpan.Zero;

    private static double Share(ParseResult parsed, Option<string> option) =>
        parsed.GetValue(option) is { } text ? OptionValues.Share(option.Name, text) : 0;
}
