/// The attributes of a class: their kinds, and which of them make an item unique.
final class Schema: Sendable {
    let kinds: AttributeMap<AttributeKind>
    /// The class's own part of the primary key.
    let key: [AttributeCode]
    /// Attributes for which absent means 0 in every comparison.
    let zeroes: [AttributeCode]
    /// Attributes that a search may start from, the most telling first.
    let indexed: [AttributeCode]

    static func of(_ itemClass: ItemClass) -> Schema {
        switch itemClass {
        case .genericPassword: genericPassword
        case .internetPassword: internetPassword
        case .certificate: certificate
        case .key: key
        case .identity: identity
        }
    }

    private init(key: String, blobs: String, data: String, numbers: String, dates: String, indexed: String) {
        var kinds = Self.common
        let lists: [(String, AttributeKind)] = [(blobs, .blob), (data, .data), (numbers, .number), (dates, .date)]
        for (codes, kind) in lists {
            for code in Self.codes(codes) { kinds[code] = kind }
        }
        self.kinds = kinds
        self.key = Self.codes(key)
        zeroes = self.key.filter { kinds[$0] == .number || kinds[$0] == .date }
        self.indexed = Self.codes(indexed)
    }

    private init(joining one: Schema, _ other: Schema) {
        kinds = one.kinds.merging(other.kinds) { first, _ in first }
        key = []
        zeroes = []
        indexed = []
    }

    private init(_ schema: Schema, zeroes codes: String) {
        kinds = schema.kinds
        key = schema.key
        zeroes = schema.zeroes + Self.codes(codes)
        indexed = schema.indexed
    }

    private static func codes(_ text: String) -> [AttributeCode] {
        text.split(separator: " ").compactMap { AttributeCode(String($0)) }
    }

    private static let common: AttributeMap<AttributeKind> = {
        var kinds = AttributeMap<AttributeKind>()
        for code in codes("agrp tkid vwht ggrp pdmn") { kinds[code] = .text }
        for code in codes("sync tomb") { kinds[code] = .number }
        for code in codes("cdat mdat") { kinds[code] = .date }
        for code in codes("sha1 UUID") { kinds[code] = .data }
        kinds[.label] = .blob
        kinds[.user] = .data
        kinds[.accessControl] = .accessControl
        return kinds
    }()

    private static let genericPassword = Schema(
        key: "acct svce", blobs: "acct svce desc icmt gena alis prot", data: "",
        numbers: "crtr type scrp invi nega cusi", dates: "", indexed: "acct gena svce labl")

    private static let internetPassword = Schema(
        key: "acct sdmn srvr ptcl atyp port path",
        blobs: "acct sdmn srvr atyp path desc icmt alis prot", data: "binn bini bin0 bin1 bin2 bin3",
        numbers: "ptcl port crtr type scrp invi nega cusi", dates: "", indexed: "acct srvr labl sdmn")

    private static let certificate = Schema(
        key: "ctyp issr slnr", blobs: "alis", data: "issr slnr subj skid pkhh", numbers: "ctyp cenc", dates: "",
        indexed: "pkhh slnr subj skid labl issr")

    private static let keyFlags = "perm priv modi sens asen extr next encr decr drve sign vrfy snrc vyrc wrap unwp"

    private static let key = Schema(
        Schema(
            key: "kcls klbl atag crtr type bsiz esiz sdat edat", blobs: "atag alis", data: "klbl toid apwv",
            numbers: "kcls crtr type bsiz esiz " + keyFlags, dates: "sdat edat", indexed: "klbl atag labl"),
        zeroes: keyFlags)

    private static let identity = Schema(joining: certificate, key)
}
