using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The page of a server that ran alone.</summary>
internal static class ServerPage
{
    public static void Write(ServerResult result, TextWriter writer)
    {
        writer.WriteHeader(
            $"{result.Test} server",
            result.HarnessVersion,
            result.Environment,
            $"Address: {result.EndPoint}",
            Invariant($"Message size: {result.MessageSize:N0} bytes"),
            Invariant($"Client processes: {result.ClientProcesses:N0}"));
        writer.WriteParagraphs($"#### {result.Library}", PageParts.Transport(result), "```");
        writer.WriteLine(Invariant($"Duration: {result.Cost.Seconds:0.000} s"));
        writer.WriteLine(Invariant($"Messages server received: {MessageLines.Told(result.Received)}"));
        writer.WriteLine(Invariant($"Messages sent by server: {MessageLines.Told(result.Sent)}"));
        writer.WriteLine(Invariant($"Errors: {result.ErrorsByName.Values.Sum():N0}{Names(result.ErrorsByName)}"));
        MessageLines.WriteForeign(result.Foreign, writer);
        writer.WriteLine();
        writer.WriteLines(Cost("Server", result.Cost));
        writer.WriteLines(StreamLines.OfTls(result.Tls));
        writer.WriteLines(SideLines.Of(result.Settings, result.ServerThreads, null, new PinningResult(result.Pinning, null)));
        writer.WriteLine("```");
        writer.WriteParagraphs(result.Remarks.Select(remark => $"Note: {remark}"));
    }
}
