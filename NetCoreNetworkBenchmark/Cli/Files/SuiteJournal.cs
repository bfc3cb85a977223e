using NetCoreNetworkBenchmark.Running.Suites;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Cli.Files;

internal sealed class SuiteJournal(string resultFolder, IReadOnlyList<SuiteCase> cases, SuiteBegin begin)
    : Journal<LaunchResult>(resultFolder, begin, "launch")
{
    public static SuiteJournal Start(string resultFolder, IReadOnlyList<SuiteCase> cases, string command, SuiteBegin begin)
    {
        var journal = new SuiteJournal(resultFolder, cases, begin);
        journal.Start(FactsOf(cases, command));
        return journal;
    }

    public static SuiteJournal Continue(string resultFolder, IReadOnlyList<SuiteCase> cases, string command)
    {
        IReadOnlyDictionary<string, string> facts = FactsOf(cases, command);
        var journal = new SuiteJournal(resultFolder, cases, BeginOf(resultFolder, facts));
        journal.Load(facts);
        return journal;
    }

    public LaunchResult? Find(SuiteCase suiteCase, int launch) => Find(NumberOf(suiteCase, launch));

    /// <summary>Leaves out a step without figures, so that a continuation repeats it.</summary>
    public void Save(IReadOnlyList<CaseLaunch> launches)
    {
        foreach (CaseLaunch launch in launches.Any(launch => launch.Launch.Result is not null) ? launches : [])
        {
            Save(NumberOf(launch.Case, launch.Launch.Number), launch.Launch);
        }
    }

    private static IReadOnlyDictionary<string, string> FactsOf(IReadOnlyList<SuiteCase> cases, string command) => JournalFacts.Create(
        command,
        cases.Select(suiteCase => (
            $"case '{suiteCase}'",
            $"{Plural.Format(suiteCase.Launches, "launch", "launches")} of {JournalFacts.Describe(suiteCase.Plan, suiteCase.Library)}")));

    // The name contains the position of the case: the head defines the cases and their order.
    private string NumberOf(SuiteCase suiteCase, int launch)
    {
        int number = cases.TakeWhile(earlier => !ReferenceEquals(earlier, suiteCase)).Count() + 1;
        return Invariant($"{number:000}-{launch:00}");
    }
}
