#if !canImport(Darwin)
internal import PavisePrimitives
internal import SecurityFramework

/// Where this system keeps an app's settings.
enum SystemSettings {
    static func store() -> any SettingsStore { SettingsFile(home: .current, program: ProgramBridge.identifier) }
}
#endif
