internal import Foundation
internal import PavisePrimitives

@testable internal import SecurityFramework

extension FuzzTarget {
    /// What callers of the keychain give: query dictionaries, changes, references.
    static let keychain = [query, changes, persistentReference]

    // The first byte chooses the call; the others say which keys with which values stand in the dictionary.
    private static let query = FuzzTarget(
        "keychain-query", seeds: { DictionaryMaker.seeds.flatMap { seed in (0..<4).map { [$0] + seed } } },
        run: { bytes in
            let call = [ItemQuery.Call.add, .copy, .update, .delete][Int(bytes.first ?? 0) % 4]
            var maker = DictionaryMaker(Array(bytes.dropFirst()))
            let dictionary = maker.dictionary()
            guard let query = try? ItemQuery(dictionary, for: call) else { return }
            require(dictionary.count <= 128, "129 keys were accepted")
            require((query.limit ?? 1) > 0, "a limit of \(query.limit ?? 0)")
            require(call == .copy || query.limit == nil, "a match key outside of a search")
            require(call != .update || query.returns.isEmpty, "a return key in an update")
            let kinds = Schema.of(query.itemClass).kinds
            require(query.attributes.allSatisfy { kinds[$0.key] != nil }, "an attribute that the class lacks")
            // What was read can be stored and read again.
            var reader = ByteReader(ItemCoding.encode(query.attributes))
            require((try? ItemCoding.decode(&reader)) == query.attributes || query.hasNaN, "attributes change")
        })

    // The first byte chooses the class.
    private static let changes = FuzzTarget(
        "keychain-changes", seeds: { DictionaryMaker.seeds.flatMap { seed in (0..<5).map { [$0] + seed } } },
        run: { bytes in
            var maker = DictionaryMaker(Array(bytes.dropFirst()))
            let dictionary = maker.dictionary()
            let classes: [ItemClass] = [.genericPassword, .internetPassword, .certificate, .key, .identity]
            let itemClass = classes[Int(bytes.first ?? 0) % 5]
            guard let changes = try? ItemChanges(dictionary, itemClass) else { return }
            let kinds = Schema.of(itemClass).kinds
            require(changes.attributes.allSatisfy { kinds[$0.key] != nil }, "an attribute that the class lacks")
            require(dictionary["class"] == nil && dictionary["m_Limit"] == nil, "a key that is no attribute")
        })

    private static let persistentReference = FuzzTarget(
        "persistent-reference",
        seeds: {
            ["genp", "inet", "cert", "keys", "idnt"].flatMap { letters in
                [
                    Array(letters.utf8) + [UInt8](repeating: 3, count: 16),
                    Array(letters.utf8) + [0, 0, 0, 0, 0, 0, 1, 0],
                ]
            }
        },
        run: { bytes in
            guard let reference = try? PersistentReference(bytes) else { return }
            require(reference.bytes == bytes, "a reference has two forms")
        })
}

extension ItemQuery {
    fileprivate var hasNaN: Bool {
        attributes.contains {
            guard case .date(let seconds) = $0.value else { return false }
            return seconds.isNaN
        }
    }
}

/// Makes a dictionary from bytes: for each entry a key, a kind of value, and the value.
private struct DictionaryMaker {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    private static let keys = [
        "class", "acct", "svce", "srvr", "sdmn", "ptcl", "atyp", "port", "path", "gena", "labl", "desc", "icmt",
        "crtr", "type", "invi", "agrp", "pdmn", "accc", "sync", "cdat", "mdat", "tomb", "tkid", "toid", "vwht",
        "ggrp", "musr", "clip", "nleg", "sha1", "UUID", "kcls", "klbl", "atag", "bsiz", "esiz", "sdat", "priv",
        "sign", "issr", "slnr", "subj", "skid", "pkhh", "ctyp", "cenc", "binn", "v_Data", "v_Ref",
        "v_PersistentRef", "r_Data", "r_Attributes", "r_Ref", "r_PersistentRef", "m_Limit", "m_Policy", "m_Issuers",
        "m_ValidOnDate", "m_TrustedOnly", "m_EmailAddressIfPresent", "m_HostOrSubdomainOfHost", "m_Other", "u_AuthUI",
        "u_AuthCtx", "u_CredRef", "u_ItemList", "f_x",
    ]
    private static let texts = [
        "genp", "inet", "cert", "keys", "idnt", "ak", "dk", "aku", "syna", "m_LimitAll", "m_LimitOne", "1", "htps",
        "u_AuthUIS", "", "x",
    ]

    static let seeds: [[UInt8]] = [
        // A class, an account, data, and what to return.
        [0, 0, 0, 1, 1, 2, 97, 98, 48, 2, 3, 1, 2, 3, 51, 4, 1, 55, 0, 9], [0, 0, 1, 3, 0, 5, 57, 7, 2, 30, 0],
        [0, 0, 2, 19, 4, 1, 52, 4, 1, 50, 2, 20] + Array("genp".utf8) + [UInt8](repeating: 3, count: 16),
    ]

    private mutating func next() -> UInt8 { bytes.popFirst() ?? 0 }

    private mutating func take(_ count: Int) -> [UInt8] {
        let taken = Array(bytes.prefix(count))
        bytes = bytes.dropFirst(count)
        return taken
    }

    mutating func dictionary() -> NSDictionary {
        let result = NSMutableDictionary()
        while !bytes.isEmpty, result.count < 200 {
            let number = Int(next())
            let key = number < Self.keys.count ? Self.keys[number] : String(decoding: take(number % 8), as: UTF8.self)
            result.setObject(value(depth: 0), forKey: key as NSString)
        }
        return result
    }

    private mutating func value(depth: Int) -> AnyObject {
        switch next() % 12 {
        case 0: Self.texts[Int(next()) % Self.texts.count] as NSString
        case 1: String(decoding: take(Int(next())), as: UTF8.self) as NSString
        case 2: Data(take(Int(next()))) as NSData
        case 3: NSNumber(value: Int8(bitPattern: next()))
        case 4: NSNumber(value: next() % 2 == 1)
        case 5: NSNumber(value: take(8).reduce(Int64(0)) { $0 << 8 | Int64($1) })
        case 6: NSNumber(value: Double(bitPattern: take(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
        case 7: NSDate(timeIntervalSinceReferenceDate: Double(bitPattern: take(8).reduce(0) { $0 << 8 | UInt64($1) }))
        case 8: NSNull()
        case 9: SecPolicyCreateBasicX509()
        case 10 where depth < 8: NSArray(array: (0..<Int(next() % 4)).map { _ in value(depth: depth + 1) })
        case 11 where depth < 8: NSDictionary(object: value(depth: depth + 1), forKey: "k" as NSString)
        default: NSUUID()
        }
    }
}
