import Foundation
import SecurityFramework
import TestSupport
import Testing

/// Dictionaries that no careful caller would write. The answer is a status, never a trap and never a success by
/// accident.
@Suite struct BadQueryTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    /// One value of each kind that somebody may put anywhere.
    enum Oddity: String, CaseIterable {
        case empty, text, longText, data, zero, huge, endless, notANumber, yes, date, farDate, null, list, dictionary
        case deepList, url, key, control

        var value: Any {
            switch self {
            case .empty: ""
            case .text: "x\u{0}y"
            case .longText: String(repeating: "ä", count: 100_000)
            case .data: Data([0xFF, 0xFE, 0])
            case .zero: 0
            case .huge: NSNumber(value: UInt64.max)
            case .endless: NSNumber(value: Double.infinity)
            case .notANumber: NSNumber(value: Double.nan)
            case .yes: true
            case .date: Date(timeIntervalSince1970: 0)
            case .farDate: Date.distantFuture
            case .null: NSNull()
            case .list: [1, "two"]
            case .dictionary: ["a": ["b": Data()]]
            case .deepList: (0..<2_000).reduce([] as [Any]) { inner, _ in [inner] }
            case .url: URL(fileURLWithPath: "/")
            case .key: NSObject()
            case .control: UUID()
            }
        }
    }

    static let keys = [
        kSecClass, kSecAttrAccount, kSecAttrService, kSecAttrServer, kSecAttrPort, kSecAttrProtocol, kSecAttrLabel,
        kSecAttrAccessible, kSecAttrAccessControl, kSecAttrAccessGroup, kSecAttrSynchronizable, kSecAttrCreationDate,
        kSecAttrCreator, kSecAttrGeneric, kSecAttrKeyType, kSecAttrApplicationTag, kSecMatchLimit,
        kSecMatchHostOrSubdomainOfHost, kSecReturnData, kSecReturnRef, kSecValueData, kSecValueRef,
        kSecValuePersistentRef, kSecUseAuthenticationUI,
    ].map { $0 as String }

    private static let statuses: Set<OSStatus> = [
        errSecSuccess, errSecParam, errSecNoSuchClass, errSecNoSuchAttr, errSecItemNotFound, errSecMissingEntitlement,
        errSecUnimplemented, errSecDuplicateItem, errSecDecode, errSecInteractionNotAllowed, errSecNotAvailable,
    ]

    @Test(.long, arguments: Oddity.allCases)
    func `no value of a wrong type gets through, under any key, in any call`(_ oddity: Oddity) {
        keychain.run {
            add(password("kept"), "kept")
            for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                for key in Self.keys {
                    var query: [String: Any] = [kSecClass as String: itemClass]
                    query[kSecAttrAccessGroup as String] = "two"
                    query[key] = oddity.value
                    let changes = [key: oddity.value]
                    #expect(Self.statuses.contains(copy(query, [:]).status), "\(key) copy")
                    #expect(Self.statuses.contains(add(query, nil)), "\(key) add")
                    #expect(Self.statuses.contains(update(query, ["labl": "l"])), "\(key) update")
                    #expect(Self.statuses.contains(update(password("other"), changes)), "\(key) changes")
                    #expect(Self.statuses.contains(delete(query)), "\(key) delete")
                }
            }
            #expect(value(password("kept")) == "kept")
        }
    }

    @Test(arguments: [Oddity.null, .list, .dictionary, .deepList, .url, .key])
    func `an object that is no attribute's value is -50 under every attribute`(_ oddity: Oddity) {
        keychain.run {
            for key in ["acct", "svce", "gena", "labl", "crtr", "pdmn", "sync", "agrp"] {
                #expect(add(password("a", "b", [key: oddity.value])) == errSecParam, "\(key)")
                #expect(copy(password("a", "b", [key: oddity.value])).status == errSecParam, "\(key)")
                #expect(delete(password("a", "b", [key: oddity.value])) == errSecParam, "\(key)")
            }
        }
    }

    @Test func `KC28 200 keys are -50 in every call, also when all of them are known or begin with m`() {
        keychain.run {
            let many = Dictionary(uniqueKeysWithValues: (0..<200).map { ("m_Unknown\($0)", true as Any) })
            #expect(add(password("a", "b", many)) == errSecParam)
            #expect(copy(password("a", "b", many)).status == errSecParam)
            #expect(update(password("a", "b", many), ["labl": "l"]) == errSecParam)
            #expect(update(password("a", "b"), many) == errSecParam)
            #expect(delete(password("a", "b", many)) == errSecParam)
        }
    }

    @Test func `keys that are no text are -50`() {
        keychain.run {
            let odd: NSDictionary = [
                kSecClass: kSecClassGenericPassword, NSNumber(value: 7): "seven", Data([1]) as NSData: "data",
            ]
            #expect(SecItemAdd(odd, nil) == errSecParam)
            #expect(SecItemCopyMatching(odd, nil) == errSecParam)
            #expect(SecItemDelete(odd) == errSecParam)
            #expect(
                SecItemUpdate(password() as CFDictionary, [NSNumber(value: 7): "seven"] as CFDictionary) == errSecParam)
        }
    }

    @Test func `an empty dictionary is -50 in every call`() {
        keychain.run {
            #expect(SecItemAdd([:] as CFDictionary, nil) == errSecParam)
            #expect(SecItemCopyMatching([:] as CFDictionary, nil) == errSecParam)
            #expect(SecItemUpdate([:] as CFDictionary, [:] as CFDictionary) == errSecParam)
            #expect(SecItemDelete([:] as CFDictionary) == errSecParam)
        }
    }

    @Test(.long) func `64 MiB of data come back as they were`() {
        keychain.run {
            var data = Data(count: 64 << 20)
            data[0] = 1
            data[data.count - 1] = 2
            #expect(SecItemAdd(password("big", "s", ["v_Data": data]) as CFDictionary, nil) == errSecSuccess)
            #expect(copy(password("big", "s"), ["r_Data": true]).result as? Data == data)
            #expect(update(password("big", "s"), ["v_Data": Data("small".utf8)]) == errSecSuccess)
            #expect(value(password("big", "s")) == "small")
        }
    }

    @Test func `an attribute of a mebibyte is kept, compared and found`() {
        keychain.run {
            let long = String(repeating: "n", count: 1 << 20)
            #expect(add(password(long, "s"), "v") == errSecSuccess)
            #expect(add(password(long, "s"), "w") == errSecDuplicateItem)
            #expect(add(password(long + "n", "s"), "w") == errSecSuccess)
            #expect(value(password(long, "s")) == "v")
            #expect(attributes(password(long, "s"))["acct"] as? String == long)
        }
    }
}
