namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class SettingCheckTests
{
    private static readonly LibraryInfo s_library = new()
    {
        Name = "Quick",
        Version = "1.0",
        Protocols = [Protocol.Udp],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, 1, 100)],
        Settings =
        [
            new LibrarySetting("batch", ["call", "mmsg", "gso"], "call", "how many datagrams a system call carries") { Tuned = "mmsg" },
            new LibrarySetting("mode", ["slow", "fast"], "fast", "how fast it is"),
        ],
    };

    private static readonly string[] s_known = ["Plain", "Quick"];
    private static readonly CliRequest s_benchmark = new()
    {
        Action = CliAction.Benchmark,
        Plan = new RunPlan { Library = "Quick" },
        BenchmarkPart = new AllPart(),
    };

    [Fact]
    public void What_is_not_chosen_has_its_default() => Assert.Equal([("batch", "call"), ("mode", "fast")], Choose());

    [Fact]
    public void The_tuned_profile_has_the_tuned_values_where_nothing_is_chosen()
    {
        Assert.Equal([("batch", "mmsg"), ("mode", "fast")], Choose(Profile.Tuned));
        Assert.Equal([("batch", "gso"), ("mode", "fast")], Choose(Profile.Tuned, new RequestedSetting("quick", "batch", "gso")));
    }

    [Fact]
    public void The_tuned_profile_is_refused_where_there_is_nothing_to_tune()
    {
        PlanCheck.CheckProfile(s_library, Profile.Tuned, Protocol.Udp);
        PlanCheck.CheckProfile(s_library with { Settings = [] }, Profile.Default, Protocol.Udp);
        BadInput.Throws(
            "--profile: Quick has no tuned profile over UDP. Use Default.",
            () => PlanCheck.CheckProfile(s_library with { Settings = [] }, Profile.Tuned, Protocol.Udp));
        BadInput.Throws(
            "--profile: Quick has no tuned profile over TCP. Use Default.",
            () => PlanCheck.CheckProfile(OfDatagrams(), Profile.Tuned, Protocol.Tcp));
    }

    [Fact]
    public void The_predefined_benchmark_has_a_case_for_each_profile_unless_one_is_chosen()
    {
        CliRequest request = s_benchmark;
        LibraryInfo[] libraries = [s_library with { Name = "Plain", Settings = [] }, s_library];
        Assert.Equal(["Plain", "Quick", "Quick (tuned)"], NamesOf(request, libraries));
        CliRequest chosen = request with { Given = [LibraryOptions.ProfileName] };
        Assert.Equal(["Plain", "Quick"], NamesOf(chosen, libraries));
        Assert.Equal(["Quick (tuned)"], NamesOf(chosen with { Plan = request.Plan with { Profile = Profile.Tuned } }, libraries));
    }

    [Fact]
    public void The_predefined_benchmark_is_restricted_to_the_libraries_of_the_user_and_the_baseline()
    {
        CliRequest request = s_benchmark with { Given = [LibraryOptions.LibraryName], Baseline = "Plain" };
        LibraryInfo[] libraries = [s_library with { Name = "Plain" }, s_library, s_library with { Name = "Other" }];
        Assert.Equal(["Plain", "Quick", "Quick (tuned)"], NamesOf(request, libraries));
        Assert.Equal(
            ["Quick", "Quick (tuned)", "Other", "Other (tuned)"],
            NamesOf(request with { Plans = [request.Plan, request.Plan with { Library = "Other" }], Baseline = "Quick" }, libraries));
        BadInput.Throws(
            "--library: Absent takes no part in -b here. Use Plain, Quick or Other.",
            () => NamesOf(request with { Plan = new RunPlan { Library = "Absent" } }, libraries));
        BadInput.Throws(
            "--set: \"Other.batch=gso\" is for Other, which is not part of this run. Use settings of Plain or Quick.",
            () => NamesOf(request with { Settings = [new RequestedSetting("Other", "batch", "gso")] }, libraries));
    }

    [Fact]
    public void A_first_look_has_one_baseline_and_the_whole_benchmark_has_all()
    {
        CliRequest request = s_benchmark with { Baseline = "Plain" };
        LibraryInfo[] libraries = [s_library with { Name = "Plain", IsBaseline = true }, s_library, s_library with { Name = "Raw", IsBaseline = true }];
        Assert.Equal(["Plain", "Quick", "Raw"], NamesOf(request, libraries, Profile.Default));
        Assert.Equal(["Plain", "Quick"], NamesOf(request with { BenchmarkPart = new QuickPart() }, libraries, Profile.Default));
        Assert.Equal(["Quick", "Raw"], NamesOf(request with { BenchmarkPart = new QuickPart(), Baseline = "Raw" }, libraries, Profile.Default));
        CliRequest ofRaw = request with { Plan = new RunPlan { Library = "Raw" }, Given = [LibraryOptions.LibraryName] };
        Assert.Equal(["Plain", "Raw"], NamesOf(ofRaw with { BenchmarkPart = new QuickPart() }, libraries, Profile.Default));
    }

    [Fact]
    public void Names_and_values_are_found_without_regard_to_case_and_kept_as_the_library_spells_them() =>
        Assert.Equal([("batch", "gso"), ("mode", "fast")], Choose(new RequestedSetting("qUICK", "BATCH", "Gso")));

    [Fact]
    public void Settings_of_other_libraries_are_not_for_this_one() =>
        Assert.Equal([("batch", "call"), ("mode", "fast")], Choose(new RequestedSetting("Plain", "batch", "gso")));

    [Theory]
    [InlineData("--set: \"batc\" is not one of the settings of Quick: batch, mode. Did you mean \"batch\"?", "Quick.batc=gso")]
    [InlineData("--set: \"7\" is not one of the values of Quick.batch: call, mmsg, gso.", "quick.batch=7")]
    [InlineData("--set: Quick.batch is set 2 times. Set it once.", "quick.batch=gso --set Quick.Batch=gso")]
    public void A_setting_that_is_unknown_or_not_valid_or_chosen_twice_is_refused(string sentence, string settings) =>
        BadInput.Throws(sentence, () => Choose([.. CommandLineTests.Read($"--set {settings}").Settings]));

    [Fact]
    public void A_setting_of_a_library_that_has_none_is_refused() => BadInput.Throws(
        "--set: Quick has no settings. Omit \"batch\".",
        () => PlanCheck.ChooseSettings([new RequestedSetting("Quick", "batch", "gso")], s_library with { Settings = [] }, Profile.Default, Protocol.Udp));

    [Fact]
    public void A_setting_is_left_out_where_it_has_no_effect_and_refused_where_a_run_asks_for_it()
    {
        RequestedSetting requested = new("Quick", "batch", "gso");
        Assert.Equal([KeyValuePair.Create("mode", "fast")], PlanCheck.ChooseSettings([requested], OfDatagrams(), Profile.Default, Protocol.Tcp));
        PlanCheck.CheckSettingsHaveEffect([requested], OfDatagrams(), Protocol.Udp);
        PlanCheck.CheckSettingsHaveEffect([requested with { Library = "Plain" }], OfDatagrams(), Protocol.Tcp);
        BadInput.Throws(
            "--set: Quick.batch has no effect over TCP. Use -P Udp.", () => PlanCheck.CheckSettingsHaveEffect([requested], OfDatagrams(), Protocol.Tcp));
    }

    [Fact]
    public void A_library_that_does_not_exist_is_refused() => BadInput.Throws(
        "--set: \"Quik\" is not one of Plain, Quick. Did you mean \"Quick\"?",
        () => PlanCheck.CheckSettingsAreUsed([new RequestedSetting("Quik", "batch", "gso")], s_known, s_known));

    [Fact]
    public void A_library_that_does_not_run_is_refused()
    {
        RequestedSetting requested = new("quick", "batch", "gso");
        PlanCheck.CheckSettingsAreUsed([requested], s_known, ["Quick"]);
        BadInput.Throws(
            "--set: \"quick.batch=gso\" is for Quick, which is not part of this run. Use settings of Plain.",
            () => PlanCheck.CheckSettingsAreUsed([requested], s_known, ["Plain"]));
    }

    [Fact]
    public void The_predefined_benchmark_takes_settings_for_their_library_and_cores_for_all()
    {
        var plan = new RunPlan { Library = "Quick", Pinning = new PinningPlan { ServerCores = [FirstCore()] } };
        CliRequest request = s_benchmark with { Plan = plan, Settings = [new RequestedSetting("quick", "batch", "gso")] };
        var cases = PredefinedCases.Create(request, [s_library, s_library with { Name = "Plain" }], s_known, LibraryUnderTest.Catalog.Workloads);
        Assert.All(cases, suiteCase => Assert.Equal(plan.Pinning, suiteCase.Plan.Pinning));
        LibrarySetting batch = s_library.Settings[0];
        Assert.All(cases, s => Assert.Equal(s.Library.Name == "Quick" ? "gso" : batch.ValueIn(s.Plan.Profile), s.Plan.SettingOf(batch)));
        Assert.Equal(["Plain", "Quick"], cases.Select(suiteCase => suiteCase.Plan.Library).Distinct().Order());
        BadInput.Throws(
            "--set: \"quick.batch=gso\" is for Quick, which is not part of this run. Use settings of Plain.",
            () => PredefinedCases.Create(request, [s_library with { Name = "Plain" }], s_known, LibraryUnderTest.Catalog.Workloads));
    }

    [Theory, InlineData("all"), InlineData("quick"), InlineData("udp")]
    public void The_processes_of_each_predefined_case_load_the_assemblies_of_the_request(string part)
    {
        var assembly = new AdapterAssembly("/build/FastNet.dll", "FastNet", "1.0.0", "00");
        var plan = new RunPlan { Library = "Quick", Assemblies = [assembly] };
        CliRequest request = s_benchmark with { BenchmarkPart = LibraryUnderTest.Catalog.Parts.Single(known => known.Name == part), Plan = plan };
        var cases = PredefinedCases.Create(request, [s_library], s_known, LibraryUnderTest.Catalog.Workloads);
        Assert.NotEmpty(cases);
        Assert.All(cases, suiteCase => Assert.Equal([assembly], suiteCase.Plan.Assemblies));
    }

    [Fact]
    public void List_has_a_line_for_each_setting() => Assert.Equal(
        [
            "Quick.batch=call|mmsg|gso [default: call, tuned: mmsg]: how many datagrams a system call carries.",
            "Quick.mode=slow|fast [default: fast]: how fast it is.",
        ],
        ListCommand.SettingsOf(s_library));

    [Fact]
    public void The_list_names_the_transports_of_a_setting_that_is_not_for_all() =>
        ListCommand.SettingsOf(OfDatagrams()).First().AssertBegins("Quick.batch=call|mmsg|gso [default: call, tuned: mmsg] (Udp): ");

    // The first setting has no effect over streams.
    private static LibraryInfo OfDatagrams() => s_library with
    {
        Protocols = [Protocol.Udp, Protocol.Tcp],
        Settings = [s_library.Settings[0] with { Protocols = [Protocol.Udp] }, s_library.Settings[1]],
    };

    private static string[] NamesOf(CliRequest request, LibraryInfo[] libraries, params Profile[] profiles) =>
    [
        .. from suiteCase in PredefinedCases.Create(request, libraries, [.. s_known, "Other"], LibraryUnderTest.Catalog.Workloads)
           where suiteCase.Title == "Benchmark 1" && (profiles is [] || profiles.Contains(suiteCase.Plan.Profile))
           select suiteCase.Name,
    ];

    private static int FirstCore()
    {
        Assert.SkipUnless(CoreAffinity.IsSupported, "This system binds nothing to cores.");
        return CoreAffinity.OfProcess()[0];
    }

    private static IEnumerable<(string Name, string Value)> Choose(params RequestedSetting[] requested) => Choose(Profile.Default, requested);

    private static IEnumerable<(string Name, string Value)> Choose(Profile profile, params RequestedSetting[] requested) =>
        PlanCheck.ChooseSettings(requested, s_library, profile, Protocol.Udp).Select(pair => (pair.Key, pair.Value));
}
