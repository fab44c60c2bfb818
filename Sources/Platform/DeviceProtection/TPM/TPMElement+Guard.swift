internal import PaviseCrypto
package import PavisePrimitives

// A guard is two things in the TPM. A PIN index counts wrong passcodes and refuses all after the tenth; it can be
// written once, by a key that is forgotten at once, so that nobody can set its count back, nor make another index that
// passes for it. An HMAC key turns the passcode into what the class keys are wrapped with; its policy wants the index's
// PIN, and its own authorisation value besides, which mixes the passcode with a secret of the element's table.
extension TPMElement {
    /// How many wrong passcodes the TPM takes.
    package static let guardLimit: UInt32 = 10

    /// See ``SecureElement/makeGuard(_:)``.
    package func makeGuard(_ secrets: borrowing PasscodeSecrets) throws(DeviceFailure) -> [UInt8] {
        let secrets = SharedPasscodeSecrets(secrets)
        return try changing { link, root in
            let index = try self.freeIndex(link)
            let state = try self.announce(index, root, link)
            return try self.makeGuard(secrets, index, state, link)
        }
    }

    // An index is on the list of what is to be removed until its guard is stored; and the list is worked off first.
    private func announce(_ index: UInt32, _ root: TPMRoot, _ link: TPMLink) throws -> TPMRoot {
        try undefine(root.state.leftOver, link)
        var state = root.state
        state.leftOver = [index]
        let announced = try root.with(state, table: root.table)
        try store(announced)
        return announced
    }

    private func makeGuard(
        _ secrets: SharedPasscodeSecrets, _ index: UInt32, _ root: TPMRoot, _ link: TPMLink
    ) throws -> [UInt8] {
        let identity = try Entropy.kernel.bytes(16)
        let secret = try SecretBytes.random(count: 32)
        let pin = try makeIndex(index, secrets.pin, link)
        let policy = try link.withPolicy(.trial) { trial in
            try link.context.requireSecret(of: pin, in: trial, session: link.session)
            try link.context.requireOwnValue(in: trial)
            return try link.context.digest(of: trial)
        }
        link.context.forget(pin)
        let value = try TPMBlob.derive("guard", salt: secrets.authorization, secret)
        let nothing: [UInt8] = []
        let object = try value.withBytes {
            try link.context.create(
                .guardKey, value: $0, secret: nothing.span, policy: policy, under: link.primary, session: link.session)
        }
        let blob = try TPMBlob(.guardian, identity: identity, index: index, object: object, secret: secret)
        var state = root.state
        state.leftOver = []
        state.guards.append(index)
        try store(root.with(state, table: root.table.adding(identity, secret)))
        return blob.bytes
    }

    private func makeIndex(_ index: UInt32, _ pin: borrowing SecretBytes, _ link: TPMLink) throws -> TPMHandle {
        link.dropKept()
        let writer = try ECPrivateKey(generating: .p256)
        let key = try link.context.load(point: writer.publicKey.x963)
        defer { link.context.flush(key) }
        let policy = try link.withPolicy(.trial) { trial in
            try Self.sign(trial, writer, key, link)
            return try link.context.digest(of: trial)
        }
        let handle = try pin.withBytes { try define(.pinFailures, index, value: $0, policy: policy, link) }
        try pin.withBytes { try link.context.authorise(handle, $0) }
        try link.withPolicy(.policy) { session in
            try Self.sign(session, writer, key, link)
            try link.context.write(UInt64(Self.guardLimit), to: handle, policy: session)
        }
        return handle
    }

    // TPM 2.0 part 3, TPM2_PolicySigned: the digest of nonceTPM ‖ expiration (0) ‖ no command ‖ no reference.
    private static func sign(
        _ policy: TPMHandle, _ writer: ECPrivateKey, _ key: TPMHandle, _ link: TPMLink
    ) throws {
        let nonce = try link.context.nonce(of: policy)
        let signature = try writer.sign(digest: Hash.digest(.sha256, nonce + [0, 0, 0, 0]))
        guard let raw = ECDSASignature.raw(der: signature, curve: .p256) else { throw TPMFailure(.other) }
        try link.context.requireSignature(by: key, raw, nonce: nonce, in: policy)
    }

