namespace NetCoreNetworkBenchmark.Tests.Plans;

public sealed class RunPlanTests
{
    private static readonly LibrarySetting s_batch = new("batch", ["call", "gso"], "call", "how it sends");

    [Fact]
    public void SettingOf_finds_the_value_without_regard_to_case()
    {
        var plan = new RunPlan { Library = "Quick", Settings = new Dictionary<string, string> { ["Batch"] = "gso" } };
        Assert.Equal("gso", plan.SettingOf(s_batch));
    }

    [Fact]
    public void SettingOf_returns_the_default_if_the_plan_has_no_value() => Assert.Equal("call", new RunPlan { Library = "Quick" }.SettingOf(s_batch));
}

public sealed class CoreListTests
{
    [Theory, InlineData("0", 0), InlineData("0-1", 0, 1), InlineData("0-1+3", 0, 1, 3), InlineData("0+2-4+7+9-10", 0, 2, 3, 4, 7, 9, 10)]
    public void Text_writes_what_Read_reads(string text, params int[] cores)
    {
        Assert.Equal(text, CoreList.Text(cores));
        Assert.Equal(cores, CoreList.Read(text));
    }
}

public sealed class RuntimePlanTests
{
    [Fact]
    public void Each_combination_of_values_is_a_variant()
    {
        IReadOnlyList<RuntimePlan> variants = RuntimeOptions.VariantsOf(["gcserver=0,1", "TieredPGO=1,0"]);
        Assert.Equal(
            ["TieredPGO=1, gcServer=0", "TieredPGO=0, gcServer=0", "TieredPGO=1, gcServer=1", "TieredPGO=0, gcServer=1"],
            variants.Select(variant => variant.ToString()));
        Assert.Equal(["--runtime", "TieredPGO=1,0", "--runtime", "gcServer=0,1"], RuntimeOptions.ArgumentsOf(variants));
    }

    [Fact]
    public void Without_settings_there_is_one_variant_with_the_runtimes_own() => Assert.True(Assert.Single(RuntimeOptions.VariantsOf([])).IsNone);

    [Fact]
    public void Environment_has_the_names_that_the_runtime_reads() =>
        Assert.Equal([KeyValuePair.Create("DOTNET_gcServer", "1")], new RuntimePlan().With("gcServer", "1").Environment);

    [Fact]
    public void A_plan_with_less_compilation_keeps_what_the_user_has_chosen() => Assert.Equal(
        "EnableWriteXorExecute=0, TC_CallCountThreshold=1E, TC_CallCountingDelayMs=0",
        new RuntimePlan().With("TC_CallCountThreshold", "1E").WithLessCompilation().ToString());

    [Fact]
    public void A_plan_without_less_compilation_has_the_settings_of_the_user()
    {
        RuntimePlan plan = new RuntimePlan().With("gcServer", "1").With("TC_CallCountThreshold", "1E");
        Assert.Equal(plan, plan.WithLessCompilation().WithoutLessCompilation());
    }

    [Fact]
    public void NotesOf_has_the_decimal_value_of_each_number_that_could_be_misread() => Assert.Equal(
        ["GCHeapCount=10 is hexadecimal, as .NET reads it: 16 in decimal.", "GCgen0size=4000000 is hexadecimal, as .NET reads it: 67,108,864 in decimal."],
        RuntimeOptions.NotesOf(RuntimeOptions.VariantsOf(["gcServer=0,1", "GCHeapCount=10,9", "GCgen0size=4000000"])));

    [Theory]
    [InlineData("\"gcSrver\" is not one of", "gcSrver=1")]
    [InlineData("\"true\" is not 0 or 1, the values of gcServer.", "gcServer=true,false")]
    [InlineData("\"2\" is not 0 or 1, the values of TieredPGO.", "tieredpgo=2")]
    [InlineData("\"2x\" is not a number of 1 to 16 hexadecimal digits, such as 10 for 16.", "GCHeapCount=2x")]
    [InlineData("\"gcServer\" is not NAME=VALUE", "gcServer")]
    [InlineData("\"gcServer=\" is not NAME=VALUE", "gcServer=")]
    [InlineData("\"gcServer=1,1\" has a value twice. Use different values.", "gcServer=1,1")]
    [InlineData("gcServer is given twice", "gcServer=1", "gcserver=0")]
    [InlineData("at most 12 combinations of values are supported; 16 were requested", "gcServer=0,1", "TieredPGO=0,1", "ReadyToRun=0,1", "gcConcurrent=0,1")]
    public void Wrong_values_are_refused_with_a_sentence(string sentence, params string[] texts) =>
        Assert.Throws<BenchmarkException>(() => RuntimeOptions.VariantsOf(texts)).Message.AssertHas(sentence);
}

