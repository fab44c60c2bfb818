package import PavisePrimitives
internal import PaviseTransport
internal import PaviseVault
package import SecurityFramework

/// An app's client identities in the keychain: keys that only Pavise can name, and one record that says which is which.
///
/// Changes happen under a lock for all processes. A key is noted before it is made and forgotten after it was
/// destroyed: a kill at any step leaves the old identity or the new one, and no key that nobody knows.
package struct IdentityStore: Sendable {
    private let home: PaviseHome
    private let record: ItemName
    private let time: TimeSource
    private let store = KeychainStore()

    /// The identities of `owner`, an app's identifier.
    package init(home: PaviseHome, owner: String, time: TimeSource) {
        self.home = home
        self.time = time
        record = ItemName(checkedService: "org.pavise.identities", owner)
    }

    /// What there is, by name. Nothing is changed.
    package func list() throws -> [AppSecurity.Identity] {
        try read().entries.sorted { $0.name < $1.name }.map(AppSecurity.Identity.init)
    }

    /// The identity called `name`, to be shown.
    package func find(_ name: String) throws -> SharedIdentity {
        guard let key = try read()[name]?.current, let leaf = key.chain.first else {
            throw ClientCertificate.Problem.unknownName(name)
        }
        let (status, identity) = IdentityBridge.find(tag: key.tag, certificate: leaf)
        guard status != errSecItemNotFound, status != errSecDecode else {
            throw ClientCertificate.Problem.keyLost(name)
        }
        if let failure = VaultFailure(status: status) { throw failure }
        guard let identity else { throw ClientCertificate.Problem.keyLost(name) }
        return SharedIdentity(identity, intermediates: key.chain.dropFirst().compactMap(IdentityBridge.certificate))
    }

    /// Takes the identity of a PKCS #12 file in the place of what the name has.
    package func take(
        _ file: [UInt8], passphrase: borrowing SecretBytes, as name: String
    ) throws -> AppSecurity.Identity {
        let (status, found) = IdentityBridge.read(pkcs12: file, passphrase: passphrase)
        guard status != errSecAuthFailed, status != errSecPkcs12VerifyFailure else {
            throw ClientCertificate.Problem.wrongPassphrase
        }
        guard let found else { throw ClientCertificate.Problem.unreadableFile }
        let chain = Array(IdentityBridge.chain(of: found).prefix(IdentityRecord.chainLimit))
        try check(chain)
        let key = IdentityRecord.Key(tag: try freshTag(), isInElement: false, chain: chain)
        return try change { record in
            try record.reserve(key, for: name)
            try write(record)
            try check(IdentityBridge.add(found.identity, tag: key.tag))
            if let leaf = chain.first { try check(IdentityBridge.add(certificate: leaf, tag: key.tag)) }
            record.put(key, as: name, at: time.wallSeconds)
            return try record.identity(name)
        }
    }

    /// Makes a key in the device's secure element and the request for its certificate (PKCS #10, DER). The identity
    /// that the name has goes on until ``complete(_:with:)``.
    package func request(_ name: String, subject: String) throws -> [UInt8] {
        guard SigningRequest.isName(subject) else { throw ClientCertificate.Problem.unusableSubject(subject) }
        let key = IdentityRecord.Key(tag: try freshTag(), isInElement: true)
        return try change { record in
            try record.reserve(key, for: name)
            try write(record)
            let element = EnclaveKey(tag: key.tag)
            try element.prepare()
            let request = try SigningRequest.make(subject, element)
            record.request(key, as: name)
            return request
        }
    }

    /// The same as PEM text (RFC 7468 §7).
    package func requestText(_ name: String, subject: String) throws -> String {
        SigningRequest.text(try request(name, subject: subject))
    }

    /// Takes the certificate that an authority issued for the last ``request(_:subject:)``.
    ///
    /// - Parameter file: PEM, the own certificate first, or one in DER.
    package func complete(_ name: String, with file: [UInt8]) throws -> AppSecurity.Identity {
        let chain = CertificateFile.read(file)
        guard (1...IdentityRecord.chainLimit).contains(chain.count), let leaf = chain.first else {
            throw ClientCertificate.Problem.unreadableFile
        }
        try check(chain)
        return try change { record in
            guard let key = record[name]?.requested else { throw ClientCertificate.Problem.notRequested(name) }
            let point = try EnclaveKey(tag: key.tag).publicPoint()
            let own = Base64.encode(MessageDigest.sha256(SigningRequest.publicKey(point)))
            guard CertificateFacts(der: leaf)?.spki == own else { throw ClientCertificate.Problem.otherKey }
            try check(IdentityBridge.add(certificate: leaf, tag: key.tag))
            try record.complete(name, with: chain, at: time.wallSeconds)
            return try record.identity(name)
        }
    }

    /// Removes an identity with its keys. Connections that show it fail from then on.
    package func remove(_ name: String) throws {
        try change { record in
            guard record[name] != nil else { throw ClientCertificate.Problem.unknownName(name) }
            record.remove(name)
            try write(record)
            try sweep(&record)
        }
    }

    /// Removes everything. Safe to repeat.
    package func wipe() throws {
        guard case .found = try store.read(record) else { return }
        try change { record in
            for entry in record.entries { record.remove(entry.name) }
            for key in record.retired.map(\.key) { try destroy(key) }
            record = IdentityRecord()
        }
        try store.delete(record)
    }

    private func change<Value>(_ body: (inout IdentityRecord) throws -> Value) throws -> Value {
        try home.make()
        return try FileLock.holding(
            home.path + "/identities.lock", wait: .seconds(10),
            or: { failure -> any Error in
                failure.mapped(held: ClientCertificate.Problem.busy as any Error) { $0 }
            }
        ) {
            var record = try read()
            // What an earlier change left behind; a key that cannot be destroyed now is destroyed later.
            try? sweep(&record)
            let before = record
            let value = try body(&record)
            if record != before { try write(record) }
            return value
        }
    }

    private func sweep(_ record: inout IdentityRecord) throws {
        let due = record.due(at: time.wallSeconds)
        guard !due.isEmpty else { return }
        var failure: (any Error)?
        for key in due {
            // One that cannot be destroyed now keeps no other.
            do {
                try destroy(key)
                record.forget(key)
            } catch {
                failure = failure ?? error
            }
        }
        try write(record)
        if let failure { throw failure }
    }

    private func destroy(_ key: IdentityRecord.Key) throws {
        let status = IdentityBridge.remove(tag: key.tag, certificate: key.chain.first)
        if status != errSecItemNotFound { try check(status) }
    }

    private func read() throws -> IdentityRecord {
        switch try store.read(record) {
        case .absent: return IdentityRecord()
        case .found(let bytes): return try bytes.withCopy { try IdentityRecord(decoding: $0) }
        }
    }

    private func write(_ record: IdentityRecord) throws {
        let bytes = record.encoded
        // What could not be read again would be damage for every identity.
        guard (try? IdentityRecord(decoding: bytes)) != nil else {
            throw ClientCertificate.Problem.tooMany(limit: IdentityRecord.limit)
        }
        try bytes.withSpan { span throws(VaultFailure) in try store.replace(span, as: self.record) }
    }

    private func check(_ status: Int32) throws(VaultFailure) {
        if let failure = VaultFailure(status: status) { throw failure }
    }

    // Each can be read, and the first one is valid now: an authority's clock may be five minutes ahead.
    private func check(_ chain: [[UInt8]]) throws(ClientCertificate.Problem) {
        let facts = chain.map { CertificateFacts(der: $0) }
        guard let leaf = facts.first ?? nil, !facts.contains(nil) else { throw .unreadableFile }
        let now = time.wallSeconds
        guard leaf.notBefore <= now + 300, now <= leaf.notAfter else { throw .notValid }
    }

    private func freshTag() throws(EntropyFailure) -> String {
        IdentityRecord.tagPrefix + Hex.encode(try Entropy.kernel.bytes(16))
    }
}

extension IdentityRecord {
    func identity(_ name: String) throws(ClientCertificate.Problem) -> AppSecurity.Identity {
        guard let entry = self[name] else { throw .unknownName(name) }
        return AppSecurity.Identity(entry)
    }
}
