using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Workloads;

/// <summary>
/// What is in a message: a tag that tells which one it is, then the load. A message that is too small for the tag is load alone,
/// and is told by its order.
/// </summary>
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

    /// <summary>Whether messages carry a tag.</summary>
    public bool IsTagged => _template.Length >= MessageTag.Size;

    /// <summary>A message with its load in place.</summary>
    public byte[] CreateMessage() => [.. _template];

    /// <summary>
    /// A message with its load in place, to write a tag into and send at once. All clients of a thread make theirs in the same memory, which
    /// stays in the cache where a buffer for each of thousands would not.
    /// </summary>
    /// <param name="worker">The calling thread's.</param>
    public byte[] MessageOf(WorkerStatistics worker) => Unsafe.As<byte[]>(worker.WorkloadState ??= CreateMessage());

    /// <summary>Whether size and load are what was sent. The tag is not looked at.</summary>
    public bool IsIntact(ReadOnlySpan<byte> message)
    {
        ReadOnlySpan<byte> template = _template;
        if (message.Length != template.Length)
        {
            return false;
        }

        // The default message has one vector behind its tag; comparing that here costs less than a call.
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
