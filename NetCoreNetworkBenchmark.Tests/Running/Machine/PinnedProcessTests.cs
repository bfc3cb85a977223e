using System.ComponentModel;

namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

public sealed class PinnedProcessTests
{
    [Fact]
    public async Task A_process_has_the_cores_that_it_was_given_and_ours_keeps_its_own()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The cores are read from Linux's /proc.");
        IReadOnlyList<int> ours = CoreAffinity.OfProcess();
        foreach (int core in (int[])[ours[0], ours[^1]])
        {
            Assert.Equal($"Cpus_allowed_list:\t{core}", await StatusAsync([core]));
        }

        Assert.Equal($"Cpus_allowed_list:\t{CoreList.Text(ours).Replace('+', ',')}", await StatusAsync(null));
        Assert.Equal(ours, CoreAffinity.OfProcess());
    }

    [Fact]
    public void Start_throws_when_the_program_cannot_be_started() => Assert.Throws<Win32Exception>(
        () => PinnedProcess.Start(
            new ProcessStartInfo("/nowhere/at all"), CoreAffinity.IsSupported ? [CoreAffinity.OfProcess()[0]] : null));

    private static async Task<string> StatusAsync(IReadOnlyList<int>? cores)
    {
        var start = new ProcessStartInfo("grep", ["Cpus_allowed_list", "/proc/self/status"]) { RedirectStandardOutput = true };
        using Process process = PinnedProcess.Start(start, cores);
        string status = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        return status.Trim();
    }
}
