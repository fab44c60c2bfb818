public import Foundation
internal import PavisePrimitives

/// A setting: its name, what it may hold, what it is until somebody sets it, and why it is harmless when a stranger
/// reads it.
///
/// Settings lie in clear. A key can be made for yes or no, a number in a range, one of a fixed set of choices, and a
/// random identifier: nothing else compiles, so that no password, token, name or date of birth ends up there.
///
/// ```swift
/// enum Theme: String, CaseIterable { case light, dark, system }
///
/// extension SettingKey where Value == Theme {
///     static let theme = SettingKey(choice: "theme", default: .system, harmless: "how the app looks")
/// }
/// extension SettingKey where Value == Int {
///     static let reminderHour = SettingKey(
///         number: "reminderHour", in: 0...23, default: 21, harmless: "an hour of the day")
/// }
/// ```
public struct SettingKey<Value: Hashable & Sendable>: Sendable {
    /// Its name in the file: 1 to 64 letters, digits and `._-`, and none that speaks of a secret.
    public let name: String
    /// What it is until somebody sets it.
    public let defaultValue: Value
    /// Why anybody may read it.
    public let harmless: String
    let encode: @Sendable (Value) -> JSONValue?
    let decode: @Sendable (JSONValue) -> Value?

    private init(
        _ name: StaticString, _ defaultValue: Value, _ harmless: StaticString,
        encode: @escaping @Sendable (Value) -> JSONValue?, decode: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.name = name.description
        self.defaultValue = defaultValue
        self.harmless = harmless.description
        self.encode = encode
        self.decode = decode
    }
}

extension SettingKey where Value == Bool {
    /// A setting that is on or off.
    public init(flag name: StaticString, default defaultValue: Bool, harmless: StaticString) {
        self.init(name, defaultValue, harmless, encode: { .bool($0) }, decode: { $0.bool })
    }
}

extension SettingKey where Value == Int {
    /// A number between two bounds. A date of birth or a weight is personal data and belongs into the protected
    /// database.
    public init(
        number name: StaticString, in range: ClosedRange<Int>, default defaultValue: Int, harmless: StaticString
    ) {
        self.init(
            name, defaultValue, harmless, encode: { range.contains($0) ? .integer($0) : nil },
            decode: { value in value.integer.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil } })
    }
}

extension SettingKey where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of the cases of an enumeration.
    public init(choice name: StaticString, default defaultValue: Value, harmless: StaticString) {
        self.init(
            name, defaultValue, harmless,
            encode: { value in Value.allCases.contains(value) ? .string(value.rawValue) : nil },
            decode: { value in value.string.flatMap { text in Value.allCases.first { $0.rawValue == text } } })
    }
}

extension SettingKey where Value == UUID? {
    /// A random identifier that opens nothing, for example of this installation; `nil` until it is set.
    public init(identifier name: StaticString, harmless: StaticString) {
        self.init(
            name, nil, harmless, encode: { $0.map { .string($0.uuidString) } },
            decode: { value in value.string.flatMap { UUID(uuidString: $0) }.map { Value($0) } })
    }
}
