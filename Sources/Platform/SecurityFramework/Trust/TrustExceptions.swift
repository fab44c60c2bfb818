internal import PaviseCrypto

/// Findings that were accepted for one leaf: its SHA-256, then for each finding the certificate's index and the code.
struct TrustExceptions: Sendable {
    private let leaf: [UInt8]
    private let accepted: Set<[UInt8]>

    /// What is wrong with `leaf` now.
    init(leaf: SecCertificate, _ findings: [TrustFinding]) {
        self.leaf = Hash.digest(.sha256, leaf.der)
        accepted = Set(findings.filter { !$0.isFatal }.map(Self.entry))
    }

    /// Reads the bytes of ``encoded``; `nil` for any others.
    init?(_ bytes: [UInt8]) {
        guard (32...4096).contains(bytes.count), (bytes.count - 32) % 5 == 0 else { return nil }
        leaf = Array(bytes.prefix(32))
        accepted = Set(stride(from: 32, to: bytes.count, by: 5).map { Array(bytes[$0..<$0 + 5]) })
    }

    /// The bytes to keep.
    var encoded: [UInt8] { leaf + accepted.sorted { $0.lexicographicallyPrecedes($1) }.joined() }

    /// Whether they were made for this leaf.
    func fits(_ certificate: SecCertificate) -> Bool { leaf == Hash.digest(.sha256, certificate.der) }

    /// Whether the finding was accepted.
    func covers(_ finding: TrustFinding) -> Bool { accepted.contains(Self.entry(finding)) }

    private static func entry(_ finding: TrustFinding) -> [UInt8] {
        let code = UInt32(bitPattern: finding.code)
        return [UInt8(truncatingIfNeeded: finding.certificate)]
            + stride(from: 24, through: 0, by: -8).map { UInt8(code >> UInt32($0) & 255) }
    }
}
