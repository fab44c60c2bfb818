internal import PavisePrimitives

/// Suffixes under which anybody may register a name, so that a wildcard right above one would cover strangers.
///
/// There is no list in the package. The machine's own (Debian's package `publicsuffix`) is read where it is; elsewhere a
/// rule refuses more than the list would.
package struct PublicSuffix: Sendable {
    private let list: PublicSuffixList?
    /// Where the list came from; `nil` for the rule.
    package let path: String?

    /// The rule alone: every single label, and under a country's two letters every label that registries use for whole
    /// groups (`co.uk`, `com.au`, `ac.jp`).
    package static let rule = PublicSuffix(list: nil, path: nil)

    /// The machine's list, read once, or the rule.
    package static let current = PublicSuffix(files: [
        "/usr/share/publicsuffix/public_suffix_list.dat", "/usr/share/publicsuffix/effective_tld_names.dat",
    ])

    private init(list: PublicSuffixList?, path: String?) {
        self.list = list
        self.path = path
    }

    /// Reads the first of `files` that is a list; without one the rule takes its place.
    package init(files: [String]) {
        for path in files {
            guard let bytes = try? InputFile.read(path, limit: PublicSuffixList.maximumSize),
                let list = PublicSuffixList(bytes)
            else { continue }
            self.init(list: list, path: path)
            return
        }
        self = .rule
    }

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
