internal import PaviseCrypto
internal import PaviseDevice
internal import PavisePrimitives

/// The secret half of an item that needs something shown, in a form that nobody opens without it.
///
/// Inside the item's own encryption lie one or two layers more: the application's password (Argon2id, RFC 9106, then
/// AES-256-GCM), and the person (ECIES to a key that only the passcode unwraps). Both are bound to the item's
/// identifier. The attributes are not under these layers: that they ask as well is a rule of this program.
///
/// The bytes: version 1, layers (1 password, 2 person), then the outermost layer.
enum GuardedSecret {
    private static let cost = (kibibytes: UInt32(19_456), passes: UInt32(2))

    /// Puts the layers on.
    ///
    /// - Throws: ``AuthenticationNeeded`` for the application's password that was not shown.
    static func seal(_ plain: [UInt8], of item: Item, _ control: SecAccessControl, _ device: Device) throws -> [UInt8] {
        var body = plain
        defer { Wipe.bytes(&body) }
        if control.needsPassword {
            let known = AccessCredentials.current
            let proof = AuthenticationNeeded.Proof.password(item: item.identifier)
            guard let password = known.password(.newPassword) ?? known.password(proof) else {
                throw StatusFailure(errSecInteractionNotAllowed)
            }
            body = try sealed(body, password, item.identifier)
        }
        if control.needsPresence { body = try device.sealToPresence(body.span, for: item.identifier) }
        return [1, (control.needsPassword ? 1 : 0) | (control.needsPresence ? 2 : 0)] + body
    }

    /// Takes the layers off, as far as what was shown allows.
    ///
    /// - Throws: ``ItemSeal/Damaged``; -25293 for a wrong password.
    static func open(
        _ bytes: [UInt8], of identifier: [UInt8], with credentials: AccessCredentials
    ) throws -> Opened {
        guard bytes.count > 2, bytes[0] == 1, (1...3).contains(bytes[1]) else { throw ItemSeal.Damaged() }
        var body = Array(bytes[2...])
        defer { Wipe.bytes(&body) }
        if bytes[1] & 2 != 0 {
            // A proof of another device is no proof: ask again.
            guard let presence = credentials.presence,
                let plain = try? presence.open(body, for: identifier).copiedBytes
            else { return .needs(.presence) }
            body = plain
        }
        guard bytes[1] & 1 != 0 else { return .plain(body) }
        let proof = AuthenticationNeeded.Proof.password(item: identifier)
        guard let password = credentials.password(proof) else { return .needs(proof) }
        do {
            return .plain(try opened(body, password, identifier))
        } catch let failure as StatusFailure where failure.status == errSecAuthFailed {
            // Of several items a search at hand opens those that it can.
            guard credentials.atHand != nil else { throw failure }
            return .needs(proof)
        }
    }

    enum Opened {
        case plain([UInt8])
        case needs(AuthenticationNeeded.Proof)
    }

    // Salt (16), KiB, passes, nonce (12), ciphertext and tag.
    private static func sealed(_ plain: [UInt8], _ password: SharedSecretBytes, _ identifier: [UInt8]) throws -> [UInt8]
    {
        var writer = ByteWriter()
        let salt = try Entropy.kernel.bytes(16)
        let nonce = try Entropy.kernel.bytes(12)
        writer.raw(salt)
        writer.integer(cost.kibibytes)
        writer.integer(cost.passes)
        let key = try stretched(password, salt, cost.kibibytes, cost.passes)
        let cipher = try key.withBytes { try AESGCM(key: $0) }
        let head = writer.bytes
        return head + nonce + (try cipher.seal(plain.span, nonce: nonce, associatedData: head + identifier))
    }

    private static func opened(_ body: [UInt8], _ password: SharedSecretBytes, _ identifier: [UInt8]) throws -> [UInt8]
    {
        var reader = ByteReader(body)
        let salt = try reader.read(16)
        let kibibytes = try reader.integer(UInt32.self)
        let passes = try reader.integer(UInt32.self)
        let nonce = try reader.read(12)
        let sealed = try reader.read(reader.remaining)
        guard kibibytes <= 262_144, passes <= 16 else { throw ItemSeal.Damaged() }
        let key = try stretched(password, salt, kibibytes, passes)
        let cipher = try key.withBytes { try AESGCM(key: $0) }
        do {
            return try cipher.open(
                sealed.span, nonce: nonce, associatedData: Array(body.prefix(24)) + identifier
            ).copiedBytes
        } catch {
            throw StatusFailure(errSecAuthFailed)
        }
    }

    private static func stretched(
        _ password: SharedSecretBytes, _ salt: [UInt8], _ kibibytes: UInt32, _ passes: UInt32
    ) throws -> SecretBytes {
        guard let cost = Argon2id.Cost(kibibytes: kibibytes, passes: passes) else { throw ItemSeal.Damaged() }
        return try password.bytes.withBytes { try Argon2id.derive($0, salt: salt, cost: cost) }
    }
}

