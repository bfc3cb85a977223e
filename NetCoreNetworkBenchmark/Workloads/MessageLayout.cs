using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace NetCoreNetworkBenchmark.Workloads;

// A tag that identifies the message, then the load. A message that is too small for the tag is identified by its order.
internal sealed class MessageLayout
{
    private readonly byte[] _template;

    public MessageLayout(RunPlan plan)
    {
        _template = new byte[plan.MessageSize];
        switch (plan.MessageLoad)
        {
            case MessageLoad.Random:
                new Random(plan.Seed).NextBytes(_template);
                break;
            case MessageLoad.Ones:
                _template.AsSpan().Fill(0xff);
                break;
            case MessageLoad.Zeros:
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(plan), plan.MessageLoad, "Not a message load.");
        }
    }

    public bool IsTagged => _template.Length >= MessageTag.Size;

    public byte[] CreateMessage() => [.. _template];

    // The caller writes a tag and sends the message at once. All clients of a thread share this memory, which stays in the cache; thousands of separate
    // buffers would not.
    public byte[] MessageOf(WorkerStatistics worker) => Unsafe.As<byte[]>(worker.WorkloadState ??= CreateMessage());

    /// <summary>Whether the size and the load are those of the sent message. The tag is not checked.</summary>
    public bool IsIntact(ReadOnlySpan<byte> message)
    {
        ReadOnlySpan<byte> template = _template;
        if (message.Length != template.Length)
        {
            return false;
        }

        // The default message has one vector after its tag. The comparison here costs less than a call.
        return template.Length == MessageTag.Size + Vector128<byte>.Count
            ? Vector128.Create(message[MessageTag.Size..]) == Vector128.Create(template[MessageTag.Size..])
            : HasLoad(message);
    }

    private bool HasLoad(ReadOnlySpan<byte> message)
    {
        int start = IsTagged ? MessageTag.Size : 0;
        return message[start..].SequenceEqual(_template.AsSpan(start));
    }
}
