// The app's own user defaults, in memory.
internal import Foundation

/// https://developer.apple.com/documentation/foundation/userdefaults
public final class UserDefaults: @unchecked Sendable {
    public static let standard = UserDefaults()
    private let lock = NSLock()
    private var values: [String: Any] = [:]
    // What an administrator set: it comes before what the app has of the same name.
    private var forced: [String: Any] = [:]
    private var count = 0

    public func set(_ value: Any?, forKey key: String) {
        lock.withLock {
            values[key] = value
            count += 1
        }
    }
    public func removeObject(forKey key: String) { set(nil, forKey: key) }
    /// https://developer.apple.com/documentation/foundation/userdefaults/object(forkey:)
    public func object(forKey key: String) -> Any? { dictionaryRepresentation()[key] }
    public func dictionary(forKey key: String) -> [String: Any]? { dictionaryRepresentation()[key] as? [String: Any] }
    public func dictionaryRepresentation() -> [String: Any] { lock.withLock { values.merging(forced) { $1 } } }
    /// https://developer.apple.com/documentation/foundation/userdefaults/objectisforced(forkey:)
    public func objectIsForced(forKey key: String) -> Bool { lock.withLock { forced[key] != nil } }

    /// What a management server does.
    public func force(_ value: Any?, forKey key: String) { lock.withLock { forced[key] = value } }
    /// How often something was changed, which is what the app is told.
    public var changes: Int { lock.withLock { count } }
}
