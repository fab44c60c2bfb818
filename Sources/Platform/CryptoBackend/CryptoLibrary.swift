internal import CPaviseOpenSSL

/// The cryptographic library of this process.
package enum CryptoLibrary {
    /// OpenSSL's version as it runs, for example `3.0.17`.
    package static var version: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }
}
