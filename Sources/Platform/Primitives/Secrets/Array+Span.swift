// `Array.span` begins with macOS 26 and iOS 26; that of a slice is as old as the language. Code that a Mac builds for
// older systems lends its arrays through this file (make apple-check).

extension Array {
    /// Lends the elements to `body`; the span cannot outlive the call. Nothing is copied.
    ///
    /// ```swift
    /// let packet = [UInt8](data)
    /// let plain = packet.withSpan { span in open(span) }
    /// ```
    package func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let all = self[...]
        return try body(all.span)
    }
}

extension Array where Element == UInt8 {
    /// Copies what a span lends. The copy of a secret is the caller's to wipe.
    package init(_ span: Span<UInt8>) { self = span.indices.map { index in span[index] } }
}

extension SecretBytes {
    /// Copies `bytes` into memory of its own. The caller still owns, and should wipe, the original.
    ///
    /// ```swift
    /// let key = SecretBytes(copying: [UInt8](data))
    /// ```
    public init(copying bytes: [UInt8]) {
        let all = bytes[...]
        self.init(copying: all.span)
    }
}

extension ConstantTime {
    /// Compares without stopping at the first difference. The lengths are compared first and are not secret.
    package static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        let left = one[...]
        let right = other[...]
        return equal(left.span, right.span)
    }
}

extension DurableFile {
    /// The same as with a span.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemFailure) {
        let all = bytes[...]
        try write(all.span, to: path)
    }

    /// The same as with a span.
    @discardableResult
    package static func writeUnlessPresent(_ bytes: [UInt8], to path: String) throws(SystemFailure) -> Bool {
        let all = bytes[...]
        return try writeUnlessPresent(all.span, to: path)
    }
}

extension DurableFile.Stream {
    /// The same as with a span.
    package borrowing func write(_ bytes: [UInt8]) throws(SystemFailure) {
        let all = bytes[...]
        try write(all.span)
    }
}

extension FileDescriptor {
    /// The same as with a span.
    package borrowing func write(_ bytes: [UInt8]) throws(SystemFailure) {
        let all = bytes[...]
        try write(all.span)
    }
}

extension UnfinishedFile {
    /// The same as with a span.
    package borrowing func write(_ bytes: [UInt8]) throws(SystemFailure) {
        let all = bytes[...]
        try write(all.span)
    }
}

extension PartialFile {
    /// The same as with a span.
    package mutating func append(_ bytes: [UInt8]) throws(SystemFailure) {
        let all = bytes[...]
        try append(all.span)
    }
}

extension TCPStream {
    /// The same as with a span.
    package borrowing func write(_ bytes: [UInt8]) throws(SystemFailure) {
        let all = bytes[...]
        try write(all.span)
    }
}
