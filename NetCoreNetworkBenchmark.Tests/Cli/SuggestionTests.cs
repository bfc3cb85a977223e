using System.CommandLine.Parsing;

namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class SuggestionTests
{
    // The values of these options are numbers, times, names, files and folders. Every other option has a list of values, which is offered.
    private static readonly string[] s_withoutList =
    [
        "--address", "--authority", "--bandwidth", "--build", "--bursts", "--certificate", "--certificate-key", "--client-hosts", "--client-loop",
        "--client-threads", "--client-tick", "--clients", "--corrupt", "--count", "--cut", "--deadline", "--delay", "--duplicate", "--duration",
        "--events", "--heartbeat", "--heartbeat-misses", "--input-size", "--iterations", "--jitter", "--launches", "--limit", "--load", "--loads",
        "--loss", "--loss-burst", "--messages", "--multicast-interface", "--neighbour", "--outage", "--output", "--password-file", "--path",
        "--payload", "--pin", "--port", "--precision", "--queue", "--rate", "--rate-per-client", "--reconnect", "--reorder", "--roam", "--rounds",
        "--rtt", "--seed", "--server-host", "--server-loop", "--server-name", "--server-threads", "--size", "--slice", "--stall", "--think",
        "--threshold", "--tick", "--time", "--versions", "--visible", "--warmup",
    ];

    [Theory]
    [InlineData("--se", "--seed --server-host --server-loop --server-name --server-threads --set")]
    [InlineData("-c 100 --see", "--seed")]
    [InlineData("--any-machine --see", "--seed")]
    [InlineData("--SEE", "--seed")]
    [InlineData("comp", "compare completion")]
    [InlineData("compare --", "--any-machine --fail-on-regression --figure --force --format --help --json --output --threshold --verbose")]
    [InlineData("regress ../old --sl", "--slice")]
    [InlineData("regress ../old -P ", "Udp Tcp Tls Quic Ssl")]
    [InlineData("--benchmark-", "")]
    public void An_option_or_command_is_offered_that_begins_with_the_word(string line, string words) => Assert.Equal(words, Offered(line));

    [Theory]
    [InlineData("-P ", "Udp Tcp Tls Quic Ssl")]
    [InlineData("--rt", "--rtt")]
    [InlineData("--rate-", "--rate-per-client")]
    [InlineData("-P t", "Tcp Tls")]
    [InlineData("--protocol=t", "--protocol=Tcp --protocol=Tls")]
    [InlineData("-b=qu", "-b=queues -b=quick")]
    [InlineData("-b ", "channels framed networks queues quick roaming ssl tcp tls tls-matrix udp")]
    [InlineData("-t Hand", "Handshake")]
    [InlineData("--launcher s", "ssh slurm")]
    [InlineData("report . -f m", "markdown")]
    [InlineData("compare a b -f h", "hgrm hlog html")]
    [InlineData("compare a b --figure ", "allocated p99 rate server-cpu")]
    [InlineData("--set epoll.accept=h", "Epoll.accept=handoff")]
    [InlineData("regress ../old --set=Epoll.accept=h", "--set=Epoll.accept=handoff")]
    [InlineData("certificates . --key P", "P256 P384")]
    [InlineData("completion ", "bash fish pwsh zsh")]
    [InlineData("--help t", "tls")]
    [InlineData("-c ", "")]
    [InlineData("-c 1", "")]
    public void A_value_of_a_list_is_offered(string line, string words) => Assert.Equal(words, Offered(line));

    [Theory, InlineData("-l "), InlineData("--baseline "), InlineData("--client-library ")]
    public void Every_library_is_offered(string line) => Assert.Equal(string.Join(' ', LibraryUnderTest.Catalog.KnownLibraries), Offered(line));

    [Theory]
    [InlineData("-l Sockets,netc", "Sockets,NetCoreServer")]
    [InlineData("--library=Sockets,Epoll,Net", "--library=Sockets,Epoll,NetCoreServer")]
    [InlineData("-l NetCoreServer,net", "")]
    [InlineData("-P Udp,t", "Udp,Tcp Udp,Tls")]
    [InlineData("--client-library Epoll,So", "")]
    public void The_last_value_of_a_list_is_offered_if_the_option_takes_one(string line, string words) => Assert.Equal(words, Offered(line));

    [Fact]
    public void Every_option_offers_its_values_unless_they_are_no_list()
    {
        CommandLine commandLine = Make();
        string[] commands = [string.Empty, .. Offered(string.Empty).Split(' ')];
        IEnumerable<string> withoutValues =
            from command in commands
            from option in Offered($"{command} --").Split(' ')
            where TakesValue(command, option) && Offered($"{command} {option} ").Length == 0
            select option;
        Assert.Equal(s_withoutList.Order(StringComparer.Ordinal), withoutValues.Distinct().Order(StringComparer.Ordinal));

        // A flag takes none, and without its value an option has an error.
        bool TakesValue(string command, string option) =>
            commandLine.Parse([.. command.Split(' ', StringSplitOptions.RemoveEmptyEntries), option]).Errors
                .Any(error => error.SymbolResult is OptionResult { Tokens.Count: 0 } result && result.Option.Name == option);
    }

    [Theory, InlineData("compare "), InlineData("compare OL"), InlineData("report a b"), InlineData("-o "), InlineData("regress ")]
    public void Nothing_is_offered_in_the_place_of_a_file(string line) => Assert.Empty(Offered(line));

    [Fact]
    public async Task The_words_after_the_cursor_do_not_count()
    {
        Assert.Equal((0, "--seed\n", string.Empty), await ProgramInFolder.RunAsync("[suggest:5]", "--see -l Sockets"));
        Assert.Equal((0, "--seed\n", string.Empty), await ProgramInFolder.RunAsync("[suggest]", "--see"));
        Assert.Equal((0, "--seed\n", string.Empty), await ProgramInFolder.RunAsync("[suggest:999]", "--see"));
    }

    [Theory, InlineData("bash"), InlineData("zsh"), InlineData("fish"), InlineData("PWSH")]
    public async Task Completion_script_names_the_program_and_has_no_placeholder_left(string shell)
    {
        (int code, string script, string errors) = await ProgramInFolder.RunAsync("completion", shell);
        Assert.Equal((0, string.Empty), (code, errors));
        script.AssertHas("[suggest:");
        script.AssertHasNo("FUNCTION", " NAME");
    }

    private static string Offered(string line) => string.Join(' ', Make().SuggestionsFor([$"[suggest:{line.Length}]", line])!);

    private static CommandLine Make() => new(
        LibraryUnderTest.Catalog.Workloads,
        LibraryUnderTest.Catalog.Parts,
        LibraryUnderTest.Catalog.KnownLibraries,
        [.. ProgramInFolder.Formats.Select(format => format.Name)],
        settings: () => LibraryUnderTest.Catalog.SettingValues);
}
