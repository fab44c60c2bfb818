internal import Foundation
internal import SecurityFramework

/// Which names no command about the keychain takes: Pavise's own. One place, for `pavise keychain` and `pavise
/// security`.
enum OwnNames {
    /// The rule that a refusal names.
    static let rule = "own-items"

    /// Refuses names of services, servers and tags that are Pavise's own.
    static func check(_ names: String?...) throws(CommandFailure) {
        for name in names.compactMap(\.self) where OwnItems.owns(name) {
            throw CommandFailure(
                .refused,
                """
                Names that begin with “\(OwnItems.prefix)” are Pavise's own: its sessions, keys and the lock. Choose \
                another name; “pavise disconnect” and “pavise lock” are for the rest. Nothing was changed.
                """,
                rule: rule)
        }
    }

    /// Refuses the attributes of a search or of a new item that name one of Pavise's own.
    static func check(_ attributes: [String: Any]) throws(CommandFailure) {
        for name in names(in: attributes) { try check(name) }
    }

    /// Whether an item that was found has a name of Pavise's own: a leftover of an older version, which is never shown
    /// or changed.
    static func own(_ item: [String: Any]) -> Bool { names(in: item).contains(where: OwnItems.owns) }

    private static func names(in attributes: [String: Any]) -> [String] {
        [kSecAttrService, kSecAttrServer, kSecAttrApplicationTag].compactMap { code in
            switch attributes[code as String] {
            case let text as String: text
            case let data as Data: String(bytes: data, encoding: .isoLatin1)
            default: nil
            }
        }
    }
}
