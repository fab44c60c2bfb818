internal import Foundation
internal import PaviseDevice

extension ItemQuery {
    mutating func read(attributes entries: [(AttributeCode, Any)], _ call: Call) throws(StatusFailure) {
        try expandReference(call)
        let kinds = Schema.of(itemClass).kinds
        var hasSynchronizable = false
        for (code, value) in entries {
            switch code {
            case .dataProtection, .user: continue
            case .internalFlag: throw StatusFailure(errSecParam)
            case .passwordVerifier: throw StatusFailure(errSecNoSuchAttr)
            case .group: group = try Self.text(value)
            case .synchronizable:
                hasSynchronizable = true
                synchronizable = try Self.synchronizable(value)
            case .accessControl:
                guard let object = value as? SecAccessControl else { throw StatusFailure(errSecParam) }
                accessControl = object
            default:
                guard let kind = kinds[code] else { throw StatusFailure(errSecNoSuchAttr) }
                attributes[code] = try kind.value(of: value)
            }
        }
        try Accessibility.join(&accessControl, into: &attributes, isQuery: call != .add)
        if !hasSynchronizable, persistentReference != nil { synchronizable = .any }
    }

    // What the object says of itself; attributes that the caller gives win.
    mutating func expandReference(_ call: Call) throws(StatusFailure) {
        // An identity that is added is expanded half by half.
        guard let reference, itemClass != .identity || call != .add else { return }
        let kinds = Schema.of(itemClass).kinds
        let described = reference.keychainAttributes()
        if call == .add { accessControl = described["accc"] as? SecAccessControl }
        for (key, value) in described {
            guard let code = AttributeCode(key), let kind = kinds[code], kind != .accessControl else { continue }
            guard call == .add || !Self.changeable.contains(code) else { continue }
            attributes[code] = try kind.value(of: value)
        }
    }

    // What an item may say otherwise than the object: such an item is still the object's.
    private static let changeable = Set(
        ["labl", "atag", "perm", "encr", "decr", "drve", "sign", "vrfy", "snrc", "vyrc", "wrap", "unwp"].compactMap {
            AttributeCode($0)
        })

    static func text(_ value: Any) throws(StatusFailure) -> String {
        guard case .text(let text) = try AttributeKind.text.value(of: value) else { throw StatusFailure(errSecParam) }
        return text
    }

    /// `syna` means both kinds; numbers, truth values and decimal texts mean one of them.
    static func synchronizable(_ value: Any) throws(StatusFailure) -> Synchronizable {
        if let text = value as? String, text == "syna" { return .any }
        guard case .number(let number) = try AttributeKind.number.value(of: value) else {
            throw StatusFailure(errSecParam)
        }
        return .only(number != 0)
    }
}
