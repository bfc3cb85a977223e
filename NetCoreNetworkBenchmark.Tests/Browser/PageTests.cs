using Microsoft.Playwright;
using NetCoreNetworkBenchmark.Tests.Results;

namespace NetCoreNetworkBenchmark.Tests.Browser;

[Trait("Category", "Long")]
public sealed class PageTests(SystemBrowser browser) : InTemporaryFolder, IClassFixture<SystemBrowser>
{
    private const int Phone = 390;
    private const int Laptop = 1_280;
    private const int Desk = 1_440;
    private const int HeightOfWindow = 900;
    private const double MinContrast = 4.5;

    public static TheoryData<string, int, ColorScheme> Views => new(
        from sample in ReportTests.AllSamples.Keys
        from view in ((int Width, ColorScheme Colours)[])[(Phone, ColorScheme.Light), (Desk, ColorScheme.Dark)]
        select (sample, view.Width, view.Colours));

    [Theory, MemberData(nameof(Views))]
    public async Task A_page_loads_without_error_or_request_and_fits_the_window(string sample, int width, ColorScheme colours)
    {
        await using IBrowserContext context = await OpenAsync(width, colours);
        IPage page = await context.NewPageAsync();
        var messages = new List<string>();
        var requests = new List<string>();
        page.Console += (_, message) => messages.Add(message.Text);
        page.PageError += (_, error) => messages.Add(error);
        page.Request += (_, request) => requests.Add(request.Url);
        await ShowAsync(page, ReportTests.AllSamples[sample]);
        Assert.Empty(messages);
        Assert.Equal([page.Url], requests);
        Assert.Equal(width, await page.EvaluateAsync<int>("Math.max(document.documentElement.scrollWidth, document.documentElement.clientWidth)"));
    }

    [Theory, InlineData("committed"), InlineData("decided"), InlineData("framed"), InlineData("loss"), InlineData("matrix")]
    public async Task No_column_of_a_table_is_cut_off_when_the_window_has_1200_pixels(string suite)
    {
        await using IBrowserContext context = await OpenAsync(1_200, ColorScheme.Light);
        IPage page = await context.NewPageAsync();
        await ShowAsync(page, suite == "committed" ? CommittedResults.ReadWhole() : ReportTests.AllSamples[suite]);
        Assert.Empty(await page.EvaluateAsync<string[]>(
            """
            () => {
              document.querySelectorAll('details').forEach(x => x.open = true);
              return [...document.querySelectorAll('.scroll')].filter(x => x.scrollWidth > x.clientWidth).map(x => x.ariaLabel);
            }
            """));
    }

    [Theory, InlineData(Phone), InlineData(Laptop)]
    public async Task The_place_of_a_library_is_in_sight_beside_its_name_which_stays_when_the_table_is_scrolled(int width)
    {
        foreach (SuiteResult suite in (SuiteResult[])[CommittedResults.ReadWhole(), SampleSuites.Decided])
        {
            await using IBrowserContext context = await OpenAsync(width, ColorScheme.Light);
            IPage page = await context.NewPageAsync();
            await ShowAsync(page, suite);
            string[] rows = await page.EvaluateAsync<string[]>(
                """
                () => {
                  document.querySelectorAll('details').forEach(x => x.open = true);
                  const inside = (cell, box) => {
                    const [inner, outer] = [cell.getBoundingClientRect(), box.getBoundingClientRect()];
                    return inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
                  };
                  return [...document.querySelectorAll('.scroll')].flatMap(box => {
                    const place = [...box.querySelectorAll('thead th')].findIndex(x => x.textContent.trim().startsWith('place'));
                    return place < 0 ? [] : [...box.querySelectorAll('tbody tr')].map(row => {
                      box.scrollLeft = 0;
                      const name = row.querySelector('th');
                      const seen = inside(row.children[place], box) && inside(name, box);
                      box.scrollLeft = box.scrollWidth;
                      return seen && inside(name, box) ? '' : `${box.ariaLabel}, ${name.textContent}`;
                    });
                  });
                }
                """);
            Assert.NotEmpty(rows);
            Assert.All(rows, row => Assert.Empty(row));
        }
    }

