internal import PaviseCrypto
public import PavisePrimitives

/// Why the lab could not set something up. What a server or client does wrong later is recorded, not thrown.
public enum LabFailure: Error, Hashable, Sendable {
    /// OpenSSL refused to make a key, a certificate or a TLS context.
    case cryptography(String)
    /// The operating system refused a socket, a thread or a file.
    case system(SystemFailure)
    /// An authorization request that the lab's authority does not accept; the text says what is wrong with it.
    case request(String)
}

extension LabFailure {
    /// Runs `work` and gives its cryptographic failures the lab's own type.
    static func translating<Result>(_ work: () throws(CryptoFailure) -> Result) throws(LabFailure) -> Result {
        do { return try work() } catch { throw .cryptography("\(error)") }
    }

    /// Runs `work` and gives the system's failures the lab's own type.
    static func system<Result: ~Copyable>(_ work: () throws(SystemFailure) -> Result) throws(LabFailure) -> Result {
        do { return try work() } catch { throw .system(error) }
    }
}
