/// What a search found: an item, or the two items of an identity.
enum FoundItem {
    case item(Item)
    case identity((certificate: Item, key: Item))

    /// The item that attributes, value and reference are taken from.
    ///
    /// An identity shows the attributes of both halves, the certificate's where both have one, and the key's value; its
    /// persistent reference is the certificate's under another class.
    var view: Item {
        switch self {
        case .item(let item): return item
        case .identity(let (certificate, key)):
            var view = certificate
            view.itemClass = .identity
            view.attributes = key.attributes.merging(certificate.attributes) { $1 }
            view.accessControl = certificate.accessControl ?? key.accessControl
            view.data = key.data
            return view
        }
    }

    /// Overwrites the values, as far as nobody else has them.
    mutating func wipe() {
        // Taken out of its place first: what two have is copied before it is overwritten.
        switch self {
        case .item(var item):
            self = .item(.empty)
            item.wipe()
        case .identity(var halves):
            self = .item(.empty)
            halves.certificate.wipe()
            halves.key.wipe()
        }
    }

    /// The object; `nil` for a class without objects.
    ///
    /// - Throws: As ``KeychainObjects/restore(_:)`` does; -25304 for halves that do not fit.
    func object() throws -> CFTypeRef? {
        switch self {
        case .item(let item): return try KeychainObjects.restore(item)
        case .identity(let (certificateItem, keyItem)):
            let certificate = try KeychainObjects.restore(certificateItem) as? SecCertificate
            let key = try KeychainObjects.restore(keyItem) as? SecKey
            guard let certificate, let key, let identity = SecIdentity(certificate: certificate, key: key) else {
                throw StatusFailure(errSecInvalidItemRef)
            }
            return identity
        }
    }
}
