// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals

public import Foundation

/// Whether two objects are equal in content.
public func CFEqual(_ one: CFTypeRef?, _ other: CFTypeRef?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    if one === other { return true }
    if let one = one as? NSObject { return one.isEqual(other) }
    guard let one = one as? AnyHashable, let other = other as? AnyHashable else { return false }
    return one == other
}

/// A hash of an object's content.
public func CFHash(_ object: CFTypeRef?) -> CFHashCode {
    if let object = object as? NSObject { return CFHashCode(bitPattern: object.hash) }
    return CFHashCode(bitPattern: (object as? AnyHashable)?.hashValue ?? 0)
}

/// Seconds since 2001-01-01T00:00:00Z.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// The number of elements.
public func CFArrayGetCount(_ array: CFArray?) -> CFIndex { array?.count ?? 0 }

/// The number of entries.
public func CFDictionaryGetCount(_ dictionary: CFDictionary?) -> CFIndex { dictionary?.count ?? 0 }

/// Sets or replaces an entry.
public func CFDictionarySetValue(_ dictionary: CFMutableDictionary?, _ key: CFString, _ value: Any) {
    dictionary?.setObject(value, forKey: key)
}

/// Whether the truth value is "yes".
public func CFBooleanGetValue(_ value: CFBoolean?) -> Bool { value?.boolValue ?? false }
