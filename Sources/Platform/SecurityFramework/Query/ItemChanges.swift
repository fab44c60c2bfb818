internal import Foundation
internal import PaviseDevice
internal import PavisePrimitives

/// The dictionary of changes that `SecItemUpdate` takes: attributes and the data, nothing else.
struct ItemChanges {
    var attributes: ItemAttributes = [:]
    var group: String?
    var synchronizable: Bool?
    var data: [UInt8]?
    var accessControl: SecAccessControl?
    /// Whether the item is to become that of a key outside the secure element.
    private(set) var areOfSoftwareKey = false

    init(_ dictionary: NSDictionary, _ itemClass: ItemClass) throws(StatusFailure) {
        guard dictionary.count <= 128 else { throw StatusFailure(errSecParam) }
        do throws(StatusFailure) {
            if let object = dictionary["v_Ref"] { try expand(object, itemClass) }
            try dictionary.eachEntry { (key, value, isNull) throws(StatusFailure) in
                guard let key, !isNull else { throw StatusFailure(errSecParam) }
                try read(key, value, itemClass)
            }
            try Accessibility.join(&accessControl, into: &attributes, isQuery: false)
        } catch {
            wipe()
            throw error
        }
    }

    /// Overwrites the value, where nobody else has it.
    mutating func wipe() {
        guard var bytes = data else { return }
        data = nil
        Wipe.bytes(&bytes)
    }

    private mutating func read(_ key: String, _ value: Any, _ itemClass: ItemClass) throws(StatusFailure) {
        if key == "v_Ref" { return }
        if key == "v_Data" {
            // An identity has no value of its own, and one value cannot be both halves'.
            guard itemClass != .identity, let data = value as? Data else { throw StatusFailure(errSecParam) }
            wipe()
            return self.data = Array(data)
        }
        guard let code = AttributeCode(key) else { throw StatusFailure(errSecNoSuchAttr) }
        try read(code, value, itemClass)
    }

    // An object stands for its attributes and its bytes; what the caller says beside it wins.
    private mutating func expand(_ object: Any, _ itemClass: ItemClass) throws(StatusFailure) {
        guard let object = object as? any KeychainObject, object.keychainClass == itemClass.rawValue,
            itemClass != .identity, let bytes = try? object.keychainData()
        else { throw StatusFailure(errSecParam) }
        data = bytes
        let kinds = Schema.of(itemClass).kinds
        for (key, value) in object.keychainAttributes() {
            guard let code = AttributeCode(key), let kind = kinds[code], kind != .accessControl else { continue }
            attributes[code] = try kind.value(of: value)
        }
        areOfSoftwareKey = itemClass == .key && attributes[.tokenObject] == nil
    }

    /// The changes that one half of an identity can take.
    func part(of itemClass: ItemClass) -> ItemChanges {
        var part = self
        let kinds = Schema.of(itemClass).kinds
        part.attributes = attributes.filter { kinds[$0.key] != nil }
        // A certificate is nobody's secret; what the caller wants guarded is the key.
        if itemClass == .certificate { part.accessControl = nil }
        return part
    }

    private mutating func read(_ code: AttributeCode, _ value: Any, _ itemClass: ItemClass) throws(StatusFailure) {
        switch code {
        case .dataProtection, .user: break
        case .internalFlag, .sharingGroup: throw StatusFailure(errSecParam)
        case .passwordVerifier: throw StatusFailure(errSecNoSuchAttr)
        case .group: group = try ItemQuery.text(value)
        case .synchronizable:
            guard case .only(let isSynchronizable) = try ItemQuery.synchronizable(value) else {
                throw StatusFailure(errSecParam)
            }
            synchronizable = isSynchronizable
        case .accessControl:
            guard let object = value as? SecAccessControl else { throw StatusFailure(errSecParam) }
            accessControl = object
        default:
            guard let kind = Schema.of(itemClass).kinds[code] else { throw StatusFailure(errSecNoSuchAttr) }
            attributes[code] = try kind.value(of: value)
        }
    }
}
