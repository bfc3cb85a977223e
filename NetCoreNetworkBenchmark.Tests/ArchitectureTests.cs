using NetCoreNetworkBenchmark.Libraries.ENet;
using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Tests;

/// <summary>
/// The allowed dependencies, checked against the compiled types: Docs/architecture.md in executable form. A wrong dependency is reported with
/// both its ends.
/// </summary>
public sealed class ArchitectureTests
{
    private const string Root = "NetCoreNetworkBenchmark";

    // Plain data that all rooms may use; the independent rooms use no other room.
    private static readonly string[] s_common = ["Histograms", "Results"];

    private static readonly string[] s_independent = ["Histograms", "Plans"];

    // The rooms whose folders do not use each other. The compiler proves that they use the Sdk alone, and that no other room uses them.
    private static readonly string[] s_ofPlugIns = ["Libraries", "Workloads"];

    // The folders of such a room that all its folders may use.
    private static readonly string[] s_shared =
        [typeof(ClosedWindow).Namespace!, typeof(PushServer).Namespace!, "NetCoreNetworkBenchmark.Libraries.AspNetCore"];

    private static readonly Dictionary<string, string[]> s_mayUse = new()
    {
        ["Histograms"] = [],
        ["Plans"] = [],
        ["Options"] = ["Plans"],
        ["Recording"] = [],
        ["Contracts"] = ["Options", "Plans", "Recording"],
        ["Benchmarks"] = ["Contracts", "Options", "Plans", "Recording", "Workloads"],
        ["AdapterKit"] = ["Contracts", "Plans", "Recording"],
        ["Results"] = ["Contracts", "Plans", "Recording"],
        ["Statistics"] = [],
        ["Impairment"] = ["AdapterKit", "Plans", "Recording"],
        ["Certificates"] = ["Contracts", "Options", "Plans"],
        ["Reports"] = ["Contracts", "Options", "Plans", "Recording"],
        ["Comparing"] = ["Contracts", "Options", "Plans", "Recording", "Statistics"],
        ["Conformance"] = ["Contracts", "Impairment", "Plans", "Recording"],
        ["Running"] = ["AdapterKit", "Certificates", "Conformance", "Contracts", "Impairment", "Options", "Plans", "Recording", "Statistics"],
        ["Cli"] =
        [
            "AdapterKit", "Certificates", "Comparing", "Conformance", "Contracts", "Impairment", "Options", "Plans", "Recording", "Reports", "Running",
            "Statistics",
        ],
    };

    private static readonly string[] s_rooms = [.. s_mayUse.Keys, .. s_ofPlugIns];

    private static readonly Assembly[] s_assemblies =
        [typeof(INetworkBenchmark).Assembly, typeof(Catalog).Assembly, BuiltIn.Libraries, BuiltIn.Workloads, BuiltIn.Benchmarks];

    private static readonly Type[] s_found = [typeof(INetworkBenchmark), typeof(IWorkload), typeof(IBenchmarkPart), typeof(IReport)];

    public static TheoryData<string> Rooms => [.. s_rooms];

    [Fact]
    public void Every_type_stands_in_a_known_room() => Assert.Empty(
        OwnTypes().Where(type => !s_rooms.Contains(RoomOf(type)) && !IsCompositionRoot(type)).Select(type => type.FullName));

    [Theory, MemberData(nameof(Rooms))]
    public void A_room_uses_only_rooms_that_it_may(string room) => Assert.Empty(
        from type in OwnTypes()
        where RoomOf(type) == room
        from used in TypeDependencies.Find(type)
        where IsOwn(used) && !IsCompositionRoot(used) && !MayUse(type, used)
        select $"{type.FullName} -> {used.FullName}");

    [Fact]
    public void No_two_folders_use_each_other_at_any_depth() => Assert.Empty(
        CirclesOf(OwnTypes().Where(type => !IsCompositionRoot(type)), TypeDependencies.Find));

    [Fact]
    public void The_rule_finds_a_planted_circle() => Assert.Contains(
        $"{Root}.Running.Agents <-> {Root}.Running.Coordination",
        CirclesOf(
            OwnTypes().Where(type => !IsCompositionRoot(type)),
            type => type == typeof(Run) ? TypeDependencies.Find(type).Append(typeof(FrameChannel)) : TypeDependencies.Find(type)));

    // A message to the user or a key that contains the name would have to be changed for a new workload. A part of the benchmark is made of workloads.
    [Fact]
    public void No_workload_is_named_outside_its_folder_and_the_benchmarks() => Assert.Empty(
        from file in ProductSources()
        where !file.Contains($"/{Root}.Benchmarks/", StringComparison.Ordinal)
        let text = File.ReadAllText(file)
        from workload in LibraryUnderTest.Catalog.Workloads
        where !file.Contains($"/{FolderOf(workload.GetType()).Split('.')[^1]}/", StringComparison.Ordinal) && Names(text, workload.Name)
        select $"{file}: {workload.Name}");

