namespace NetCoreNetworkBenchmark.Tests.Running.Hosts;

public sealed class HostLauncherTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(20);

    [Fact]
    public async Task CommandOf_becomes_the_named_program_with_its_arguments_on_the_cores()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Cores are bound with taskset, which Linux has.");
        string command = HostLauncher.CommandOf("/bin/sh", ["-c", "printf '%s ' \"$0\"; grep Cpus_allowed_list /proc/self/status", "zero"], cores: "0");
        CommandRun shown = await CommandRun.RunAsync(
            new ProcessStartInfo("sh", ["-c", command]), input: null, s_deadline, TestContext.Current.CancellationToken);
        Assert.Equal("zero Cpus_allowed_list:\t0", shown.Output.Trim());
    }

    [Theory]
    [InlineData("COMPlus_GCRetainVM", true)]
    [InlineData("DOTNET_PROCESSOR_COUNT", true)]
    [InlineData("DOTNET_DASHBOARD_OTLP_PRIMARYAPIKEY", false)]
    [InlineData("DOTNET_gcServer_OfSomebody", false)]
    public void CommandOf_passes_the_settings_that_a_result_reports_and_no_other_variable(string name, bool isSetting)
    {
        Environment.SetEnvironmentVariable(name, "it's 1");
        string command = HostLauncher.CommandOf("/bin/true", []);
        bool isReported = MachineInspector.RuntimeSettings().ContainsKey(name);
        Environment.SetEnvironmentVariable(name, null);
        Assert.Equal((isSetting, isSetting), (isReported, command.Contains(ShellCommand.QuoteForSh($"{name}=it's 1"), StringComparison.Ordinal)));
    }

    [Fact]
    public void A_namespace_is_entered_by_the_process_itself()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has network namespaces.");
        HostLauncher launcher = HostLauncher.For(new HostsPlan { ServerHost = "server#57", Launcher = Launcher.Namespaces });
        ProcessStartInfo start = launcher.Shell("server#57", "exec true");
        Assert.Equal("nsenter", Path.GetFileName(start.FileName));
        Assert.Equal([$"--net=/proc/{Environment.ProcessId}/fd/57", SystemProgram.Find("sh")!, "-c", "exec true"], start.ArgumentList);
    }

    [Fact]
    public void The_command_line_of_ssh_asks_nothing_and_ends_a_silent_connection()
    {
        ProcessStartInfo start = HostLauncher.For(new HostsPlan()).Shell("me@host", "true");
        Assert.Equal("ssh", start.FileName);
        Assert.Contains("BatchMode=yes", start.ArgumentList);
        Assert.Contains("ServerAliveInterval=1", start.ArgumentList);
        Assert.Equal(["--", "me@host", "true"], start.ArgumentList.TakeLast(3));
    }
}
