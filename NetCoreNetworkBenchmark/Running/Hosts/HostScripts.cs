namespace NetCoreNetworkBenchmark.Running.Hosts;

/// <summary>
/// The shell commands of a deployment, for any POSIX shell with the usual tools of Linux. Each is one line for <c>sh</c>, whatever the user's shell is. The
/// temporary folder of a host belongs to everybody, so a folder there is used only if it is the user's and nobody else may write to it.
/// </summary>
internal static class HostScripts
{
    /// <summary>The name of the program in its folder.</summary>
    public const string Program = "NetCoreNetworkBenchmark";

    /// <summary>The exit code of a host that lacks a tool, which standard output names.</summary>
    public const int LacksTool = 40;

    /// <summary>The exit code for a folder that is not the user's alone, which standard output names.</summary>
    public const int BelongsToOthers = 41;

    public const int CannotWrite = 42;

    public const int Damaged = 43;

    public const int CannotUnpack = 44;

    public const int DoesNotStart = 45;

    /// <summary>The exit code of a host that lacks a file, which standard output names.</summary>
    public const int LacksFile = 46;

    /// <summary>The first word of the last line of an output: the folder of a complete program follows.</summary>
    public const string Ready = "ready";

    /// <summary>The first word of the last line of an output: the folder follows, and there is no program in it.</summary>
    public const string Missing = "missing";

    private const string Marker = ".complete";

    // Own: the folder exists, is no link, and nobody but the user may do anything with it.
    private const string Functions =
        "own() { [ -d \"$1\" ] && [ ! -L \"$1\" ] && [ \"$(stat -c \"%u %a\" \"$1\")\" = \"$(id -u) 700\" ]; }; " +
        "there() { [ -e \"$1\" ] || [ -L \"$1\" ]; }; " +
        "foreign() { echo \"$1\"; exit 41; }; ";

    public static string System() => Shell("uname -s -m");

    public static string Require(IEnumerable<string> files) =>
        $"{Shell("for file do [ -e \"$file\" ] || { echo \"$file\"; exit 46; }; done")} sh {string.Join(' ', files.Select(ShellCommand.QuoteForSh))}";

    public static string Find(string hash) => Shell(
        $"{Functions}{Folder(hash)}" +
        "if there \"$d\"; then own \"$d\" || foreign \"$d\"; fi; " +
        $"if [ -f \"$d/{Marker}\" ]; then echo \"{Ready} $d\"; else echo \"{Missing} $d\"; fi");

    /// <summary>Takes the package from standard input, verifies and unpacks it, starts the program once, and gives it its name.</summary>
    public static string Unpack(string hash, string sha256) => Shell(
        $"{Functions}{Folder(hash)}umask 077; " +
        "for tool in id stat mktemp sha256sum tar gzip; do command -v $tool >/dev/null 2>&1 || { echo $tool; exit 40; }; done; " +
        "if there \"$d\"; then own \"$d\" || foreign \"$d\"; fi; " +
        "t=$(mktemp -d \"$d.XXXXXX\") || { dirname \"$d\"; exit 42; }; " +
        "trap \"rm -rf \\\"$t\\\"\" EXIT; trap \"exit 47\" HUP INT TERM; " +
        "cat >\"$t/package\" || { dirname \"$d\"; exit 42; }; " +
        $"echo \"{sha256}  $t/package\" | sha256sum -c - >/dev/null 2>&1 || exit 43; " +
        "mkdir \"$t/program\" && tar -xzof \"$t/package\" -C \"$t/program\" || { dirname \"$d\"; exit 44; }; " +
        "chmod g-s,u=rwx,go= \"$t/program\"; " +
        $"\"$t/program/{Program}\" --version >/dev/null </dev/null || {{ dirname \"$d\"; exit 45; }}; " +
        $"echo {sha256} >\"$t/program/{Marker}\" || {{ dirname \"$d\"; exit 42; }}; " +
        "if there \"$d\"; then own \"$d\" || foreign \"$d\"; rm -rf \"$d\"; fi; " +
        $"mv \"$t/program\" \"$d\" || {{ dirname \"$d\"; exit 42; }}; " +

        // A folder of somebody else that came to be meanwhile would have taken the program in.
        $"own \"$d\" && [ -f \"$d/{Marker}\" ] || foreign \"$d\"; " +
        $"echo \"{Ready} $d\"");

    public static string Remove(string hash) => Shell(
        $"{Functions}{Folder(hash)}" +
        "if there \"$d\"; then own \"$d\" || foreign \"$d\"; rm -rf \"$d\"; fi");

    private static string Folder(string hash) =>
        $"u=$(id -un | tr -c \"A-Za-z0-9._\\n-\" _); d=\"${{TMPDIR:-/tmp}}/{Program}-$u-{hash}\"; ";

    private static string Shell(string script) => script.Contains('\'', StringComparison.Ordinal)
        ? throw new ArgumentException("The script is quoted as a whole, so it cannot have this quote.", nameof(script))
        : $"exec sh -c '{script}'";
}
