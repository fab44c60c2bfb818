/// The entries of `NSExceptionDomains` as the decision looks them up.
struct ATSExceptionTable: Hashable, Sendable {
    /// What a lookup found.
    struct Match: Hashable, Sendable {
        let key: String
        let exception: ATSException
        /// How many labels the host has below the key; 0 for the key itself and for address ranges.
        let depth: Int
    }

    private struct Range: Hashable, Sendable {
        let key: String
        let range: ATSAddressRange
        let exception: ATSException
    }

    private var names: [String: ATSException] = [:]
    // Longest prefix first, then in the order of the keys: the first that fits is the answer.
    private var ranges: [Range] = []
    /// Keys with a slash that are no ranges: entries without effect.
    private(set) var deadKeys: [String] = []

    init(_ entries: [String: ATSException]) {
        for (key, exception) in entries {
            guard key.utf8.contains(UInt8(ascii: "/")) else {
                names[key] = exception
                continue
            }
            if let range = ATSAddressRange(key) {
                ranges.append(Range(key: key, range: range, exception: exception))
            } else {
                deadKeys.append(key)
            }
        }
        ranges.sort { ($1.range.prefix, $0.key) < ($0.range.prefix, $1.key) }
        deadKeys.sort()
    }

    var isEmpty: Bool { names.isEmpty && ranges.isEmpty }

    /// The entry for a host name: its own, or that of the nearest name above that includes subdomains.
    ///
    /// - Parameter deepest: How many labels below a key still count; no limit in Apple's code, one in its documentation.
    func match(name host: String, deepest: Int = .max) -> Match? {
        guard !names.isEmpty else { return nil }
        if let exception = names[host] { return Match(key: host, exception: exception, depth: 0) }
        var rest = host[...]
        var depth = 0
        while depth < deepest, let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.index(after: dot)...]
            depth += 1
            let key = String(rest)
            if let exception = names[key], exception.includesSubdomains {
                return Match(key: key, exception: exception, depth: depth)
            }
        }
        return nil
    }

    /// The entry for an address: the one with this very text, or the narrowest range around it.
    func match(address text: String) -> Match? {
        if let exception = names[text] { return Match(key: text, exception: exception, depth: 0) }
        guard !ranges.isEmpty, let address = ATSAddress(text) else { return nil }
        return ranges.first { $0.range.contains(address) }.map { Match(key: $0.key, exception: $0.exception, depth: 0) }
    }
}
