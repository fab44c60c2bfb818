internal import PavisePrimitives

/// A host for which an app's own pins and the `NSPinnedDomains` of its Info.plist do not say the same.
///
/// Apple's systems enforce the Info.plist for everything that goes through URLSession and WebKit; the kit enforces the
/// app's own pins for its own requests, on every system. Where they differ, one of two ways to the same server is
/// weaker than the other, or a new key locks one of them out.
public struct PinDisagreement: Hashable, Sendable, CustomStringConvertible {
    /// How they differ.
    public enum Difference: Hashable, Sendable {
        /// The Info.plist pins the host, the app does not.
        case onlyInInfoPlist
        /// The app pins the host, the Info.plist does not: what does not go through the kit is not pinned.
        case onlyInApp
        /// Both pin the host, and they do not cover the same names below it.
        case subdomains
        /// Both pin keys of the server, and not the same ones.
        case leaf(onlyInInfoPlist: Set<Pin>, onlyInApp: Set<Pin>)
        /// Both pin keys above the server's, and not the same ones.
        case authority(onlyInInfoPlist: Set<Pin>, onlyInApp: Set<Pin>)
        /// The app pins whole certificates, which an Info.plist cannot say.
        case certificates
        /// The app's pins end at a time, which an Info.plist cannot say: the system goes on with its own.
        case expires
        /// The Info.plist has a digest that no key can have: it is not 32 bytes long.
        case unusableDigest
    }

    /// The host, in lower case.
    public let host: String
    /// How they differ.
    public let difference: Difference

    /// One sentence that says what to do.
    public var description: String {
        switch difference {
        case .onlyInInfoPlist: "\(host) is pinned in the Info.plist alone. Give the app the same pins."
        case .onlyInApp: "\(host) is pinned by the app alone. Add it to NSPinnedDomains."
        case .subdomains:
            """
            The pins of \(host) do not cover the same subdomains. NSIncludesSubdomains covers one label, as oneLabel \
            does.
            """
        case .leaf(let list, let own): "The keys of \(host) differ. \(Self.words(list, own))"
        case .authority(let list, let own): "The authorities' keys of \(host) differ. \(Self.words(list, own))"
        case .certificates: "The app pins whole certificates of \(host); the Info.plist can pin keys only. Pin keys."
        case .expires: "The app's pins of \(host) end, those of the Info.plist do not. Update the app before they end."
        case .unusableDigest: "A digest of \(host) in the Info.plist is no SHA-256 of a key. No server can match it."
        }
    }

    private static func words(_ list: Set<Pin>, _ own: Set<Pin>) -> String {
        let names = { (pins: Set<Pin>) in pins.map(\.base64).sorted().joined(separator: ", ") }
        let parts = [
            list.isEmpty ? nil : "In the Info.plist alone: \(names(list)).",
            own.isEmpty ? nil : "In the app alone: \(names(own)).",
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }
}

extension PinnedDomains {
    /// Compares with the pins of the app, host by host: what both ask of it, by its own name or by the subdomains of
    /// another. Empty where both say the same.
    ///
    /// ```swift
    /// let domains = try PinnedDomains(infoPlist: bytes)
    /// for finding in domains.disagreements(with: policy.pins) { print(finding) }
    /// ```
    ///
    /// - Parameter pins: The app's; sets that only report enforce nothing and do not count. Several sets for one host
    ///   are taken together.
    /// - Returns: In the order of the hosts.
    public func disagreements(with pins: [PinSet]) -> [PinDisagreement] {
        let own = pins.filter { $0.enforcement == .enforced }
        let hosts = Set(entries.keys).union(own.flatMap(\.hosts))
        return hosts.sorted().flatMap { host in
            differences(host, own).map { PinDisagreement(host: host, difference: $0) }
        }
    }

    // A name is also pinned where one above it is that covers its subdomains.
    private func differences(_ host: String, _ own: [PinSet]) -> [PinDisagreement.Difference] {
        let sets = own.filter { $0.covers(host) }
        // An entry without any kind of pins makes no demand.
        let fitting = demands(on: host)
        guard !fitting.isEmpty else { return sets.isEmpty ? [] : [.onlyInApp] }
        var found: [PinDisagreement.Difference] = []
        if let entry = entries[host], entry.leaf.hasUnusable || entry.authority.hasUnusable {
            found.append(.unusableDigest)
        }
        guard !sets.isEmpty else { return [.onlyInInfoPlist] + found }
        if differBelow(host, own) { found.append(.subdomains) }
        let leaf = fitting.reduce(into: Set<Pin>()) { $0.formUnion($1.leaf.pins) }
        let ownLeaf = sets.reduce(into: Set<Pin>()) { $0.formUnion($1.leaf) }
        if leaf != ownLeaf {
            found.append(.leaf(onlyInInfoPlist: leaf.subtracting(ownLeaf), onlyInApp: ownLeaf.subtracting(leaf)))
        }
        let above = fitting.reduce(into: Set<Pin>()) { $0.formUnion($1.authority.pins) }
        let ownAbove = sets.reduce(into: Set<Pin>()) { $0.formUnion($1.authority) }
        if above != ownAbove {
            found.append(
                .authority(onlyInInfoPlist: above.subtracting(ownAbove), onlyInApp: ownAbove.subtracting(above)))
        }
        if sets.contains(where: { !$0.leafCertificates.isEmpty || !$0.authorityCertificates.isEmpty }) {
            found.append(.certificates)
        }
        if sets.contains(where: { $0.expires != nil }) { found.append(.expires) }
        return found
    }

    private func demands(on host: String) -> [Entry] {
        entries(for: host).filter { $0.leaf != nil || $0.authority != nil }
    }

    private func differBelow(_ host: String, _ own: [PinSet]) -> Bool {
        if let entry = entries[host] {
            let wanted: PinSet.Subdomains = entry.includesSubdomains ? .oneLabel : .none
            let named = own.filter { $0.hosts.contains(host) }
            guard named.allSatisfy({ $0.subdomains == wanted }) else { return true }
        }
        // Names that nobody can have named.
        return ["*.\(host)", "*.*.\(host)"].contains { name in
            demands(on: name).isEmpty == own.contains { $0.covers(name) }
        }
    }
}

extension Set<[UInt8]>? {
    fileprivate var pins: Set<Pin> { Set((self ?? []).compactMap { Pin(Base64.encode($0)) }) }
    fileprivate var hasUnusable: Bool { (self ?? []).contains { Pin(Base64.encode($0)) == nil } }
}

extension InfoPropertyList {
    /// Compares the `NSPinnedDomains` of this app's Info.plist with the app's own pins. Call it in a test of the app,
    /// or at its start in a debug build.
    ///
    /// ```swift
    /// let agree = try InfoPropertyList.pinDisagreements(with: pins).isEmpty
    /// assert(agree)
    /// ```
    ///
    /// - Throws: ``ATSReadingFailure`` where the Info.plist cannot be read. An app without one has no pins in it.
    public static func pinDisagreements(with pins: [PinSet]) throws(ATSReadingFailure) -> [PinDisagreement] {
        guard let bytes = try ofThisProgram() else { return PinnedDomains([:]).disagreements(with: pins) }
        return try PinnedDomains(infoPlist: bytes).disagreements(with: pins)
    }
}
