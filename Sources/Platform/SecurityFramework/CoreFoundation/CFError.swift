// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals

public import Foundation

/// Where a C-shaped function stores its error.
public typealias ErrorTarget = UnsafeMutablePointer<Unmanaged<CFError>?>

/// The code of an error, for example -25300.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// The domain of an error, for example `NSOSStatusErrorDomain`.
public func CFErrorGetDomain(_ error: CFError) -> CFErrorDomain! { error.domain as NSString }

/// The text of an error for a person.
public func CFErrorCopyDescription(_ error: CFError) -> CFString! { error.localizedDescription as NSString }

/// Further values of an error.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary! { error.userInfo as NSDictionary }

/// Why an error happened, where it says so.
public func CFErrorCopyFailureReason(_ error: CFError) -> CFString? { error.localizedFailureReason as NSString? }

/// Makes an error.
public func CFErrorCreate(
    _ allocator: CFAllocator?, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
    let values = (userInfo as? [String: Any]) ?? [:]
    return NSError(domain: (domain ?? "") as String, code: code, userInfo: values)
}

/// Makes the errors that cross this framework's API.
package enum StatusError {
    /// An error of the domain `NSOSStatusErrorDomain` with the status's own message, or with `reason` in its place.
    package static func make(
        _ status: OSStatus, _ reason: String? = nil, underlying: NSError? = nil
    ) -> CFError {
        let text = reason ?? (SecCopyErrorMessageString(status, nil) as String?) ?? "OSStatus \(status)"
        var values: [String: Any] = [NSLocalizedDescriptionKey: text, "NSDescription": text]
        values[NSUnderlyingErrorKey] = underlying
        return NSError(domain: "NSOSStatusErrorDomain", code: Int(status), userInfo: values)
    }

    /// Stores the error where a caller of a C-shaped function asked for one.
    package static func report(_ error: CFError, to target: UnsafeMutablePointer<Unmanaged<CFError>?>?) {
        guard let target = unsafe target else { return }
        unsafe target.pointee = Unmanaged.passRetained(error)
    }
}
