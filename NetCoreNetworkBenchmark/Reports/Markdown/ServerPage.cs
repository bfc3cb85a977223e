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
            Invariant($"Message size: {result.MessageSize:N0} bytes"));
        writer.WriteParagraphs($"#### {result.Library}", PageParts.Transport(result), "```");
        double idle = Math.Max(0, (result.DurationSeconds ?? 0) - result.Cost.Seconds);
        writer.WriteLine(
            result.DurationSeconds is { } duration
                ? Invariant($"Duration: {duration:0.000} s from the first to the last message, {idle:0.000} s of it idle")
                : Invariant($"Duration: {result.Cost.Seconds:0.000} s"));
        writer.WriteLine(Invariant($"Messages server received: {MessageLines.Told(result.Received)}"));
        writer.WriteLine(Invariant($"Messages sent by server: {MessageLines.Told(result.Sent)}"));
        writer.WriteLine(Invariant($"Errors: {result.ErrorsByName.Values.Sum():N0}{Names(result.ErrorsByName)}"));
        if (result.Disconnects is { } disconnects)
        {
            writer.WriteLine(Invariant($"Connections that ended: {disconnects.Values.Sum():N0}{Names(disconnects)}"));
        }

        MessageLines.WriteForeign(result.Foreign, writer);
        writer.WriteLine();
        writer.WriteLines(Cost("Server", result.Cost));
        writer.WriteLines(StreamLines.OfTls(result.Tls));
        writer.WriteLines(SideLines.Of(result.Settings, result.ServerThreads, null, new PinningResult(result.Pinning, null)));
        writer.WriteLine("```");
        writer.WriteParagraphs(result.Remarks.Select(remark => $"Note: {remark}"));
    }
}
