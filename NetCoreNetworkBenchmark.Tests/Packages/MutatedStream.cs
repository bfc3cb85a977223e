namespace NetCoreNetworkBenchmark.Tests.Packages;

/// <summary>
/// Streams of valid packages, each of which was changed at random: bits flipped, bytes cut off or inserted, lengths, types and check codes replaced, packages
/// doubled, heartbeats inserted, contents changed with the right check code. One stream in ten is also cut. The same seed gives the same streams.
/// </summary>
/// <param name="wrongShare">The share of the changes that are not meant to leave the package valid, 0 to 1.</param>
internal sealed class MutatedStream(int seed, int largest, double wrongShare)
{
    private const int LengthSize = 4;
    private const int TypeOffset = 4;
    private const int CheckOffset = 5;
    private const int HeaderSize = 6;
    private const int UsualSize = 24;
    private const int StreamsToOneCut = 10;

    private readonly Random _random = new(seed);
    private readonly List<byte> _bytes = [];
    private readonly List<int> _starts = [];

    public ReadOnlySpan<byte> Bytes => CollectionsMarshal.AsSpan(_bytes);

    public void Next(int packages)
    {
        _bytes.Clear();
        _starts.Clear();
        for (int package = 0; package < packages; package++)
        {
            _starts.Add(_bytes.Count);
            byte[] valid = DecodedStream.Encode(NextContent());
            if (_random.NextDouble() < wrongShare)
            {
                AddWrong(valid);
            }
            else
            {
                AddRight(valid);
            }
        }

        if (_random.Next(StreamsToOneCut) == 0)
        {
            int end = _random.Next(_bytes.Count);
            _bytes.RemoveRange(end, _bytes.Count - end);
        }
    }

    /// <summary>The number of changes before an offset, and of the one at it: those that a receiver has seen that ends there.</summary>
    public int MutationsTo(int offset) => _starts.Count(start => start <= offset);

    /// <summary>A size from 1 to the rest, often a small one: the size of the next part in which the stream is delivered.</summary>
    public int NextPart(int rest) => _random.Next(3) switch
    {
        0 => 1,
        1 => Math.Min(rest, _random.Next(1, UsualSize)),
        _ => _random.Next(1, rest + 1),
    };

    private byte[] NextContent()
    {
        byte[] content = new byte[_random.Next(1, Math.Min(largest, _random.Next(50) == 0 ? largest : UsualSize) + 1)];
        _random.NextBytes(content);
        return content;
    }

    private void AddRight(byte[] package)
    {
        int first = _random.Next(HeaderSize, package.Length);
        int second = _random.Next(HeaderSize, package.Length);
        byte bit = (byte)(1 << _random.Next(8));
        switch (_random.Next(5))
        {
            case 0:
                _bytes.AddRange(package);
                break;
            case 1:
                _bytes.AddRange(DecodedStream.Encode(type: 0, []));
                break;
            case 2:
                // The same bit twice: the check code stays right.
                package[first] ^= bit;
                package[second] ^= bit;
                break;
            case 3:
                (package[first], package[second]) = (package[second], package[first]);
                break;
            default:
                package[first] ^= bit;
                package[CheckOffset] ^= bit;
                break;
        }

        _bytes.AddRange(package);
    }

    private void AddWrong(byte[] package)
    {
        int place = _random.Next(package.Length);
        switch (_random.Next(7))
        {
            case 0:
                package[place] ^= (byte)(1 << _random.Next(8));
                break;
            case 1:
                package = package[..place];
                break;
            case 2:
                byte[] inserted = new byte[_random.Next(1, 5)];
                _random.NextBytes(inserted);
                package = [.. package[..place], .. inserted, .. package[place..]];
                break;
            case 3:
                BinaryPrimitives.WriteUInt32BigEndian(package, NextLength(package.Length));
                break;
            case 4:
                BinaryPrimitives.WriteUInt32BigEndian(package, NextLength(package.Length));
                Repair(package);
                break;
            case 5:
                package[TypeOffset] = (byte)_random.Next(4) is var type and < 3 ? type : (byte)_random.Next(256);
                Repair(package);
                break;
            default:
                package[CheckOffset] ^= (byte)_random.Next(1, 256);
                break;
        }

        _bytes.AddRange(package);
    }

    // Lengths at the bounds, lengths beside the right one, and any.
    private uint NextLength(int right) => _random.Next(8) switch
    {
        0 => (uint)_random.Next(HeaderSize + 2),
        1 => (uint)(largest + HeaderSize + _random.Next(3) - 1),
        2 => int.MaxValue,
        3 => 0x80000000,
        4 => uint.MaxValue - (uint)_random.Next(HeaderSize + 1),
        5 => (uint)(right + _random.Next(2 * LengthSize) - LengthSize),
        6 => (uint)_random.Next(largest),
        _ => (uint)_random.NextInt64(uint.MaxValue),
    };

    private static void Repair(byte[] package) => package[CheckOffset] ^= DecodedStream.Xor(package);
}
