namespace NetCoreNetworkBenchmark.Tests.Cli.Checks;

public sealed class OptionRulesTests
{
    private static readonly PlanOption[] s_options = [.. PlanOptions.All, .. RunOptions.All];

    public static IEnumerable<TheoryDataRow<string, string, string>> Exclusions() =>
        from exclusion in OptionRules.Exclusions
        from option in exclusion.Options
        from other in exclusion.Others
        select new TheoryDataRow<string, string, string>(option, other, exclusion.Reason);

    [Theory, MemberData(nameof(Exclusions))]
    public void Check_refuses_two_options_that_exclude_each_other_and_says_why(string option, string other, string reason)
    {
        IEnumerable<string?> required = s_options.Where(known => known.Name == option || known.Name == other).Select(known => known.RequiresOption);
        var request = new CliRequest
        {
            BenchmarkPart = new AllPart(),
            Action = CliAction.Run,
            Plan = new RunPlan { Library = "Sockets" },
            Given = [option, other, .. required.OfType<string>()],
        };
        BadInput.Throws($"{option} cannot be combined with {other}: {reason}.", () => new OptionRules(s_options, workload: null, request).Check());
    }

    [Fact]
    public void Rule_Check_reports_the_first_row_that_is_broken_and_calls_no_other_sentence()
    {
        static string Never() => throw new InvalidOperationException();
        BadInput.Throws(
            "--size: it is wrong.",
            () => Rule.Check([new("--port", false, Never), new("--size", true, () => "it is wrong."), new("--rate", true, Never)]));
        Rule.Check([new("--port", false, Never), new(found: null)]);
    }
}
