extension SecretBytes {
    /// Lends the bytes as an array, for a reader that takes nothing else: a parser, `Data`, a hash of the Kit. The
    /// array is wiped when `body` returns or throws.
    ///
    /// What `body` keeps of the array beyond its end is a copy of its own, and not wiped.
    package borrowing func withCopy<Result: ~Copyable, Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var copy = withBytes { span in Array(span) }
        defer { Wipe.bytes(&copy) }
        return try body(copy)
    }
}

extension SharedSecretBytes {
    /// The same for a secret with several owners.
    package func withCopy<Result: ~Copyable, Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result { try bytes.withCopy(body) }
}
