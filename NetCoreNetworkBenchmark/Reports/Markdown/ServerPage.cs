using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The page of a server that ran alone.</summary>
internal static class ServerPage
{
    public static void Write(ServerResult result, TextWriter writer)
    {
        writer.WriteLine($"### {result.Test} server (v {result.HarnessVersion})");
        writer.WriteLine();
        writer.WriteLine($"* OS: {result.Environment.Os}");
        writer.WriteLine($"* Framework: {result.Environment.Framework}");
        writer.WriteLine($"* Address: {result.EndPoint}");
        writer.WriteLine(Invariant($"* Message size: {result.MessageSize:N0} bytes"));
        writer.WriteLine(Invariant($"* Client processes: {result.ClientProcesses:N0}"));
        writer.WriteLine();
        writer.WriteLine($"#### {result.Library}");
        writer.WriteLine();
        writer.WriteLine($"{result.LibraryVersion}, {result.Protocol}, {result.Transmission}{StreamLines.Framing(result.Framing)}");
        writer.WriteLine();
        writer.WriteLine("```");
        writer.WriteLine(Invariant($"Duration: {result.Cost.Seconds:0.000} s"));
        writer.WriteLine(Invariant($"Messages server received: {result.Received:N0}"));
        writer.WriteLine(Invariant($"Messages sent by server: {result.Sent:N0}"));
        writer.WriteLine(Invariant($"Errors: {result.ErrorsByName.Values.Sum():N0}{Names(result.ErrorsByName)}"));
        MessageLines.WriteForeign(result.Foreign, writer);
        writer.WriteLine();
        foreach (string line in Cost("Server", result.Cost))
        {
            writer.WriteLine(line);
        }

        foreach (string line in StreamLines.OfTls(result.Tls))
        {
            writer.WriteLine(line);
        }

        PinningResult? pinning = result.Pinning is null ? null : new PinningResult(result.Pinning, null);
        foreach (string line in SideLines.Of(result.Settings, result.ServerThreads, null, pinning))
        {
            writer.WriteLine(line);
        }

        writer.WriteLine("```");
        foreach (string remark in result.Remarks)
        {
            writer.WriteLine();
            writer.WriteLine($"Note: {remark}");
        }
    }
}
