package import Foundation

// The same functions in Swift's own shape, written against Apple's names alone: an `NSError` is thrown instead of
// stored behind a pointer. Code that may not touch pointers uses these.
extension SecKey {
    /// See ``SecKeyCreateRandomKey(_:_:)``.
    package static func random(_ parameters: [CFString: Any]) throws(NSError) -> SecKey {
        try unsafe attempt { SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
    }

    /// See ``SecKeyCreateWithData(_:_:_:)``.
    package static func reading(_ bytes: Data, _ attributes: [CFString: Any]) throws(NSError) -> SecKey {
        try unsafe attempt { SecKeyCreateWithData(bytes as CFData, attributes as CFDictionary, $0) }
    }

    /// See ``SecKeyCopyExternalRepresentation(_:_:)``.
    package func externalRepresentation() throws(NSError) -> Data {
        try unsafe Self.attempt { SecKeyCopyExternalRepresentation(self, $0)?.copied }
    }

    /// See ``SecKeyCreateSignature(_:_:_:_:)``.
    package func signature(of data: Data, _ algorithm: SecKeyAlgorithm) throws(NSError) -> Data {
        try unsafe Self.attempt { SecKeyCreateSignature(self, algorithm, data as CFData, $0)?.copied }
    }

    /// Returns where ``SecKeyVerifySignature(_:_:_:_:_:)`` is true.
    package func verify(_ signature: Data, of data: Data, _ algorithm: SecKeyAlgorithm) throws(NSError) {
        _ = try unsafe Self.attempt {
            SecKeyVerifySignature(self, algorithm, data as CFData, signature as CFData, $0) ? true : nil
        }
    }

    /// See ``SecKeyCreateEncryptedData(_:_:_:_:)``.
    package func encrypt(_ data: Data, _ algorithm: SecKeyAlgorithm) throws(NSError) -> Data {
        try unsafe Self.attempt { SecKeyCreateEncryptedData(self, algorithm, data as CFData, $0)?.copied }
    }

    /// See ``SecKeyCreateDecryptedData(_:_:_:_:)``.
    package func decrypt(_ data: Data, _ algorithm: SecKeyAlgorithm) throws(NSError) -> Data {
        try unsafe Self.attempt { SecKeyCreateDecryptedData(self, algorithm, data as CFData, $0)?.copied }
    }

    /// See ``SecKeyCopyKeyExchangeResult(_:_:_:_:_:)``.
    package func agree(
        with peer: SecKey, _ algorithm: SecKeyAlgorithm, _ parameters: [CFString: Any] = [:]
    ) throws(NSError) -> Data {
        try unsafe Self.attempt {
            SecKeyCopyKeyExchangeResult(self, algorithm, peer, parameters as CFDictionary, $0)?.copied
        }
    }

    private static func attempt<Result>(_ body: (ErrorTarget) -> Result?) throws(NSError) -> Result {
        var failure: Unmanaged<CFError>?
        if let result = unsafe body(&failure) { return result }
        throw unsafe failure?.takeRetainedValue() ?? StatusError.make(errSecInternalComponent)
    }
}
