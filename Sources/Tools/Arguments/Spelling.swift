/// Finds what a person may have meant.
package enum Spelling {
    /// The candidate nearest to `word`, when it is near enough to be worth a hint.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        guard word.count <= 40 else { return nil }
        let ranked = candidates.map { (name: $0, steps: steps(from: word, to: $0)) }
        guard let best = ranked.min(by: { $0.steps < $1.steps }) else { return nil }
        return best.steps <= max(1, min(word.count, best.name.count) / 3) ? best.name : nil
    }

    /// How many letters are to be put in, taken out, exchanged or swapped with their neighbour (optimal string
    /// alignment).
    static func steps(from first: String, to second: String) -> Int {
        let a = Array(first)
        let b = Array(second)
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var rows = [Array(0...b.count)]
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                let change = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                var best = min(change, rows[i - 1][j] + 1, row[j - 1] + 1)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, rows[i - 2][j - 2] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
