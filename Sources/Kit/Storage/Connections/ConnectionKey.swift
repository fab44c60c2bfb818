internal import PavisePrimitives
package import PaviseVault
internal import SecurityFramework

/// The files of a connection that decide where its secrets go.
package enum ConnectionFile: String, Hashable, Sendable, CaseIterable {
    /// The description: origin, issuer, approvals, pins.
    case description = "connection.json"
    /// What its servers showed, and what was approved for them.
    case servers = "servers.json"
}

/// What authenticates the files of one connection: a key, and the number of the newest copy of each file. It is one
/// item of the keychain, made with the connection and deleted with it
/// (Documentation/Decisions/0009-authenticated-connections.md).
package struct ConnectionKey: Sendable {
    /// How far the making of the connection has come. Only what is not made yet is taken back without an order, and
    /// files say nothing about it: whoever may write to the folder can write and remove them.
    enum Phase: UInt8, Hashable, Sendable {
        /// It is there until somebody removes it.
        case made = 0
        /// Nothing was written since its first description.
        case making = 1
        /// It is there for the time of a sign-in, which has not succeeded.
        case signingIn = 2
    }

    // A greater number is a later version's, another one damage; never a guess. The second form has a phase.
    private static let forms: ClosedRange<UInt8> = 1...2
    private static let length = 32

    let secret: SharedSecretBytes
    /// Whether an older Pavise made the connection: its password may lie without an origin.
    package let isAdopted: Bool
    /// How far its making has come.
    var phase: Phase
    private var description: UInt64
    private var servers: UInt64

    /// A fresh key.
    ///
    /// - Parameters:
    ///   - isAdopted: Whether the files are there already, without authentication.
    ///   - phase: How far its making has come.
    init(isAdopted: Bool, _ phase: Phase) throws(EntropyFailure) {
        secret = SharedSecretBytes(try .random(count: Self.length))
        self.isAdopted = isAdopted
        self.phase = phase
        // The first copy of a new description is written right after the key.
        description = isAdopted ? 0 : 1
        servers = 0
    }

    /// The number of the newest copy of a file; 0 where none was ever written.
    subscript(file: ConnectionFile) -> UInt64 {
        get {
            switch file {
            case .description: description
            case .servers: servers
            }
        }
        set {
            switch file {
            case .description: description = newValue
            case .servers: servers = newValue
            }
        }
    }

    /// The item's bytes.
    func encoded() -> SecretBytes {
        var head = ByteWriter(reserving: 18)
        head.integer(phase == .made ? Self.forms.lowerBound : Self.forms.upperBound)
        head.integer(UInt8(isAdopted ? 1 : 0) | phase.rawValue << 1)
        head.integer(description)
        head.integer(servers)
        let start = head.bytes
        return secret.bytes.withBytes { key in
            SecretBytes(count: start.count + key.count) { target in
                for index in start.indices { target[index] = start[index] }
                for index in key.indices { target[start.count + index] = key[index] }
            }
        }
    }

    /// Reads what ``encoded()`` wrote.
    ///
    /// - Throws: `VaultFailure.newer` for what a later version wrote; `VaultFailure.corrupt` for anything else.
    init(decoding content: borrowing SecretBytes) throws(VaultFailure) {
        let head = content.withBytes { bytes in (0..<min(18, bytes.count)).map { bytes[$0] } }
        if let form = head.first, form > Self.forms.upperBound { throw .newer }
        do throws(ByteReader.Truncated) {
            var reader = ByteReader(head)
            let form: UInt8 = try reader.integer()
            let flags: UInt8 = try reader.integer()
            description = try reader.integer()
            servers = try reader.integer()
            guard Self.forms.contains(form), let phase = Phase(rawValue: flags >> 1),
                (phase == .made) == (form == Self.forms.lowerBound)
            else { throw ByteReader.Truncated() }
            self.phase = phase
            isAdopted = flags & 1 == 1
        } catch {
            throw .corrupt(.content)
        }
        let key = content.withBytes { bytes -> SecretBytes? in
            guard bytes.count == 18 + Self.length else { return nil }
            return SecretBytes(count: Self.length) { target in
                for index in 0..<target.count { target[index] = bytes[18 + index] }
            }
        }
        guard let key else { throw .corrupt(.content) }
        secret = SharedSecretBytes(key)
    }

    /// The code of a mark, which says something of a connection by lying in its folder: HMAC-SHA-256 (RFC 2104) over
    /// the mark's name and the connection's identifier.
    func code(ofMark name: String, _ id: ConnectionID) -> [UInt8] {
        let label = Array("pavise connection mark 1\0\(name)\0\(id.text)\0".utf8)
        return secret.bytes.withBytes { MessageDigest.hmac(.sha256, key: $0, label) }
    }
}

extension ItemName {
    /// Where the key of a connection's files lies.
    package static func connectionKey(of id: ConnectionID) -> ItemName {
        ItemName(checkedService: "org.pavise.connection", id.text)
    }

    /// Says that the connections of an older Pavise were taken over by this program.
    package static let takeOver = ItemName(checkedService: "org.pavise.connections", "taken-over")
}
