using System.Buffers.Text;
using System.Text;

namespace NetCoreNetworkBenchmark.Running.Machine.Native;

/// <summary>proc_pid_stat(5). Reading a number allocates nothing. All numbers of a process that has ended are null.</summary>
internal readonly ref struct ProcStat(ReadOnlySpan<byte> text)
{
    private readonly ReadOnlySpan<byte> _text = text;

    public long? UserTicks => Field(14);
    public long? SystemTicks => Field(15);
    public long? Threads => Field(20);

    /// <summary>The name is in brackets, and may itself contain brackets, spaces and line ends.</summary>
    public string Name => Encoding.UTF8.GetString(_text[(_text.IndexOf((byte)'(') + 1).._text.LastIndexOf((byte)')')]);

    // The kernel's unit in /proc is fixed for programs, whatever its own is (USER_HZ).
    public const double TicksPerSecond = 100;

    public static ProcStat Read(int process) => new(SystemFiles.ReadBytes($"/proc/{process}/stat"));

    private long? Field(int number)
    {
        const int Name = 2;
        if (_text.IndexOf((byte)'(') is var begin && (begin < 0 || _text.LastIndexOf((byte)')') < begin))
        {
            return null;
        }

        ReadOnlySpan<byte> rest = _text[(_text.LastIndexOf((byte)')') + 1)..];
        for (int field = Name; field < number; field++)
        {
            int end = rest.IndexOf((byte)' ');
            if (end < 0)
            {
                return null;
            }

            rest = rest[(end + 1)..];
        }

        return Utf8Parser.TryParse(rest, out long value, out _) && value >= 0 ? value : null;
    }
}
