internal import PavisePrimitives
internal import PaviseTransport
package import PaviseVault

extension SessionRecord {
    /// The form's number. A greater one than ``agedVersion`` is a later version's, another one damage; never a guess.
    private static let version: UInt8 = 1
    /// The form with a binding at its end. Who knows only the first form must not take bound tokens for bearer tokens.
    private static let boundVersion: UInt8 = 2
    /// The form with a binding, or an empty one, and a client secret at its end.
    private static let confidentialVersion: UInt8 = 3
    /// The form with a binding and a client secret, or empty ones, and the time without a refresh at its end.
    private static let agedVersion: UInt8 = 4
    /// The length of a thumbprint in a record: SHA-256 in base64url.
    private static let thumbprintLength = 43
    /// The longest text or token in a record, in bytes.
    private static let limit = 65_536

    /// The record's bytes, to be sealed. The caller wipes them.
    package func encoded() -> [UInt8] {
        var out = ByteWriter(reserving: greatestSize)
        out.integer(form)
        out.integer(generation)
        out.integer(epoch)
        for text in [server.issuer, server.clientID, server.tokenEndpoint.description] { out.text(text) }
        out.text(server.revocationEndpoint?.description ?? "")
        out.text(resource.description)
        out.secret(access)
        out.secret(refresh)
        out.text(scopes.joined(separator: " "))
        out.text(identity?.issuer ?? "")
        out.text(identity?.subject ?? "")
        out.integer(lifetime)
        for moment in [received, start, aged] { out.moment(moment) }
        out.integer(age)
        out.integer(UInt32(clamping: rejections))
        out.text(ending.map(Self.name) ?? "")
        out.pending(pending)
        if form != Self.version { out.text(binding ?? "") }
        if let authentication = server.authentication {
            out.text(authentication.method.rawValue)
            out.secret(authentication.secret)
        } else if form == Self.agedVersion {
            out.text("")
        }
        if let idle { out.integer(idle) }
        return out.bytes
    }

    private var greatestSize: Int {
        let texts = [server.issuer, server.clientID, identity?.issuer ?? "", identity?.subject ?? ""] + scopes
        let addresses = [server.tokenEndpoint, server.revocationEndpoint].compactMap { $0?.description }
        let secrets = [access, refresh, server.authentication?.secret].compactMap { $0?.count }
        return 4096 + (texts + addresses).reduce(0) { $0 + $1.utf8.count + 1 } + secrets.reduce(0, +)
    }

    // The first that can say it all: records of older versions stay what they were.
    private var form: UInt8 {
        guard idle == nil else { return Self.agedVersion }
        guard server.authentication == nil else { return Self.confidentialVersion }
        return binding == nil ? Self.version : Self.boundVersion
    }

    /// Reads what ``encoded()`` wrote.
    ///
    /// - Throws: ``VaultFailure/newer`` for what a later version wrote; ``VaultFailure/corrupt(_:)`` for
    ///   anything else. It never traps and never guesses.
    package init(decoding bytes: [UInt8]) throws(VaultFailure) {
        if let version = bytes.first, version > Self.agedVersion { throw .newer }
        do {
            var reader = ByteReader(bytes)
            self = try Self.read(&reader)
            guard reader.isAtEnd else { throw ByteReader.Truncated() }
        } catch {
            throw .corrupt(.content)
        }
    }

    private static func read(_ input: inout ByteReader) throws -> SessionRecord {
        let version = try input.integer(UInt8.self)
        guard (Self.version...agedVersion).contains(version) else { throw ByteReader.Truncated() }
        let generation = try input.integer(UInt64.self)
        let epoch = try input.integer(UInt64.self)
        var server = try server(&input)
        let resource = try address(try input.text(limit)).origin
        let access = try input.secret(limit)
        let refresh = try input.secret(limit)
        let scopes = try input.text(limit).split(separator: " ").map(String.init)
        let issuer = try input.text(limit)
        let subject = try input.text(limit)
        let lifetime = try input.integer(Int64.self)
        let received = try input.moment()
        let start = try input.moment()
        let aged = try input.moment()
        let age = try input.integer(Int64.self)
        let rejections = Int(try input.integer(UInt32.self))
        let ending = try ending(named: try input.text(64))
        let pending = try input.pending()
        let binding = version == Self.version ? nil : try thumbprint(&input, mayMiss: version >= confidentialVersion)
        if version >= confidentialVersion {
            server.authentication = try authentication(&input, mayMiss: version == agedVersion)
        }
        let idle = version == agedVersion ? try input.integer(Int64.self) : nil
        guard lifetime >= 0, age >= 0, idle ?? 0 >= 0 else { throw ByteReader.Truncated() }
        return SessionRecord(
            generation: generation, epoch: epoch, server: server, resource: resource, access: access, refresh: refresh,
            scopes: scopes, identity: subject.isEmpty ? nil : Identity(issuer: issuer, subject: subject),
            lifetime: lifetime, received: received, start: start, age: age, aged: aged, idle: idle,
            rejections: rejections, ending: ending, pending: pending, binding: binding)
    }

