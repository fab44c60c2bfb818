internal import PaviseJWT
internal import PavisePrimitives

/// Whose signed orders the app lock obeys: the section `appLock.orders`.
public struct ManagedOrders: Hashable, Sendable {
    /// The `iss` of an order.
    public let issuer: String
    /// Public keys as JWK (RFC 7517), each with a name (`kid`), for ES256 or EdDSA.
    public let keys: [String]

    /// The longest issuer, in bytes.
    static let longestIssuer = 1024
    /// The most keys.
    static let mostKeys = 16

    /// An issuer with its keys.
    public init(issuer: String, keys: [String]) {
        self.issuer = issuer
        self.keys = keys
    }
}

extension ManagedReader {
    /// The section `orders` of the app lock. A key that cannot be used refuses the file: nobody should believe that a
    /// lost device will obey.
    mutating func orders(_ lock: JSONValue, _ lockPath: String) -> ManagedOrders? {
        guard let value = lock["orders"] else { return nil }
        let path = "\(lockPath).orders"
        guard value.members != nil else {
            refuse(path, "an object")
            return nil
        }
        check(value, path, ["issuer", "keys"])
        let issuer = value["issuer"]?.string.flatMap {
            (1...ManagedOrders.longestIssuer).contains($0.utf8.count) ? $0 : nil
        }
        if issuer == nil {
            refuse("\(path).issuer", "who orders, a text of at most \(ManagedOrders.longestIssuer) bytes")
        }
        let keys =
            list(value, "keys", "\(path).keys", "a public JWK with a kid, for ES256 or EdDSA", Self.orderKey) ?? []
        if keys.isEmpty || keys.count > ManagedOrders.mostKeys || Set(keys.map(\.name)).count != keys.count {
            refuse("\(path).keys", "1 to \(ManagedOrders.mostKeys) keys with different names")
        }
        return issuer.map { ManagedOrders(issuer: $0, keys: keys.map(\.text)) }
    }

    private static func orderKey(_ value: JSONValue) -> (name: String, text: String)? {
        guard let key = try? JSONWebKey(value), let name = key.identifier, !name.isEmpty,
            key.algorithm == .es256 || key.algorithm == .edDSA
        else { return nil }
        return (name, value.text)
    }
}
