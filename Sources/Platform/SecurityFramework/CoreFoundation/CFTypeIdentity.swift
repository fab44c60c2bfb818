// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals

internal import Foundation

/// A class of this framework that ``CFGetTypeID(_:)`` can name.
package protocol TypeIdentified: AnyObject {
    /// The class's own number, above ``TypeNumber/firstOfSecurity``.
    static var typeNumber: CFTypeID { get }
}

/// The numbers that `…GetTypeID` functions return. They mean something within one process only.
package enum TypeNumber {
    static let unknown: CFTypeID = 1
    static let null: CFTypeID = 2
    static let string: CFTypeID = 7
    static let dictionary: CFTypeID = 18
    static let array: CFTypeID = 19
    static let data: CFTypeID = 20
    static let boolean: CFTypeID = 21
    static let number: CFTypeID = 22
    static let error: CFTypeID = 27
    static let url: CFTypeID = 29
    static let date: CFTypeID = 42
    static let set: CFTypeID = 17
    /// SecKey.
    package static let key: CFTypeID = 301
    /// SecCertificate.
    package static let certificate: CFTypeID = 302
    /// SecIdentity.
    package static let identity: CFTypeID = 303
    /// SecAccessControl.
    package static let accessControl: CFTypeID = 304
    /// SecTrust.
    package static let trust: CFTypeID = 305
    /// SecPolicy.
    package static let policy: CFTypeID = 306
    /// SecTask.
    package static let task: CFTypeID = 307
}

/// The number of an object's kind; equal to the matching `…GetTypeID()`.
public func CFGetTypeID(_ object: CFTypeRef?) -> CFTypeID {
    switch object {
    case let own as any TypeIdentified: type(of: own).typeNumber
    case is NSString: TypeNumber.string
    case let number as NSNumber: Boolean.isBoolean(number) ? TypeNumber.boolean : TypeNumber.number
    case is NSData: TypeNumber.data
    case is NSDate: TypeNumber.date
    case is NSDictionary: TypeNumber.dictionary
    case is NSArray: TypeNumber.array
    case is NSSet: TypeNumber.set
    case is NSURL: TypeNumber.url
    case is NSNull: TypeNumber.null
    case is NSError: TypeNumber.error
    default: TypeNumber.unknown
    }
}

/// The number of texts.
public func CFStringGetTypeID() -> CFTypeID { TypeNumber.string }
/// The number of byte objects.
public func CFDataGetTypeID() -> CFTypeID { TypeNumber.data }
/// The number of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { TypeNumber.dictionary }
/// The number of lists.
public func CFArrayGetTypeID() -> CFTypeID { TypeNumber.array }
/// The number of sets.
public func CFSetGetTypeID() -> CFTypeID { TypeNumber.set }
/// The number of numbers.
public func CFNumberGetTypeID() -> CFTypeID { TypeNumber.number }
/// The number of truth values.
public func CFBooleanGetTypeID() -> CFTypeID { TypeNumber.boolean }
/// The number of moments.
public func CFDateGetTypeID() -> CFTypeID { TypeNumber.date }
/// The number of the null object.
public func CFNullGetTypeID() -> CFTypeID { TypeNumber.null }
/// The number of addresses.
public func CFURLGetTypeID() -> CFTypeID { TypeNumber.url }
/// The number of errors.
public func CFErrorGetTypeID() -> CFTypeID { TypeNumber.error }
