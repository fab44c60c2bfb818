package import PavisePrimitives
public import PaviseTransport
public import PaviseVault

/// A user name and password for one origin (RFC 7617): a method of its own, never chosen by itself, never over plain http.
///
/// The password lies sealed in the vault. It never stands in an address, an argument or a log.
public struct BasicAccess: Sendable {
    /// Why a user name is no user name.
    public enum Problem: Error, Hashable, Sendable {
        /// RFC 7617 §2: a colon would end the name early.
        case colonInName
        /// Empty, or longer than 256 bytes, or with a control character.
        case unusableName
        /// The password is empty or holds a control character.
        case unusablePassword
        /// The origin is not https.
        case withoutTLS
        /// The connection signs in another way.
        case wrongMethod
        /// The vault.
        case store(VaultFailure)
    }

    let vault: TokenVault
    let name: ItemName
    let client: any HTTPClient
    /// The only origin that gets the password.
    public let origin: Origin
    let gate: (any AccessGate)?

    /// The access that was stored as `name`; `gate` says whether it may be used now.
    package init(
        vault: TokenVault, name: ItemName, origin: Origin, client: any HTTPClient, gate: (any AccessGate)? = nil
    ) {
        self.gate = gate
        self.vault = vault
        self.name = name
        self.origin = origin
        self.client = client
    }

    /// Stores a name and password, sealed.
    package func store(user: String, password: borrowing SecretBytes) throws(Problem) {
        guard origin.scheme == .https else { throw .withoutTLS }
        guard !user.contains(":") else { throw .colonInName }
        guard (1...256).contains(user.utf8.count), user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .unusableName
        }
        let isUsable = password.withBytes { bytes in
            !bytes.isEmpty && bytes.indices.allSatisfy { bytes[$0] >= 0x20 && bytes[$0] != 0x7F }
        }
        guard isUsable else { throw .unusablePassword }
        let start = Array("\(user):".utf8)
        let pair = password.withBytes { bytes in
            SecretBytes(count: start.count + bytes.count) { target in
                for index in start.indices { target[index] = start[index] }
                for index in bytes.indices { target[start.count + index] = bytes[index] }
            }
        }
        do throws(VaultFailure) {
            try vault.prepare()
            try pair.withBytes { bytes throws(VaultFailure) in try vault.store(bytes, as: name) }
        } catch {
            throw .store(error)
        }
    }

    func authorization(for request: HTTPRequest) throws(SessionFailure) -> Authorization {
        guard request.url.origin == origin, origin.scheme == .https else { throw .foreignOrigin(request.url.origin) }
        guard gate?.isOpen ?? true else { throw .locked }
        guard let pair = try pair() else { throw .signedOut }
        return Authorization(scheme: "Basic", credential: pair, origin: origin)
    }

    // The base64 form of the pair (RFC 7617 §2).
    private func pair() throws(SessionFailure) -> SecretBytes? {
        do throws(VaultFailure) {
            switch try vault.read(name) {
            case .absent: return nil
            case .found(let pair): return Base64.encode(secret: pair)
            }
        } catch {
            throw .store(error)
        }
    }
}
