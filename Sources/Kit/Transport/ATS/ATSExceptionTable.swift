/// The entries of `NSExceptionDomains` as the decision looks them up.
struct ATSExceptionTable: Hashable, Sendable {
    /// What a lookup found.
    struct Match: Hashable, Sendable {
        let key: String
        let exception: ATSException
        /// How many labels the host has below the key; 0 for the key itself and for address ranges.
        let depth: Int
    }

    private struct Entry: Hashable, Sendable {
        let key: String
        let exception: ATSException

        func match(depth: Int) -> Match { Match(key: key, exception: exception, depth: depth) }
    }

    // Substrings, so that a part of a host is looked up without a copy of it.
    private var names: [Substring: Entry] = [:]
    // Bit n: there is a name of n bytes; the last bit stands for all longer ones. Most parts of a host need no look-up.
    private var nameSizes: UInt64 = 0
    // Longest prefix first, then in the order of the keys: the first that fits is the answer. Entries and ranges in
    // step.
    private var ranges: [ATSAddressRange.Mask] = []
    private var rangeEntries: [Entry] = []
    /// Keys with a slash that are no ranges: entries without effect.
    private(set) var deadKeys: [String] = []

    init(_ entries: [String: ATSException]) {
        var found: [(range: ATSAddressRange, entry: Entry)] = []
        for (key, exception) in entries {
            let entry = Entry(key: key, exception: exception)
            if !key.utf8.contains(UInt8(ascii: "/")) {
                put(entry, at: key)
                // A request names an address in one spelling alone; a key may have another.
                if let address = CanonicalHost.version6(key), address != key, entries[address] == nil {
                    put(entry, at: address)
                }
            } else if let range = ATSAddressRange(key) {
                found.append((range, entry))
            } else {
                deadKeys.append(key)
            }
        }
        found.sort { ($1.range.prefix, $0.entry.key) < ($0.range.prefix, $1.entry.key) }
        ranges = found.map(\.range.mask)
        rangeEntries = found.map(\.entry)
        deadKeys.sort()
    }

    /// The entry for a host name: its own, or that of the nearest name above that includes subdomains.
    ///
    /// - Parameter deepest: How many labels below a key still count; no limit in Apple's code, one in its
    ///   documentation.
    func match(name host: String, deepest: Int = .max) -> Match? {
        var rest = host[...]
        if let entry = entry(rest) { return entry.match(depth: 0) }
        var depth = 0
        while depth < deepest, let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.utf8.index(after: dot)...]
            depth += 1
            if let entry = entry(rest), entry.exception.includesSubdomains { return entry.match(depth: depth) }
        }
        return nil
    }

    /// The entry for an address: the one with this very text, or the narrowest range around it.
    func match(address text: String) -> Match? {
        if let entry = entry(text[...]) { return entry.match(depth: 0) }
        guard !ranges.isEmpty, let address = ATSAddress(text) else { return nil }
        return ranges.firstIndex { $0.contains(address) }.map { rangeEntries[$0].match(depth: 0) }
    }

    private mutating func put(_ entry: Entry, at name: String) {
        names[name[...]] = entry
        nameSizes |= Self.bit(name.utf8.count)
    }

    private func entry(_ name: Substring) -> Entry? {
        nameSizes & Self.bit(name.utf8.count) == 0 ? nil : names[name]
    }

    private static func bit(_ size: Int) -> UInt64 { 1 << UInt64(min(size, 63)) }
}
