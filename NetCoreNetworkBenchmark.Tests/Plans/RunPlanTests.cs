namespace NetCoreNetworkBenchmark.Tests.Plans;

public sealed class RunPlanTests
{
    private static readonly LibrarySetting s_batch = new("batch", ["call", "gso"], "call", "how it sends");

    [Fact]
    public void SettingOf_finds_the_value_without_regard_to_case()
    {
        var plan = new RunPlan { Library = "Quick", Settings = new Dictionary<string, string> { ["Batch"] = "gso" } };
        Assert.Equal("gso", plan.SettingOf(s_batch));
    }

    [Fact]
    public void SettingOf_returns_the_default_if_the_plan_has_no_value() => Assert.Equal("call", new RunPlan { Library = "Quick" }.SettingOf(s_batch));
}
