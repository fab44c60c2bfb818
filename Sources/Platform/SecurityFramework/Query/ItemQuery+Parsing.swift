internal import Foundation
internal import PaviseDevice

// Keys sort by length and first letter: four characters are an attribute.
extension ItemQuery {
    private static let longestQuery = 128

    /// Reads `dictionary` for one of the four calls.
    init(_ dictionary: NSDictionary, for call: Call) throws(StatusFailure) {
        guard dictionary.count <= Self.longestQuery else { throw StatusFailure(errSecParam) }
        var parts = QueryParts()
        try dictionary.eachEntry { (key, value, isNull) throws(StatusFailure) in
            guard let key, !isNull || key == "m_ValidOnDate" else { throw StatusFailure(errSecParam) }
            parts.sort(key, value)
        }
        itemClass = try Self.itemClass(parts)
        persistentReference = try Self.persistentReference(parts)
        do throws(StatusFailure) {
            try read(parts.values, call)
            try read(parts.returns, call)
            try read(parts.matches, call)
            try read(parts.uses, call)
            try read(attributes: parts.attributes, call)
            try check(call)
        } catch {
            wipe()
            throw error
        }
    }

    private static func itemClass(_ parts: QueryParts) throws(StatusFailure) -> ItemClass {
        let named = try named(parts.itemClass)
        let reference = try persistentReference(parts)?.itemClass
        let object = (parts.values["v_Ref"] as? any KeychainObject).flatMap { ItemClass(rawValue: $0.keychainClass) }
        if let named, let reference, named != reference { throw StatusFailure(errSecNoSuchClass) }
        // A password has no object: what the object names is not what the class asks for.
        if object != nil, named == .genericPassword || named == .internetPassword { throw StatusFailure(errSecParam) }
        guard let itemClass = object ?? reference ?? named else { throw StatusFailure(errSecParam) }
        return itemClass
    }

    private static func named(_ value: Any?) throws(StatusFailure) -> ItemClass? {
        guard let value else { return nil }
        guard let code = value as? String else { throw StatusFailure(errSecParam) }
        guard let itemClass = ItemClass(rawValue: code) else { throw StatusFailure(errSecNoSuchClass) }
        return itemClass
    }

    private static func persistentReference(_ parts: QueryParts) throws(StatusFailure) -> PersistentReference? {
        guard let value = parts.values["v_PersistentRef"] else { return nil }
        guard let data = value as? Data else { throw StatusFailure(errSecParam) }
        return try PersistentReference(Array(data))
    }

    private mutating func read(_ values: QueryParts.Values, _ call: Call) throws(StatusFailure) {
        for (key, value) in values.list {
            switch key {
            case "v_Data":
                guard let data = value as? Data else { throw StatusFailure(errSecParam) }
                self.data = Array(data)
            case "v_Ref":
                guard let object = value as? any KeychainObject else { throw StatusFailure(errSecParam) }
                reference = object
            case "v_PersistentRef":
                guard call != .add else { throw StatusFailure(errSecParam) }
            default: throw StatusFailure(errSecParam)
            }
        }
    }

    private mutating func read(_ returns: QueryParts.Returns, _ call: Call) throws(StatusFailure) {
        for (key, value) in returns.entries.list {
            guard let option = Self.returnOption(key), let wanted = Boolean.exactly(value) else {
                throw StatusFailure(errSecParam)
            }
            switch call {
            case .update: throw StatusFailure(errSecParam)
            case .delete: break
            case .add, .copy: if wanted { self.returns.insert(option) }
            }
        }
    }

    private static func returnOption(_ key: String) -> Returns? {
        switch key {
        case "r_Data": .data
        case "r_Attributes": .attributes
        case "r_Ref": .reference
        case "r_PersistentRef": .persistentReference
        default: nil
        }
    }

    private mutating func read(_ uses: QueryParts.Uses, _ call: Call) throws(StatusFailure) {
        var mayAsk = true
        for (key, value) in uses.entries.list {
            switch key {
            case "u_AuthUI": interaction.choice = try Self.choice(value, call)
            case "u_NoAuthUI":
                guard let isQuiet = Boolean.exactly(value) else { throw StatusFailure(errSecParam) }
                mayAsk = !isQuiet
            case "u_OpPrompt": interaction.prompt = value as? String
            case "u_AuthCtx":
                guard let context = value as? any AuthenticationContext else { throw StatusFailure(errSecParam) }
                interaction.context = context
            case "u_CredRef", "u_UserIndependentKeychain": break
            default: throw StatusFailure(errSecParam)
            }
        }
        // A dictionary has no order: of two wishes the quieter one counts.
        if !mayAsk, interaction.choice == .allow { interaction.choice = .fail }
        let both = uses.entries["u_AuthCtx"] != nil && uses.entries["u_CredRef"] != nil
        guard !both else { throw StatusFailure(errSecParam) }
    }

    private static func choice(_ value: Any, _ call: Call) throws(StatusFailure) -> Interaction.Choice {
        switch value as? String {
        case "u_AuthUIA": return .allow
        case "u_AuthUIF": return .fail
        case "u_AuthUIS" where call == .copy: return .skip
        default: throw StatusFailure(errSecParam)
        }
    }

    private func check(_ call: Call) throws(StatusFailure) {
        let isNarrowed = !attributes.isEmpty || group != nil || accessControl != nil
        if call == .copy, persistentReference != nil, isNarrowed { throw StatusFailure(errSecParam) }
    }
}