public sealed class HostsPlanTests
{
    [Theory]
    [InlineData("a,b,c", 1_000, new[] { 334, 333, 333 })]
    [InlineData("a,b,c", 2, new[] { 1, 1, 0 })]
    [InlineData("a=600,b=400", 1_000, new[] { 600, 400 })]
    [InlineData("a=600,b=400", 10, new[] { 6, 4 })]
    [InlineData("a=1000000,b=1000000", 999_999, new[] { 500_000, 499_999 })]
    [InlineData("a=3,b=1", 7, new[] { 5, 2 })]
    public void Divide_gives_each_host_its_share_of_the_clients(string hosts, int clients, int[] expected) =>
        Assert.Equal(expected, PlanOf("--client-hosts", hosts).Hosts.Divide(clients));

    [Theory]
    [InlineData("--client-hosts", "a,b"), InlineData("--client-hosts", "me@a=2,10.0.0.5=1"), InlineData("--server-host", "user@node1.example")]
    [InlineData("--launcher", "slurm")]
    public void A_value_is_printed_as_it_was_given(string option, string text) =>
        Assert.Equal([option, text], OptionNamed(option).ArgumentsOf(PlanOf(option, text)));

    [Theory]
    [InlineData("--server-host", "-oProxyCommand=x", "is not a host name or address")]
    [InlineData("--server-host", "a b", "is not a host name or address")]
    [InlineData("--server-host", "a;b", "is not a host name or address")]
    [InlineData("--server-host", "", "is not a host name or address")]
    [InlineData("--client-hosts", "a,,b", "is not a host name or address")]
    [InlineData("--client-hosts", "a,b,a", "\"a\" is named twice. Name each host once, such as a=2,b=1.")]
    [InlineData("--client-hosts", "a=0", "whole number")]
    [InlineData("--launcher", "rsh", "ssh, slurm")]
    public void A_wrong_value_is_refused_with_a_sentence(string option, string text, string part)
    {
        var exception = Assert.Throws<BenchmarkException>(() => PlanOf(option, text));
        Assert.True(exception.IsBadInput);
        exception.Message.AssertBegins($"{option}: ");
        exception.Message.AssertHas(part);
    }

    [Fact]
    public void All_has_each_host_once() => Assert.Equal(["b", "a"], (PlanOf("--client-hosts", "a,b").Hosts with { ServerHost = "b" }).All);

    private static RunPlan PlanOf(string option, string text) => OptionNamed(option).Apply(PlanOption.DefaultPlan, text);

    private static PlanOption OptionNamed(string name) => HostOptions.All.Single(option => option.Name == name);
}

public sealed class SendScheduleTests
{
    private const long Start = 123_456_789_012_345;

    [Theory, InlineData(1000, 1), InlineData(1000, 10), InlineData(0.1, 3), InlineData(3_333.3, 7), InlineData(2_000_000, 1000)]
    public void DueAt_spreads_the_messages_of_all_clients_evenly(double rate, int clients)
    {
        var schedule = new SendSchedule(rate, clients);
        double apart = Stopwatch.Frequency / rate;
        long[] due = [.. from round in Enumerable.Range(0, 50)
                         from client in Enumerable.Range(0, clients)
                         select schedule.DueAt(Start, round, client)];
        Assert.Equal(Start, due[0]);
        Assert.All(due.Index(), message => Assert.InRange(message.Item - Start, (message.Index * apart) - 1, (message.Index * apart) + 1));
    }

    [Fact]
    public void DueAt_staggers_the_clients_within_a_round()
    {
        var schedule = new SendSchedule(messagesPerSecond: 100, clients: 4);
        long tenMilliseconds = Stopwatch.Frequency / 100;
        Assert.Equal([0, 1, 2, 3], Enumerable.Range(0, 4).Select(client => (schedule.DueAt(Start, 0, client) - Start) / tenMilliseconds));
        Assert.Equal(4 * tenMilliseconds, schedule.DueAt(Start, 1, 0) - schedule.DueAt(Start, 0, 0));
    }

    [Theory, InlineData(1), InlineData(3)]
    public void DueAt_never_goes_back_in_the_order_of_a_threads_turns(int threads)
    {
        const int Clients = 10;
        var schedule = new SendSchedule(messagesPerSecond: 7_777_777, Clients);
        for (int first = 0; first < threads; first++)
        {
            long[] due = [.. from round in Enumerable.Range(0, 1_000)
                             from client in Enumerable.Range(0, Clients).Where(client => client % threads == first)
                             select schedule.DueAt(Start, round, client)];
            Assert.Equal(due.Order(), due);
        }
    }

