namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>The style sheet of all pages: light and dark by the reader's choice, for wide and narrow windows and for paper.</summary>
internal static class PageStyle
{
    /// <summary>The style sheet. It has neither an ampersand nor a less-than sign, which XML would need escaped.</summary>
    public const string Text = Colours + Page + Plots;

    /// <summary>The style sheet of a picture by itself.</summary>
    public const string OfPicture = Colours + Plots + """
        .back { fill: var(--back) }
        svg .title { font-weight: 600; font-size: 13px }

        """;

    private const string Colours = """
        :root { color-scheme: light dark; --back: #fff; --fore: #1d2127; --soft: #59626e; --line: #dfe3e8; --card: #f6f7f9; --link: #0a58a8;
          --good: #1a7f4b; --bad: #b42318; --band: #e9edf2;
          --c0: #0b6bb8; --c1: #d1560b; --c2: #0f8a62; --c3: #b4478f; --c4: #b58400; --c5: #6a55c2; --c6: #3aa0c9; --c7: #8a5a34; --c8: #6b7480 }
        @media (prefers-color-scheme: dark) {
          :root { --back: #14171b; --fore: #e4e7eb; --soft: #a0a9b4; --line: #343a42; --card: #1c2026; --link: #7ab8f5;
            --good: #5cc98d; --bad: #ff8a7a; --band: #262c34;
            --c0: #5aaef0; --c1: #f58a4b; --c2: #45c795; --c3: #e587c4; --c4: #e2b53a; --c5: #a493f0; --c6: #7fd3f2; --c7: #c79468; --c8: #a4adb8 } }

        """;

    private const string Plots = """
        svg text { font: 11.5px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: var(--fore); font-variant-numeric: tabular-nums }
        svg .e, g text { text-anchor: end }
        g text.a { text-anchor: start; paint-order: stroke; stroke: var(--back); stroke-width: 3px; stroke-dasharray: none }
        .m text { text-anchor: middle; fill: var(--soft) }
        svg .t { fill: var(--soft) }
        .g { stroke: var(--line); stroke-width: 1; fill: none }
        .l { fill: none; stroke: var(--c); stroke-width: 1.8; stroke-linejoin: round }
        .thin { stroke-width: 1; stroke-opacity: .6 }
        .o { stroke: var(--c); stroke-width: 7; stroke-linecap: round; stroke-dasharray: none }
        .o:hover { stroke-width: 11 }
        .q .o { stroke-opacity: 0 } .q .o:hover { stroke-opacity: 1 }
        .p { fill: var(--c) }
        .h { fill: var(--back); stroke: var(--c); stroke-width: 1.5 }
        .b { fill: var(--c) }
        .b2 { fill: var(--c); fill-opacity: .45 }
        .b0 { fill: var(--c); fill-opacity: .15; stroke: var(--c); stroke-dasharray: 3 2 }
        .u { fill: var(--c); fill-opacity: .2; stroke: var(--c); stroke-width: 1.2 }
        .i { stroke-dasharray: none; stroke: var(--fore); stroke-width: 1.3; fill: none }
        .base { stroke: var(--soft); stroke-width: 1.3; fill: none }
        .band { fill: var(--band) }
        .h:hover { stroke-width: 3 }
        g:hover > rect { stroke: var(--fore); stroke-dasharray: none }
        .d1 { stroke-dasharray: 7 3 }
        .d2 { stroke-dasharray: 2 3 }
        .d3 { stroke-dasharray: 9 3 2 3 }
        rect, circle { stroke-dasharray: none }
        rect.b0 { stroke-dasharray: 3 2 }
        .s0 { --c: var(--c0) } .s1 { --c: var(--c1) } .s2 { --c: var(--c2) } .s3 { --c: var(--c3) } .s4 { --c: var(--c4) }
        .s5 { --c: var(--c5) } .s6 { --c: var(--c6) } .s7 { --c: var(--c7) } .s8 { --c: var(--c8) }
        .v-slower { --c: var(--bad) } .v-faster { --c: var(--good) } .v-same, .v-inconclusive { --c: var(--soft) }

        """;

