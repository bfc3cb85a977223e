using System.Security.Cryptography;
using System.Text;

namespace NetCoreNetworkBenchmark.Workloads.Handshakes;

// The least CPU time of signature and key exchange of a full handshake at a server here, on one thread. On Linux both are OpenSSL's, as all servers' are.
internal static class CryptoBaseline
{
    private const int Batches = 5;

    private static readonly TimeSpan s_batch = TimeSpan.FromMilliseconds(10);
    private static readonly byte[] s_hash = new byte[SHA256.HashSizeInBytes];

    // Takes a tenth of a second, and with RSA some seconds to create the key. A key that is not known here is not measured.
    public static IReadOnlyList<WorkloadFigure> Measure(string? key, string? group, Action<string> remark)
    {
        var figures = new List<WorkloadFigure>();
        if (Enum.TryParse(key, out TlsKey kind))
        {
            using AsymmetricAlgorithm privateKey = kind.Create();
            figures.Add(FigureOf($"One signature ({kind}) alone", Time(() => Sign(privateKey))));
        }

        if (group is not null)
        {
            if (ExchangeOf(group) is { } exchange)
            {
                figures.Add(FigureOf($"One key exchange ({group}) alone", Time(exchange)));
            }
            else
            {
                remark($"The key exchange with {group} was not measured alone: only Diffie-Hellman groups that this system knows are.");
            }
        }

        return figures;
    }

    private static WorkloadFigure FigureOf(string name, double microseconds) =>
        new(name, Math.Round(microseconds, 1), "µs", FigureMerge.Largest);

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

/// <summary>Key exchanges on the curves of RFC 7748 by OpenSSL's <c>openssl/evp.h</c>, under the names of that header.</summary>
internal static unsafe partial class EvpExchange
{
    private const string Crypto = "libcrypto.so.3";

    // Makes a key and derives a secret. Null if OpenSSL 3 is not here or does not know the group, or if the group is no Diffie-Hellman group: X25519MLKEM768,
    // the default of OpenSSL 3.5, encapsulates a secret instead.
    public static Action? Find(string group)
    {
        if (!NativeLibrary.TryLoad(Crypto, typeof(EvpExchange).Assembly, null, out _))
        {
            return null;
        }

        nint client = Generate(group);
        if (client != 0 && TryDerive(group, client))
        {
            return () => TryDerive(group, client);
        }

        EVP_PKEY_free(client);
        return null;
    }

    private static nint Generate(string group)
    {
        nint key = 0;
        fixed (byte* name = Encoding.ASCII.GetBytes(group + '\0'))
        {
            nint context = EVP_PKEY_CTX_new_from_name(0, name, null);
            bool isMade = context != 0 && EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_generate(context, &key) == 1;
            EVP_PKEY_CTX_free(context);
            return isMade ? key : 0;
        }
    }

    private static bool TryDerive(string group, nint client)
    {
        nint server = Generate(group);
        nint context = EVP_PKEY_CTX_new_from_pkey(0, server, null);
        byte* secret = stackalloc byte[64];
        nuint length = 64;
        bool isDerived = EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, client) == 1
            && EVP_PKEY_derive(context, secret, &length) == 1;
        EVP_PKEY_CTX_free(context);
        EVP_PKEY_free(server);
        return isDerived;
    }

    [LibraryImport(Crypto)] private static partial nint EVP_PKEY_CTX_new_from_name(nint libctx, byte* name, byte* propquery);
    [LibraryImport(Crypto)] private static partial nint EVP_PKEY_CTX_new_from_pkey(nint libctx, nint pkey, byte* propquery);
    [LibraryImport(Crypto)] private static partial void EVP_PKEY_CTX_free(nint ctx);
    [LibraryImport(Crypto)] private static partial int EVP_PKEY_keygen_init(nint ctx);
    [LibraryImport(Crypto)] private static partial int EVP_PKEY_generate(nint ctx, nint* ppkey);
    [LibraryImport(Crypto)] private static partial int EVP_PKEY_derive_init(nint ctx);
    [LibraryImport(Crypto)] private static partial int EVP_PKEY_derive_set_peer(nint ctx, nint peer);
    [LibraryImport(Crypto)] private static partial int EVP_PKEY_derive(nint ctx, byte* key, nuint* keylen);
    [LibraryImport(Crypto)] private static partial void EVP_PKEY_free(nint pkey);
}
