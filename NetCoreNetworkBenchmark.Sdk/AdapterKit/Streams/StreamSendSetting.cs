namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>The setting <c>send</c> of every library that offers a stream: the amount of data that one call hands to the library.</summary>
public static class StreamSendSetting
{
    private const string Message = "message";
    private const string Receive = "receive";

    /// <summary>The setting. The value <c>echo</c> stands for <c>receive</c> at the server and <c>message</c> at the clients.</summary>
    public static LibrarySetting Setting { get; } = new(
        "send",
        [Message, Receive, "echo"],
        Default: Message,
        "messages per send call: one, all of one receive call, or all of one receive call at the server and one at the clients")
    {
        Tuned = Receive,
        Protocols = [Protocol.Tcp, Protocol.Ssl, Protocol.Quic],
    };

    /// <summary>Determines whether one side makes a call for each message, or one call for all messages in answer to one receive call.</summary>
    public static bool SendsEachMessage(RunPlan plan, bool isServer) => plan.SettingOf(Setting) switch
    {
        Message => true,
        Receive => false,
        _ => !isServer,
    };
}
