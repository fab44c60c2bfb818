#if canImport(Darwin)
internal import Foundation
internal import PavisePrimitives

/// Where this system keeps an app's settings: the app's own user defaults.
///
/// https://developer.apple.com/documentation/foundation/userdefaults — written against the documentation, never run on
/// an Apple system.
enum SystemSettings {
    static func store() -> any SettingsStore { DefaultsSettings() }
}

struct DefaultsSettings: SettingsStore {
    private static let prefix = "org.pavise.settings."

    func read() throws(SettingsFailure) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for (key, value) in UserDefaults.standard.dictionaryRepresentation() where key.hasPrefix(Self.prefix) {
            // What somebody else wrote is no value of any key: that one setting is unusable until it is set anew.
            let text = value as? String
            let stored = text.flatMap { try? JSONValue.parse(Array("[\($0)]".utf8)) }?.array ?? []
            values[String(key.dropFirst(Self.prefix.count))] = stored.count == 1 ? stored[0] : .null
        }
        return values
    }

    // The system serialises writers of one key; of two changes to one setting the later one holds.
    func change(_ body: (inout [String: JSONValue]) -> Void) throws(SettingsFailure) {
        let before = try read()
        var after = before
        body(&after)
        for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
            if let value = after[name] {
                UserDefaults.standard.set(value.text, forKey: Self.prefix + name)
            } else {
                UserDefaults.standard.removeObject(forKey: Self.prefix + name)
            }
        }
    }

    func remove() throws(SettingsFailure) {
        for key in UserDefaults.standard.dictionaryRepresentation().keys where key.hasPrefix(Self.prefix) {
            UserDefaults.standard.removeObject(forKey: key)
        }
    }
}
#endif
