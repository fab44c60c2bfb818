/// Pavise's own items. Apple's systems have no access group that an app cannot name, so they lie in the app's default
/// group.
package enum OwnItems {
    /// What the service of a password, or the application tag of a key, of Pavise's own begins with.
    package static let prefix = "org.pavise."

    /// Whether a service or an application tag is Pavise's own. Compared byte by byte.
    package static func owns(_ name: String) -> Bool { name.utf8.starts(with: prefix.utf8) }
}
