using System.Reflection;
using Microsoft.Playwright;
using NetCoreNetworkBenchmark.AdapterKit;

namespace NetCoreNetworkBenchmark.Tests.Browser;

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
