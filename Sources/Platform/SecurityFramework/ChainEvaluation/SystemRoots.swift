internal import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// Where a Linux distribution keeps its roots, where an administrator adds some, and where the environment names
/// others.
package struct SystemRoots: Sendable {
    private let bundles: [String]
    private let localFolders: [String]
    private let named: [Named]
    private static let limit = 32 << 20

    /// Authorities of one's own.
    package enum Named: Hashable, Sendable {
        /// Those of a file, in PEM form: SSL_CERT_FILE.
        case file(String)
        /// Those of the files in a folder: SSL_CERT_DIR.
        case folder(String)
    }

    /// Reads the first of `bundles` that is there; roots that lie in `localFolders` too are the administrator's.
    ///
    /// - Parameter named: Where there are any, these take the place of the others. Those that the machine does not know
    ///   count as the app's own.
    package init(bundles: [String], localFolders: [String], named: [Named] = []) {
        self.bundles = bundles
        self.localFolders = localFolders
        self.named = named
    }

    /// The machine's own, whatever the environment says.
    package static let machine = SystemRoots(bundles: usualBundles, localFolders: usualFolders)

    /// The machine's own, or those that SSL_CERT_FILE and SSL_CERT_DIR name, as for OpenSSL. A process with more rights
    /// than the one that started it does not look at the variables.
    package static var current: SystemRoots {
        let named = places(
            file: LibraryVariable.trusted("SSL_CERT_FILE"), folders: LibraryVariable.trusted("SSL_CERT_DIR"))
        return SystemRoots(bundles: usualBundles, localFolders: usualFolders, named: named)
    }

    /// What the two variables name: one file, and folders with colons between them, as OpenSSL reads them. One that is
    /// set and names nothing is kept, so that the machine's do not come back.
    package static func places(file: String?, folders: String?) -> [Named] {
        let parts = folders?.split(separator: ":").map { Named.folder(String($0)) } ?? []
        let named = parts.isEmpty ? folders.map { [Named.folder($0)] } ?? [] : parts
        return (file.map { [Named.file($0)] } ?? []) + named
    }

    private static let usualBundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]
    private static let usualFolders = [
        "/usr/local/share/ca-certificates", "/etc/pki/ca-trust/source/anchors", "/etc/pki/trust/anchors",
        "/etc/ca-certificates/trust-source/anchors",
    ]

    /// The variables that are in effect.
    package var variables: [String] {
        let names: [String] = named.map {
            switch $0 {
            case .file: "SSL_CERT_FILE"
            case .folder: "SSL_CERT_DIR"
            }
        }
        return names.indices.filter { !names[..<$0].contains(names[$0]) }.map { names[$0] }
    }

    /// The anchors. A bundle that cannot be read gives none: everything is refused.
    package func read() -> TrustAnchors {
        let known = readMachine()
        guard !named.isEmpty else { return known }
        let found = named.flatMap { place in
            switch place {
            case .file(let path): Self.certificates(path)
            case .folder(let path): Self.files(path).flatMap(Self.certificates)
            }
        }
        return known.only(found)
    }

    private func readMachine() -> TrustAnchors {
        guard let bundle = bundles.first(where: DurableFile.exists) else { return .none }
        let local = Set(localFolders.flatMap(Self.files).flatMap(Self.localCertificates))
        let roots = Self.certificates(bundle)
        return TrustAnchors.only(roots.filter(local.contains), origin: .administrator)
            .adding(roots, origin: .system)
    }

    private static func files(_ folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.prefix(1_000).map { "\(folder)/\($0)" }
    }

    // Bytes and no text: comments stand around the blocks, in whatever script an administrator wrote them.
    private static func certificates(_ path: String) -> [[UInt8]] {
        guard let bytes = try? InputFile.read(path, limit: limit) else { return [] }
        return PEM.blocks("CERTIFICATE", in: bytes) ?? []
    }

    // What a bundle is made of may also be DER (update-ca-trust(8)).
    private static func localCertificates(_ path: String) -> [[UInt8]] {
        guard let bytes = try? InputFile.read(path, limit: limit) else { return [] }
        let blocks = PEM.blocks("CERTIFICATE", in: bytes) ?? []
        return blocks.isEmpty ? [bytes] : blocks
    }
}
