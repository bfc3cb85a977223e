using NetCoreNetworkBenchmark.Reports.Builders;

namespace NetCoreNetworkBenchmark.Tests.Plans;

public sealed class PluralTests
{
    [Theory, InlineData(0, "0 bytes"), InlineData(1, "1 byte"), InlineData(2, "2 bytes"), InlineData(1_000, "1,000 bytes")]
    public void Of_has_the_noun_in_the_singular_for_one_alone(long count, string text) => Assert.Equal(text, Plural.Format(count, "byte"));

    [Fact]
    public void Of_decides_by_the_number_as_it_is_printed()
    {
        Assert.Equal(["1 minute", "1.1 minutes"], [Plural.Format(0.99, "minute", format: "0.#"), Plural.Format(1.1, "minute", format: "0.#")]);
        Assert.Equal(["1 message was", "2 messages were"], [.. from count in (int[])[1, 2] select Plural.Format(count, "message was", "messages were")]);
        Assert.Equal(["1 byte", "1..2 bytes"], [.. from text in (string[])["1", "1..2"] select Plural.Format(text, "byte")]);
    }

    [Fact]
    public void A_load_of_one_has_no_plural()
    {
        RunPlan one = PlanOption.DefaultPlan with { Clients = 1, ParallelMessages = 1, MessageSize = 1, ServerThreads = 1 };
        PlanOptions.DescribeLoad(PlanOptions.All, one, string.Empty).AssertHas("1 client, 1 message, 1 byte");
        Assert.Equal("1 byte", Format.SizeOf(one));
    }
}
