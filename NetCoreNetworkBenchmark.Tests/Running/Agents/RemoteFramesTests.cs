using System.Globalization;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

public sealed class RemoteFramesTests
{
    [Fact]
    public void Options_of_a_workload_are_fit_to_be_printed() => Assert.Equal(
        [KeyValuePair.Create("--fan?out", "3?")],
        Admit(new RunPlan { Library = "Sockets", WorkloadOptions = new Dictionary<string, string> { ["--fan\nout"] = "3\u202e" } }).WorkloadOptions);

    [Fact]
    public void More_options_of_a_workload_than_any_has_are_refused()
    {
        var options = Enumerable.Range(0, 1_001).ToDictionary(number => number.ToString(CultureInfo.InvariantCulture), _ => "1");
        var exception = Assert.Throws<InvalidDataException>(() => Admit(new RunPlan { Library = "Sockets", WorkloadOptions = options }));
        Assert.Equal("the number of workloadOptions is 1001, and 0 to 1000 is valid", exception.Message);
    }

    [Fact]
    public void Of_credentials_that_are_handed_over_only_the_authority_is_taken()
    {
        TlsCredentials all = CertificateMaker.Make(TlsKey.P256, []);
        Assert.Equal(new ReadyFrame { Credentials = new TlsCredentials { Authority = all.Authority } }, Admit(all));
        TlsCredentials broken = all with { ClientKey = "no key", ClientCertificate = null };
        Assert.Equal(new ReadyFrame { Credentials = new TlsCredentials { Authority = all.Authority } }, Admit(broken));
    }

    [Theory]
    [InlineData("")]
    [InlineData("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")]
    public void An_authority_that_cannot_be_read_is_refused(string pem)
    {
        var exception = Assert.Throws<InvalidDataException>(() => Admit(new TlsCredentials { Authority = pem }));
        Assert.Equal("a certificate that cannot be read", exception.Message);
    }

    private static Frame Admit(TlsCredentials credentials) => new RemoteFrames().Admit(new ReadyFrame("127.0.0.1:1") { Credentials = credentials }, 10);

    private static RunPlan Admit(RunPlan plan) =>
        ((HelloFrame)new RemoteFrames().Admit(new HelloFrame(ResultBuilder.HarnessVersion, AgentRole.Client, plan, null), 10)).Plan;
}
