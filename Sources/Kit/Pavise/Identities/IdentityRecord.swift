internal import PavisePrimitives
internal import PaviseStorage
package import PaviseTransport

/// What is known of an app's client identities: names, certificates, and which key of the keychain belongs to each. A
/// value: it knows no keychain and no clock. What changes it says which keys nobody needs any more; they are in
/// ``retired`` until they are destroyed, so that a kill at any step loses no key that is in use and leaves none behind.
package struct IdentityRecord: Hashable, Sendable {
    /// A key of the keychain, with the certificates for it, nearest first; a key that waits for its certificate has
    /// none.
    package struct Key: Hashable, Sendable {
        /// Its application tag.
        package let tag: String
        /// Whether it was made in the device's secure element.
        package let isInElement: Bool
        /// DER, the key's own first.
        package var chain: [[UInt8]] = []
    }

    /// One identity.
    package struct Entry: Hashable, Sendable {
        package let name: String
        /// The key that servers are shown.
        package var current: Key?
        /// A key whose certificate was asked for.
        package var requested: Key?
    }

    /// What the application tags of its keys begin with.
    static let tagPrefix = "org.pavise.identity."
    /// The most identities.
    package static let limit = 16
    /// The most certificates of one.
    package static let chainLimit = 8
    /// Seconds that a key stays which was replaced.
    package static let grace: Int64 = 86_400
    /// The most replaced keys that stay: with certificates of minutes the oldest goes before its day is over.
    package static let retiredLimit = 32
    /// The greatest record, in bytes.
    package static let size = 524_288
    private static let form = 1

    /// A key that nobody shows any more.
    package struct Retired: Hashable, Sendable {
        package let key: Key
        /// When it was replaced, in seconds since 1970; 0 where nobody ever showed it, or nobody shall.
        package let since: Int64
    }

    package private(set) var entries: [Entry] = []
    /// Keys that are to be destroyed.
    package private(set) var retired: [Retired] = []

    package init() {}

    /// The identity called `name`.
    package subscript(name: String) -> Entry? { entries.first { $0.name == name } }

    /// Notes a key that is about to be made: should nothing come of it, it is destroyed.
    package mutating func reserve(_ key: Key, for name: String) throws(ClientCertificate.Problem) {
        guard ConnectionDescriptor.isName(name) else { throw .unusableName(name) }
        guard self[name] != nil || entries.count < Self.limit else { throw .tooMany(limit: Self.limit) }
        retired.append(Retired(key: key, since: 0))
    }

    /// Puts a whole identity in the place of what the name has.
    package mutating func put(_ key: Key, as name: String, at now: Int64) {
        change(name, key) { entry in
            defer { entry = Entry(name: name, current: key) }
            return [(entry.current, now), (entry.requested, 0)]
        }
    }

    /// Notes that a certificate is asked for; a request that waits already is given up.
    package mutating func request(_ key: Key, as name: String) {
        change(name, key) { entry in
            defer { entry.requested = key }
            return [(entry.requested, 0)]
        }
    }

    /// Lets the certificate of the key that waits take the place of the present one.
    ///
    /// - Throws: `notRequested` where none waits.
    package mutating func complete(
        _ name: String, with chain: [[UInt8]], at now: Int64
    ) throws(ClientCertificate.Problem) {
        guard var key = self[name]?.requested else { throw .notRequested(name) }
        key.chain = chain
        change(name, key) { [key] entry in
            defer { entry = Entry(name: name, current: key) }
            return [(entry.current, now)]
        }
    }

    /// Removes an identity; one that is not there is fine.
    package mutating func remove(_ name: String) {
        guard let entry = self[name] else { return }
        retired += [entry.current, entry.requested].compactMap { $0.map { Retired(key: $0, since: 0) } }
        entries.removeAll { $0.name == name }
    }

    /// The keys that may be destroyed now: what was replaced stays for a day, for connections that are open.
    package func due(at now: Int64) -> [Key] {
        let surplus = max(0, retired.count - Self.retiredLimit)
        let over = retired.dropFirst(surplus).filter { $0.since == 0 || now - $0.since >= Self.grace }
        return retired.prefix(surplus).map(\.key) + over.map(\.key)
    }

    /// Forgets a key that was destroyed.
    package mutating func forget(_ key: Key) { retired.removeAll { $0.key.tag == key.tag } }

    private mutating func change(_ name: String, _ key: Key, _ body: (inout Entry) -> [(Key?, Int64)]) {
        let known = entries.firstIndex { $0.name == name }
        var entry = known.map { entries[$0] } ?? Entry(name: name)
        retired += body(&entry).compactMap { key, since -> Retired? in
            guard var key else { return nil }
            // What is destroyed with it is its own certificate.
            key.chain = Array(key.chain.prefix(1))
            return Retired(key: key, since: since)
        }
        forget(key)
        if let known { entries[known] = entry } else { entries.append(entry) }
    }
}

extension IdentityRecord {
    /// The form in which it is stored.
    package var encoded: [UInt8] {
        Array(
            JSONValue.fields([
                "version": .integer(Self.form),
                "identities": .array(
                    entries.map { entry in
                        .fields([
                            "name": .string(entry.name), "current": entry.current?.json,
                            "requested": entry.requested?.json,
                        ])
                    }),
                "retired": .array(
                    retired.map { .fields(["key": $0.key.json, "since": .integer($0.since)]) }),
            ]).text.utf8)
    }

    /// Reads what ``encoded`` wrote.
    ///
    /// - Throws: `newer` for what a later version wrote; `damaged` for anything else.
    package init(decoding bytes: [UInt8]) throws(ClientCertificate.Problem) {
        guard let value = try? JSONValue.parse(bytes, limit: Self.size, depth: 8),
            let version = value["version"]?.integer
        else { throw .damaged }
        guard version <= Self.form else { throw .newer }
        guard version == Self.form, let rows = value["identities"]?.array, rows.count <= Self.limit,
            let old = value["retired"]?.array, old.count <= 64
        else { throw .damaged }
        for row in rows {
            guard let name = row["name"]?.string, ConnectionDescriptor.isName(name), self[name] == nil else {
                throw .damaged
            }
            var entry = Entry(name: name)
            entry.current = try row["current"].map { value throws(ClientCertificate.Problem) in try Key(value) }
            entry.requested = try row["requested"].map { value throws(ClientCertificate.Problem) in try Key(value) }
            guard entry.current.map({ !$0.chain.isEmpty }) ?? (entry.requested != nil) else { throw .damaged }
            entries.append(entry)
        }
        for value in old {
            guard let key = value["key"], let since = value["since"]?.integer else { throw .damaged }
            retired.append(Retired(key: try Key(key), since: since))
        }
    }
}

extension IdentityRecord.Key {
    fileprivate var json: JSONValue {
        .fields([
            "tag": .string(tag), "element": .bool(isInElement),
            "chain": .array(chain.map { .string(Base64.encode($0)) }),
        ])
    }

    fileprivate init(_ value: JSONValue) throws(ClientCertificate.Problem) {
        guard let tag = value["tag"]?.string, tag.hasPrefix(IdentityRecord.tagPrefix), tag.utf8.count <= 128,
            let isInElement = value["element"]?.bool, let texts = value["chain"]?.array,
            texts.count <= IdentityRecord.chainLimit
        else { throw .damaged }
        var chain: [[UInt8]] = []
        for text in texts {
            guard let bytes = text.string.flatMap({ Base64.decode($0) }) else { throw .damaged }
            chain.append(bytes)
        }
        self.init(tag: tag, isInElement: isInElement, chain: chain)
    }
}