    private const string Page = """
        @media print {
          :root { --back: #fff; --fore: #000; --soft: #444; --line: #ccc; --card: #fff; --link: #000; --good: #1a7f4b; --bad: #b42318; --band: #eee;
            --c0: #0b6bb8; --c1: #d1560b; --c2: #0f8a62; --c3: #b4478f; --c4: #b58400; --c5: #6a55c2; --c6: #3aa0c9; --c7: #8a5a34; --c8: #6b7480 }
          figure, tr, dl div { break-inside: avoid }
          h2, h3, summary { break-after: avoid }
          details::details-content { content-visibility: visible !important; block-size: auto !important }
          main { max-width: none !important; padding: 0 !important }
          .scroll { overflow: visible !important }
          table { font-size: 9px !important }
          nav { display: none } }
        * { box-sizing: border-box }
        html { scroll-behavior: smooth; -webkit-text-size-adjust: 100% }
        body { margin: 0; background: var(--back); color: var(--fore); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif }
        main { max-width: 1280px; margin: 0 auto; padding: 24px 32px }
        footer { max-width: 1280px; margin: 0 auto; padding: 16px 32px 40px; color: var(--soft); font-size: 14px }
        h1 { font-size: 28px; line-height: 1.25; margin: 8px 0 12px; overflow-wrap: anywhere }
        h2 { font-size: 22px; margin: 40px 0 12px; padding-top: 16px; border-top: 1px solid var(--line) }
        h3 { font-size: 18px; margin: 36px 0 4px }
        p, ul { margin: 8px 0 12px; max-width: 90ch; overflow-wrap: anywhere }
        a { color: var(--link) }
        code, pre { font: 13px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
        code { overflow-wrap: anywhere }
        pre { margin: 8px 0 12px; padding: 12px 14px; background: var(--card); border-radius: 8px }
        pre.figures { white-space: pre-wrap; overflow-wrap: anywhere }
        .scroll { overflow-x: auto; margin-bottom: 12px }
        .soft { color: var(--soft) }
        .good { color: var(--good) }
        .bad { color: var(--bad); font-weight: 600 }
        nav ul { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; list-style: none; max-width: none; font-size: 15px }
        dl { margin: 12px 0 16px; display: grid; gap: 10px }
        dl div { min-width: 0 }
        dt { color: var(--soft); font-size: 13px }
        dd { margin: 0; overflow-wrap: anywhere }
        .headline { grid-template-columns: repeat(auto-fill, minmax(170px, 1fr)) }
        .headline div { background: var(--card); border-radius: 8px; padding: 10px 14px }
        .headline dd { font-size: 19px; font-weight: 600; font-variant-numeric: tabular-nums }
        .facts { grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)) }
        .plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr)); gap: 20px 28px; margin: 12px 0 16px }
        .plots { align-items: start }
        figure { margin: 0; min-width: 0; max-width: 640px }
        figcaption { font-size: 14px; margin-bottom: 6px; color: var(--soft) }
        figcaption strong { color: var(--fore) }
        figure svg { display: block; width: 100%; height: auto }
        table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; min-width: 60% }
        caption { text-align: left; color: var(--soft); padding: 4px 0 }
        th, td { padding: 5px 8px; text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap; font-weight: 400 }
        tbody th { font-weight: 600 }
        .n { text-align: right }
        thead th { border-bottom: 2px solid var(--line) }
        th button { text-align: inherit; font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 2px 0; cursor: pointer }
        th button::after { content: " \2195"; color: var(--soft); font-weight: 400 }
        th[aria-sort="ascending"] button::after { content: " \2191"; color: var(--fore) }
        th[aria-sort="descending"] button::after { content: " \2193"; color: var(--fore) }
        details { border-top: 1px solid var(--line); padding: 6px 0 }
        summary { cursor: pointer; overflow-wrap: anywhere }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
        @media (max-width: 600px) {
          main, footer { padding-left: 16px; padding-right: 16px }
          h1 { font-size: 22px }
          ul { padding-left: 18px }
          .soft { font-size: 13px }
          .headline { grid-template-columns: repeat(auto-fill, minmax(135px, 1fr)) }
          .headline dd { font-size: 16px }
          svg text { font-size: 12.5px } }

        """;
}
