internal import PaviseCrypto
internal import PaviseCurl
internal import PaviseDatabase
internal import PavisePrimitives

/// A library of others that Pavise runs on, and the versions that it was tried with. Documentation/ThirdParty.md says
/// the same, and how their weaknesses are watched; a test compares the two.
package struct ThirdPartyPart: Hashable, Sendable {
    /// What it is called.
    package let name: String
    /// Debian's package of it.
    package let package: String
    /// The oldest version that Pavise was tested with.
    package let oldest: String
    /// The version of this process; `nil` where the library is not there, or does not say.
    package let version: String?

    /// All that this process uses. libcurl and libpsl are loaded for it.
    package static func all() -> [ThirdPartyPart] {
        [
            .init("OpenSSL", "libssl3", "3.0.0", CryptoLibrary.version),
            .init("libcurl", "libcurl4", "7.88.0", CurlEngine.libraryVersion),
            .init("SQLite", "libsqlite3-0", "3.40.0", DatabaseLibrary.version),
            .init(
                "libpsl", "libpsl5", "0.21.0",
                PublicSuffixList().map { String($0.reader.drop { !$0.isNumber }) }),
        ]
    }

    package init(_ name: String, _ package: String, _ oldest: String, _ version: String?) {
        self.name = name
        self.package = package
        self.oldest = oldest
        self.version = version
    }

    /// Whether the version that runs is older than each that was tested.
    var isOlder: Bool {
        guard let version else { return false }
        return Self.numbers(version).lexicographicallyPrecedes(Self.numbers(oldest))
    }

    // `3.0.17`, `8.5.0-DEV`, `0.21.2 (+libidn2/2.3.3)`.
    private static func numbers(_ version: String) -> [Int] {
        version.prefix { $0.isNumber || $0 == "." }.split(separator: ".").map { Int($0) ?? .max }
    }
}
