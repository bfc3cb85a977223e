using System.Globalization;
using System.Text.Json;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Tests.Reports;

public sealed class ReportTests
{
    public static TheoryData<string> Cultures => ["en-US", "de-DE"];

    [Theory]
    [MemberData(nameof(Cultures))]
    public void Markdown_of_a_run_is_the_golden_file_in_every_culture(string culture) =>
        Golden.Verify(Write(culture, writer => new MarkdownReport().Write(SampleResults.Valid, writer)), "Reports/run.md.golden");

    [Theory]
    [MemberData(nameof(Cultures))]
    public void Markdown_of_an_invalid_run_is_the_golden_file_in_every_culture(string culture) =>
        Golden.Verify(Write(culture, writer => new MarkdownReport().Write(SampleResults.Invalid, writer)), "Reports/invalid-run.md.golden");

    [Theory]
    [MemberData(nameof(Cultures))]
    public void Markdown_of_the_suite_is_the_golden_file_in_every_culture(string culture) =>
        Golden.Verify(Write(culture, writer => new MarkdownReport().Write(SampleResults.Suite, writer)), "Reports/suite.md.golden");

    [Theory]
    [MemberData(nameof(Cultures))]
    public void Json_of_a_run_is_the_golden_file_in_every_culture(string culture) =>
        Golden.Verify(Write(culture, writer => new JsonReport().Write(SampleResults.Valid, writer)), "Reports/run.json.golden");

    [Theory]
    [MemberData(nameof(Cultures))]
    public void Json_of_the_suite_is_the_golden_file_in_every_culture(string culture) =>
        Golden.Verify(Write(culture, writer => new JsonReport().Write(SampleResults.Suite, writer)), "Reports/suite.json.golden");

    [Fact]
    public void Json_read_back_is_what_was_written()
    {
        string written = Write("en-US", writer => new JsonReport().Write(SampleResults.Suite, writer));
        SuiteResult read = JsonSerializer.Deserialize(written, ResultJson.Readable.SuiteResult)!;
        Assert.Equal(written, Write("en-US", writer => new JsonReport().Write(read, writer)));
    }

    private static string Write(string culture, Action<TextWriter> write)
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(culture);
            using var writer = new StringWriter(CultureInfo.CurrentCulture) { NewLine = "\n" };
            write(writer);
            return writer.ToString();
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }
}
