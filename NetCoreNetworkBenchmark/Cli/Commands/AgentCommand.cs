using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Makes this process an agent of the coordinator that holds the other ends of its standard input and output.</summary>
internal static class AgentCommand
{
    public static async Task<int> RunAsync(CommandContext context)
    {
        // Standard output belongs to the protocol: output of a library must not appear between two frames.
        Console.SetOut(Console.Error);
        var channel = new FrameChannel("The coordinator", Console.OpenStandardInput(), Console.OpenStandardOutput(), besideLibrary: true);
        await using (channel.ConfigureAwait(false))
        {
            return await new Agent(channel, context.Catalog).RunAsync().ConfigureAwait(false) ? ExitCode.Success : ExitCode.Failed;
        }
    }
}
