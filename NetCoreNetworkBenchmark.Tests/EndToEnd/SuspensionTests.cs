namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class SuspensionTests
{
    private const char Stopped = 'T';

    [Fact]
    public async Task Suspended_processes_end_with_a_coordinator_that_is_killed()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Processes are suspended on Linux only.");
        using BenchmarkProcess coordinator = BenchmarkProcess.Start(
            "versus", AppContext.BaseDirectory, "-l", "Sockets", "-c", "10", "--rounds", "1000", "--launches", "1", "--warmup", "0.1");
        int[] agents = [];
        await Wait.UntilAsync(
            () => (agents = ChildrenOf(coordinator.Id)).Length == 4 && agents.Any(child => StateOf(child) == Stopped), "four agents, one of them suspended");
        using (var alone = Process.GetProcessById(coordinator.Id))
        {
            alone.Kill();
        }

        await Wait.UntilAsync(() => agents.All(child => StateOf(child) is null or 'Z'), "the ends of all agents");
    }

    private static int[] ChildrenOf(int parent) =>
    [
        .. from folder in Directory.GetDirectories("/proc")
           where int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out _)
           let child = int.Parse(Path.GetFileName(folder), CultureInfo.InvariantCulture)
           where FieldsOf(child) is [_, var itsParent, ..] && itsParent == parent.ToString(CultureInfo.InvariantCulture)
           select child,
    ];

    private static char? StateOf(int process) => FieldsOf(process) is [[var state], ..] ? state : null;

    // The fields after the name in brackets: proc_pid_stat(5). Null if the process has gone.
    private static string[]? FieldsOf(int process)
    {
        try
        {
            string stat = File.ReadAllText($"/proc/{process}/stat");
            return stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