    [Theory]
    [InlineData("if (plan.Test == \"PingPong\")", true)]
    [InlineData("// Only with -t PingPong.", true)]
    [InlineData("var workload = new PingPong();", true)]
    [InlineData("var clients = new PingPongClients();", false)]
    public void The_rule_finds_the_name_of_a_workload(string source, bool isFound) => Assert.Equal(isFound, Names(source, "PingPong"));

    [Fact]
    public void Running_and_Cli_are_not_an_interface_for_others() => Assert.Empty(
        OwnTypes().Where(type => RoomOf(type) is "Running" or "Cli" && type.IsVisible).Select(type => type.FullName));

    [Fact]
    public void No_static_field_can_be_changed() => Assert.Empty(
        from type in OwnTypes()
        from field in type.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
        where field is { IsLiteral: false, IsInitOnly: false } && !field.Name.StartsWith('<')
        select $"{type.FullName}.{field.Name}");

    // Any other way to start one leaves it to the terminal's Ctrl+C, and alive when this process is killed.
    [Fact]
    public void Every_process_is_started_as_a_child() => Assert.Empty(
        from file in ProductSources()
        where !file.EndsWith("/ChildProcess.cs", StringComparison.Ordinal)
            && Regex.IsMatch(File.ReadAllText(file), @"\b(?<!Pinned)Process\.Start\(|new Process\b")
        select file);

    // A start considers public types only.
    [Fact]
    public void What_is_found_by_reflection_is_public() => Assert.Empty(
        from type in OwnTypes()
        where type.IsClass && !type.IsVisible && s_found.Any(type.IsAssignableTo)
        select type.FullName);

    [Fact]
    public void The_rule_finds_a_wrong_arrow() => Assert.Contains(typeof(Catalog), TypeDependencies.Find(typeof(WrongArrow)));

    [Fact]
    public void One_workload_or_library_may_not_use_another()
    {
        Assert.False(MayUse(typeof(Multicast), typeof(PingPong)));
        Assert.False(MayUse(typeof(MaxClients), typeof(PingPong)));
        Assert.False(MayUse(typeof(MessageLayout), typeof(PingPong)));
        Assert.True(MayUse(typeof(PingPong), typeof(PingPongClients)));
        Assert.True(MayUse(typeof(PingPong), typeof(MessageLayout)));
        Assert.True(MayUse(typeof(PingPong), typeof(ClosedWindow)));
        Assert.False(MayUse(typeof(ClosedWindow), typeof(PingPong)));
        Assert.False(MayUse(typeof(SocketsBenchmark), typeof(ENetBenchmark)));
    }

    // The project that BenchmarkDotNet generates for a run refers to the microbenchmarks alone, as this one does: it compiles only if they pass the package on.
    [Fact]
    public void Microbenchmarks_pass_on_the_package_that_runs_them() => Assert.Contains(
        typeof(BenchmarkDotNet.Engines.Consumer).Assembly.GetName().Name,
        typeof(NetCoreNetworkBenchmark.Microbenchmarks.Clock).Assembly.GetReferencedAssemblies().Select(assembly => assembly.Name));

    [Fact]
    public void No_line_has_more_than_160_columns()
    {
        const int Columns = 160;
        string[] wide =
        [
            .. from file in ProductSources().Concat(Sources($"{Root}.Tests"))
               from line in File.ReadLines(file).Index()
               where line.Item.Length > Columns
               select $"{file}:{line.Index + 1}",
        ];
        Assert.Empty(wide);
    }

    // The name as a text of its own, as a value of the option -t, or as a type.
    private static bool Names(string source, string workload) => Regex.IsMatch(source, $"\"{workload}\"|-t {workload}\\b|new {workload}\\(");

    private static IEnumerable<string> ProductSources() => s_assemblies.SelectMany(assembly => Sources(assembly.GetName().Name!));

