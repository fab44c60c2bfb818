// Apple's names, with the optionals that C gives them there.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals

public import Foundation

/// A part of a sequence.
public struct CFRange: Hashable, Sendable {
    /// Where it begins.
    public var location: CFIndex
    /// How many elements it has.
    public var length: CFIndex

    /// The empty range at 0.
    public init() { self.init(location: 0, length: 0) }

    /// A range.
    public init(location: CFIndex, length: CFIndex) {
        self.location = location
        self.length = length
    }
}

/// Makes a range.
public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange { CFRange(location: loc, length: len) }

/// The number of bytes.
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData?.length ?? 0 }

/// The bytes; valid while the object lives and does not change.
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
    guard let theData else { return nil }
    return unsafe theData.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Copies the bytes of `range` to `buffer`, which has room for them. A range beyond the data copies what there is.
public func CFDataGetBytes(_ theData: CFData!, _ range: CFRange, _ buffer: UnsafeMutablePointer<UInt8>!) {
    guard let theData, let buffer = unsafe buffer, range.location >= 0, range.location < theData.length else { return }
    let count = min(max(0, range.length), theData.length - range.location)
    unsafe theData.getBytes(buffer, range: NSRange(location: range.location, length: count))
}

/// Makes a byte object by copying `length` bytes; `nil` for a negative length.
public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
    guard length >= 0 else { return nil }
    return unsafe NSData(bytes: bytes, length: bytes == nil ? 0 : length)
}

/// Makes a byte object around `length` bytes without copying them; `nil` for a negative length.
///
/// - Parameters:
///   - allocator: Ignored; `nil`.
///   - bytes: They may not change while the object lives.
///   - length: How many there are.
///   - bytesDeallocator: `kCFAllocatorNull` leaves the bytes to the caller, who keeps them for as long as the object
///     lives. Any other gives them to the object, which frees them at its end: they come from `malloc` then.
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex, _ bytesDeallocator: CFAllocator!
) -> CFData! {
    guard length >= 0 else { return nil }
    guard let bytes = unsafe bytes else { return NSData() }
    let isKept = bytesDeallocator === kCFAllocatorNull
    return unsafe NSData(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), length: length, freeWhenDone: !isKept)
}

/// Makes a byte object that can grow. The capacity is a limit on Apple's systems and nothing here.
public func CFDataCreateMutable(_ allocator: CFAllocator!, _ capacity: CFIndex) -> CFMutableData! { NSMutableData() }

/// Appends `length` bytes.
public func CFDataAppendBytes(_ theData: CFMutableData!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) {
    guard let bytes = unsafe bytes, length > 0 else { return }
    unsafe theData?.append(bytes, length: length)
}

/// Sets the number of bytes; new ones are zero.
public func CFDataSetLength(_ theData: CFMutableData!, _ length: CFIndex) { theData?.length = max(0, length) }

/// The bytes, to be written in place.
public func CFDataGetMutableBytePtr(_ theData: CFMutableData!) -> UnsafeMutablePointer<UInt8>! {
    guard let theData else { return nil }
    return unsafe theData.mutableBytes.assumingMemoryBound(to: UInt8.self)
}
