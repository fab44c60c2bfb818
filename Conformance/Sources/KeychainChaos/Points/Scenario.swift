internal import Foundation
internal import SecurityFramework

/// One write, and what has to be there before it.
///
/// What a reader sees afterwards (``Sight``) is either what it saw before or what it sees after the whole write, so the
/// scenarios need no model of their own.
enum Scenario: String, CaseIterable, Sendable {
    /// The first call on a home that is not there: the device, the database, the tables, the item.
    case firstUse
    /// The first item of a device that has no database yet.
    case firstItem
    case add, update, delete
    /// Three items at once.
    case updateSeveral
    /// A synchronised item gets another name: the item moves and leaves a tombstone.
    case rename
    /// A synchronised item becomes a tombstone.
    case deleteSynchronised
    /// An item takes the place of a tombstone.
    case addOverTombstone
    case deleteSeveral
    /// A key pair that stays.
    case makeKey
    /// A key of the secure element that stays, and its end.
    case makeElementKey, deleteElementKey
    /// An item that makes the log so long that it is moved into the database.
    case checkpoint

    /// Whether an error may come after the item is gone: the element's part of a key is destroyed when the item durably
    /// is no more, and an error then says that this part is still there.
    var isInTwoSteps: Bool { self == .deleteElementKey }

    /// The items that nobody touches.
    static let neighbours = (0..<4).map { "neighbour-\($0)" }
    static let service = "points"
    /// The items that writes touch.
    static let targets = ["target", "moved", "several-0", "several-1", "several-2"]

    /// Brings about what the write starts from.
    func prepare() -> Bool {
        switch self {
        case .firstUse: return true
        case .firstItem: return Self.makeKey(inElement: true, isPermanent: false) == errSecSuccess
        default: break
        }
        for (number, account) in Self.neighbours.enumerated() where !Self.add(account, number) { return false }
        switch self {
        case .update, .delete: return Self.add("target", 50)
        case .updateSeveral, .deleteSeveral: return (0..<3).allSatisfy { Self.add("several-\($0)", 60 + $0) }
        case .rename, .deleteSynchronised: return Self.add("target", 50, isSynchronised: true)
        case .addOverTombstone:
            return Self.add("target", 50, isSynchronised: true) && Scenario.deleteSynchronised.act() == errSecSuccess
        case .deleteElementKey: return Self.makeKey(inElement: true) == errSecSuccess
        case .checkpoint: return (0..<18).allSatisfy { Self.add("long-\($0)", 0, bytes: 200_000) }
        default: return true
        }
    }

    /// The write.
    func act() -> OSStatus {
        let value = Value(worker: 1, number: 100)
        let new: [CFString: Any] = [kSecValueData: Data(value.bytes), kSecAttrComment: value.description]
        switch self {
        case .firstUse, .firstItem, .add: return Self.adding("target", value, bytes: nil, isSynchronised: false)
        case .update: return SecItemUpdate(Self.query("target") as CFDictionary, new as CFDictionary)
        case .delete: return SecItemDelete(Self.query("target") as CFDictionary)
        case .updateSeveral:
            let label: [CFString: Any] = [kSecAttrLabel: "new"]
            return SecItemUpdate(Self.several as CFDictionary, label as CFDictionary)
        case .deleteSeveral: return SecItemDelete(Self.several as CFDictionary)
        case .rename:
            let changes = new.merging([kSecAttrAccount: "moved"]) { $1 }
            return SecItemUpdate(Self.query("target", isSynchronised: true) as CFDictionary, changes as CFDictionary)
        case .deleteSynchronised: return SecItemDelete(Self.query("target", isSynchronised: true) as CFDictionary)
        case .addOverTombstone: return Self.adding("target", value, bytes: nil, isSynchronised: true)
        case .makeKey: return Self.makeKey(inElement: false)
        case .makeElementKey: return Self.makeKey(inElement: true)
        case .deleteElementKey: return SecItemDelete(Self.key(inElement: true) as CFDictionary)
        case .checkpoint: return Self.adding("target", value, bytes: 400_000, isSynchronised: false)
        }
    }

    static func query(_ account: String, isSynchronised: Bool = false) -> [CFString: Any] {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
        query[kSecAttrAccount] = account
        if isSynchronised { query[kSecAttrSynchronizable] = true }
        return query
    }

    static func key(inElement: Bool) -> [CFString: Any] {
        [kSecClass: kSecClassKey, kSecAttrApplicationTag: Data((inElement ? "element" : "plain").utf8)]
    }

    private static var several: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrCreator: 7]
    }

    private static func add(_ account: String, _ number: Int, bytes: Int? = nil, isSynchronised: Bool = false) -> Bool {
        let value = Value(worker: 1, number: number)
        return adding(account, value, bytes: bytes, isSynchronised: isSynchronised) == errSecSuccess
    }

    private static func adding(_ account: String, _ value: Value, bytes: Int?, isSynchronised: Bool) -> OSStatus {
        var item = query(account, isSynchronised: isSynchronised)
        item[kSecValueData] = bytes.map { Data(repeating: 0x5A, count: $0) } ?? Data(value.bytes)
        item[kSecAttrComment] = value.description
        if account.hasPrefix("several") { item[kSecAttrCreator] = 7 }
        return SecItemAdd(item as CFDictionary, nil)
    }

    private static func makeKey(inElement: Bool, isPermanent: Bool = true) -> OSStatus {
        var parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: isPermanent,
                kSecAttrApplicationTag: Data((inElement ? "element" : "plain").utf8),
            ] as [CFString: Any],
        ]
        if inElement { parameters[kSecAttrTokenID] = kSecAttrTokenIDSecureEnclave }
        var error: Unmanaged<CFError>?
        guard SecKeyCreateRandomKey(parameters as CFDictionary, &error) == nil else { return errSecSuccess }
        return OSStatus(error?.takeRetainedValue().code ?? -1)
    }
}