    [Fact]
    public async Task The_first_bars_of_a_ranking_are_on_the_first_screen_of_a_phone()
    {
        await using IBrowserContext context = await OpenAsync(Phone, ColorScheme.Light);
        IPage page = await context.NewPageAsync();
        await ShowAsync(page, SampleSuites.Decided);
        double top = await page.EvaluateAsync<double>("document.querySelector('figure rect.b').getBoundingClientRect().top");
        Assert.InRange(top, 0, HeightOfWindow);
    }

    [Theory, InlineData(Phone, ColorScheme.Light), InlineData(Desk, ColorScheme.Dark)]
    public async Task The_plot_of_deliveries_is_inside_its_frame(int width, ColorScheme colours)
    {
        await using IBrowserContext context = await OpenAsync(width, colours);
        IPage page = await context.NewPageAsync();
        await ShowAsync(page, SampleSuites.Loss);
        ILocator plot = page.GetByRole(AriaRole.Img, new PageGetByRoleOptions { NameString = "Round trips. " });

        // Texts and bars, in the units of the screen. Fonts differ between systems, so a text is given a little more space.
        double[] beyond = await plot.EvaluateAsync<double[]>(
            """
            plot => {
              const frame = plot.getBoundingClientRect();
              return [...plot.querySelectorAll('text, rect')].map(x => x.getBoundingClientRect())
                .flatMap(box => [frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom]);
            }
            """);
        Assert.InRange(beyond.Max(), double.MinValue, 4);
    }

    [Fact]
    public async Task Both_curves_of_a_comparison_are_visible_without_scripts()
    {
        IPage page = await ShowAsync(SampleResults.Comparison, scripts: false);
        ILocator heading = page.GetByRole(AriaRole.Heading, new PageGetByRoleOptions { Name = "Latencies" });
        IReadOnlyList<ILocator> curves = await page.Locator("section", new PageLocatorOptions { Has = heading }).Locator("g > path.l").AllAsync();
        Assert.Equal(2, curves.Count);
        foreach (ILocator curve in curves)
        {
            Assert.True(await curve.IsVisibleAsync());
        }
    }

    [Fact]
    public async Task Without_scripts_all_plots_and_figures_are_there()
    {
        IPage with = await ShowAsync(CommittedResults.ReadWhole());
        IPage without = await ShowAsync(CommittedResults.ReadWhole(), scripts: false);
        Assert.Equal(await with.Locator("figure svg").CountAsync(), await without.Locator("figure svg").CountAsync());
        Assert.Equal(await with.Locator("td").AllTextContentsAsync(), await without.Locator("td").AllTextContentsAsync());
        Assert.Equal(0, await without.GetByRole(AriaRole.Button).CountAsync());
    }

    [Fact]
    public async Task A_table_is_sorted_by_the_keyboard_alone()
    {
        IPage page = await ShowAsync(SampleSuites.Decided);
        ILocator table = page.GetByRole(AriaRole.Table, new PageGetByRoleOptions { Name = "Benchmark 1" });
        int column = Array.IndexOf(await HeadersOf(table), "msg/s");
        ILocator header = table.GetByRole(AriaRole.Columnheader).Nth(column);
        await header.GetByRole(AriaRole.Button).FocusAsync();
        await page.Keyboard.PressAsync("Enter");
        string? first = await header.GetAttributeAsync("aria-sort");
        double[] once = await ColumnOf(table, column);
        await page.Keyboard.PressAsync("Space");
        string? second = await header.GetAttributeAsync("aria-sort");
        double[] twice = await ColumnOf(table, column);
        Assert.Equal(["ascending", "descending"], new[] { first, second }.Order(StringComparer.Ordinal));
        Assert.Equal(first == "ascending" ? once.Order() : once.OrderDescending(), once);
        Assert.Equal(once.Reverse(), twice);
    }

