package import PavisePrimitives

/// `NSPinnedDomains` of an Info.plist, read and matched as Apple's code does it, faults included.
///
/// A set of the kit's own is ``PinSet``: it asks for a backup, knows all subdomains and an end, and refuses what cannot
/// be a pin. This type exists so that the same Info.plist means the same on Linux.
///
/// ```swift
/// var policy = TrustPolicy()
/// policy.pinnedDomains = try PinnedDomains(infoPlist: bytes)
/// ```
public struct PinnedDomains: Hashable, Sendable {
    /// One host's entry. A kind that is `nil` makes no demand; one that is empty can never be met.
    public struct Entry: Hashable, Sendable {
        /// Whether names exactly one label below count too.
        public let includesSubdomains: Bool
        /// Digests that the leaf's key must have, base64 decoded. Their length is not checked, as Apple does not.
        public let leaf: Set<[UInt8]>?
        /// Digests that a key above the leaf must have.
        public let authority: Set<[UInt8]>?

        /// An entry from its parts.
        public init(includesSubdomains: Bool = false, leaf: Set<[UInt8]>? = nil, authority: Set<[UInt8]>? = nil) {
            self.includesSubdomains = includesSubdomains
            self.leaf = leaf
            self.authority = authority
        }
    }

    /// The entries by host, in lower case and without a dot at the end, as hosts are compared. A name that is there
    /// with a dot and without one means the entry without.
    public let entries: [String: Entry]
    /// `SecTrustPinningRequired` is true: a host whose lists are present and empty is then free of pins.
    public let isPinningRequired: Bool

    /// A configuration from its parts.
    public init(_ entries: [String: Entry], isPinningRequired: Bool = false) {
        var folded: [String: Entry] = [:]
        var dotted: [String: Entry] = [:]
        for (host, entry) in entries {
            let name = CanonicalHost.version6(host) ?? host.lowercased()
            if name.hasSuffix(".") { dotted[String(name.dropLast())] = entry } else { folded[name] = entry }
        }
        self.entries = folded.merging(dotted) { own, _ in own }
        self.isPinningRequired = isPinningRequired
    }

    /// Reads an Info.plist, XML or binary; one without pins gives no entries.
    ///
    /// - Throws: ``ATSReadingFailure`` when the bytes are no property list, or one that is no dictionary.
    public init(infoPlist bytes: [UInt8]) throws(ATSReadingFailure) {
        let list: PropertyListValue
        do throws(PropertyListFailure) { list = try PropertyListValue.parse(bytes) } catch {
            throw ATSReadingFailure(description: error.description)
        }
        guard list.members != nil else { throw ATSReadingFailure(description: "The property list is no dictionary.") }
        self.init(propertyList: list)
    }

    /// Reads the top level of an Info.plist.
    package init(propertyList list: PropertyListValue) {
        var entries: [String: Entry] = [:]
        for member in list["NSAppTransportSecurity"]?["NSPinnedDomains"]?.members ?? []
        where member.value.members != nil {
            entries[member.name] = Entry(propertyList: member.value)
        }
        self.init(entries, isPinningRequired: list["SecTrustPinningRequired"]?.truth ?? false)
    }

    /// Compares what the entries ask of `host` with the keys of a path, the leaf first.
    public func match(host: String, path: [Pin]) -> PinMatch {
        let fitting = entries(for: host)
        guard !fitting.isEmpty else { return .notPinned }
        let leaf = Self.union(fitting.map(\.leaf))
        let authority = Self.union(fitting.map(\.authority))
        guard leaf != nil || authority != nil else { return .notPinned }
        if isPinningRequired, leaf?.isEmpty == true, authority?.isEmpty == true { return .notPinned }
        let keys = path.map { Base64.decode($0.base64) ?? [] }
        let leafFits = leaf.map { wanted in keys.first.map(wanted.contains) == true } ?? true
        let authorityFits = authority.map { wanted in keys.dropFirst().contains(where: wanted.contains) } ?? true
        guard leafFits && authorityFits else {
            let wanted = (leaf ?? []).union(authority ?? []).compactMap { Pin(Base64.encode($0)) }
            return .mismatch(wanted: Set(wanted), presented: path)
        }
        return .matched
    }

    func entries(for host: String) -> [Entry] {
        let name = CanonicalHost.of(host) ?? host.lowercased()
        var fitting: [Entry] = []
        if let own = entries[name] { fitting.append(own) }
        if let dot = name.firstIndex(of: "."), let parent = entries[String(name[name.index(after: dot)...])],
            parent.includesSubdomains
        {
            fitting.append(parent)
        }
        return fitting
    }

    private static func union(_ kinds: [Set<[UInt8]>?]) -> Set<[UInt8]>? {
        kinds.reduce(nil) { joined, kind in kind.map { (joined ?? []).union($0) } ?? joined }
    }
}

extension PinnedDomains.Entry {
    /// Reads one entry. A kind that is no array is present without identities; an element that is no dictionary with a
    /// base64 text is left out in silence. Both as Apple's code does.
    package init(propertyList value: PropertyListValue) {
        let isBoolean = if case .bool(true) = value["NSIncludesSubdomains"]?.kind { true } else { false }
        self.init(
            includesSubdomains: isBoolean, leaf: Self.identities(value["NSPinnedLeafIdentities"]),
            authority: Self.identities(value["NSPinnedCAIdentities"]))
    }

    private static func identities(_ value: PropertyListValue?) -> Set<[UInt8]>? {
        guard let value else { return nil }
        return Set((value.array ?? []).compactMap { $0["SPKI-SHA256-BASE64"]?.string.flatMap(Base64.decode) })
    }
}
