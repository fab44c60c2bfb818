import AppleFoundation
import PavisePrimitives
import Testing

@testable import PaviseStorage

private enum Theme: String, CaseIterable { case light, dark }

extension SettingKey where Value == Theme {
    fileprivate static let theme = SettingKey(choice: "theme", default: .light, harmless: "how the app looks")
}
extension SettingKey where Value == Int {
    fileprivate static let hour = SettingKey(
        number: "reminderHour", in: 0...23, default: 21, harmless: "an hour of the day")
}
extension SettingKey where Value == UUID? {
    fileprivate static let installation = SettingKey(identifier: "installation", harmless: "opens nothing")
}

/// Settings in the app's user defaults, as Apple's systems have them. One after the other: there is one place.
@Suite(.serialized) struct DefaultsSettingsTests {
    private let defaults = UserDefaults.standard
    private let settings = Settings()

    init() throws {
        try settings.reset()
        defaults.set("somebody's", forKey: "AppleLanguages")
    }

    @Test func `a setting is its default until it is set, and lies under our prefix`() throws {
        #expect(try settings.value(of: .theme) == .light && settings.value(of: .hour) == 21)
        let id = UUID()
        try settings.set(.dark, for: .theme)
        try settings.set(6, for: .hour)
        try settings.set(id, for: .installation)
        #expect(try Settings().value(of: .theme) == .dark)
        #expect(try Settings().value(of: .hour) == 6)
        #expect(try Settings().value(of: .installation) == id)
        let own = defaults.dictionaryRepresentation().filter { $0.key.hasPrefix("org.pavise.settings.") }
        #expect(own.count == 3 && own["org.pavise.settings.reminderHour"] as? String == "6")
        try settings.remove(.hour)
        try settings.set(nil, for: .installation)
        #expect(try settings.value(of: .hour) == 21 && settings.value(of: .installation) == nil)
    }

    @Test func `a reset removes ours and nothing of others`() throws {
        try settings.set(.dark, for: .theme)
        #expect(try settings.unknownNames(declared: []) == ["theme"])
        try settings.reset()
        #expect(try settings.value(of: .theme) == .light)
        #expect(defaults.dictionaryRepresentation()["AppleLanguages"] as? String == "somebody's")
    }

    @Test(arguments: ["24", "\"6\"", "true", "6, 7", "", "]", "{"])
    func `what somebody else wrote is an error of that setting alone, and is set anew`(_ text: String) throws {
        try settings.set(.dark, for: .theme)
        defaults.set(text, forKey: "org.pavise.settings.reminderHour")
        #expect(throws: SettingsFailure.unusableStoredValue(name: "reminderHour")) { try settings.value(of: .hour) }
        #expect(try settings.value(of: .theme) == .dark)
        try settings.set(7, for: .hour)
        #expect(try settings.value(of: .hour) == 7)
        defaults.set(7, forKey: "org.pavise.settings.reminderHour")
        #expect(throws: SettingsFailure.unusableStoredValue(name: "reminderHour")) { try settings.value(of: .hour) }
        try settings.remove(.hour)
        #expect(try settings.value(of: .hour) == 21)
    }
}
