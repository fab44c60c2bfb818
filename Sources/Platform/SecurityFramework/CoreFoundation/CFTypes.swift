public import Foundation

// Core Foundation's names for what Foundation has. With them `[String: Any] as CFDictionary`, `as? Data` and
// `item as! SecKey` mean on Linux what they mean on Apple's systems.

/// Any Core Foundation object.
public typealias CFTypeRef = AnyObject
/// A text.
public typealias CFString = NSString
/// A text that can change.
public typealias CFMutableString = NSMutableString
/// A dictionary, the form of every keychain query.
public typealias CFDictionary = NSDictionary
/// A dictionary that can change.
public typealias CFMutableDictionary = NSMutableDictionary
/// A list of objects.
public typealias CFArray = NSArray
/// A list of objects that can change.
public typealias CFMutableArray = NSMutableArray
/// A set of objects.
public typealias CFSet = NSSet
/// Bytes.
public typealias CFData = NSData
/// Bytes that can change.
public typealias CFMutableData = NSMutableData
/// A number.
public typealias CFNumber = NSNumber
/// A truth value; ``CFBooleanGetTypeID()`` tells it from a number.
public typealias CFBoolean = NSNumber
/// A moment.
public typealias CFDate = NSDate
/// An address.
public typealias CFURL = NSURL
/// The absence of a value inside a collection.
public typealias CFNull = NSNull
/// An error: domain, code and user info.
public typealias CFError = NSError
/// The domain of an error.
public typealias CFErrorDomain = NSString
/// A signed size or position.
public typealias CFIndex = Int
/// Bits of options.
public typealias CFOptionFlags = UInt
/// Names a kind of object; see ``CFGetTypeID(_:)``.
public typealias CFTypeID = UInt
/// A hash value.
public typealias CFHashCode = UInt
/// Seconds since 2001-01-01T00:00:00Z.
public typealias CFAbsoluteTime = Double
/// Seconds.
public typealias CFTimeInterval = Double
/// A signed number of the machine's width, as Objective-C spelled it.
public typealias NSInteger = Int
/// An unsigned number of the machine's width, as Objective-C spelled it.
public typealias NSUInteger = UInt
/// A byte as Carbon spelled it: 0 or 1.
public typealias DarwinBoolean = Bool
/// A result code; 0 is success, the names begin with `errSec`.
public typealias OSStatus = Int32
/// Four characters in a number.
public typealias FourCharCode = UInt32

/// Where Core Foundation takes memory from. On Linux there is one allocator, and `nil` names it; `kCFAllocatorNull` is
/// none.
public final class CFAllocator: Sendable {
    init() {}
}
