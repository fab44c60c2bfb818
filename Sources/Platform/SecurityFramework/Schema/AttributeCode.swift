/// The four characters that name an attribute, in a number.
package struct AttributeCode: Hashable, Sendable, Comparable {
    let number: UInt32

    init(number: UInt32) { self.number = number }

    /// - Returns: `nil` for a text that is not four ASCII characters.
    package init?(_ text: String) {
        guard text.utf8.count == 4 else { return nil }
        var (number, all): (UInt32, UInt8) = (0, 0)
        for byte in text.utf8 {
            number = number << 8 | UInt32(byte)
            all |= byte
        }
        guard all < 128 else { return nil }
        self.number = number
    }

    private init(code text: StaticString) {
        number = text.description.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The four characters.
    package var text: String {
        unsafe String(unsafeUninitializedCapacity: 4) { bytes in
            for index in 0..<4 { unsafe bytes[index] = UInt8(truncatingIfNeeded: number &>> UInt32(24 - 8 * index)) }
            return 4
        }
    }

    /// Orders by the characters.
    package static func < (one: AttributeCode, other: AttributeCode) -> Bool { one.number < other.number }

    static let account = AttributeCode(code: "acct")
    static let service = AttributeCode(code: "svce")
    static let label = AttributeCode(code: "labl")
    static let generic = AttributeCode(code: "gena")
    static let server = AttributeCode(code: "srvr")
    static let applicationLabel = AttributeCode(code: "klbl")
    static let applicationTag = AttributeCode(code: "atag")
    static let keyClass = AttributeCode(code: "kcls")
    static let isPrivate = AttributeCode(code: "priv")
    static let publicKeyHash = AttributeCode(code: "pkhh")
    static let subject = AttributeCode(code: "subj")
    static let group = AttributeCode(code: "agrp")
    static let synchronizable = AttributeCode(code: "sync")
    static let accessible = AttributeCode(code: "pdmn")
    static let accessControl = AttributeCode(code: "accc")
    static let creationDate = AttributeCode(code: "cdat")
    static let modificationDate = AttributeCode(code: "mdat")
    static let tombstone = AttributeCode(code: "tomb")
    static let token = AttributeCode(code: "tkid")
    static let tokenObject = AttributeCode(code: "toid")
    /// Not Apple's: what judges the application's password of an element's key. No caller names or sees it.
    static let passwordVerifier = AttributeCode(code: "apwv")
    static let viewHint = AttributeCode(code: "vwht")
    static let sharingGroup = AttributeCode(code: "ggrp")
    static let user = AttributeCode(code: "musr")
    static let internalFlag = AttributeCode(code: "clip")
    static let dataProtection = AttributeCode(code: "nleg")
    static let hash = AttributeCode(code: "sha1")
}
