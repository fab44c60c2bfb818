#if canImport(Darwin)
internal import Foundation
internal import PavisePrimitives

/// Apple's managed app configuration: a dictionary that a management server gives to an app, and one in which the app
/// answers (developer.apple.com/documentation/devicemanagement, "Managed app configuration").
///
/// It forwards: what the dictionary means is decided by `ManagedSource`, what is answered by `ManagedReport`. It was
/// never run on an Apple system.
enum ManagedPreferences {
    private static let configurationKey = "com.apple.configuration.managed"
    private static let feedbackKey = "com.apple.feedback.managed"

    static let source: ManagedSource = {
        #if os(iOS) && canImport(ManagedApp)
        if #available(iOS 18.4, *) {
            return ManagedSource(configurationKey, declarations: ManagedAppChannel.started, ask: ask, write: write)
        }
        #endif
        return ManagedSource(configurationKey, ask: ask, write: write)
    }()

    private static let ask: @Sendable () -> ManagedSource.Push? = {
        let defaults = UserDefaults.standard
        guard defaults.object(forKey: configurationKey) != nil else { return nil }
        let isAdministrators = isForced(defaults)
        guard let dictionary = defaults.dictionary(forKey: configurationKey) else {
            // An administrator's value of another kind is a slip, and no word that the app is free.
            return isAdministrators ? ManagedSource.Push(propertyList: [], isForced: true) : nil
        }
        let bytes = try? PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0)
        return ManagedSource.Push(propertyList: bytes.map { [UInt8]($0) } ?? [], isForced: isAdministrators)
    }

    // On macOS everybody can write into an app's preferences, and the system says who did. On iOS the app alone can
    // beside the management, and nothing is documented that tells them apart.
    private static func isForced(_ defaults: UserDefaults) -> Bool {
        #if os(macOS)
        defaults.objectIsForced(forKey: configurationKey)
        #else
        true
        #endif
    }

    private static let write: @Sendable (ManagedReport) -> Void = { report in
        let defaults = UserDefaults.standard
        guard let answers = report.answers(after: defaults.dictionary(forKey: feedbackKey) ?? [:]) else { return }
        defaults.set(answers, forKey: feedbackKey)
    }
}
#endif
