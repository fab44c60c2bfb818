internal import PavisePrimitives

extension ATSLint {
    /// Whether the key of an entry can match at all, and where.
    mutating func name(of entry: PropertyListValue.Member, _ path: [String]) {
        let key = entry.name
        if let problem = Self.problem(of: key) {
            add(problem.rule, entry, path, problem.text, alternative: problem.advice)
            return
        }
        if key.contains("/") {
            range(entry, path)
        } else if let address = ATSAddress(key) {
            addressKey(entry, address, path)
        } else {
            depth(entry, path)
        }
        guard key.contains("/") || ATSAddress(key) != nil, entry.value[ATSKey.subdomains]?.truth == true else { return }
        add(
            .subdomainAddress, entry.value.member(ATSKey.subdomains), path + [ATSKey.subdomains],
            "An address has no names below it: the key has no effect here.", alternative: "Delete the key.")
    }

    /// Whether the key of an entry matches no host however it is written. One with a dot at its end may match.
    static func isDead(_ key: String) -> Bool {
        if key.contains("/"), problem(of: key) == nil { return ATSAddressRange(key) == nil }
        return problem(of: key).map { $0.rule != .keyDot || !key.hasSuffix(".") } ?? false
    }

    private static func problem(of key: String) -> (rule: ATSLintRule, text: String, advice: String?)? {
        let words = { (what: String) in
            "“\(key.prefix(100))” \(what): keys are compared byte for byte with the host, so it never matches."
        }
        if key.contains("://") { return (.keyScheme, words("holds a scheme"), "Write the host alone.") }
        if key.isEmpty || key.utf8.contains(where: XMLBlank.contains) {
            return (.keySpace, words(key.isEmpty ? "is empty" : "holds a blank"), "Write the host alone.")
        }
        if key.utf8.contains(where: { $0 >= 0x80 }) {
            return (.keyNonASCII, words("holds letters outside ASCII"), "Write the xn-- form.")
        }
        if key.contains("*") {
            return (.keyWildcard, words("holds a wildcard"), "Write the name without it and set \(ATSKey.subdomains).")
        }
        if key.hasPrefix("["), key.hasSuffix("]"), ATSAddress(String(key.dropFirst().dropLast())) != nil {
            return (.keyAddress, words("holds brackets"), "Write the address without brackets.")
        }
        if key.contains(":"), ATSAddress(key) == nil, !key.contains("/") {
            return (.keyPort, words("holds a port"), "Write the host without the port; an entry holds for all ports.")
        }
        if key.utf8.contains(where: { (0x41...0x5A).contains($0) }), ATSAddress(key) == nil, !key.contains("/") {
            return (.keyCase, words("holds capitals"), "Write it in lower case.")
        }
        guard !key.contains("/") else { return nil }
        if key.hasPrefix(".") || key.contains("..") {
            return (
                .keyDot, words("has an empty label"), "Write the name without the dot and set \(ATSKey.subdomains)."
            )
        }
        guard key.hasSuffix(".") else { return nil }
        return (
            .keyDot,
            "“\(key)” fits at most a host that is written with the dot at its end, and none that Pavise asks for.",
            "Write it without the dot."
        )
    }

    private mutating func range(_ entry: PropertyListValue.Member, _ path: [String]) {
        let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
        guard let range = ATSAddressRange(entry.name) else {
            add(
                .rangeDead, entry, path,
                "“\(entry.name.prefix(100))” holds a slash, so it is read as an address range, and as one it is "
                    + "not read: "
                    + "it never matches.",
                alternative:
                    "Shorten the network (leave out trailing zeros), or name single addresses; a path cannot be named.")
            return
        }
        if let prefix = parts.last, prefix.count > 1, prefix.hasPrefix("0") {
            add(
                .rangeOctal, entry, path,
                """
                “/\(prefix)” begins with 0 and is read as octal: it means \
                /\(range.prefix)\(range.prefix == 0 ? ", every address" : "").
                """,
                alternative: "Write the prefix without the zero.")
        }
        system(entry, path)
    }

    private mutating func addressKey(
        _ entry: PropertyListValue.Member, _ address: ATSAddress, _ path: [String]
    ) {
        let canonical = address.text
        guard entry.name == canonical else {
            add(
                .keyAddress, entry, path,
                "“\(entry.name)” is compared as text: an address that is written in another way does not match it.",
                alternative: "Write “\(canonical)”.")
            return
        }
        system(entry, path)
    }

    // Before iOS 17 and macOS 14 no address can have an entry.
    private mutating func system(_ entry: PropertyListValue.Member, _ path: [String]) {
        let needed = [("MinimumOSVersion", 17), ("LSMinimumSystemVersion", 14)]
        for (name, version) in needed {
            guard let text = list[name]?.string, let major = Int(text.prefix { $0 != "." }) else { continue }
            if major >= version { return }
        }
        add(
            .keyAddress, entry, path,
            """
            Entries for addresses work from iOS 17 and macOS 14 on. iOS 10 to 16 allow every address; iOS 9 blocks them.
            """,
            alternative: "Use a host name, or \(ATSKey.local) for addresses of the local network.")
    }

    /// Goes over all names once, so that the time grows with the list and not with its square.
    mutating func findDeepNames() {
        let names = [ATSKey.exceptions, ATSKey.pins].flatMap { root?.value[$0]?.members ?? [] }.map(\.name)
        for name in names {
            guard let above = ancestor(of: name), above.labels > 1, deepNames[above.key] == nil else { continue }
            deepNames[above.key] = name
        }
    }

    // In the code any depth counts, by the current documentation one label.
    private mutating func depth(_ entry: PropertyListValue.Member, _ path: [String]) {
        guard entry.value[ATSKey.subdomains]?.truth == true, let deep = deepNames[entry.name] else { return }
        add(
            .subdomainDepth, entry, path,
            "“\(deep)” shows that names two or more labels below are used. Apple's code lets this entry cover "
                + "them at any depth, "
                + "its documentation only one label below.",
            alternative: "Write an entry for each parent of such names.")
    }
}

/// Blanks and control characters, which no host holds.
enum XMLBlank {
    static func contains(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }
}
