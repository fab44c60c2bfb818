internal import PavisePrimitives
internal import PaviseStorage
internal import PaviseTransport
internal import PaviseVault

extension PendingRevocation {
    /// The form's number. A greater one is a later version's, another one damage; never a guess.
    private static let version: UInt8 = 1
    /// The longest text or token, in bytes.
    private static let limit = 65_536
    private static let plainLimit = 1 << 20

    /// The bytes of a queue, to be sealed. The caller wipes them.
    static func encode(_ entries: [PendingRevocation]) throws(VaultFailure) -> [UInt8] {
        var plain: [[UInt8]] = []
        for entry in entries { plain.append(try entry.plainPart()) }
        let secrets = entries.map { [$0.server.authentication?.secret, $0.token].compactMap(\.self) }
        let count = zip(plain, secrets).reduce(2) { sum, entry in
            sum + entry.0.count + entry.1.reduce(0) { $0 + $1.count } + 12
        }
        var out: [UInt8] = []
        // An array that grew would leave copies of the tokens behind.
        out.reserveCapacity(count)
        out += [version, UInt8(clamping: entries.count)]
        for (entry, part) in zip(entries, plain) {
            append(part.count, to: &out)
            out += part
            append(entry.server.authentication?.secret, to: &out)
            append(entry.token, to: &out)
        }
        return out
    }

    /// Reads what ``encode(_:)`` wrote.
    ///
    /// - Throws: ``VaultFailure/newer`` for what a later version wrote; ``VaultFailure/corrupt(_:)`` for
    ///   anything else. It never traps and never guesses.
    static func decode(_ bytes: [UInt8]) throws(VaultFailure) -> [PendingRevocation] {
        if let form = bytes.first, form > version { throw .newer }
        do {
            var reader = ByteReader(bytes)
            guard try reader.integer(UInt8.self) == version else { throw ByteReader.Truncated() }
            let count = Int(try reader.integer(UInt8.self))
            guard count <= RevocationQueue.limit else { throw ByteReader.Truncated() }
            let entries = try (0..<count).map { _ in try read(&reader) }
            guard reader.isAtEnd else { throw ByteReader.Truncated() }
            return entries
        } catch {
            throw .corrupt(.content)
        }
    }

    // All but the secrets.
    private func plainPart() throws(VaultFailure) -> [UInt8] {
        guard let description = try? descriptor.encoded(), let known = try? known.encoded() else {
            throw .corrupt(.content)
        }
        var out = ByteWriter()
        out.integer(id)
        out.integer(kind.rawValue)
        for text in [server.issuer, server.clientID, server.tokenEndpoint.description] { out.text(text) }
        out.text(server.revocationEndpoint?.description ?? "")
        out.text(server.authentication?.method.rawValue ?? "")
        out.integer(left)
        out.moment(moment)
        out.integer(UInt32(clamping: tries))
        out.moment(tried)
        out.integer(pause)
        out.text(descriptor.id.text)
        out.block(description)
        out.block(known)
        return out.bytes
    }

    private static func read(_ input: inout ByteReader) throws -> PendingRevocation {
        var plain = ByteReader(try input.block(limit: plainLimit))
        let secret = try input.secret(limit)
        guard let token = try input.secret(limit) else { throw ByteReader.Truncated() }
        let id = try plain.integer(UInt64.self)
        guard let kind = Kind(rawValue: try plain.integer(UInt8.self)) else { throw ByteReader.Truncated() }
        let server = try server(&plain, secret)
        let left = try plain.integer(Int64.self)
        let moment = try plain.moment()
        let tries = Int(try plain.integer(UInt32.self))
        let tried = try plain.moment()
        let pause = try plain.integer(Int64.self)
        guard let connection = ConnectionID(try plain.text(limit)) else { throw ByteReader.Truncated() }
        let descriptor = try ConnectionDescriptor(decoding: try plain.block(limit: plainLimit), for: connection)
        let known = try ServerTrustRecord(decoding: try plain.block(limit: plainLimit))
        guard plain.isAtEnd else { throw ByteReader.Truncated() }
        return PendingRevocation(
            id: id, descriptor: descriptor, known: known, server: server, kind: kind, token: token, left: left,
            moment: moment, tries: tries, tried: tried, pause: pause)
    }

    private static func server(_ input: inout ByteReader, _ secret: SharedSecretBytes?) throws -> TokenServer {
        let issuer = try input.text(limit)
        let clientID = try input.text(limit)
        let endpoint = try WebURL(try input.text(limit))
        let revocation = try WebURL(try input.text(limit))
        let method = try input.text(64)
        guard revocation.origin.scheme == .https else { throw ByteReader.Truncated() }
        let authentication = ClientAuthentication.Method(rawValue: method).flatMap { method in
            secret.map { ClientAuthentication(method, secret: $0) }
        }
        guard (authentication == nil) == method.isEmpty, (secret == nil) == method.isEmpty else {
            throw ByteReader.Truncated()
        }
        return TokenServer(
            issuer: issuer, clientID: clientID, tokenEndpoint: endpoint, revocationEndpoint: revocation,
            authentication: authentication)
    }

    private static func append(_ secret: SharedSecretBytes?, to out: inout [UInt8]) {
        append(secret?.count ?? 0, to: &out)
        secret?.withBytes { span in for index in span.indices { out.append(span[index]) } }
    }

    private static func append(_ count: Int, to out: inout [UInt8]) {
        let number = UInt32(clamping: count)
        for shift in [24, 16, 8, 0] as [UInt32] { out.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
