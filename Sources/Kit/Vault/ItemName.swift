/// Names one secret in a ``SecretStore``: what kind of secret it is, and whose.
///
/// Both parts are short printable ASCII, so that a name from a file or a server can never reach outside its item.
public struct ItemName: Hashable, Sendable, CustomStringConvertible {
    /// The kind of secret, for example `org.pavise.session`.
    public let service: String
    /// Whose it is, for example a connection's identifier.
    public let account: String

    /// A name from its parts.
    ///
    /// - Returns: `nil` when a part is empty, longer than 128 bytes, or holds a slash, a blank or anything but visible
    ///   ASCII.
    public init?(service: String, account: String) {
        guard Self.isUsable(service), Self.isUsable(account) else { return nil }
        self.service = service
        self.account = account
    }

    /// A name from parts that are known to be usable.
    package init(checkedService service: String, _ account: String) {
        self.service = service
        self.account = account
    }

    /// `service/account`.
    public var description: String { "\(service)/\(account)" }

    private static func isUsable(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x2F }
    }
}
