import Foundation
import Security

/// When a value can be read.
public enum ShelfProtection: CaseIterable, Sendable {
    case afterFirstUnlock
    case afterFirstUnlockThisDeviceOnly
    case whenUnlocked
    case whenUnlockedThisDeviceOnly
}

protocol AttributeValue {
    associatedtype Code
    var code: Code { get }
}

private let codes: [ShelfProtection: CFString] = [
    .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock,
    .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    .whenUnlocked: kSecAttrAccessibleWhenUnlocked,
    .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
]

extension ShelfProtection: AttributeValue {
    var code: CFString { codes[self]! }

    init?(code: CFString) {
        guard let match = codes.first(where: { $0.value == code }) else { return nil }
        self = match.key
    }

    init?(rawValue: String) {
        switch rawValue {
        case String(kSecAttrAccessibleAfterFirstUnlock): self = .afterFirstUnlock
        case String(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly): self = .afterFirstUnlockThisDeviceOnly
        case String(kSecAttrAccessibleWhenUnlocked): self = .whenUnlocked
        case String(kSecAttrAccessibleWhenUnlockedThisDeviceOnly): self = .whenUnlockedThisDeviceOnly
        default: return nil
        }
    }
}
