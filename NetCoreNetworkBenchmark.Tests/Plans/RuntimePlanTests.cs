using NetCoreNetworkBenchmark.Options;

namespace NetCoreNetworkBenchmark.Tests.Plans;

public sealed class RuntimePlanTests
{
    [Fact]
    public void Each_combination_of_values_is_a_variant()
    {
        IReadOnlyList<RuntimePlan> variants = RuntimeOptions.VariantsOf(["gcserver=0,1", "TieredPGO=1,0"]);
        Assert.Equal(
            ["TieredPGO=1, gcServer=0", "TieredPGO=0, gcServer=0", "TieredPGO=1, gcServer=1", "TieredPGO=0, gcServer=1"],
            variants.Select(variant => variant.ToString()));
        Assert.Equal(["--runtime", "TieredPGO=1,0", "--runtime", "gcServer=0,1"], RuntimeOptions.ArgumentsOf(variants));
    }

    [Fact]
    public void Without_settings_there_is_one_variant_with_the_runtimes_own() => Assert.True(Assert.Single(RuntimeOptions.VariantsOf([])).IsNone);

    [Fact]
    public void Environment_has_the_names_that_the_runtime_reads() =>
        Assert.Equal([KeyValuePair.Create("DOTNET_gcServer", "1")], new RuntimePlan().With("gcServer", "1").Environment);

    [Fact]
    public void A_plan_with_less_compilation_keeps_what_the_user_has_chosen() => Assert.Equal(
        "TC_CallCountThreshold=1E, TC_CallCountingDelayMs=0", new RuntimePlan().With("TC_CallCountThreshold", "1E").WithLessCompilation().ToString());

    [Theory]
    [InlineData("\"gcSrver\" is not one of", "gcSrver=1")]
    [InlineData("\"2x\" is not a number of 1 to 16 hexadecimal digits", "gcServer=2x")]
    [InlineData("\"gcServer\" is not NAME=VALUE", "gcServer")]
    [InlineData("\"gcServer=\" is not NAME=VALUE", "gcServer=")]
    [InlineData("\"gcServer=1,1\" has a value twice. Use different values.", "gcServer=1,1")]
    [InlineData("gcServer is given twice", "gcServer=1", "gcserver=0")]
    [InlineData("at most 12 combinations of values are supported; 16 were requested", "gcServer=0,1", "TieredPGO=0,1", "ReadyToRun=0,1", "gcConcurrent=0,1")]
    public void Wrong_values_are_refused_with_a_sentence(string sentence, params string[] texts) => Assert.Contains(
        sentence, Assert.Throws<BenchmarkException>(() => RuntimeOptions.VariantsOf(texts)).Message, StringComparison.Ordinal);
}
