internal import CPavisePlatform

/// The kernel did not give random bytes. Nothing that needs them may go on.
public struct EntropyFailure: Error, Hashable, Sendable {
    /// The error number of `getrandom`.
    public let code: Int32
}

/// Where random bytes come from.
package struct Entropy: Sendable {
    private let source: @Sendable (inout MutableSpan<UInt8>) throws(EntropyFailure) -> Void

    /// Random bytes of a test's own choice.
    package init(_ source: @escaping @Sendable (inout MutableSpan<UInt8>) throws(EntropyFailure) -> Void) {
        self.source = source
    }

    /// getrandom(2): blocks only until the pool is seeded once after boot.
    package static let kernel = Entropy { span throws(EntropyFailure) in
        let code = unsafe span.withUnsafeMutableBytes { unsafe pavise_random($0.baseAddress, $0.count) }
        guard code == 0 else { throw EntropyFailure(code: code) }
    }

    /// Overwrites all of `span`.
    package func fill(_ span: inout MutableSpan<UInt8>) throws(EntropyFailure) { try source(&span) }

    /// `count` fresh bytes that are not secret: a nonce, an identifier, a challenge.
    package func bytes(_ count: Int) throws(EntropyFailure) -> [UInt8] {
        // An array lends mutable spans from macOS 26 and iOS 26 on only.
        var bytes = ContiguousArray<UInt8>(repeating: 0, count: count)
        var span = bytes.mutableSpan
        try source(&span)
        return Array(bytes)
    }
}
