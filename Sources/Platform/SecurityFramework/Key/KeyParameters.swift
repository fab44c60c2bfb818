internal import Foundation
internal import PavisePrimitives

/// What a caller asks for when a key is made or read, from Apple's dictionary.
struct KeyParameters {
    private let top: NSDictionary
    private let privateHalf: NSDictionary
    private let publicHalf: NSDictionary

    init(_ dictionary: CFDictionary) {
        top = dictionary
        privateHalf = dictionary[kSecPrivateKeyAttrs] as? NSDictionary ?? NSDictionary()
        publicHalf = dictionary[kSecPublicKeyAttrs] as? NSDictionary ?? NSDictionary()
    }

    /// The kind.
    ///
    /// - Throws: -50 when it is missing or has no implementation.
    func kind() throws(KeyFailure) -> KeyKind {
        guard let code = (top[kSecAttrKeyType] as? NSObject).map({ "\($0)" }) else {
            throw .parameter("the key type is missing")
        }
        guard let kind = KeyKind(code: code) else { throw .parameter("the key type is not supported") }
        return kind
    }

    /// The size in bits.
    ///
    /// - Throws: -25311 when it is missing.
    func bits() throws(KeyFailure) -> Int {
        let value = top[kSecAttrKeySizeInBits]
        guard let bits = (value as? Int) ?? (value as? String).flatMap({ Int($0) }) else {
            throw .status(errSecKeySizeNotAllowed, "The key size is missing.")
        }
        return bits
    }

    /// Whether bytes are those of a private key.
    ///
    /// - Throws: -50 when the class is missing or neither; -4 for a symmetric key.
    func isPrivate() throws(KeyFailure) -> Bool {
        switch (top[kSecAttrKeyClass] as? NSObject).map({ "\($0)" }) {
        case "0": return false
        case "1": return true
        case "2": throw .unimplemented("Symmetric keys are not made from data.")
        default: throw .parameter("the key class is missing")
        }
    }

    /// Whether the secure element shall make the key.
    ///
    /// - Throws: -50 for a token that is not there.
    func wantsElement() throws(KeyFailure) -> Bool {
        guard let token = value(kSecAttrTokenID) else { return false }
        guard token as? String == kSecAttrTokenIDSecureEnclave as String else {
            throw .parameter("there is no such token")
        }
        return true
    }

    /// Refuses to make a private key of bytes where it was to be in the secure element, or guarded: the caller would
    /// take one in memory for it.
    ///
    /// - Throws: -50.
    func checkIsOfMemory() throws(KeyFailure) {
        guard hasUsableAccessControl else { throw .parameter("the access control is none") }
        guard try !wantsElement() else { throw .parameter("the secure element takes no key from outside") }
    }

    /// Whether a half is to be stored.
    func isPermanent(privateHalf isPrivate: Bool, byDefault: Bool) -> Bool {
        let half = isPrivate ? privateHalf : publicHalf
        return [half[kSecAttrIsPermanent], top[kSecAttrIsPermanent]].compactMap { $0 as? Bool }.first ?? byDefault
    }

    /// Whether everything that is given as an access control is one.
    var hasUsableAccessControl: Bool {
        [top, privateHalf, publicHalf].allSatisfy { half in
            half[kSecAttrAccessControl].map { $0 is SecAccessControl } ?? true
        }
    }

    /// Label, tag and access control of one half; given once, they hold for both.
    func traits(privateHalf isPrivate: Bool) -> KeyTraits {
        let halves = isPrivate ? [privateHalf, top, publicHalf] : [publicHalf, top, privateHalf]
        func value(_ key: CFString) -> Any? { halves.lazy.compactMap { $0[key] }.first }
        return KeyTraits(
            label: value(kSecAttrLabel) as? String, tag: value(kSecAttrApplicationTag).flatMap(Self.bytes),
            accessControl: isPrivate ? value(kSecAttrAccessControl) as? SecAccessControl : nil)
    }

    /// The attributes of the keychain item of one half: everything that the caller gave for it. Access control is for
    /// private halves; a public one has it only when the caller says so for this half.
    func itemAttributes(privateHalf isPrivate: Bool) -> [String: Any] {
        let half = isPrivate ? privateHalf : publicHalf
        var attributes: [String: Any] = [:]
        for dictionary in [top, half] {
            dictionary.eachEntry { key, value, _ in
                if let key, !Self.ownKeys.contains(key) { attributes[key] = value }
            }
        }
        let traits = traits(privateHalf: isPrivate)
        if !isPrivate { attributes[kSecAttrAccessControl as String] = half[kSecAttrAccessControl] }
        attributes[kSecAttrLabel as String] = traits.label
        attributes[kSecAttrApplicationTag as String] = traits.tag.map { Data($0) }
        return attributes
    }

    private static let ownKeys: Set<String> = ["private", "public", "type", "bsiz", "perm", "tkid", "kcls"]

    private func value(_ key: CFString) -> Any? { privateHalf[key] ?? top[key] ?? publicHalf[key] }

    private static func bytes(_ value: Any) -> [UInt8]? {
        (value as? Data).map { [UInt8]($0) } ?? (value as? String).map { Array($0.utf8) }
    }
}
