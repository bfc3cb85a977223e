using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>The page of a server that ran alone.</summary>
internal static class ServerHtml
{
    public static void Write(ServerResult result, TextWriter writer) => HtmlPage.Write(writer, $"{result.Test} server: {result.Library}", result, html =>
    {
        MarkdownBlocks.Write(html, text => ServerPage.Write(result, text));
        (string, string, ProcessCost)[] costs = [("Server", "s0", result.Cost)];
        using (html.BeginPlots())
        {
            CostPlots.WriteCpu(html, "CPU time of a message", costs);
            CostPlots.WriteAllocations(html, "Allocations of a message", costs);
        }

        html.WriteEnvironment(result.Environment, result.Fitness);
        html.WriteCommand(result.Command);
    });
}
