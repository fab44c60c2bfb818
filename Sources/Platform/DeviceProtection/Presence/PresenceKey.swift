internal import PaviseCrypto
package import PavisePrimitives

/// The proof that the passcode was just given: it opens what was sealed to the person, and is kept by nobody.
package final class PresenceKey: Sendable {
    private let key: ECPrivateKey

    init(_ key: ECPrivateKey) { self.key = key }

    /// Opens what ``Device/sealToPresence(_:for:)`` sealed for the same use.
    ///
    /// - Throws: ``DeviceFailure/unknownKey`` for anything else.
    package func open(_ packet: [UInt8], for use: [UInt8]) throws(DeviceFailure) -> SecretBytes {
        try DeviceFailure.reporting {
            let packet = try ECIES.Packet(packet, curve: .p256)
            let secret = try key.sharedSecret(with: packet.ephemeral)
            return try ECIES.open(packet, secret: secret, Device.presenceOptions(use))
        }
    }
}

extension Device {
    /// Seals bytes so that only the passcode, given for this once, opens them again. Needs no passcode itself.
    ///
    /// While there is no passcode, the key lies under the element alone, and nobody can be asked.
    package func sealToPresence(_ plain: Span<UInt8>, for use: [UInt8]) throws(DeviceFailure) -> [UInt8] {
        guard let pair = try current().bag.pairs[.presence] else { throw .damaged(file: path) }
        do throws(CryptoFailure) {
            let key = try ECPublicKey(x963: pair.publicKey, curve: .p256)
            return try ECIES.seal(plain, to: key, Self.presenceOptions(use))
        } catch {
            return try DeviceFailure.reporting { throw error }
        }
    }

    /// Judges the passcode and gives the proof. Nothing is unlocked by it.
    ///
    /// - Throws: As ``unlock(_:for:)`` does.
    package func confirm(_ passcode: borrowing SecretBytes) throws(DeviceFailure) -> PresenceKey {
        let guess = SharedSecretBytes(passcode.withBytes { SecretBytes(copying: $0) })
        return try alone {
            let (bag, keeper) = try current()
            let key = try judge(guess, bag, keeper)
            guard let pair = bag.pairs[.presence] else { throw DeviceFailure.damaged(file: path) }
            let scalar = try keeper.unwrap(pair.privateKey, PairKind.presence.label, key)
            return PresenceKey(
                try scalar.withBytes { try ECPrivateKey(scalar: $0, point: pair.publicKey, curve: .p256) })
        }
    }

    /// Asks a person for the passcode, up to three times, and gives the proof.
    ///
    /// - Throws: ``DeviceFailure/noPasscode`` without asking when there is none.
    package func askPresence(_ asker: any PasscodeAsker, reason: String) throws(DeviceFailure) -> PresenceKey {
        guard try hasPasscode() else { throw .noPasscode }
        var question = PasscodeQuestion(reason: reason)
        for _ in 0..<2 {
            let passcode = try asker.ask(question)
            do throws(DeviceFailure) {
                return try confirm(passcode)
            } catch {
                guard error == .wrongPasscode else { throw error }
                question.problem = error.explanation
            }
        }
        let passcode = try asker.ask(question)
        return try confirm(passcode)
    }

    static func presenceOptions(_ use: [UInt8]) -> ECIES.Options {
        var options = ECIES.Options(hash: .sha256, derivesNonce: true)
        options.keyBytes = 32
        options.sharedInfo = Array("pavise presence".utf8)
        options.associatedData = use
        return options
    }
}

/// An authentication that a program carries from one call to the next: `LAContext`.
package protocol AuthenticationContext: AnyObject, Sendable {
    /// Whether a person may be asked.
    var mayInteract: Bool { get }
    /// The proof of presence: the one from before, or a fresh one from a person.
    ///
    /// - Throws: ``DeviceFailure/notInteractive`` when a person would have to be asked and may not be.
    func presence(of device: Device, reason: String?) throws(DeviceFailure) -> PresenceKey
    /// Whether the program ended it: then nothing is shown through it any more, and nobody is asked for it.
    var isInvalid: Bool { get }
    /// The application's own password, where it was set.
    var applicationPassword: SharedSecretBytes? { get }
}
