/// A secret with several owners, in one place in memory, wiped when the last of them lets go.
///
/// It prints as «secret» and shows nothing to `dump` and `Mirror`.
public final class SharedSecretBytes: Sendable, CustomStringConvertible, CustomReflectable {
    /// The bytes.
    package let bytes: SecretBytes

    /// Takes over `bytes`.
    public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Copies the UTF-8 bytes of a text that came out of a parser.
    package convenience init(_ text: String) { self.init(SecretBytes(utf8: text)) }

    /// Lends the bytes to `body`; the span cannot outlive the call.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result { try bytes.withBytes(body) }

    /// The size in bytes.
    public var count: Int { bytes.count }

    /// Whether it is 1 to `limit` bytes of visible ASCII (RFC 6749 appendix A.12), so that it can never break a header
    /// line.
    package func isVisible(limit: Int) -> Bool {
        withBytes { span in
            (1...limit).contains(span.count) && span.indices.allSatisfy { (0x21...0x7E).contains(span[$0]) }
        }
    }

    /// A copy with an owner of its own.
    package func duplicate() -> SecretBytes { bytes.duplicate() }

    /// Compares without stopping at the first difference.
    package func matches(_ other: SharedSecretBytes) -> Bool { bytes.matches(other.bytes) }

    /// The text, for a request body that has to carry it. The copy cannot be wiped.
    package var text: String {
        bytes.withCopy { bytes in String(decoding: bytes, as: UTF8.self) }
    }

    /// Never the content.
    public var description: String { "«secret»" }

    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
