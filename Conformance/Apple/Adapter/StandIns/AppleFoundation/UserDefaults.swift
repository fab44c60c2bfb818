// The app's own user defaults, in memory.
internal import Synchronization

/// https://developer.apple.com/documentation/foundation/userdefaults
public final class UserDefaults: Sendable {
    public static let standard = UserDefaults()
    private let values = Mutex<[String: any Sendable]>([:])

    public func set(_ value: (any Sendable)?, forKey key: String) { values.withLock { $0[key] = value } }
    public func removeObject(forKey key: String) { values.withLock { $0[key] = nil } }
    public func dictionaryRepresentation() -> [String: Any] { values.withLock { $0 }.mapValues { $0 as Any } }
}
