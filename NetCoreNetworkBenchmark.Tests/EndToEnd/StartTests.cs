namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>A start loads only the files that it needs. This has the largest effect on the start time, and does not depend on the machine.</summary>
public sealed class StartTests
{
    private static readonly string[] s_heavy = ["BenchmarkDotNet", "Microsoft.CodeAnalysis", "Spectre.Console"];
    private static readonly string[] s_libraries = ["LiteNetLib", "NetCoreServer", "ENet-CSharp", "kcp2k", "libenet", "Microsoft.AspNetCore"];

    [Theory]
    [InlineData("--help")]
    [InlineData("--version")]
    [InlineData("-l Sockets -p 0 -c 1 -d 0.1 --warmup 0")]
    [InlineData("-l Sockets -p 0 -c 1 -d 0.1 --warmup 0 --json")]
    public async Task Start_loads_neither_what_it_does_not_need_nor_another_library(string arguments)
    {
        string[] loaded = await LoadedByAsync(arguments);
        Assert.DoesNotContain(loaded, name => s_heavy.Concat(s_libraries).Any(unwanted => name.StartsWith(unwanted, StringComparison.OrdinalIgnoreCase)));
        Assert.Contains("System.CommandLine", loaded);
    }

    [Fact]
    public async Task List_is_seen_to_load_what_it_needs() => Assert.Contains("Spectre.Console", await LoadedByAsync("--list"));

    private static async Task<string[]> LoadedByAsync(string arguments)
    {
        string file = Path.GetTempFileName();
        try
        {
            await BenchmarkProcess.RunWithAsync(
                new() { ["DOTNET_STARTUP_HOOKS"] = typeof(StartTests).Assembly.Location, [StartupHook.File] = file }, arguments.Split(' '));
            string[] loaded = await File.ReadAllLinesAsync(file, TestContext.Current.CancellationToken);
            Assert.Contains("NetCoreNetworkBenchmark", loaded);
            return loaded;
        }
        finally
        {
            File.Delete(file);
        }
    }
}
