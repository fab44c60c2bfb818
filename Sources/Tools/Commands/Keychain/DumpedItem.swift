internal import Foundation
internal import PavisePrimitives

/// An item with everything that is written beside its secret, named for people.
struct DumpedItem {
    /// One of the five classes.
    struct Class: Hashable, Sendable {
        let name: String
        let title: String
        /// The value of `kSecClass`.
        let code: String

        var isPassword: Bool { code == "genp" || code == "inet" }
    }

    static let classes = [
        Class(name: "generic", title: "generic password", code: "genp"),
        Class(name: "internet", title: "internet password", code: "inet"),
        Class(name: "certificate", title: "certificate", code: "cert"),
        Class(name: "key", title: "key", code: "keys"),
        Class(name: "identity", title: "identity", code: "idnt"),
    ]

    private let itemClass: Class
    private let attributes: [String: Any]
    private let value: Data?

    init(_ itemClass: Class, _ attributes: [String: Any], value: Data?) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.value = value
    }

    /// Whether the item belongs to Pavise's own sessions.
    var isOwn: Bool { OwnNames.own(attributes) }

    /// One line that names the item.
    var title: String {
        let names = ["svce", "srvr", "acct", "labl"].compactMap { attributes[$0].flatMap(Self.text) }
        return ([itemClass.title] + names.prefix(2)).joined(separator: "  ")
    }

    /// The attributes that are there, in a fixed order, and the value where it was asked for.
    var facts: [Report.Fact] {
        let found = Self.names.compactMap { code, name in attributes[code].flatMap { Self.fact(name, $0) } }
        return found + (value.flatMap { Self.fact("value", $0) }.map { [$0] } ?? [])
    }

    /// The same for programs.
    var data: JSONValue {
        .object([.init("class", .string(itemClass.name))] + facts.map { .init($0.name, $0.value) })
    }

    private static let names: [(code: String, name: String)] = [
        ("svce", "service"), ("srvr", "server"), ("acct", "account"), ("ptcl", "protocol"), ("port", "port"),
        ("path", "path"), ("sdmn", "securityDomain"), ("atyp", "authenticationType"), ("labl", "label"),
        ("desc", "kind"), ("icmt", "comment"), ("gena", "generic"), ("crtr", "creator"), ("type", "type"),
        ("invi", "isInvisible"), ("nega", "isNegative"), ("kcls", "keyClass"), ("bsiz", "keySizeInBits"),
        ("klbl", "applicationLabel"), ("atag", "applicationTag"), ("tkid", "tokenID"), ("subj", "subject"),
        ("issr", "issuer"), ("slnr", "serialNumber"), ("skid", "subjectKeyID"), ("pkhh", "publicKeyHash"),
        ("agrp", "accessGroup"), ("pdmn", "accessible"), ("sync", "synchronizable"), ("cdat", "created"),
        ("mdat", "modified"),
    ]

    // keySizeInBits becomes "key size in bits".
    private static func words(_ name: String) -> String {
        name.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
            .replacingOccurrences(of: " i d", with: " id")
    }

    private static func text(_ value: Any) -> String? {
        switch value {
        case let text as String: text.isEmpty ? nil : text
        case let data as Data: data.isEmpty ? nil : String(data: data, encoding: .utf8)
        default: nil
        }
    }

    // Bytes that are no text get a name of their own, so that a program need not guess.
    private static func fact(_ name: String, _ value: Any) -> Report.Fact? {
        if let data = value as? Data {
            guard !data.isEmpty else { return nil }
            guard let text = readable(data) else {
                return Report.Fact(name + "Base64", words(name) + " (base64)", Base64.encode(data))
            }
            return Report.Fact(name, words(name), text)
        }
        return json(value).map { Report.Fact(name, words(name), $0) }
    }

    private static func json(_ value: Any) -> JSONValue? {
        switch value {
        case let text as String: text.isEmpty ? nil : .string(text)
        case let date as Date: .string(date.formatted(.iso8601))
        case let number as NSNumber: .integer(number.intValue)
        default: nil
        }
    }

    private static func readable(_ data: Data) -> String? {
        guard let text = String(data: data, encoding: .utf8), Printable.text(text) == text else { return nil }
        return text
    }
}
