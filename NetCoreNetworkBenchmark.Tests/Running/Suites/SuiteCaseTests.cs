using NetCoreNetworkBenchmark.Options;
using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

public sealed class SuiteCaseTests
{
    [Theory]
    [InlineData(Profile.Default, null, "Sockets (1.2.3)")]
    [InlineData(Profile.Default, "", "Sockets (1.2.3)")]
    [InlineData(Profile.Tuned, null, "Sockets (1.2.3, tuned)")]
    [InlineData(Profile.Default, "gcServer=1", "Sockets (1.2.3, gcServer=1)")]
    public void With_has_the_version_in_the_name_of_the_case(Profile profile, string? variant, string name)
    {
        RunPlan plan = PlanOption.DefaultPlan with { Library = "Sockets", Profile = profile, Variant = variant };
        var found = new SuiteCase("Load", plan, LibraryUnderTest.Create("Sockets").Info, new PingPong(), 1);
        SuiteCase built = found.With(new VersionBuild("1.2.3", "/build/x.dll"));
        Assert.Equal((name, "/build/x.dll"), (built.Name, built.Build));
    }
}
