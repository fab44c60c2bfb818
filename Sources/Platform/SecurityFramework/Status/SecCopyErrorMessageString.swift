// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals

public import Foundation

/// One sentence for a status code, in English.
///
/// - Parameters:
///   - status: A code such as -25300.
///   - reserved: Pass `nil`.
/// - Returns: The sentence. A code that has none is told by its number, `OSStatus -99999`; one that stands for an error
///   number of the system, 100000 and up, by the system's text, `UNIX[No such file or directory]`. Never `nil`.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    (StatusNames.message(for: status) ?? StatusNames.fallback(for: status)) as NSString
}
