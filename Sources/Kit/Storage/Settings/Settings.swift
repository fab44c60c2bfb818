package import PavisePrimitives
internal import Synchronization

/// The app's settings: values that are harmless in clear, in one small file for its owner alone.
///
/// ```swift
/// let settings = Settings()
/// try settings.set(.dark, for: .theme)
/// try settings.set(22, for: .reminderHour)
/// print(try settings.value(of: .theme).rawValue, try settings.value(of: .reminderHour))
/// ```
///
/// Which values are possible is decided by the compiler: see ``SettingKey``. On Linux it is `settings/<program>.json`
/// in Pavise's home: each change is on the disk when the call returns, and several processes may share the file. On
/// Apple's systems it is the app's own user defaults, under the prefix `org.pavise.settings.`, which the system writes
/// to the disk a moment later.
///
/// Settings are no protected storage: whoever reads the home folder, a backup or a synced copy reads them. They belong
/// to the installation, not to a connection, and stay when somebody signs out; ``reset()`` removes them.
public final class Settings: Sendable {
    private let store: any SettingsStore
    private let listeners = Mutex<[Int: AsyncStream<String>.Continuation]>([:])

    /// The settings of this program.
    public convenience init() { self.init(store: SystemSettings.store()) }

    package init(store: any SettingsStore) { self.store = store }

    /// The value of a setting: what was set, else the key's default.
    ///
    /// - Throws: ``SettingsFailure``; a stored value that the key does not allow is an error and not the default.
    public func value<Value>(of key: SettingKey<Value>) throws(SettingsFailure) -> Value {
        try check(key.name)
        guard let stored = try store.read()[key.name] else { return key.defaultValue }
        guard let value = key.decode(stored) else { throw .unusableStoredValue(name: key.name) }
        return value
    }

    /// Sets a value; on Linux it is on the disk when this returns.
    public func set<Value>(_ value: Value, for key: SettingKey<Value>) throws(SettingsFailure) {
        try check(key.name)
        guard let text = key.encode(value) else {
            // The absence of an identifier is written as what it is.
            guard value == key.defaultValue else { throw .unusableValue(name: key.name) }
            return try remove(key)
        }
        try store.change { $0[key.name] = text }
        tell(key.name)
    }

    /// Removes what was set: the default holds again.
    public func remove<Value>(_ key: SettingKey<Value>) throws(SettingsFailure) {
        try check(key.name)
        try store.change { $0[key.name] = nil }
        tell(key.name)
    }

    /// Removes all settings, also where the file is damaged.
    public func reset() throws(SettingsFailure) {
        let names = (try? store.read().keys.sorted()) ?? []
        try store.remove()
        for name in names { tell(name) }
    }

    /// The names in the store that are none of `names`: left behind by another version, or written past this type.
    ///
    /// ```swift
    /// let unknown = try settings.unknownNames(declared: ["theme", "reminderHour"])
    /// ```
    public func unknownNames(declared names: Set<String>) throws(SettingsFailure) -> [String] {
        try store.read().keys.filter { !names.contains($0) }.sorted()
    }

    /// The names of settings as this process changes them.
    public var changes: AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(64))
        let id = listeners.withLock { known -> Int in
            let id = (known.keys.max() ?? 0) + 1
            known[id] = continuation
            return id
        }
        continuation.onTermination = { [weak self] _ in self?.listeners.withLock { $0[id] = nil } }
        return stream
    }

    private func tell(_ name: String) {
        let all = listeners.withLock { Array($0.values) }
        for listener in all { listener.yield(name) }
    }

    private func check(_ name: String) throws(SettingsFailure) {
        let isName =
            (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
        guard isName else { throw .unusableName(name) }
        guard !TellingName.speaksOfSecret(Array(name.utf8)) else { throw .secretName(name) }
    }
}

/// Where settings lie.
package protocol SettingsStore: Sendable {
    /// All of them.
    func read() throws(SettingsFailure) -> [String: JSONValue]
    /// Reads, changes and writes, with no other writer in between.
    func change(_ body: (inout [String: JSONValue]) -> Void) throws(SettingsFailure)
    /// Removes all of them.
    func remove() throws(SettingsFailure)
}
