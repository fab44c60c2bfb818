internal import PaviseCrypto
internal import PaviseLab
internal import PavisePrimitives
internal import SecurityFramework

extension FuzzTarget {
    static let certificates = [certificate, chain, pem, hostName] + revocation + keys

    private static let certificate = FuzzTarget(
        "certificate", seeds: { try Chains.all().flatMap { $0 } },
        run: { bytes in
            guard let certificate = try? X509Certificate(der: bytes) else { return }
            _ = certificate.isSigned(by: certificate)
            _ = CertificateFacts(der: bytes)
            _ = CertificateContent(der: bytes)?.taggedOctets(in: "1.2.840.113635.100.8.2", tag: 1)
        })

    // Blocks with a two-byte length, as a server sends its chain.
    private static let chain = FuzzTarget(
        "chain",
        seeds: { try Chains.all().map { chain in chain.flatMap { Chains.lengthBytes($0) + $0 } } },
        run: { bytes in
            guard let known = try? Chains.all(), let first = known.first else { return }
            let chain = Chains.split(bytes)
            let anchors = TrustAnchors.only([Chains.authority.anchor])
            let verdict = ServerTrust.evaluate(chain: chain, host: "localhost", at: Chains.seconds, anchors: anchors)
            guard verdict.isTrusted else { return require(!verdict.failures.isEmpty, "refused without a reason") }
            require(known.contains { $0.first == chain.first }, "a certificate that nobody issued is trusted")
            require(first.first == chain.first, "a certificate that must not be trusted is")
        })

    private static let pem = FuzzTarget(
        "pem",
        seeds: { [Array(Chains.authority.anchorPEM.utf8), Array("-----BEGIN CERTIFICATE-----\n-----END".utf8)] },
        run: { _ = PEM.blocks("CERTIFICATE", in: String(decoding: $0, as: UTF8.self)) })

    // The presented name, a blank, the name asked for.
    private static let hostName = FuzzTarget(
        text: "host-name",
        seeds: ["*.example.org a.example.org", "a.b a.b.", "*.org a.org", "xn--a.b xn--a.b", "* a", "1.2.3.4 1.2.3.4"]
    ) { text in
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return }
        guard ReferenceHostName.matches(reference: parts[1], presented: parts[0]) else { return }
        require(
            !parts[0].hasPrefix("*") || parts[0].split(separator: ".").count >= 3,
            "a wildcard right above a top-level name")
        require(
            parts[0].split(separator: ".").count == parts[1].split(separator: ".").count,
            "a wildcard stands for more than one label")
    }
}

/// Chains of a test authority: the first is good, the others must be refused.
private enum Chains {
    static let seconds: Int64 = 1_790_000_000
    static let authority: CertificateAuthority = {
        do { return try CertificateAuthority(clock: ManualTime(wallSeconds: seconds).source) } catch {
            fatalError("no authority: \(error)")
        }
    }()
    private static let issued: Result<[[[UInt8]]], any Error> = Result {
        let profiles = [
            LeafProfile(), LeafProfile(signature: .sha1), LeafProfile(validity: .expired),
            LeafProfile(key: .rsa(bits: 1024)), LeafProfile(isSelfSigned: true), LeafProfile(purposes: [.client]),
        ]
        return try profiles.map { try authority.issue($0).chain }
    }

    static func all() throws -> [[[UInt8]]] { try issued.get() }

    static func lengthBytes(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)]
    }

    static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        var chain: [[UInt8]] = []
        var rest = bytes[...]
        while rest.count > 2 && chain.count < 16 {
            let count = min(Int(rest.removeFirst()) << 8 | Int(rest.removeFirst()), rest.count)
            chain.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return chain
    }
}
