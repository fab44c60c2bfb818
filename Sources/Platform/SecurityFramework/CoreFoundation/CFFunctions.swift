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

/// The number of bytes.
public func CFDataGetLength(_ data: CFData?) -> CFIndex { data?.length ?? 0 }

/// The bytes; valid while `data` lives and does not change.
public func CFDataGetBytePtr(_ data: CFData?) -> UnsafePointer<UInt8>? {
    guard let data else { return nil }
    return unsafe data.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Makes a byte object by copying `length` bytes.
public func CFDataCreate(_ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: CFIndex) -> CFData? {
    guard length >= 0 else { return nil }
    return unsafe NSData(bytes: bytes, length: bytes == nil ? 0 : length)
}

/// Makes a byte object that can grow.
public func CFDataCreateMutable(_ allocator: CFAllocator?, _ capacity: CFIndex) -> CFMutableData? {
    NSMutableData()
}

/// Sets the number of bytes; new ones are zero.
public func CFDataSetLength(_ data: CFMutableData?, _ length: CFIndex) { data?.length = max(0, length) }

/// The bytes, to be written in place.
public func CFDataGetMutableBytePtr(_ data: CFMutableData?) -> UnsafeMutablePointer<UInt8>? {
    guard let data else { return nil }
    return unsafe data.mutableBytes.assumingMemoryBound(to: UInt8.self)
}

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
