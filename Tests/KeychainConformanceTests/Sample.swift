import Foundation
import KeychainTestSupport
import SecurityFramework

/// One item of each stored class: the attributes that name it, and another value for each attribute it can have.
struct Sample: CustomStringConvertible, Sendable {
    let itemClass: String
    /// The class's own part of the primary key.
    let keyCodes: [String]
    /// Everything else that a caller may set.
    let otherCodes: [String]

    var description: String { itemClass }

    static let all = [genericPassword, internetPassword, certificate, key]

    static let genericPassword = Sample(
        itemClass: "genp", keyCodes: ["acct", "svce"],
        otherCodes: [
            "desc", "icmt", "gena", "alis", "prot", "labl", "crtr", "type", "scrp", "invi", "nega", "cusi", "pdmn",
        ])
    static let internetPassword = Sample(
        itemClass: "inet", keyCodes: ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"],
        otherCodes: [
            "desc", "icmt", "alis", "prot", "labl", "crtr", "type", "scrp", "invi", "nega", "cusi", "pdmn", "binn",
            "bini", "bin0", "bin1", "bin2", "bin3",
        ])
    static let certificate = Sample(
        itemClass: "cert", keyCodes: ["ctyp", "issr", "slnr"],
        otherCodes: ["cenc", "subj", "skid", "pkhh", "alis", "labl", "pdmn"])
    static let key = Sample(
        itemClass: "keys", keyCodes: ["kcls", "klbl", "atag", "crtr", "type", "bsiz", "esiz", "sdat", "edat"],
        otherCodes: [
            "perm", "priv", "modi", "sens", "asen", "extr", "next", "encr", "decr", "drve", "sign", "vrfy", "snrc",
            "vyrc", "wrap", "unwp", "alis", "labl", "pdmn",
        ])

    private static let numbers = Set(
        [
            "crtr", "type", "scrp", "invi", "nega", "cusi", "ptcl", "port", "ctyp", "cenc", "kcls", "bsiz", "esiz",
            "perm", "priv", "modi", "sens", "asen", "extr", "next", "encr", "decr", "drve", "sign", "vrfy", "snrc",
            "vyrc", "wrap", "unwp",
        ])
    private static let bytes = Set(
        ["issr", "slnr", "subj", "skid", "pkhh", "klbl", "binn", "bini", "bin0", "bin1", "bin2", "bin3"])

    /// A value of the attribute's kind; each number gives another one.
    static func value(_ code: String, _ number: UInt8 = 1) -> Any {
        switch code {
        case "pdmn": number == 1 ? "ck" : "dk"
        case "sdat", "edat": Date(timeIntervalSinceReferenceDate: Double(number))
        case _ where numbers.contains(code): Int(number)
        case _ where bytes.contains(code): Data([number])
        default: "value \(number)"
        }
    }

    /// What names the item, with every part of the name given.
    var query: [String: Any] {
        var query: [String: Any] = ["class": itemClass]
        for code in keyCodes { query[code] = Self.value(code) }
        return query
    }
}

/// An attribute of a class, for tables.
struct Attribute: CustomStringConvertible, Sendable {
    let sample: Sample
    let code: String

    var description: String { "\(sample.itemClass) \(code)" }

    static let inKey = Sample.all.flatMap { sample in sample.keyCodes.map { Attribute(sample: sample, code: $0) } }
    static let others = Sample.all.flatMap { sample in sample.otherCodes.map { Attribute(sample: sample, code: $0) } }
}

extension [String: Any] {
    /// The same with one more entry, or another value of it.
    func with(_ key: String, _ value: Any?) -> [String: Any] {
        var copy = self
        copy[key] = value
        return copy
    }
}

/// Whether both values are the same, as callers would compare them.
func same(_ one: Any?, _ other: Any?) -> Bool { (one as? NSObject) == (other as? NSObject) }
