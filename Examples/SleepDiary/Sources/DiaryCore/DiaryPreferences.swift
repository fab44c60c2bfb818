public import Pavise
public import PaviseStorage

/// How the app looks.
public enum Appearance: String, CaseIterable, Sendable {
    /// As the system.
    case system
    /// Light.
    case light
    /// Dark.
    case dark
}

/// The language that the app speaks.
public enum DiaryLanguage: String, CaseIterable, Sendable {
    /// As the system.
    case system
    /// German.
    case german
    /// English.
    case english

    /// The language of the catalogues.
    public var language: MessageLanguage {
        switch self {
        case .system: .current
        case .german: .german
        case .english: .english
        }
    }
}

// Settings lie in clear: what stands here tells nothing about a person's nights.
extension SettingKey where Value == Appearance {
    /// How the app looks.
    public static let appearance = SettingKey(choice: "appearance", default: .system, harmless: "how the app looks")
}

extension SettingKey where Value == DiaryLanguage {
    /// Which language it speaks.
    public static let language = SettingKey(choice: "language", default: .system, harmless: "the app's language")
}

extension SettingKey where Value == Bool {
    /// Whether it reminds.
    public static let reminds = SettingKey(flag: "reminds", default: false, harmless: "whether the app reminds")
    /// Whether a face or a finger may open the lock, where the system has such a thing.
    public static let usesBiometrics = SettingKey(
        flag: "usesBiometrics", default: false, harmless: "whether the lock opens without typing")
}

extension SettingKey where Value == Int {
    /// When, in minutes of the day.
    public static let reminderMinute = SettingKey(
        number: "reminderMinute", in: 0...1_439, default: 510, harmless: "a time of the day")
}
