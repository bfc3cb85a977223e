using System.Globalization;
using System.Text;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>Makes text of another host fit to be printed. A terminal obeys control characters, and a line break could forge a message.</summary>
internal static class RemoteText
{
    /// <summary>The most characters that are kept.</summary>
    public const int Longest = 1_000;

    /// <summary>Replaces each character that is not printed as itself, and cuts text that is too long.</summary>
    public static string Clean(string text)
    {
        var clean = new StringBuilder(Math.Min(text.Length, Longest + 1));
        foreach (Rune rune in text.EnumerateRunes())
        {
            if (clean.Length >= Longest)
            {
                return clean.Append('…').ToString();
            }

            clean.Append(IsPrinted(rune) ? rune.ToString() : "?");
        }

        return clean.ToString();
    }

    // Format characters include those that reverse the direction of the text.
    private static bool IsPrinted(Rune rune) => Rune.GetUnicodeCategory(rune) is not
        (UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator
            or UnicodeCategory.PrivateUse or UnicodeCategory.OtherNotAssigned);
}
