internal import Foundation
internal import PaviseCrypto

/// The kinds of keys that can be made.
enum KeyKind: CaseIterable, Sendable {
    case ec, rsa, ed25519, x25519

    /// The kind of a `kSecAttrKeyType`; `nil` for one without an implementation.
    init?(code: String) {
        guard let kind = Self.allCases.first(where: { $0.type as String == code }) else { return nil }
        self = kind
    }

    /// The value of `kSecAttrKeyType`.
    var type: CFString {
        switch self {
        case .ec: kSecAttrKeyTypeEC
        case .rsa: kSecAttrKeyTypeRSA
        case .ed25519: kSecAttrKeyTypeEd25519
        case .x25519: kSecAttrKeyTypeX25519
        }
    }

    /// What a key on Curve25519 is for; `nil` for other kinds.
    var use: Curve25519Use? {
        switch self {
        case .ed25519: .signing
        case .x25519: .agreement
        case .ec, .rsa: nil
        }
    }
}

extension X509Key {
    /// The kind of a certificate's key; `nil` for one without an implementation.
    var keyKind: KeyKind? {
        switch kind {
        case .rsa: .rsa
        case .ec: isNamedCurve ? .ec : nil
        case .ed25519: .ed25519
        case .ed448, .dsa, .other: nil
        }
    }
}
