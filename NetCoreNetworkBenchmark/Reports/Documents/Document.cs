namespace NetCoreNetworkBenchmark.Reports.Documents;

/// <summary>A report before it has a format: a builder creates it, and a renderer writes it. Blocks that are null are left out.</summary>
/// <param name="Level">The level of the title in Markdown. The page of one run is a part of a larger page, so it begins at the third.</param>
internal sealed record Document(string Title, string Version, IReadOnlyList<Block?> Blocks, int Level = 3)
{
    public IReadOnlyList<Block> Blocks { get; } = [.. Blocks.OfType<Block>()];

    public bool HasLead => Blocks.Any(block => block is Section { IsLead: true });

    public IEnumerable<Section> Linked => Blocks.SelectMany(AllIn).OfType<Section>().Where(section => section.Id is not null);

    /// <summary>The lead is at the end, because that stays in sight.</summary>
    public IEnumerable<Block> ForConsole => Blocks.OrderBy(block => block is Section { IsLead: true });

    /// <summary>Replaces line ends and control characters: names and reasons come from loaded libraries and other hosts.</summary>
    public static string OneLine(string text) => !text.Any(IsLineEnd) && !text.Any(char.IsControl) ? text : string.Concat(
        text.Replace("\r\n", "\n", StringComparison.Ordinal).Select(letter => IsLineEnd(letter) ? ' ' : char.IsControl(letter) ? '\uFFFD' : letter));

    private static bool IsLineEnd(char letter) => letter is '\n' or '\r' or '\v' or '\f' or '\u0085' or '\u2028' or '\u2029';

    private static IEnumerable<Block> AllIn(Block block) => block is Section section ? section.Blocks.SelectMany(AllIn).Prepend(section) : [block];
}

/// <summary>On the console a person sees the essence; a file has everything.</summary>
[Flags]
internal enum Media
{
    Markdown = 1,
    Html = 2,
    Console = 4,
    File = Markdown | Html,
    All = File | Console,
}

internal enum Tone
{
    Plain,
    Good,
    Bad,
    Doubtful,
    Soft,
}

internal abstract record Block
{
    public Media Media { get; init; } = Media.All;

    public virtual bool IsIn(Media medium) => (Media & medium) != 0;
}

/// <param name="Id">The name for links; the table of contents has the sections that have one.</param>
/// <param name="IsLead">Whether a reader decides by it: it begins a page, without its title, and ends on a console, where the end stays in sight.</param>
/// <param name="Note">The text after the title of a folded section.</param>
internal sealed record Section(
    string Title, IReadOnlyList<Block?> Blocks, string? Id = null, bool IsFolded = false, bool IsLead = false, string? Note = null) : Block
{
    public IReadOnlyList<Block> Blocks { get; } = [.. Blocks.OfType<Block>()];

    public override bool IsIn(Media medium) => base.IsIn(medium) && Blocks.Any(block => block.IsIn(medium));
}

internal sealed record Paragraph(params Inline[] Text) : Block
{
    public Tone Tone { get; init; }
}

internal sealed record BulletList(IReadOnlyList<Inline[]> Items) : Block
{
    public BulletList(IEnumerable<string> items)
        : this([.. items.Select(item => (Inline[])[item])])
    {
    }

    public override bool IsIn(Media medium) => base.IsIn(medium) && Items.Count > 0;
}

internal sealed record CodeBlock(string Text) : Block;

internal sealed record Facts(IReadOnlyList<Fact> Items, FactStyle Style = FactStyle.Figures) : Block
{
    public IReadOnlyList<Fact> Items { get; } = [.. Items.Where(fact => fact.Value is not null)];

    public override bool IsIn(Media medium) => base.IsIn(medium) && Items.Count > 0;
}

internal enum FactStyle
{
    Figures,

    /// <summary>What was requested, and where it ran.</summary>
    List,

    /// <summary>The few figures that a reader looks for first. They are also among the others.</summary>
    Headline,
}

internal readonly record struct Fact(string Name, string? Value)
{
    public string? Value { get; } = Value is null ? null : Document.OneLine(Value);
}

internal readonly record struct Inline(string Text, Mark Mark = Mark.None)
{
    public string Text { get; } = Document.OneLine(Text);

    public static implicit operator Inline(string text) => new(text);

    public static Inline Strong(string text) => new(text, Mark.Strong);

    public static Inline Code(string text) => new(text, Mark.Code);
}

internal enum Mark
{
    None,
    Strong,
    Code,
}