    private static func thumbprint(_ input: inout ByteReader, mayMiss: Bool) throws -> String? {
        let text = try input.text(thumbprintLength)
        guard !text.isEmpty || !mayMiss else { return nil }
        guard text.utf8.count == thumbprintLength else { throw ByteReader.Truncated() }
        return text
    }

    private static func server(_ input: inout ByteReader) throws -> TokenServer {
        let issuer = try input.text(limit)
        let clientID = try input.text(limit)
        let endpoint = try address(try input.text(limit))
        let revocation = try input.text(limit)
        return TokenServer(
            issuer: issuer, clientID: clientID, tokenEndpoint: endpoint,
            revocationEndpoint: revocation.isEmpty ? nil : try address(revocation))
    }

    // As it was written: an address that is read otherwise than it stands is damage, and never mended.
    private static func address(_ text: String) throws -> WebURL {
        let url = try WebURL(text)
        guard url.description == text || "\(url.origin)" == text else { throw ByteReader.Truncated() }
        return url
    }

    private static func authentication(_ input: inout ByteReader, mayMiss: Bool) throws -> ClientAuthentication? {
        let name = try input.text(64)
        guard !name.isEmpty || !mayMiss else { return nil }
        guard let method = ClientAuthentication.Method(rawValue: name),
            let secret = try input.secret(limit)
        else { throw ByteReader.Truncated() }
        return ClientAuthentication(method, secret: secret)
    }

    private static func name(of ending: Ending) -> String {
        switch ending {
        case .signedOut: "signedOut"
        case .relogin(let reason): reason.rawValue
        }
    }

    private static func ending(named name: String) throws -> Ending? {
        guard !name.isEmpty else { return nil }
        guard name != "signedOut" else { return .signedOut }
        guard let reason = ReloginReason(rawValue: name) else { throw ByteReader.Truncated() }
        return .relogin(reason)
    }
}

extension ByteWriter {
    mutating func text(_ text: String) { block(Array(text.utf8)) }

    mutating func secret(_ secret: SharedSecretBytes?) {
        guard let secret else { return block([]) }
        secret.withCopy { bytes in block(bytes) }
    }

    mutating func moment(_ moment: ClockReading) {
        integer(moment.wall)
        integer(moment.continuous)
        text(moment.boot)
    }

    fileprivate mutating func pending(_ pending: SessionRecord.Pending?) {
        guard let pending else { return integer(UInt8(0)) }
        integer(UInt8(pending.isInherited ? 2 : 1))
        integer(pending.generation)
        block(pending.digest)
        moment(pending.moment)
        integer(pending.owner)
    }
}

extension ByteReader {
    mutating func text(_ limit: Int) throws -> String {
        guard let text = String(validating: try block(limit: limit), as: UTF8.self) else { throw Truncated() }
        return text
    }

    mutating func secret(_ limit: Int) throws -> SharedSecretBytes? {
        var bytes = try block(limit: limit)
        defer { Wipe.bytes(&bytes) }
        return bytes.isEmpty ? nil : SharedSecretBytes(SecretBytes(copying: bytes))
    }

    mutating func moment() throws -> ClockReading {
        ClockReading(wall: try integer(), continuous: try integer(), boot: try text(256))
    }

    fileprivate mutating func pending() throws -> SessionRecord.Pending? {
        let kind = try integer(UInt8.self)
        guard kind != 0 else { return nil }
        guard kind <= 2 else { throw Truncated() }
        return SessionRecord.Pending(
            generation: try integer(), digest: try block(limit: 32), moment: try moment(), owner: try integer(),
            isInherited: kind == 2)
    }
}
