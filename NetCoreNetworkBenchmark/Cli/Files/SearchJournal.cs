using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Files;

internal sealed class SearchJournal(string resultFolder, SuiteBegin begin) : Journal<SearchStep>(resultFolder, begin, "step")
{
    public static SearchJournal Start(string resultFolder, string command, IReadOnlyList<(RunPlan Plan, LibraryInfo Library)> loads, SuiteBegin begin)
    {
        var journal = new SearchJournal(resultFolder, begin);
        journal.Start(FactsOf(command, loads));
        return journal;
    }

    public static SearchJournal Continue(string resultFolder, string command, IReadOnlyList<(RunPlan Plan, LibraryInfo Library)> loads)
    {
        IReadOnlyDictionary<string, string> facts = FactsOf(command, loads);
        var journal = new SearchJournal(resultFolder, BeginOf(resultFolder, facts));
        journal.Load(facts);
        return journal;
    }

    /// <param name="load">The number of the load from 0; null if there is one.</param>
    public SearchStep? Find(double value, int? load = null) => Find(NumberOf(value, load));

    /// <summary>Leaves out a step that failed or does not show the library, so that a continuation repeats it.</summary>
    public void Save(SearchStep step, int? load = null)
    {
        if (!step.IsFailed && !step.IsSpoiled)
        {
            Save(NumberOf(step.Value, load), step);
        }
    }

    private static IReadOnlyDictionary<string, string> FactsOf(string command, IReadOnlyList<(RunPlan Plan, LibraryInfo Library)> loads) =>
        JournalFacts.Create(
            command,
            loads.Select(load => (loads.Count == 1 ? "load" : $"load of {load.Library.Name}", JournalFacts.Describe(load.Plan, load.Library))));

    private static string NumberOf(double value, int? load) =>
        (load is { } number ? FormattableString.Invariant($"{number + 1}-") : string.Empty) + value.ToString("R", CultureInfo.InvariantCulture);
}
