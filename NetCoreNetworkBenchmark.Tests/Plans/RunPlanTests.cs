namespace NetCoreNetworkBenchmark.Tests.Plans;

public sealed class RunPlanTests
{
    private static readonly LibrarySetting s_batch = new("batch", ["call", "gso"], "call", "how it sends");

    [Fact]
    public void SettingOf_finds_the_value_without_regard_to_case()
    {
        var plan = new RunPlan { Library = "Quick", Settings = new Dictionary<string, string> { ["Batch"] = "gso" } };
        Assert.Equal(("gso", "gso"), (plan.SettingOf(s_batch), plan.SettingOf("BATCH")));
    }

    [Fact]
    public void SettingOf_gives_the_default_where_the_plan_says_nothing_and_refuses_a_mere_name()
    {
        var plan = new RunPlan { Library = "Quick" };
        Assert.Equal("call", plan.SettingOf(s_batch));
        Assert.Throws<ArgumentException>(() => plan.SettingOf("batch"));
    }
}
