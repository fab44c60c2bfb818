internal import PavisePrimitives
package import PaviseVault

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
    // A greater number is a later version's, another one damage; never a guess.
    private static let form: UInt8 = 1
    private static let length = 32

    let secret: SharedSecretBytes
    /// Whether an older Pavise made the connection: its password may lie without an origin.
    package let isAdopted: Bool
    private var description: UInt64
    private var servers: UInt64

    /// A fresh key.
    ///
    /// - Parameter isAdopted: Whether the files are there already, without authentication.
    init(isAdopted: Bool) throws(EntropyFailure) {
        secret = SharedSecretBytes(try .random(count: Self.length))
        self.isAdopted = isAdopted
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
        head.integer(Self.form)
        head.integer(UInt8(isAdopted ? 1 : 0))
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
        if let form = head.first, form > Self.form { throw .newer }
        do throws(ByteReader.Truncated) {
            var reader = ByteReader(head)
            let form: UInt8 = try reader.integer()
            let adopted: UInt8 = try reader.integer()
            description = try reader.integer()
            servers = try reader.integer()
            guard form == Self.form, adopted < 2 else { throw ByteReader.Truncated() }
            isAdopted = adopted == 1
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
}

extension ItemName {
    /// Where the key of a connection's files lies.
    package static func connectionKey(of id: ConnectionID) -> ItemName {
        ItemName(checkedService: "org.pavise.connection", id.text)
    }

    /// Says that the connections of an older Pavise were taken over by this program.
    package static let takeOver = ItemName(checkedService: "org.pavise.connections", "taken-over")
}
