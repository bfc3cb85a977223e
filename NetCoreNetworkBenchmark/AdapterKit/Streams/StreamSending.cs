using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>The amount of data that one call hands to a library over TCP and SSL.</summary>
internal enum StreamSending
{
    /// <summary>Each message is handed over by its own call, at both sides.</summary>
    Message,

    /// <summary>One call hands over all messages that the workload sends in answer to one receive call, at both sides.</summary>
    Receive,

    /// <summary>The server sends as with <see cref="Receive"/>, the clients send as with <see cref="Message"/>.</summary>
    Echo,
}

/// <summary>The setting <c>send</c> of every library that offers TCP or SSL.</summary>
internal static class StreamSendSetting
{
    /// <summary>The setting; its values are the names of <see cref="StreamSending"/> in lower case.</summary>
    public static LibrarySetting Setting { get; } = new(
        "send",
        ["message", "receive", "echo"],
        Default: "message",
        "what one call hands to the library: each message by itself, all that one receive call brought, or the server the latter and the clients the former")
    {
        Tuned = "receive",
        Protocols = [Protocol.Tcp, Protocol.Ssl],
    };

    /// <summary>Determines how one side of a run sends.</summary>
    /// <param name="plan">The plan for the adapter of that side.</param>
    /// <param name="isServer">Whether the side is the server.</param>
    /// <returns>True for one call for each message; false for one call for all messages in answer to one receive call.</returns>
    public static bool SendsEachMessage(RunPlan plan, bool isServer)
    {
        return Enum.Parse<StreamSending>(plan.SettingOf(Setting), ignoreCase: true) switch
        {
            StreamSending.Message => true,
            StreamSending.Receive => false,
            _ => !isServer,
        };
    }
}
