using System.Xml.Linq;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>The plots of a page: what a screen reader reads of each, and the marks whose meaning a reader depends on.</summary>
public sealed class HtmlPlotTests
{
    [Fact]
    public void The_page_of_a_suite_has_plots_of_its_cases_and_their_launches()
    {
        XDocument page = XDocument.Parse(SampleSuites.Suite.Html());
        Assert.Equal(
            [
                "Benchmark 1: 1,000 clients, 1 message in flight each, 32 bytes, UDP. ENet: 26,410 msg/s (13,289 – 41,251); Sockets: 26,410 msg/s, invalid",
                "Benchmark 2. ENet: failed",
                "Latency over percentiles. ENet: p50 36.0 ms, p99 55.0 ms, max 1.23 s",
                "Rate over launches. ENet: 26,410, 27,000, 18,000 msg/s; Sockets: 26,410 msg/s",
                "Server: CPU time per message. ENet: 37.680 µs (12.928 user, 24.752 system); Sockets: 37.680 µs (12.928 user, 24.752 system)",
                "Server: Allocations per message. ENet: 0.02 bytes; Sockets: 0.02 bytes",
            ],
            NamesOf(page));
        Assert.Equal(["ENet: 26,410 msg/s (13,289 – 41,251)"], TipsBeside(page, "i"));
        Assert.Equal(["Sockets: 26,410 msg/s, invalid"], TipsBeside(page, "b0"));
        Assert.Equal(["Sockets, launch 1: 26,410 msg/s, invalid"], TipsOf(page, "h"));
        Assert.Equal(["ENet", "26,410", "Sockets", "26,410 (!)", "ENet", "failed"], page.Descendants("figure").Take(2).Descendants("g")
            .Where(row => row.Element("title") is not null).SelectMany(row => row.Elements("text")).Select(text => text.Value));
    }

    [Fact]
    public void The_page_of_a_rate_that_rises_has_plots_over_the_load_and_over_the_time_of_the_process()
    {
        XDocument page = XDocument.Parse(SampleResults.Steps.Html());
        Assert.Equal(
            [
                "Latency over load. 1,000 msg/s, p50: 60.2 µs; 1,667 msg/s, p50: 70.1 µs; 2,333 msg/s, p50: 14.0 ms; 3,000 msg/s, p50: 100 ms; "
                    + "1,000 msg/s, p99: 150 µs; 1,667 msg/s, p99: 175 µs; 2,333 msg/s, p99: 35.0 ms; 3,000 msg/s, p99: 250 ms",
                "Latency over percentiles. latency: p50 36.0 ms, p99 55.0 ms, max 1.23 s; uncorrected: p50 900 µs, p99 1.20 ms, max 1.50 ms",
                "Rate over the measurement. Part 1: 998 msg/s; Part 2: 1,671 msg/s; Part 3: 2,335 msg/s; Part 4: 3,013 msg/s",
                "CPU time per message. Clients: 37.625 µs (19.641 user, 17.984 system)",
                "Allocations per message. Clients: 0.02 bytes",
                "Messages. least: Process at 0.3 s: 130 msg/s, most: Process at 0.5 s: 26,626.63 msg/s",
                "99th percentile of the latency. least: Process at 0.4 s: 41 ms, most: Process at 0.3 s: 98.77 ms",
                "CPU time. least: Process at 0.3 s: 0 cores, most: Process at 0.2 s: 0.6 cores",
                "Pauses by the garbage collector. least: Process at 0.1 s: 0 ms, most: Process at 0.4 s: 0.12 ms",
                "Threads of the thread pool. least: Process at 0.1 s: 2 threads, most: Process at 0.1 s: 2 threads",
            ],
            NamesOf(page));
        Assert.Equal(
            ["2,333 msg/s, p50: 14.0 ms", "3,000 msg/s, p50: 100 ms", "2,333 msg/s, p99: 35.0 ms", "3,000 msg/s, p99: 250 ms"], TipsOf(page, "h"));
        Assert.Equal(["p50", "p99", "latency", "uncorrected"], With(page, "k").Select(key => key.Value));
    }

    private static IEnumerable<string> NamesOf(XDocument page) =>
        page.Descendants("figure").Elements("svg").Select(plot => plot.Attribute("aria-label")!.Value);

    private static IEnumerable<string> TipsOf(XDocument page, string style) => With(page, style).Select(mark => mark.Element("title")!.Value);

    private static IEnumerable<string> TipsBeside(XDocument page, string style) => With(page, style).Select(mark => mark.Parent!.Element("title")!.Value);

    private static IEnumerable<XElement> With(XDocument page, string style) =>
        page.Descendants().Where(element => element.Attribute("class")?.Value == style);
}
