// Settings lie in clear: only what is harmless compiles.
import PaviseStorage

enum Theme: String, CaseIterable { case light, dark, system }

extension SettingKey where Value == Theme {
    static let theme = SettingKey(choice: "theme", default: .system, harmless: "how the app looks")
}
extension SettingKey where Value == Int {
    static let reminderHour = SettingKey(
        number: "reminderHour", in: 0...23, default: 21, harmless: "an hour of the day")
}

let settings = Settings()
try settings.set(.dark, for: .theme)
try settings.set(22, for: .reminderHour)
print(try settings.value(of: .theme).rawValue, try settings.value(of: .reminderHour))
let unknown = try settings.unknownNames(declared: ["theme", "reminderHour"])
print(unknown)
try settings.reset()
