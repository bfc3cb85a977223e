using System.Runtime.Versioning;

namespace NetCoreNetworkBenchmark.Tests.Cli.Files;

public sealed class ResultFilesTests : InTemporaryFolder
{
    [Fact]
    public void Write_writes_every_report_and_nothing_else()
    {
        new ResultFiles(Folder.FullName, [new JsonReport(), new MarkdownReport()]).Write(SampleSuites.Suite);
        Assert.Equal(["README.md", "results.json"], Files());
    }

    [Fact]
    public void Write_leaves_out_a_table_of_launches_where_a_result_is_kept_brief()
    {
        new ResultFiles(Folder.FullName, [new CsvReport(), new JsonReport()]).Write(SampleSuites.Suite.Brief());
        Assert.Equal(["results.json"], Files());
        new ResultFiles(Folder.FullName, [new CsvReport()]).Write(SampleSuites.Suite);
        Assert.Equal(["results.csv", "results.json"], Files());
    }

    [Fact]
    public void Write_writes_a_requested_report_also_of_a_brief_result()
    {
        var requested = new HlogReport();
        new ResultFiles(Folder.FullName, [requested, new CsvReport(), new JsonReport()], requested).Write(SampleSuites.Suite.Brief());
        Assert.Equal(["results.hlog", "results.json"], Files());
    }

    [Fact]
    public void Write_keeps_the_old_file_whole_when_a_report_fails()
    {
        string old = PathOf("broken.txt");
        File.WriteAllText(old, "old");
        var files = new ResultFiles(Folder.FullName, [new BrokenReport()]);
        Assert.Throws<BenchmarkException>(() => files.Write(SampleResults.Valid));
        Assert.Equal("old", File.ReadAllText(old));
        Assert.Equal(["broken.txt"], Files());
    }

    [Fact, UnsupportedOSPlatform("windows")]
    public void Write_keeps_a_link_and_the_permissions_of_its_target()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no permissions of this kind, and links only for administrators.");
        const UnixFileMode Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite;
        string target = Path.Combine(Folder.CreateSubdirectory("kept").FullName, "target.json");
        File.WriteAllText(target, "old");
        File.SetUnixFileMode(target, Mode);
        File.CreateSymbolicLink(PathOf("second"), Path.Combine("kept", "target.json"));
        File.CreateSymbolicLink(PathOf("result.json"), "second");
        File.CreateSymbolicLink(PathOf("result.md"), Path.Combine("kept", "new.md"));
        new ResultFiles(Folder.FullName, [new JsonReport(), new MarkdownReport()]).Write(SampleResults.Valid);
        Assert.Equal(["second", Path.Combine("kept", "new.md")], Array.ConvertAll(["result.json", "result.md"], name => new FileInfo(PathOf(name)).LinkTarget));
        File.ReadAllText(target).AssertBegins("{");
        Assert.Equal(Mode, File.GetUnixFileMode(target));
        Assert.Equal(["new.md", "target.json"], Directory.GetFiles(PathOf("kept")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Write_writes_the_other_files_where_one_cannot_be_written()
    {
        var files = new ResultFiles(Folder.FullName, [new BrokenReport(), new HgrmReport(), new JsonReport(), new MarkdownReport()]);
        File.WriteAllText(Path.Combine(Folder.CreateSubdirectory("result.hgrm").FullName, "file"), string.Empty);
        var exception = Assert.Throws<BenchmarkException>(() => files.Write(SampleResults.Valid));
        Assert.Equal(
            $"The result could not be written to '{PathOf("broken.txt")}': the disk is full. 1 more of its files could not be written.",
            exception.Message);
        Assert.False(exception.IsBadInput);
        Assert.Equal(["result.json", "result.md"], Files());
    }

    [Fact]
    public void Write_makes_the_folder_again_where_it_was_removed_meanwhile()
    {
        string folder = PathOf("results");
        var files = new ResultFiles(folder, [new JsonReport()]);
        Directory.Delete(folder);
        files.Write(SampleResults.Valid);
        Assert.True(File.Exists(Path.Combine(folder, "result.json")));
    }

    [Fact]
    public void A_folder_that_cannot_be_made_is_refused_before_anything_is_measured()
    {
        string file = PathOf("file");
        File.WriteAllText(file, string.Empty);
        var exception = Assert.Throws<BenchmarkException>(() => new ResultFiles(Path.Combine(file, "below"), []));
        exception.Message.AssertBegins($"--output: the folder '{file}{Path.DirectorySeparatorChar}below' cannot be written to (");
        exception.Message.AssertEnds("). Use another folder.");
        Assert.True(exception.IsBadInput);
    }

    [Theory]
    [InlineData("Debian GNU/Linux 12 (bookworm)", "Intel(R) Core(TM) i5-3570K CPU @ 3.40GHz", 4, "Debian-GNU-Linux-12-Intel-Core-i5-3570K-3.40GHz-4-cores")]
    [InlineData("Microsoft Windows 10.0.22631", "AMD Ryzen 7 3700X 8-Core Processor", 16, "Microsoft-Windows-10.0.22631-AMD-Ryzen-7-3700X-8-Core-16-cores")]
    public void MachineName_is_made_of_system_processor_and_cores(string os, string cpu, int cores, string name) => Assert.Equal(
        name, BenchmarksFolder.MachineName(SampleResults.Valid.Environment with { Os = os, Cpu = cpu, Cores = cores }));

    private IEnumerable<string> Files() => Folder.GetFiles().Select(file => file.Name).Order(StringComparer.Ordinal);

    private sealed class BrokenReport : IReport
    {
        public string Name => "broken";

        public string FileNameOf(Result result) => "broken.txt";

        public void Write(Result result, TextWriter writer)
        {
            writer.Write("half");
            throw new IOException("the disk is full");
        }
    }
}
