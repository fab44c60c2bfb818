internal import Foundation

/// When two names in one folder are the same name (sync/SY17).
public enum NameRules: Sendable {
    /// When their bytes are: Linux' file systems and WebDAV servers.
    case exact
    /// When they differ only in case or in the form of their letters (NFC, NFD): file systems of Apple and Windows
    /// as a rule.
    case folded

    /// The names that `name` stands for.
    func key(_ name: SyncItemName) -> SyncItemName {
        switch self {
        case .exact: name
        case .folded:
            SyncItemName(
                unchecked: name.text.precomposedStringWithCanonicalMapping.lowercased()
                    .precomposedStringWithCanonicalMapping)
        }
    }
}
