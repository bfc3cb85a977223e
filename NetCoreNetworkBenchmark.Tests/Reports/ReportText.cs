namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Reports as text, written in a culture.</summary>
internal static class ReportText
{
    public static string Render(this IReport report, Result result, string culture = "en-US") => In(culture, writer => report.Write(result, writer));

    public static string In(string culture, Action<TextWriter> write)
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(culture);
            using var writer = new StringWriter(CultureInfo.CurrentCulture) { NewLine = "\n" };
            write(writer);
            return writer.ToString();
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }
}
