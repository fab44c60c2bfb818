import Foundation
import PavisePrimitives
import TestSupport
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
extension SettingKey where Value == Bool {
    fileprivate static let sounds = SettingKey(flag: "sounds", default: true, harmless: "whether the app makes sounds")
    fileprivate static let secret = SettingKey(flag: "authToken", default: true, harmless: "it is not")
    fileprivate static let odd = SettingKey(flag: "../x", default: true, harmless: "no name")
}
extension SettingKey where Value == UUID? {
    fileprivate static let installation = SettingKey(identifier: "installation", harmless: "opens nothing")
}

@Suite struct `Settings, in clear and harmless` {
    private let folder: TemporaryFolder
    private let home: PaviseHome

    init() throws {
        folder = try TemporaryFolder()
        home = PaviseHome(path: folder.path + "/home")
    }

    private var settings: Settings { Settings(store: SettingsFile(home: home, program: "org.example.diary")) }
    private var file: String { home.path + "/settings/org%2eexample%2ediary.json" }

    @Test func `a setting is its default until it is set, and what was set for every later reader`() throws {
        #expect(try settings.value(of: .theme) == .light)
        #expect(try settings.value(of: .hour) == 21)
        #expect(try settings.value(of: .installation) == nil)
        let id = UUID()
        try settings.set(.dark, for: .theme)
        try settings.set(6, for: .hour)
        try settings.set(false, for: .sounds)
        try settings.set(id, for: .installation)
        #expect(try settings.value(of: .theme) == .dark)
        #expect(try settings.value(of: .hour) == 6)
        #expect(try settings.value(of: .sounds) == false)
        #expect(try settings.value(of: .installation) == id)
        try settings.remove(.hour)
        try settings.set(nil, for: .installation)
        #expect(try settings.value(of: .hour) == 21)
        #expect(try settings.value(of: .installation) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a number outside its range is refused, and nothing is written`() throws {
        try settings.set(6, for: .hour)
        #expect(throws: SettingsFailure.unusableValue(name: "reminderHour")) { try settings.set(24, for: .hour) }
        #expect(try settings.value(of: .hour) == 6)
    }

    @Test(arguments: [
        #"{"reminderHour": 24}"#, #"{"reminderHour": "6"}"#, #"{"reminderHour": true}"#, #"{"reminderHour": 1.5}"#,
    ])
    func `a stored value that the key does not allow is an error and not the default`(_ text: String) throws {
        try settings.set(.dark, for: .theme)
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        #expect(throws: SettingsFailure.unusableStoredValue(name: "reminderHour")) { try settings.value(of: .hour) }
        try settings.set(7, for: .hour)
        #expect(try settings.value(of: .hour) == 7)
    }

    @Test func `DR23: a name that speaks of a secret is refused, and so is one that is no name`() {
        #expect(throws: SettingsFailure.secretName("authToken")) { try settings.set(false, for: .secret) }
        #expect(throws: SettingsFailure.secretName("authToken")) { try settings.value(of: .secret) }
        #expect(throws: SettingsFailure.unusableName("../x")) { try settings.set(false, for: .odd) }
    }

    @Test(arguments: ["", "{", "[]", "{\"a\": {\"b\": {\"c\": 1}}}", "{\"a\": 1, \"a\": 2}", "\u{0}"])
    func `a damaged file is an error, is left as it is, and can be begun anew`(_ text: String) throws {
        try settings.set(.dark, for: .theme)
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        #expect(throws: SettingsFailure.damaged) { try settings.value(of: .theme) }
        #expect(throws: SettingsFailure.damaged) { try settings.set(.dark, for: .theme) }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        try settings.reset()
        #expect(try settings.value(of: .theme) == .light)
    }

    @Test func `a folder that cannot be made is told as that`() throws {
        let folder = try TemporaryFolder()
        let home = folder.path + "/home"
        try DurableFile.makeDirectory(home)
        try DurableFile.write([1], to: home + "/settings")
        let store = SettingsFile(home: PaviseHome(path: home), program: "diary")
        // 20 is ENOTDIR.
        let expected = SettingsFailure.system(SystemFailure(operation: "mkdir", path: home + "/settings", code: 20))
        #expect(throws: expected) { try store.change { $0["a"] = .bool(true) } }
        #expect(throws: expected) { try store.remove() }
    }

    @Test func `a file of a million bytes is not read`() throws {
        try settings.set(.dark, for: .theme)
        try String(repeating: " ", count: 1_000_000).write(toFile: file, atomically: false, encoding: .utf8)
        #expect(throws: SettingsFailure.damaged) { try settings.value(of: .theme) }
    }

    @Test func `many writers lose no change of each other's`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for name in 0..<8 {
                group.addTask {
                    let store = SettingsFile(home: home, program: "org.example.diary")
                    for step in 0..<10 { try? store.change { $0["writer\(name)"] = .integer(step) } }
                }
            }
        }
        let all = try SettingsFile(home: home, program: "org.example.diary").read()
        #expect(all.count == 8)
        #expect(all.values.allSatisfy { $0.integer == 9 })
    }

    @Test func `what no key declares is told`() throws {
        try settings.set(.dark, for: .theme)
        try settings.set(3, for: .hour)
        #expect(try settings.unknownNames(declared: ["theme"]) == ["reminderHour"])
    }

    @Test func `changes are heard by name`() async throws {
        let settings = settings
        var heard = settings.changes.makeAsyncIterator()
        try settings.set(.dark, for: .theme)
        #expect(await heard.next() == "theme")
        try settings.reset()
        #expect(await heard.next() == "theme")
    }

    @Test func `the storage check finds nothing in settings`() throws {
        try settings.set(UUID(), for: .installation)
        try settings.set(.dark, for: .theme)
        #expect(StorageCheck(folder: home.path).run().findings == [])
    }
}
