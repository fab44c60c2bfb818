internal import Foundation
internal import PaviseCrypto
internal import PaviseDevice

/// Makes keys, and stores those that shall stay.
struct KeyMaker {
    /// Both halves of a fresh key.
    struct Pair {
        let privateKey: SecKey
        let publicKey: SecKey
    }

    private let parameters: KeyParameters

    init(_ parameters: KeyParameters) { self.parameters = parameters }

    func make() throws(KeyFailure) -> Pair {
        var traits = parameters.traits(privateHalf: true)
        guard parameters.hasUsableAccessControl else { throw .parameter("the access control is none") }
        // A key that nobody guards as it was asked for is worse than no key.
        guard traits.accessControl?.isSatisfiable != false else {
            throw .status(errSecAuthFailed, "The key asks for biometry or a companion device, and there is none.")
        }
        let isElement = try parameters.wantsElement()
        let material = try isElement ? makeInElement(&traits) : makeInMemory()
        traits.isPermanent = parameters.isPermanent(privateHalf: true, byDefault: isElement)
        var publicTraits = parameters.traits(privateHalf: false)
        publicTraits.isPermanent = parameters.isPermanent(privateHalf: false, byDefault: false)
        let pair = Pair(privateKey: SecKey(material, traits), publicKey: SecKey(material.publicHalf, publicTraits))
        do throws(KeyFailure) {
            try store(pair)
        } catch {
            pair.privateKey.destroyInElement()
            throw error
        }
        return pair
    }

    private func makeInMemory() throws(KeyFailure) -> KeyMaterial {
        let kind = try parameters.kind()
        return try KeyMaterial(generating: kind, bits: parameters.bits())
    }

    private func makeInElement(_ traits: inout KeyTraits) throws(KeyFailure) -> KeyMaterial {
        guard try parameters.kind() == .ec else { throw .parameter("the secure element makes EC keys only") }
        let bits = try parameters.bits()
        guard bits == 256 else { throw .sizeNotOffered(bits) }
        let control = traits.accessControl
        let needsPassword = control?.needsPassword == true
        let asking = needsPassword ? interaction : Interaction()
        let verifier = try needsPassword ? Self.verifier(asking) : nil
        traits.passwordVerifier = verifier
        return try KeyFailure.reporting {
            let element = try Device.current().element
            let key = try element.generateKey()
            let guarded = GuardedElement.around(element, control, asking, verifier)
            return .element(guarded, blob: key.blob, try ECPublicKey(x963: key.publicKey, curve: .p256))
        }
    }

    // How the caller lets a person be met.
    private var interaction: Interaction {
        let given = parameters.itemAttributes(privateHalf: true)
        var interaction = Interaction()
        interaction.context = given[kSecUseAuthenticationContext as String] as? any AuthenticationContext
        interaction.prompt = given[kSecUseOperationPrompt as String] as? String
        let isQuiet = given[kSecUseNoAuthenticationUI as String].flatMap { Boolean.exactly($0) } ?? false
        let choice = given[kSecUseAuthenticationUI as String] as? String
        if isQuiet || choice == kSecUseAuthenticationUIFail as String { interaction.choice = .fail }
        return interaction
    }

    // The application's password that every use of the key asks for: the context's, or one that a person types.
    private static func verifier(_ interaction: Interaction) throws(KeyFailure) -> [UInt8] {
        try KeyFailure.reporting {
            let credentials = AccessCredentials()
            try AccessRounds.show(
                AuthenticationNeeded(proof: .newPassword, interaction: interaction), credentials, .current)
            guard let password = credentials.password(.newPassword) else { throw StatusFailure(errSecAuthFailed) }
            return try PasswordVerifier.make(password)
        }
    }

    // Both halves or none.
    private func store(_ pair: Pair) throws(KeyFailure) {
        let halves = [(pair.privateKey, true), (pair.publicKey, false)].filter { $0.0.traits.isPermanent }
        try PermanentKeys.add(
            halves.map { key, isPrivate in
                PermanentKeys.Half(key: key, attributes: parameters.itemAttributes(privateHalf: isPrivate))
            })
    }
}
