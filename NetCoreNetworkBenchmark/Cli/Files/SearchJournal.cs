using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Files;

/// <summary>The journal of a search. A continuation tries the same values, and takes the steps that are saved.</summary>
internal sealed class SearchJournal(string resultFolder, SuiteBegin begin) : Journal<SearchStep>(resultFolder, begin, "step")
{
    public static SearchJournal Start(string resultFolder, string command, RunPlan plan, LibraryInfo library, SuiteBegin begin)
    {
        var journal = new SearchJournal(resultFolder, begin);
        journal.Start(FactsOf(command, plan, library));
        return journal;
    }

    public static SearchJournal Continue(string resultFolder, string command, RunPlan plan, LibraryInfo library)
    {
        IReadOnlyDictionary<string, string> facts = FactsOf(command, plan, library);
        var journal = new SearchJournal(resultFolder, BeginOf(resultFolder, facts));
        journal.Load(facts);
        return journal;
    }

    public SearchStep? Find(double value) => Find(NumberOf(value));

    /// <summary>Saves a step. A continuation repeats one that failed or does not show the library.</summary>
    public void Save(SearchStep step)
    {
        if (!step.IsFailed && !step.IsSpoiled)
        {
            Save(NumberOf(step.Value), step);
        }
    }

    private static IReadOnlyDictionary<string, string> FactsOf(string command, RunPlan plan, LibraryInfo library) =>
        JournalFacts.Of(command, [("load", JournalFacts.TextOf(plan, library))]);

    private static string NumberOf(double value) => value.ToString("R", CultureInfo.InvariantCulture);
}
