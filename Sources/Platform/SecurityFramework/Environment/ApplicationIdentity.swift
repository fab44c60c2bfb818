internal import Foundation
internal import PavisePrimitives

/// Who a program is, and which access groups it has. Linux has no entitlements, so both are configuration:
/// they keep programs apart that mean well, and not one user's programs that do not. See ThreatModel.md.
package struct ApplicationIdentity: Hashable, Sendable {
    /// The program's name for itself: `PAVISE_APP_ID`, else the bundle identifier, else the executable's name.
    package let identifier: String
    /// The access groups, the default first. Empty: every keychain call is -34018.
    package let accessGroups: [String]
    /// How its keychain calls take what Apple's systems do not agree on.
    package let rules: KeychainRules

    private static let mostGroups = 1000
    private static let longestGroup = 1024

    /// Works both out.
    ///
    /// - Parameters:
    ///   - variable: Reads an environment variable. `PAVISE_ACCESS_GROUPS`, separated by commas, is the whole list
    ///     where it is set; set to nothing it means "no groups", as a program without entitlements has on Apple's
    ///     systems. `PAVISE_KEYCHAIN_RULES` is `strict` or `lenient`; any other text is strict.
    ///   - information: The content of `Info.plist` beside the executable: `CFBundleIdentifier`,
    ///     `keychain-access-groups`, `com.apple.security.application-groups`, `PaviseKeychainRules`.
    ///   - executable: The executable's name.
    ///   - standard: The rules of a program that names none.
    package init(
        variable: (String) -> String?, information: [String: Any], executable: String,
        standard: KeychainRules = .standard
    ) {
        let named = variable("PAVISE_APP_ID") ?? information["CFBundleIdentifier"] as? String
        identifier = named.flatMap(Self.cleaned) ?? Self.cleaned(executable) ?? "unnamed"
        let rules = variable("PAVISE_KEYCHAIN_RULES") ?? information["PaviseKeychainRules"] as? String
        self.rules = rules.map { KeychainRules(rawValue: $0) ?? .strict } ?? standard
        if let text = variable("PAVISE_ACCESS_GROUPS") {
            accessGroups = Self.list(text.split(separator: ",").map(String.init))
        } else {
            let keychain = information["keychain-access-groups"] as? [Any] ?? []
            let application = information["com.apple.security.application-groups"] as? [Any] ?? []
            accessGroups = Self.list(keychain + [identifier] + application)
        }
    }

    /// This process's.
    package static let current = ApplicationIdentity(
        variable: value, information: information, executable: ProcessInfo.processInfo.processName)

    // Foundation takes a millisecond to find out that there is none.
    private static var information: [String: Any] {
        CurrentExecutable.mayHavePropertyList ? Bundle.main.infoDictionary ?? [:] : [:]
    }

    // Another variable than a path: nothing is a value here, too.
    private static func value(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    // In the order of the source, each once. What is no text is left out.
    private static func list(_ values: [Any]) -> [String] {
        values.prefix(mostGroups).compactMap { $0 as? String }.compactMap(cleaned).reduce(into: []) { groups, group in
            if !groups.contains(group) { groups.append(group) }
        }
    }

    // Foundation's set of characters takes longer to come to life than all the rest.
    private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    // Xcode writes the team's prefix as a variable, and there are no teams here.
    private static func cleaned(_ text: String) -> String? {
        var text = text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : trimmed(text)
        for prefix in ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)"] where text.hasPrefix(prefix) {
            text.removeFirst(prefix.count)
        }
        // The groups of Pavise's own items are nobody's to name.
        guard !OwnItems.isReserved(group: text) else { return nil }
        return text.isEmpty || text == "*" || text.utf8.count > longestGroup ? nil : text
    }
}
