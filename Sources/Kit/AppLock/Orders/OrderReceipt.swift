package import PavisePrimitives

/// The result of an order, which the app sends back to the administrator (app-lock AL25).
public struct OrderReceipt: Hashable, Sendable {
    /// What became of it.
    public enum Result: String, Hashable, Sendable, CaseIterable {
        /// It is noted, and not done yet.
        case begun
        /// It is done.
        case done
        /// There was no PIN, so there was nothing to lock.
        case nothingToLock
    }

    /// The order's name (`jti`).
    public let order: String
    /// What was ordered.
    public let action: OrderedAction
    /// What became of it.
    public let result: Result
    /// When: seconds since 1970 on this device's clock.
    public let seconds: Int64
    /// The installation that obeyed.
    public let installation: String
    /// When that installation was made, in seconds since 1970 on this device's clock: a later date than before means
    /// that the record of orders was lost, and earlier orders with it. `nil` where an earlier version made it.
    public let created: Int64?

    /// The claims of a receipt (RFC 7519 §4.1).
    package var claims: JSONValue {
        .fields([
            "iss": .string(installation), "jti": .string(order), "iat": .integer(seconds),
            "action": .string(action.rawValue), "result": .string(result.rawValue),
            "installed": created.map { .integer($0) },
        ])
    }
}

/// What an administrator has to know about an installation before an order can be signed for it.
public struct LockInstallation: Hashable, Sendable {
    /// The audience of its orders: 128 random bits, new with each installation.
    public let identifier: String
    /// The public key of its receipts as a JWK (RFC 7517), ES256. The private half is in the secure element.
    public let key: String
    /// When it was made, in seconds since 1970 on this device's clock; `nil` where an earlier version made it.
    public let created: Int64?
}
