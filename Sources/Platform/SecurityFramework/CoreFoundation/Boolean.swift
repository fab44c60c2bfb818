internal import Foundation

/// Tells a truth value from a number. Swift cannot: the number 1 also passes `is Bool`.
package enum Boolean {
    /// Whether `value` is a truth value; the number 1 is not one.
    package static func isBoolean(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return type(of: value) == Bool.self }
        guard type(of: value) != Bool.self else { return true }
        let encoding = unsafe number.objCType.pointee
        return encoding == 0x63  // "c"; a number of eight bits has "i"
    }

    /// The truth value that `value` is, or `nil` for everything else.
    package static func exactly(_ value: Any) -> Bool? {
        guard isBoolean(value) else { return nil }
        return (value as? NSNumber)?.boolValue
    }
}
