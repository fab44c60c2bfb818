/// Suffixes under which anybody may register a name, so that a wildcard right above one would cover strangers.
///
/// There is no list in the package. The rule refuses more than a list would: every single label, and under a
/// country's two letters every label that registries use for whole groups (`co.uk`, `com.au`, `ac.jp`).
enum PublicSuffix {
    /// Whether the labels together are a public suffix.
    static func contains(_ labels: ArraySlice<String>) -> Bool {
        guard labels.count > 1, let country = labels.last, let group = labels.first else { return true }
        return labels.count == 2 && country.utf8.count == 2 && groups.contains(group)
    }

    private static let groups: Set<String> = [
        "ac", "ad", "asn", "biz", "co", "com", "cri", "ed", "edu", "firm", "gc", "gen", "go", "gob", "gouv", "gov",
        "govt", "gr", "gub", "gv", "id", "idf", "ind", "inf", "info", "int", "k12", "law", "lg", "ltd", "me", "med",
        "mil", "mod", "muni", "name", "ne", "net", "nhs", "nic", "nom", "or", "org", "parliament", "plc", "police",
        "press", "pro", "re", "res", "sch", "school", "store", "tm", "web",
    ]
}
