internal import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// Where a Linux distribution keeps its roots, and where an administrator adds some.
package struct SystemRoots: Sendable {
    private let bundles: [String]
    private let localFolders: [String]
    private static let limit = 32 << 20

    /// Reads the first of `bundles` that is there; roots that lie in `localFolders` too are the administrator's.
    package init(bundles: [String], localFolders: [String]) {
        self.bundles = bundles
        self.localFolders = localFolders
    }

    /// The machine's own. `SSL_CERT_FILE` takes the place of the bundle, as it does for OpenSSL.
    package static var current: SystemRoots {
        let usual = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
            "/etc/ssl/cert.pem",
        ]
        return SystemRoots(
            bundles: PaviseHome.variable("SSL_CERT_FILE").map { [$0] } ?? usual,
            localFolders: [
                "/usr/local/share/ca-certificates", "/etc/pki/ca-trust/source/anchors",
                "/etc/ca-certificates/trust-source/anchors",
            ])
    }

    /// The anchors. A bundle that cannot be read gives none: everything is refused.
    package func read() -> TrustAnchors {
        guard let bundle = bundles.first(where: DurableFile.exists) else { return .none }
        let local = Set(localFolders.flatMap(Self.files).flatMap(Self.certificates))
        let roots = Self.certificates(bundle)
        return TrustAnchors.only(roots.filter(local.contains), origin: .administrator)
            .adding(roots, origin: .system)
    }

    private static func files(_ folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.prefix(1_000).map { "\(folder)/\($0)" }
    }

    private static func certificates(_ path: String) -> [[UInt8]] {
        guard let bytes = try? InputFile.read(path, limit: limit), let text = String(validating: bytes, as: UTF8.self)
        else { return [] }
        return PEM.blocks("CERTIFICATE", in: text) ?? []
    }
}
