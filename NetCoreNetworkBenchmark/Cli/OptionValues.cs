using System.Globalization;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Turns the text of an option's value into the value, or says in one sentence what is wrong and what is valid.</summary>
internal static class OptionValues
{
    public static int WholeNumber(string option, string text, int least, int most) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number) && number >= least && number <= most
            ? number
            : throw Invalid(option, text, Invariant($"a whole number from {least} to {most}"));

    public static TimeSpan Seconds(string option, string text, double least, double most) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint | NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out double seconds)
        && seconds >= least && seconds <= most
            ? TimeSpan.FromSeconds(seconds)
            : throw Invalid(option, text, Invariant($"a number of seconds from {least} to {most}, such as 10 or 0.5"));

    public static T Choice<T>(string option, string text)
        where T : struct, Enum => Enum.Parse<T>(Choice(option, text, Enum.GetNames<T>()));

    public static string Choice(string option, string text, IReadOnlyCollection<string> valid) =>
        valid.FirstOrDefault(candidate => candidate.Equals(text, StringComparison.OrdinalIgnoreCase))
        ?? throw BenchmarkException.BadInput(
            $"Option {option}: '{text}' is not valid; valid {(valid.Count == 1 ? "is" : "are")} {string.Join(", ", valid)}.{Suggestion.Sentence(text, valid)} See --help.");

    private static BenchmarkException Invalid(string option, string text, string valid) =>
        BenchmarkException.BadInput($"Option {option}: '{text}' is not valid; valid is {valid}. See --help.");

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
