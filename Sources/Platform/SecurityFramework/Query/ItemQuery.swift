internal import Foundation
internal import PavisePrimitives

/// A query dictionary, read and checked once; nothing later looks at the dictionary again.
struct ItemQuery {
    /// Which of the four calls the query is for.
    enum Call: Hashable { case add, copy, update, delete }

    /// What a call is to return.
    struct Returns: OptionSet {
        let rawValue: Int
        static let data = Returns(rawValue: 1)
        static let attributes = Returns(rawValue: 2)
        static let reference = Returns(rawValue: 4)
        static let persistentReference = Returns(rawValue: 8)
    }

    /// Which items `kSecAttrSynchronizable` selects.
    enum Synchronizable: Hashable { case only(Bool), any }

    var itemClass: ItemClass
    /// The attributes that an item must have, without access group and synchronizable.
    var attributes: ItemAttributes = [:]
    /// The access group that the caller named.
    var group: String?
    var synchronizable = Synchronizable.only(false)
    var returns: Returns = []
    /// `nil` when the caller gave none, which means one.
    var limit: Int?
    /// The value of `kSecValueData`.
    var data: [UInt8]?
    var reference: (any KeychainObject)?
    var persistentReference: PersistentReference?
    var accessControl: SecAccessControl?
    /// "Is this host or a subdomain of it", for internet passwords.
    var host: String?
    /// How the call may meet the person.
    var interaction = Interaction()
    /// What certificates must be, beyond their attributes.
    var certificateFilter: CertificateFilter?

    /// Overwrites the value, where nobody else has it.
    mutating func wipe() {
        guard var bytes = data else { return }
        data = nil
        Wipe.bytes(&bytes)
    }

    /// How many items a result has at most, and whether it is a list.
    var wantsMany: Bool { (limit ?? 1) > 1 }
}
