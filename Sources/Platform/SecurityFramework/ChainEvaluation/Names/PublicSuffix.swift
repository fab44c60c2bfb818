package import PavisePrimitives

/// Suffixes under which anybody may register a name, so that a wildcard right above one would cover strangers.
///
/// There is no list in the package. libpsl's is asked, which is the machine's (Debian's package `publicsuffix`) where
/// that is newer; without libpsl a rule refuses more than the list would.
package struct PublicSuffix: Sendable {
    private let list: PublicSuffixList?

    /// The rule alone: every single label, and under a country's two letters every label that registries use for whole
    /// groups (`co.uk`, `com.au`, `ac.jp`).
    package static let rule = PublicSuffix(list: nil)

    /// The machine's list, opened once, or the rule.
    package static let current = PublicSuffix(list: PublicSuffixList())

    /// A list, or the rule where there is none.
    package init(list: PublicSuffixList?) { self.list = list }

    /// What reads the list; `nil` for the rule.
    package var reader: String? { list?.reader }

    /// Whether the labels together, in lower case, are a public suffix.
    package func contains(_ labels: ArraySlice<String>) -> Bool {
        guard labels.count > 1, let country = labels.last, let group = labels.first else { return true }
        if let list { return list.contains(labels) }
        return labels.count == 2 && country.utf8.count == 2 && Self.groups.contains(group)
    }

    private static let groups: Set<String> = [
        "ac", "ad", "asn", "biz", "co", "com", "cri", "ed", "edu", "firm", "gc", "gen", "go", "gob", "gouv", "gov",
        "govt", "gr", "gub", "gv", "id", "idf", "ind", "inf", "info", "int", "k12", "law", "lg", "ltd", "me", "med",
        "mil", "mod", "muni", "name", "ne", "net", "nhs", "nic", "nom", "or", "org", "parliament", "plc", "police",
        "press", "pro", "re", "res", "sch", "school", "store", "tm", "web",
    ]
}
