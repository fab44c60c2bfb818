// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals

public import Foundation

// The names below are optional as Apple's are, so that `kCFBooleanTrue!` and `kCFBooleanTrue as Any` both compile.

/// The allocator to pass where one is asked for.
public let kCFAllocatorDefault: CFAllocator? = nil

/// The allocator that gives and frees nothing: as a deallocator it leaves the bytes to the caller.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()

/// The truth value "yes".
public let kCFBooleanTrue: CFBoolean! = true as NSNumber

/// The truth value "no".
public let kCFBooleanFalse: CFBoolean! = false as NSNumber

/// The object that stands for an absent value.
public let kCFNull: CFNull! = NSNull()

/// The `Info.plist` key of the application's identifier.
@safe nonisolated(unsafe) public let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"

/// The domain of errors whose code is an ``OSStatus``.
@safe nonisolated(unsafe) public let kCFErrorDomainOSStatus: CFErrorDomain! = "NSOSStatusErrorDomain"

/// The domain of errors whose code is an `errno`.
@safe nonisolated(unsafe) public let kCFErrorDomainPOSIX: CFErrorDomain! = "NSPOSIXErrorDomain"

/// The domain of Foundation's own errors.
@safe nonisolated(unsafe) public let kCFErrorDomainCocoa: CFErrorDomain! = "NSCocoaErrorDomain"

/// The user-info key of the text for a person.
@safe nonisolated(unsafe) public let kCFErrorLocalizedDescriptionKey: CFString! = "NSLocalizedDescription"

/// The user-info key of a text for developers.
@safe nonisolated(unsafe) public let kCFErrorDescriptionKey: CFString! = "NSDescription"

/// The user-info key of the error that caused this one.
@safe nonisolated(unsafe) public let kCFErrorUnderlyingErrorKey: CFString! = "NSUnderlyingError"

/// Whether this is a simulator of a device; never on Linux. Libraries ask before they ask for a secure element.
public let TARGET_OS_SIMULATOR: Int32 = 0