    /// See ``SecureElement/entangle(_:guard:)``. The TPM counts the try before it judges it.
    package func entangle(
        _ secrets: borrowing PasscodeSecrets, guard blob: [UInt8]
    ) throws(DeviceFailure) -> SecretBytes {
        guard let blob = TPMBlob(.guardian, blob) else { throw .unknownKey }
        let secrets = SharedPasscodeSecrets(secrets)
        return try keyUse { () throws(DeviceFailure) in
            try channel.run(isRepeatable: false) { link in try self.entangle(secrets, blob, link) }
        }
    }

    private func entangle(
        _ secrets: SharedPasscodeSecrets, _ blob: TPMBlob, _ link: TPMLink
    ) throws -> SecretBytes {
        let root = try root(link)
        guard let secret = root.table.secret(of: blob.identity), try blob.isIntact(secret) else {
            throw DeviceFailure.unknownKey
        }
        let value = try TPMBlob.derive("guard", salt: secrets.authorization, secret)
        let answer = try link.withIndex(blob.index) { pin in
            try link.with(blob.object) { key in
                try secrets.pin.withBytes { try link.context.authorise(pin, $0) }
                try value.withBytes { try link.context.authorise(key, $0) }
                return try Self.judge(secrets, pin, key, link)
            }
        }
        guard let answer else { throw DeviceFailure.unknownKey }
        return answer
    }

    private static func judge(
        _ secrets: SharedPasscodeSecrets, _ pin: TPMHandle, _ key: TPMHandle, _ link: TPMLink
    ) throws -> SecretBytes {
        do {
            return try link.withPolicy(.policy) { policy in
                try link.context.requireSecret(of: pin, in: policy, session: link.session)
                try link.context.requireOwnValue(in: policy)
                return try link.context.hmac(secrets.tangle, with: key, session: policy)
            }
        } catch let failure as TPMFailure {
            switch failure.kind {
            case .wrongAuthorization: throw DeviceFailure.wrongPasscode
            case .authorizationBlocked: throw DeviceFailure.passcodeBlocked
            case .policy: throw DeviceFailure.unknownKey
            default: throw failure
            }
        }
    }

    /// How many wrong passcodes in a row the TPM has counted for a guard.
    package func failedTries(guard blob: [UInt8]) throws(DeviceFailure) -> UInt32 {
        guard let blob = TPMBlob(.guardian, blob) else { throw .unknownKey }
        return try channel.run { link in
            let pair = try link.withIndex(blob.index) { try link.context.read($0, session: link.session) }
            guard let pair else { throw DeviceFailure.unknownKey }
            return UInt32(truncatingIfNeeded: pair >> 32)
        }
    }

    /// See ``SecureElement/destroyGuard(_:)``.
    package func destroyGuard(_ blob: [UInt8]) throws(DeviceFailure) {
        guard let parts = TPMBlob(.guardian, blob) else { throw .unknownKey }
        try changing { link, root in
            var state = root.state
            if let table = root.table.removing(parts.identity) {
                state.guards.removeAll { $0 == parts.index }
                state.leftOver.append(parts.index)
                try self.beginEpoch(root, state, table: table, link)
            }
            try self.clearLeftOver(link)
        }
    }

    private func clearLeftOver(_ link: TPMLink) throws {
        let root = try root(link, isLocked: true)
        guard !root.state.leftOver.isEmpty else { return }
        try undefine(root.state.leftOver, link)
        var state = root.state
        state.leftOver = []
        try store(root.with(state, table: root.table))
    }
}

/// The secrets of a passcode where a closure can hold them.
private final class SharedPasscodeSecrets: Sendable {
    let pin: SecretBytes
    let authorization: SecretBytes
    let tangle: SecretBytes

    init(_ secrets: borrowing PasscodeSecrets) {
        pin = secrets.pin.duplicate()
        authorization = secrets.authorization.duplicate()
        tangle = secrets.tangle.duplicate()
    }
}