extension SecretBytes {
    fileprivate var copiedBytes: [UInt8] { withBytes { bytes in Array(bytes) } }
}

extension Item {
    /// The access control, where it asks for anything before the secret may be read.
    ///
    /// The rules of a key of the secure element guard its use, not its handle.
    var guarding: SecAccessControl? {
        guard let control, control.isConstrained, attributes[.token] != .text("com.apple.setoken") else { return nil }
        return control
    }

    /// Whether it is a key of the element that asks for a password and cannot tell which.
    var lacksVerifier: Bool {
        guard attributes[.token] == .text("com.apple.setoken"), let control else { return false }
        return control.needsPassword && attributes[.passwordVerifier] == nil
    }

    /// The access control.
    var control: SecAccessControl? { accessControl.flatMap { SecAccessControl(storedForm: $0) } }

    /// The second half as it is sealed under the class key.
    ///
    /// - Throws: -25308 for an item whose secret was not read: sealed again, it would be lost.
    func guardedSecret(_ device: Device) throws -> [UInt8] {
        guard need == nil else { throw StatusFailure(errSecInteractionNotAllowed) }
        var plain = encodedSecret
        guard let control = guarding else { return plain }
        defer { Wipe.bytes(&plain) }
        return try GuardedSecret.seal(plain, of: self, control, device)
    }

    /// Reads what ``guardedSecret(_:)`` gave, or notes what is needed for it.
    mutating func readGuarded(_ bytes: [UInt8], with credentials: AccessCredentials) throws {
        guard guarding != nil else { return try readSecret(bytes) }
        switch try GuardedSecret.open(bytes, of: identifier, with: credentials) {
        case .needs(let proof): need = proof
        case .plain(var plain):
            defer { Wipe.bytes(&plain) }
            try readSecret(plain)
        }
    }

    /// Whether a search shows the item: not when it asks, and the query leaves out what asks.
    ///
    /// - Throws: ``AuthenticationNeeded`` when something must be shown first.
    func isShown(_ query: ItemQuery) throws -> Bool {
        if need != nil, query.interaction.choice == .skip { return false }
        try demand(query.interaction)
        return true
    }

    /// Stops when something must be shown before this item may be used.
    func demand(_ interaction: Interaction) throws {
        if let need { throw AuthenticationNeeded(proof: need, interaction: interaction) }
    }

    /// Stops when something must be shown before this key of the element may be used. No layer lies over its handle
    /// that would ask whoever changes the key's rules.
    ///
    /// - Throws: ``AuthenticationNeeded``; -25293 for a wrong password.
    func demandUse(_ interaction: Interaction) throws {
        guard attributes[.token] == .text("com.apple.setoken"), let control else { return }
        let shown = AccessCredentials.current
        if control.needsPresence, shown.presence == nil {
            throw AuthenticationNeeded(proof: .presence, interaction: interaction)
        }
        guard control.needsPassword, case .data(let verifier)? = attributes[.passwordVerifier] else { return }
        let proof = AuthenticationNeeded.Proof.password(item: verifier)
        guard let password = shown.password(proof) else {
            throw AuthenticationNeeded(proof: proof, interaction: interaction)
        }
        guard try PasswordVerifier.accepts(password, verifier) else { throw StatusFailure(errSecAuthFailed) }
    }

    /// Stops when something must be shown before a key of the element gets this item, which has other rules than the
    /// key.
    ///
    /// - Throws: As ``demandUse(_:)``.
    func demandUse(of key: SecKey, _ interaction: Interaction) throws {
        guard key.material.isElement, let rules = key.traits.accessControl, rules != control else { return }
        var own = self
        own.attributes[.token] = .text("com.apple.setoken")
        own.attributes[.passwordVerifier] = key.traits.passwordVerifier.map { ItemValue.data($0) }
        own.accessControl = rules.storedForm
        try own.demandUse(interaction)
    }
}

extension ItemQuery {
    /// Checks the access control of what is to be stored, and gets the password that it is stored under.
    ///
    /// - Throws: -25293 for constraints that this machine can never satisfy; ``AuthenticationNeeded``.
    func prepare(_ control: SecAccessControl?) throws {
        guard let control, control.isConstrained else { return }
        guard control.isSatisfiable else { throw StatusFailure(errSecAuthFailed) }
        // A key of the element knows its password already.
        guard attributes[.token] != .text("com.apple.setoken") else { return }
        guard control.needsPassword, AccessCredentials.current.password(.newPassword) == nil else { return }
        throw AuthenticationNeeded(proof: .newPassword, interaction: interaction)
    }
}