    private static IEnumerable<string> Sources(string project)
    {
        string folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, $"{Root}.slnx")))
        {
            folder = Path.GetDirectoryName(folder) ?? throw new InvalidOperationException("The sources are not above the folder of the tests.");
        }

        return Directory.EnumerateFiles(Path.Combine(folder, project), "*.cs", SearchOption.AllDirectories)
            .Select(file => file.Replace('\\', '/'))
            .Where(file => !file.Contains("/obj/", StringComparison.Ordinal));
    }

    private static bool MayUse(Type user, Type used)
    {
        string room = RoomOf(user);
        if (s_ofPlugIns.Contains(room))
        {
            // Its own folder, and the room's shared pieces, which use no other folder.
            return room != RoomOf(used) || s_shared.Append(FolderOf(user)).Append($"{Root}.{room}").Contains(FolderOf(used));
        }

        return room == RoomOf(used) || s_mayUse[room].Contains(RoomOf(used)) || (!s_independent.Contains(room) && s_common.Contains(RoomOf(used)));
    }

    // Two folders form a circle if each reaches the other, directly or through others.
    private static IEnumerable<string> CirclesOf(IEnumerable<Type> types, Func<Type, IEnumerable<Type>> dependencies)
    {
        ILookup<string, string> uses = (
            from type in types
            from used in dependencies(type)
            where IsOwn(used) && !IsCompositionRoot(used) && used.Namespace != type.Namespace
            select (User: type.Namespace!, Used: used.Namespace!)).Distinct().ToLookup(arrow => arrow.User, arrow => arrow.Used);
        Dictionary<string, HashSet<string>> reached = uses.ToDictionary(user => user.Key, user => ReachedFrom(user.Key, uses));
        return
            from user in reached
            from used in user.Value
            where string.CompareOrdinal(user.Key, used) < 0 && reached.TryGetValue(used, out HashSet<string>? back) && back.Contains(user.Key)
            select $"{user.Key} <-> {used}";
    }

    private static HashSet<string> ReachedFrom(string folder, ILookup<string, string> uses)
    {
        var reached = new HashSet<string>(StringComparer.Ordinal);
        var next = new Queue<string>(uses[folder]);
        while (next.TryDequeue(out string? current))
        {
            if (reached.Add(current))
            {
                foreach (string further in uses[current])
                {
                    next.Enqueue(further);
                }
            }
        }

        return reached;
    }

    private static IEnumerable<Type> OwnTypes() => s_assemblies.SelectMany(assembly => assembly.GetTypes()).Where(IsOwn);

    private static bool IsOwn(Type type) => s_assemblies.Contains(type.Assembly)
        && (type.Namespace?.StartsWith(Root, StringComparison.Ordinal) ?? type.Name == "Program")
        && !Outermost(type).Name.StartsWith('<');

    private static bool IsCompositionRoot(Type type) => Outermost(type).Name == "Program";

    private static Type Outermost(Type type) => type.DeclaringType is { } outer ? Outermost(outer) : type;

    private static string RoomOf(Type type) => type.Namespace?.Split('.').ElementAtOrDefault(1) ?? string.Empty;

    private static string FolderOf(Type type) => string.Join('.', type.Namespace!.Split('.').Take(3));

    private static class WrongArrow
    {
        public static string Use() => string.Join(' ', new List<Catalog>());
    }
}

/// <summary>Finds the types that a compiled type uses: in its declaration, its members' signatures and the bodies of its methods.</summary>
internal static class TypeDependencies
{
    private static readonly ConcurrentDictionary<Type, Type[]> s_found = new();

    public static IEnumerable<Type> Find(Type type) => s_found.GetOrAdd(type, static type => [.. Direct(type).SelectMany(Parts).Distinct()]);

    private static IEnumerable<Type> Direct(Type type)
    {
        IEnumerable<Type> declaration = type.GetInterfaces().Append(type.BaseType ?? typeof(object));
        IEnumerable<Type> fields = type.GetFields(CompiledMethod.Declared).Select(field => field.FieldType);
        IEnumerable<MethodBase> methods = type.GetMethods(CompiledMethod.Declared).Cast<MethodBase>().Concat(type.GetConstructors(CompiledMethod.Declared));
        return declaration.Concat(fields).Concat(methods.SelectMany(InMethod));
    }

    private static IEnumerable<Type> InMethod(MethodBase method)
    {
        IEnumerable<Type> signature = method.GetParameters().Select(parameter => parameter.ParameterType)
            .Append(method is MethodInfo { ReturnType: var result } ? result : typeof(void));
        IEnumerable<Type> locals = method.GetMethodBody()?.LocalVariables.Select(local => local.LocalType) ?? [];
        return signature.Concat(locals).Concat(CompiledMethod.MembersIn(method).SelectMany(InMember));
    }

    private static IEnumerable<Type> InMember(MemberInfo member) => member switch
    {
        Type type => [type],
        MethodBase called => called.GetParameters().Select(parameter => parameter.ParameterType).Append(called.DeclaringType ?? typeof(object)),
        FieldInfo field => [field.FieldType, field.DeclaringType ?? typeof(object)],
        _ => [],
    };

    // An array, a pointer or a generic type is used together with the types that it consists of.
    private static IEnumerable<Type> Parts(Type type) => type.HasElementType
        ? Parts(type.GetElementType()!)
        : type.IsGenericType ? type.GetGenericArguments().SelectMany(Parts).Append(type) : [type];
}
