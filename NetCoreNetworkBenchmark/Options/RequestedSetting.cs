namespace NetCoreNetworkBenchmark.Options;

/// <summary>A setting of a library as requested by the user, not yet checked against the library.</summary>
/// <param name="Library">The library's name.</param>
/// <param name="Name">The setting's name.</param>
/// <param name="Value">The value.</param>
internal sealed record RequestedSetting(string Library, string Name, string Value)
{
    /// <summary>Reads the value of <c>--set</c>.</summary>
    /// <exception cref="BenchmarkException">The text is not a setting with its library and value.</exception>
    public static RequestedSetting Parse(string text) =>
        text.Split('=', 2) is [var name, { Length: > 0 } value] && name.Split('.', 2) is [{ Length: > 0 } library, { Length: > 0 } setting]
            ? new RequestedSetting(library, setting, value)
            : throw OptionValues.Invalid(LibraryOptions.SetName, text, "LIBRARY.NAME=VALUE with a setting from --list");

    public override string ToString() => $"{Library}.{Name}={Value}";
}
