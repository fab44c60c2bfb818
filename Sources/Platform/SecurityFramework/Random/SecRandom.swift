// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals

internal import PavisePrimitives

/// A generator of random bytes. There is one, ``kSecRandomDefault``.
public struct SecRandomRef: Sendable {
    fileprivate init() {}
}

/// The kernel's random generator.
public let kSecRandomDefault: SecRandomRef? = SecRandomRef()

/// Fills `count` bytes with random ones from the kernel.
///
/// - Parameters:
///   - rnd: ``kSecRandomDefault`` or `nil`, which mean the same.
///   - count: How many bytes to write.
///   - bytes: Where to write them; at least `count` bytes.
/// - Returns: 0; -50 when `count` is negative; -2070 when the kernel refuses, after which `bytes` must not be used.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    guard count >= 0 else { return errSecParam }
    let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
    unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
    var span = unsafe target.bindMemory(to: UInt8.self).mutableSpan
    do {
        try Entropy.kernel.fill(&span)
        return errSecSuccess
    } catch {
        return errSecInternalComponent
    }
}
