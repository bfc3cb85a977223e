using NetCoreNetworkBenchmark.Libraries.ENet;

namespace NetCoreNetworkBenchmark.Tests.Libraries;

public sealed class EnetLibraryTests
{
    [Theory]
    [InlineData(0x010311, null)]
    [InlineData(0x020408, "is version 2.4.8, and ENet 1.3 is required: the file of the package ENet-CSharp is another library")]
    public void A_library_of_the_same_name_with_another_ABI_is_refused(uint version, string? words)
    {
        string? problem = EnetLibrary.ProblemOf(version);
        Assert.Equal(words is null, problem is null);
        (problem ?? string.Empty).AssertEnds(words ?? string.Empty);
    }
}
