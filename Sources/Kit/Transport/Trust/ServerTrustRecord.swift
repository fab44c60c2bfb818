internal import Foundation
internal import PavisePrimitives

/// What is kept about the servers of one connection from one run to the next: what each showed when it was last
/// trusted, and the approvals. Questions and refusals are not kept: they come again with the next handshake.
package struct ServerTrustRecord: Hashable, Sendable, Codable {
    /// One server.
    package struct Entry: Hashable, Sendable, Codable {
        /// The server.
        package let origin: Origin
        /// What it showed when it was last trusted.
        package let known: KnownServer
        /// Whether that failed the rules and was approved.
        package let wasApproved: Bool

        package init(origin: Origin, known: KnownServer, wasApproved: Bool) {
            self.origin = origin
            self.known = known
            self.wasApproved = wasApproved
        }
    }

    /// The most servers of one connection. The one that was not seen for the longest time goes.
    package static let limit = 256
    /// The greatest record that is read, in bytes.
    package static let sizeLimit = 4 << 20

    /// The number of the form.
    package private(set) var version = Self.form
    private static let form = 2
    /// The servers, the latest last.
    package private(set) var entries: [Entry] = []
    /// What was approved. One approval for each server and key: a later one takes its place.
    package private(set) var approvals: [CertificateApproval] = []

    /// Nothing is known.
    package init() {}

    /// What is known of the server at `origin`.
    package func state(of origin: Origin) -> ServerTrustState {
        guard let entry = entries.last(where: { $0.origin == origin }) else { return .unknown }
        return entry.wasApproved ? .approved(entry.known) : .trusted(entry.known)
    }

    /// Takes over what a state says of a server. A question and a refusal leave what was known before.
    package mutating func note(_ state: ServerTrustState, of origin: Origin) {
        switch state {
        case .unknown: forget(origin)
        case .awaitingReview, .blocked: return
        case .trusted(let known): put(Entry(origin: origin, known: known, wasApproved: false))
        case .approved(let known): put(Entry(origin: origin, known: known, wasApproved: true))
        }
    }

    /// Adds an approval.
    package mutating func add(_ approval: CertificateApproval) {
        approvals.removeAll { $0.origin == approval.origin && $0.spki == approval.spki }
        approvals.append(approval)
        if approvals.count > Self.limit { approvals.removeFirst() }
    }

    /// Forgets a server and its approvals.
    package mutating func forget(_ origin: Origin) {
        entries.removeAll { $0.origin == origin }
        approvals.removeAll { $0.origin == origin }
    }

    // Who is seen again moves behind the others once half of the places are taken by later ones: else the server that
    // never changed would be the first to go, and to write each handshake down would be too much.
    private mutating func put(_ entry: Entry) {
        let index = entries.lastIndex { $0.origin == entry.origin }
        if let index, entries[index] == entry, index >= entries.count - Self.limit / 2 { return }
        entries.removeAll { $0.origin == entry.origin }
        entries.append(entry)
        if entries.count > Self.limit { entries.removeFirst() }
    }

    /// The form in which it is stored.
    ///
    /// - Throws: ``ServerTrustDamage/unwritable`` when it has no form, or one that could not be read again. Nothing is
    ///   written then.
    package func encoded() throws(ServerTrustDamage) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self), data.count <= Self.sizeLimit - 256 else { throw .unwritable }
        return [UInt8](data)
    }

    /// Reads what ``encoded()`` wrote.
    ///
    /// - Throws: ``ServerTrustDamage`` for anything else. Nothing is guessed: a record that cannot be read is not an
    ///   empty one.
    package init(decoding bytes: [UInt8]) throws(ServerTrustDamage) {
        guard let value = try? JSONValue.parse(bytes, limit: Self.sizeLimit) else { throw .unreadable }
        guard let version = value["version"]?.integer else { throw .unreadable }
        guard version == 1 || version == Self.form else { throw .newer(version: Int(clamping: version)) }
        guard var read = try? value.decoded(as: ServerTrustRecord.self),
            read.entries.count <= Self.limit, read.approvals.count <= Self.limit,
            read.entries.allSatisfy({ $0.origin.isPossible }), read.approvals.allSatisfy({ $0.origin.isPossible })
        else { throw .unreadable }
        // Each approval of this form says what a person was shown.
        if version == 1 { read.approvals.removeAll { $0.evidence == nil } }
        guard read.approvals.allSatisfy({ $0.evidence != nil }) else { throw .unreadable }
        read.version = Self.form
        self = read
    }
}

/// Why the stored record of known servers cannot be used.
public enum ServerTrustDamage: Error, Hashable, Sendable {
    /// It is not what was written. Nothing of it is used: a server that was known must not become a first one. Set the
    /// file aside, and each server is looked at anew.
    case unreadable
    /// A later version of Pavise wrote it.
    case newer(version: Int)
    /// It cannot be written: it has no form, or is too large. What was there stays.
    case unwritable
}

extension Origin {
    fileprivate var isPossible: Bool { scheme == .https && (try? WebURL("\(self)/"))?.origin == self }
}
