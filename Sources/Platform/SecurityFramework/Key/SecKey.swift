internal import Foundation
internal import PaviseCrypto

/// A cryptographic key: EC on a NIST curve, RSA, Ed25519, X25519, or a P-256 key that lives in the secure element.
///
/// Keys never change and may be shared between threads. Private keys of the element have no bytes to give.
public final class SecKey: Sendable, TypeIdentified {
    let material: KeyMaterial
    let traits: KeyTraits

    init(_ material: KeyMaterial, _ traits: KeyTraits) {
        self.material = material
        self.traits = traits
    }

    package static let typeNumber = TypeNumber.key

    /// SHA-1 of the public half: what Apple calls the application label, the same for both halves.
    package var applicationLabel: [UInt8] { Hash.digest(.sha1, material.publicBytes) }
}

extension SecKey: Hashable {
    /// Equal keys have the same public half and are both private or both public.
    public static func == (one: SecKey, other: SecKey) -> Bool {
        one === other
            || (one.material.publicBytes == other.material.publicBytes
                && one.material.isPrivate == other.material.isPrivate)
    }

    /// Mixes the public half.
    public func hash(into hasher: inout Hasher) { hasher.combine(material.publicBytes) }
}

/// What is known about a key beside the key.
struct KeyTraits: Sendable {
    /// A text for people.
    var label: String?
    /// The application's own name of the key.
    var tag: [UInt8]?
    /// Whether the key is stored in the keychain.
    var isPermanent = false
    /// Who may use the key, and when.
    var accessControl: SecAccessControl?
    /// For a key of the element that asks for the application's password: what judges it.
    var passwordVerifier: [UInt8]?
}

/// The number of keys' kind; see ``CFGetTypeID(_:)``.
public func SecKeyGetTypeID() -> CFTypeID { TypeNumber.key }

/// The bytes of a block: of the modulus for RSA, of the field for EC.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.material.blockBytes }

/// The public half of a key; works for keys of the secure element too. A public key gives itself.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    guard key.material.isPrivate else { return key }
    return SecKey(key.material.publicHalf, KeyTraits(label: key.traits.label, tag: key.traits.tag))
}

/// Whether the key does `operation` with `algorithm`. What this denies, the operation refuses with -50.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    KeyScheme(algorithm)?.isSupported(operation, by: key.material) ?? false
}
