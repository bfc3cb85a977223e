namespace NetCoreNetworkBenchmark.Tests.Cli.Requests;

public sealed class ProgramNameTests
{
    [Theory]
    [InlineData("/home/user/.dotnet/tools/netbench", "netbench")]
    [InlineData(@"C:\Users\user\.dotnet\tools\netbench.exe", "netbench")]
    [InlineData("/checkout/bin/Release/net10.0/NetCoreNetworkBenchmark", "NetCoreNetworkBenchmark")]
    [InlineData("/usr/bin/dotnet", "NetCoreNetworkBenchmark")]
    [InlineData(@"C:\Program Files\dotnet\dotnet.exe", "NetCoreNetworkBenchmark")]
    [InlineData("/opt/bench.old", "bench.old")]
    [InlineData(null, "NetCoreNetworkBenchmark")]
    public void The_name_is_that_of_the_process(string? process, string name) => Assert.Equal(name, ProgramName.For(process));
}
