namespace NetCoreNetworkBenchmark.Recording;

/// <summary>One thread adds and one takes, without a lock, and without an allocation unless there are more requests at a time than ever before.</summary>
internal sealed class DueRequests
{
    private const int FirstSize = 64;
    private Ring _addedTo = new(FirstSize);
    private Ring _takenFrom;

    public DueRequests() => _takenFrom = _addedTo;

    public void Add(object peer, long due)
    {
        if (!_addedTo.TryAdd(peer, due))
        {
            Ring larger = new(2 * _addedTo.Size);
            larger.TryAdd(peer, due);
            Volatile.Write(ref _addedTo.Next, larger);
            _addedTo = larger;
        }
    }

    public bool TryTake(out object? peer, out long due)
    {
        while (!_takenFrom.TryTake(out peer, out due))
        {
            if (Volatile.Read(ref _takenFrom.Next) is not { } next)
            {
                return false;
            }

            // The ring was full when the next one was linked, and what it held is taken first.
            if (_takenFrom.TryTake(out peer, out due))
            {
                return true;
            }

            _takenFrom = next;
        }

        return true;
    }

    private sealed class Ring(int size)
    {
        private readonly (object? Peer, long Due)[] _entries = new (object?, long)[size];
        private long _added;
        private long _taken;

        public Ring? Next;

        public int Size => size;

        public bool TryAdd(object peer, long due)
        {
            long added = _added;
            if (added - Volatile.Read(ref _taken) == size)
            {
                return false;
            }

            _entries[(int)(added & (size - 1))] = (peer, due);
            Volatile.Write(ref _added, added + 1);
            return true;
        }

        public bool TryTake(out object? peer, out long due)
        {
            long taken = _taken;
            if (taken == Volatile.Read(ref _added))
            {
                (peer, due) = (null, 0);
                return false;
            }

            ref (object? Peer, long Due) entry = ref _entries[(int)(taken & (size - 1))];
            (peer, due) = entry;
            entry.Peer = null;
            Volatile.Write(ref _taken, taken + 1);
            return true;
        }
    }
}