    [Theory, InlineData(ColorScheme.Light), InlineData(ColorScheme.Dark)]
    public async Task Text_has_enough_contrast_in_both_colour_schemes(ColorScheme colours)
    {
        await using IBrowserContext context = await OpenAsync(Desk, colours);
        IPage page = await context.NewPageAsync();
        await ShowAsync(page, CommittedResults.ReadWhole());
        double[] contrasts = await page.EvaluateAsync<double[]>(
            """
            () => {
              const parts = text => text.match(/[\d.]+/g).map(Number);
              const light = text => { const [r, g, b] = parts(text).map(x => { x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
                return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
              const backOf = element => { for (; element; element = element.parentElement) { const back = getComputedStyle(element).backgroundColor;
                if (parts(back).length === 3 || parts(back)[3] > 0) return back; } return 'rgb(255, 255, 255)'; };
              return [...document.querySelectorAll('h1, h2, h3, p, td, th, dt, dd, a, figcaption, li')].filter(x => x.innerText).map(x => {
                const [one, two] = [light(getComputedStyle(x).color), light(backOf(x))].sort((a, b) => b - a); return (one + 0.05) / (two + 0.05); });
            }
            """);
        Assert.InRange(contrasts.Min(), MinContrast, 21);
        string back = await page.EvaluateAsync<string>(
            "getComputedStyle(document.body).backgroundColor + getComputedStyle(document.documentElement).backgroundColor");
        Assert.Equal(colours == ColorScheme.Light, back.Contains("255, 255, 255", StringComparison.Ordinal));
    }

    private static async Task<string[]> HeadersOf(ILocator table) => [.. (await table.Locator("thead th").AllInnerTextsAsync()).Select(text => text.Trim())];

    private static async Task<double[]> ColumnOf(ILocator table, int column) =>
    [
        .. (await table.Locator(FormattableString.Invariant($"tbody tr > :nth-child({column + 1})")).AllInnerTextsAsync())
            .Select(text => double.Parse(text.Split(' ')[0], NumberStyles.Number, CultureInfo.InvariantCulture)),
    ];

    private Task<IBrowserContext> OpenAsync(int width, ColorScheme colours, bool scripts = true) => browser.OpenAsync(new BrowserNewContextOptions
    {
        ViewportSize = new ViewportSize { Width = width, Height = HeightOfWindow },
        ColorScheme = colours,
        JavaScriptEnabled = scripts,
        Offline = true,
    });

    private async Task<IPage> ShowAsync(Result result, bool scripts = true)
    {
        IBrowserContext context = await OpenAsync(Desk, ColorScheme.Light, scripts);
        IPage page = await context.NewPageAsync();
        await ShowAsync(page, result);
        return page;
    }

    private async Task ShowAsync(IPage page, Result result)
    {
        string file = PathOf($"{Guid.NewGuid():N}.html");
        await using (StreamWriter writer = File.CreateText(file))
        {
            new HtmlReport().Write(result, writer);
        }

        await page.GotoAsync(new Uri(file).AbsoluteUri);
    }
}

/// <summary>Chromium as the system has it. It is not downloaded.</summary>
public sealed class SystemBrowser : IAsyncLifetime
{
    private const string SearchPath = "PLAYWRIGHT_DRIVER_SEARCH_PATH";
    private static readonly string[] s_names = ["chromium", "chromium-browser", "google-chrome"];

    private IPlaywright? _playwright;
    private IBrowser? _browser;

    public async ValueTask InitializeAsync()
    {
        if (s_names.Select(name => SystemProgram.Find(name)).FirstOrDefault(path => path is not null) is not { } program)
        {
            return;
        }

        Environment.SetEnvironmentVariable(SearchPath, Driver());
        _playwright = await Playwright.CreateAsync();
        _browser = await _playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions
        {
            ExecutablePath = program,
            ChromiumSandbox = !Environment.IsPrivilegedProcess,
            Args = ["--disable-gpu", "--disable-dev-shm-usage"],
        });
    }

    /// <summary>Opens a window; skips the test with the reason where there is no browser.</summary>
    /// <param name="options">The width, the colours, and whether scripts run.</param>
    public async Task<IBrowserContext> OpenAsync(BrowserNewContextOptions options)
    {
        Assert.SkipWhen(_browser is null, "Chromium is not installed.");
        IBrowserContext context = await _browser.NewContextAsync(options);
        context.SetDefaultTimeout((float)TimeSpan.FromSeconds(30).TotalMilliseconds);
        return context;
    }

    public async ValueTask DisposeAsync()
    {
        if (_browser is not null)
        {
            await _browser.DisposeAsync();
        }

        _playwright?.Dispose();
    }

    private static string Driver() => typeof(SystemBrowser).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(metadata => metadata.Key == "PlaywrightDriver").Value!;
}