    [Fact]
    public void DueAt_has_not_drifted_after_a_day()
    {
        var schedule = new SendSchedule(messagesPerSecond: 1_000_000, clients: 1000);
        Assert.Equal(24 * 3600 * Stopwatch.Frequency, schedule.DueAt(Start, 24 * 3600 * 1000L, 0) - Start);
    }

    [Theory, InlineData(0, 1), InlineData(-1, 1), InlineData(1, 0)]
    public void A_schedule_needs_a_rate_and_a_client(double rate, int clients) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new SendSchedule(rate, clients));
}

/// <summary>Printed commands reach the program word for word when they are pasted.</summary>
public sealed class ShellCommandTests
{
    [Theory]
    [InlineData("plain")]
    [InlineData("")]
    [InlineData("with blanks and 'quotes' and \"more\"")]
    [InlineData("$HOME `id` \\ ; & | * ? {a,b} ~ ! # < > ( )\n\t%")]
    [InlineData("~")]
    [InlineData("ä µ \U0001F980")]
    public async Task QuoteForSh_keeps_every_character_of_a_word(string word)
    {
        PastedCommand.SkipWithoutSh();
        Assert.Equal(word, await SystemCommand.RequireAsync("/bin/sh", "-c", $"printf %s {ShellCommand.QuoteForSh(word)}"));
    }

    [Theory]
    [InlineData("--certificate=server.crt", "--certificate=server.crt")]
    [InlineData(@"C:\certificates\server.crt", @"C:\certificates\server.crt")]
    [InlineData("server=0,clients=1", "\"server=0,clients=1\"")]
    [InlineData(@"C:\my files\a & b;c's.crt", "\"C:\\my files\\a & b;c's.crt\"")]
    [InlineData(@"C:\my files\", "\"C:\\my files\\\\\"")]
    [InlineData("$env:TEMP it's `n", "'$env:TEMP it''s `n'")]
    [InlineData("100% it\u2019s", "'100% it\u2019\u2019s'")]
    [InlineData("", "\"\"")]
    public void QuoteForPowerShell_uses_double_quotes_unless_a_character_has_a_meaning_in_them(string word, string quoted) =>
        Assert.Equal(quoted, ShellCommand.QuoteForPowerShell(word));

    [Fact]
    public async Task The_commands_of_results_keep_a_path_with_characters_of_the_shell()
    {
        PastedCommand.SkipWithoutSh();
        var plan = new RunPlan
        {
            Library = "Sockets",
            Test = "PingPong",
            Protocol = Protocol.Ssl,
            Transmission = Transmission.Reliable,
            Tls = new TlsPlan { AuthorityFile = PastedCommand.HostileName },
        };
        string[] commands =
        [
            PlanArguments.CommandOf(plan, LibraryUnderTest.Create("Sockets").Info, workload: null, "--role", "Server"),
            PlanArguments.CommandOfCapacitySearch(plan, LibraryUnderTest.Create("Sockets").Info, new MaxClients(), 100),
        ];
        foreach (string command in commands)
        {
            Assert.Contains(PastedCommand.HostileName, await PastedCommand.ArgumentsAsync(command));
        }
    }
}

/// <summary>A printed command that somebody pastes into <c>/bin/sh</c>.</summary>
internal static class PastedCommand
{
    public const string HostileName = "it's $HOME `id` & more; #1 (a|b) \"x\" *";

    /// <summary>Returns the arguments that the command gives to the program.</summary>
    public static async Task<string[]> ArgumentsAsync(string command)
    {
        // The program is a function of the shell that shows what it gets.
        string output = await SystemCommand.RequireAsync("/bin/sh", "-c", $"NetCoreNetworkBenchmark() {{ printf '%s\\n' \"$@\"; }}\n{command}");
        return output.TrimEnd('\n').Split('\n');
    }

    /// <summary>Requires a POSIX shell.</summary>
    public static void SkipWithoutSh() => Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no /bin/sh.");
}

public sealed class SendScheduleRoundTests
{
    [Theory, InlineData(300_000_000, 1), InlineData(1_000, 3)]
    public void RoundAt_is_the_inverse_of_DueAt_also_after_a_long_time(double rate, int clients)
    {
        const long Round = 1_000_000_000_000;
        var schedule = new SendSchedule(rate, clients);
        Assert.InRange(schedule.RoundAt(start: 5, schedule.DueAt(start: 5, Round / clients, client: 0)), (Round / clients) - 1, Round / clients);
    }
}
