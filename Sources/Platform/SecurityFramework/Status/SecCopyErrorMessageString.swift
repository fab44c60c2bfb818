// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals

public import Foundation

/// One sentence for a status code, in English.
///
/// - Parameters:
///   - status: A code such as -25300.
///   - reserved: Pass `nil`.
/// - Returns: The sentence; `nil` for a code that has none.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    StatusNames.message(for: status) as NSString?
}
