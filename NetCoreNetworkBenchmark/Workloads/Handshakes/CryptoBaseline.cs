using System.Security.Cryptography;
using NetCoreNetworkBenchmark.AdapterKit;

namespace NetCoreNetworkBenchmark.Workloads.Handshakes;

// The CPU time that the signature and the key exchange of one full handshake need at a server on this machine, on one thread. A server cannot need less. On
// Linux both are OpenSSL's, as those of all servers are.
internal static class CryptoBaseline
{
    private const int Batches = 5;

    private static readonly TimeSpan s_batch = TimeSpan.FromMilliseconds(10);
    private static readonly byte[] s_hash = new byte[SHA256.HashSizeInBytes];

    // Takes about a tenth of a second. A key or group that is not known here is not measured.
    public static IReadOnlyList<WorkloadFigure> Measure(string? key, string? group)
    {
        var figures = new List<WorkloadFigure>();
        if (Enum.TryParse(key, out TlsKey kind))
        {
            using AsymmetricAlgorithm privateKey = KeyOf(kind);
            figures.Add(FigureOf($"One signature ({kind}) alone", Time(() => Sign(privateKey))));
        }

        if (group is not null && ExchangeOf(group) is { } exchange)
        {
            figures.Add(FigureOf($"One key exchange ({group}) alone", Time(exchange)));
        }

        return figures;
    }

    private static WorkloadFigure FigureOf(string name, double microseconds) =>
        new(name, Math.Round(microseconds, 1), "µs", FigureMerge.Largest);

    private static AsymmetricAlgorithm KeyOf(TlsKey kind) => kind switch
    {
        TlsKey.P256 => ECDsa.Create(ECCurve.NamedCurves.nistP256),
        TlsKey.P384 => ECDsa.Create(ECCurve.NamedCurves.nistP384),
        TlsKey.Rsa4096 => RSA.Create(4096),
        _ => RSA.Create(2048),
    };

    private static void Sign(AsymmetricAlgorithm key) => _ = key is RSA rsa
        ? rsa.SignHash(s_hash, HashAlgorithmName.SHA256, RSASignaturePadding.Pss)
        : ((ECDsa)key).SignHash(s_hash);

    // A server makes a key and derives the secret from it and from the client's key.
    private static Action? ExchangeOf(string group)
    {
        ECCurve? curve = group switch
        {
            "secp256r1" => ECCurve.NamedCurves.nistP256,
            "secp384r1" => ECCurve.NamedCurves.nistP384,
            "secp521r1" => ECCurve.NamedCurves.nistP521,
            _ => null,
        };
        if (curve is not { } named)
        {
            // .NET has no X25519.
            return EvpExchange.Find(group);
        }

        var client = ECDiffieHellman.Create(named);
        return () =>
        {
            using var server = ECDiffieHellman.Create(named);
            _ = server.DeriveRawSecretAgreement(client.PublicKey);
        };
    }

    // The least of several batches: the other processes of a benchmark measure the same at the same time, and share the cores' parts with this thread.
    private static double Time(Action step)
    {
        // The first call loads and compiles.
        step();
        return Enumerable.Range(0, Batches).Min(_ => TimeBatch(step));
    }

    private static double TimeBatch(Action step)
    {
        // While other processes run on the core, the CPU time of the thread does not count.
        TimeSpan start = SysTime.OfThread();
        TimeSpan spent;
        int count = 0;
        do
        {
            step();
            count++;
            spent = SysTime.OfThread() - start;
        }
        while (spent < s_batch);

        return spent.TotalMicroseconds / count;
    }
}
