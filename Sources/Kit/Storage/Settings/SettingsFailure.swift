public import PavisePrimitives

/// Why a setting was not read or written.
public enum SettingsFailure: Error, Hashable, Sendable {
    /// The key's name is none: 1 to 64 letters, digits and `._-`.
    case unusableName(String)
    /// The key's name speaks of a secret, for example `authToken`. Keep its value in the keychain.
    case secretName(String)
    /// The value is outside the key's range or choices. Nothing was written.
    case unusableValue(name: String)
    /// What is stored under the name is nothing that the key allows: another version wrote it, or somebody changed the
    /// file. Set it anew, or remove it to have the default back.
    case unusableStoredValue(name: String)
    /// The file is damaged or too large. It was left as it is; ``Settings/reset()`` begins a new one.
    case damaged
    /// Another process is writing.
    case busy
    /// The file system.
    case system(SystemFailure)
}
