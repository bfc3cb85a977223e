namespace NetCoreNetworkBenchmark.Tests.Plans;

public sealed class CoreListTests
{
    [Theory, InlineData("0", 0), InlineData("0-1", 0, 1), InlineData("0-1+3", 0, 1, 3), InlineData("0+2-4+7+9-10", 0, 2, 3, 4, 7, 9, 10)]
    public void Text_is_what_the_option_takes(string text, params int[] cores) => Assert.Equal(text, CoreList.Text(cores));
}
