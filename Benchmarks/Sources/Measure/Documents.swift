internal import PaviseDocuments

/// Milliseconds for a page of HTML of 1 MB, of a hundred times that, and of what is nested without an end.
func documentPages(_ words: [String]) throws -> [(String, String)] {
    let rounds = words.first.flatMap { Int($0) } ?? 5
    let piece = Array(
        """
        <div class="x"><h2>Night &amp; day</h2><p>Slept <b>seven</b> hours, \
        <a href="https://example.org/a?b=c">more</a> &#8364; &auml;<br><img src="https://h/t.gif" width=1></p>\
        <ul><li>one<li>two</ul><table><tr><td>a<td>b</table><style>p { color: red }</style><!-- a comment --></div>\n
        """.utf8)
    func milliseconds(_ html: [UInt8]) throws -> Double {
        try microseconds(1) { _ = try DocumentPage(html, as: .html) } / 1_000
    }
    func text(_ bytes: Int) -> [UInt8] { (0..<(bytes / piece.count + 1)).flatMap { _ in piece } }
    let small = text(1_000_000)
    let large = text(100_000_000)
    let nested = Array(String(repeating: "<div>", count: 100_000).utf8)
    let one = median(try (0..<rounds).map { _ in try milliseconds(small) })
    return [
        ("one", "\(one)"), ("hundred", "\(try milliseconds(large))"),
        ("nested", "\(median(try (0..<rounds).map { _ in try milliseconds(nested) }))"),
    ]
}
