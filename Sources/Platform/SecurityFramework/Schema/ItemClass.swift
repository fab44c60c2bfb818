/// The classes of the keychain, by the code that `kSecClass` takes.
package enum ItemClass: String, Hashable, Sendable {
    /// A generic password.
    case genericPassword = "genp"
    /// An internet password.
    case internetPassword = "inet"
    /// A certificate.
    case certificate = "cert"
    /// A key.
    case key = "keys"
    /// A certificate and its private key: a view of the two, never stored.
    case identity = "idnt"

    /// The number in stored items.
    var number: UInt8 {
        switch self {
        case .genericPassword: 1
        case .internetPassword: 2
        case .certificate: 3
        case .key: 4
        case .identity: 5
        }
    }

    init?(number: UInt8) {
        let all: [ItemClass] = [.genericPassword, .internetPassword, .certificate, .key]
        guard (1...all.count).contains(Int(number)) else { return nil }
        self = all[Int(number) - 1]
    }
}
