import PaviseCrypto
import SecurityFramework
import Testing

/// Sizes and counts of what a stranger sends: at the limit, and one above.
@Suite struct `The limits of what is read` {
    private static func verdict(_ change: (inout TrustFixture) -> Void) throws -> TrustVerdict {
        var fixture = TrustFixture()
        change(&fixture)
        return try fixture.chain().verdict()
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        "DER:" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `a certificate has up to a mebibyte`() throws {
        let filler: [UInt8] = [0x30, 0x83, 0x0F, 0xFF, 0xF9] + [UInt8](repeating: 0, count: 0x0FFFF9)
        #expect(filler.count == X509Certificate.maximumSize - 2)
        let chain = try TrustFixture().chain()
        for (bytes, failure) in [(filler + [0, 0], X509Failure.malformed), (filler + [0, 0, 0], .tooLarge)] {
            #expect(throws: failure) { try X509Certificate(der: bytes) }
            let verdict = ServerTrust.evaluate(
                chain: [bytes, chain.middle], host: TrustFixture.host, at: TrustFixture.now,
                anchors: .only([chain.root]))
            #expect(verdict.failures.map(\.kind) == [.notCompliant(.unreadable("certificate"))] && verdict.isFatal)
        }
    }

    @Test func `names of a certificate are read up to 8192`() throws {
        func codes(_ count: Int) throws -> [Int32] {
            let names = [TrustFixture.host] + (1..<count).map { "a\($0)" }
            let list = names.reduce(into: [UInt8]()) { $0 += DEREncoding.element(0x82, Array($1.utf8)) }
            return try Self.verdict {
                $0.leaf.set("subjectAltName", nil)
                $0.leaf.set("2.5.29.17", Self.hex(DEREncoding.element(DERTag.sequence, list)))
            }.failures.map(\.code)
        }
        #expect(try codes(8_192).isEmpty)
        #expect(try codes(8_193) == [-67618, -67602])
    }

    @Test func `extensions of a certificate are read up to 10,000`() throws {
        let leaf = try TrustFixture().chain().leaf
        #expect(try X509Certificate(der: Self.certificate(leaf, extensions: 10_000)).extensions.present.count == 10_000)
        #expect(throws: X509Failure.malformed) {
            try X509Certificate(der: Self.certificate(leaf, extensions: 10_001))
        }
    }

    @Test func `of a file with a damaged part nothing is read`() throws {
        let leaf = try TrustFixture().chain().leaf
        let key = PEM.text("PUBLIC KEY", try X509Certificate(der: leaf).spki)
        let certificate = PEM.text("CERTIFICATE", leaf)
        #expect(KeyFile.entries(Array((key + certificate).utf8)).map(\.kind) == [.certificate, .key])
        for damaged in [certificate.replacing("MII", with: "M!I"), String(certificate.dropLast(30))] {
            #expect(KeyFile.entries(Array((key + damaged).utf8)).isEmpty)
        }
    }

    // The certificate with other extensions; nothing signs it.
    private static func certificate(_ der: [UInt8], extensions count: Int) throws -> [UInt8] {
        var outer = DERReader(der[...])
        var certificate = try outer.inside()
        var body = DERReader(try certificate.next().content)
        var fields: [UInt8] = []
        while !body.isAtEnd, body.nextTag != 0xA3 { fields += try body.next().whole }
        let all = (0..<count).reduce(into: [UInt8]()) { bytes, number in
            let (high, low) = (UInt8((number >> 7) + 1), UInt8(number & 0x7F))
            let name: [UInt8] = [6, 4, 0x2A, 3, 0x80 | high, low]
            bytes += DEREncoding.element(0x30, name + [4, 2, 5, 0])
        }
        fields += DEREncoding.element(0xA3, DEREncoding.element(0x30, all))
        let rest = try certificate.next().whole + certificate.next().whole
        return DEREncoding.element(0x30, DEREncoding.element(0x30, fields) + rest)
    }

    @Test func `a chain of ten certificates is followed, a longer one is not`() throws {
        func codes(_ authorities: Int) throws -> [Int32] {
            let fixture = TrustFixture()
            let rootKey = try IssuingKey(generating: .ec256)
            var (issuer, key) = (
                try CertificateIssuing.issue(fixture.root, for: rootKey, issuer: nil, issuerKey: rootKey), rootKey
            )
            let root = issuer
            var chain: [[UInt8]] = []
            for number in 0..<authorities {
                var template = fixture.root
                template.subject = "Authority \(number)"
                let next = try IssuingKey(generating: .ec256)
                issuer = try CertificateIssuing.issue(template, for: next, issuer: issuer, issuerKey: key)
                key = next
                chain.insert(issuer, at: 0)
            }
            let leafKey = try IssuingKey(generating: .ec256)
            let leaf = try CertificateIssuing.issue(fixture.leaf, for: leafKey, issuer: issuer, issuerKey: key)
            var request = TrustRequest(
                chain: [leaf] + chain, peer: .server(host: TrustFixture.host), at: TrustFixture.now,
                anchors: .only([root]))
            let verdict = ServerTrust.evaluate(request)
            request.chain.reverse(1..<request.chain.count)
            #expect(ServerTrust.isTrusted(request) == verdict.isTrusted)
            return verdict.failures.map(\.code)
        }
        #expect(try codes(8).isEmpty)
        #expect(try codes(9) == [-25318])
    }

    @Test func `ten mebibytes and a thousand certificates are judged by the first sixty-five`() throws {
        let chain = try TrustFixture().chain()
        let junk = [UInt8](repeating: 0x30, count: 10 << 10)
        func request(_ others: [[UInt8]]) -> TrustRequest {
            TrustRequest(
                chain: [chain.leaf] + others, peer: .server(host: TrustFixture.host), at: TrustFixture.now,
                anchors: .only([chain.root]))
        }
        let full = [[UInt8]](repeating: junk, count: 1_024)
        for (others, isTrusted) in [
            ([chain.middle] + full, true), (Array(full.prefix(63)) + [chain.middle], true),
            (Array(full.prefix(64)) + [chain.middle], false), (full + [chain.middle], false),
        ] {
            #expect(ServerTrust.evaluate(request(others)).isTrusted == isTrusted)
            #expect(ServerTrust.isTrusted(request(others)) == isTrusted)
        }
    }

    @Test func `of several trusted paths the wanted one is found, and without one the first`() throws {
        let fixture = TrustFixture()
        let chain = try fixture.chain()
        let otherKey = try IssuingKey(generating: .ec256)
        var template = fixture.root
        template.subject = "Other root"
        let other = try CertificateIssuing.issue(template, for: otherKey, issuer: nil, issuerKey: otherKey)
        let cross = try CertificateIssuing.issue(fixture.root, for: chain.rootKey, issuer: other, issuerKey: otherKey)
        var request = TrustFixture.request(chain)
        request.chain.append(cross)
        request.anchors = .only([chain.root, other])
        let first = [chain.leaf, chain.middle, chain.root]
        #expect(ServerTrust.evaluate(request).path == first)
        request.isWanted = { $0.last == other }
        let wanted = ServerTrust.evaluate(request)
        #expect(wanted.isTrusted && wanted.path == [chain.leaf, chain.middle, cross, other])
        request.isWanted = { _ in false }
        let fallback = ServerTrust.evaluate(request)
        #expect(fallback.isTrusted && fallback.path == first)
    }

    @Test func `junk of many equal names is given up, and then judged with its signatures`() throws {
        let chain = try TrustFixture().chain()
        let fixture = TrustFixture()
        let rootKey = try IssuingKey(generating: .ec256)
        // Forty authorities call themselves what the leaf's issuer is called; none of them signed it.
        let strangers = try (0..<40).map { _ in
            let key = try IssuingKey(generating: .ec256)
            return try CertificateIssuing.issue(fixture.middle, for: key, issuer: chain.root, issuerKey: rootKey)
        }
        var request = TrustFixture.request(chain)
        request.chain = [chain.leaf] + strangers + [chain.middle]
        #expect(ServerTrust.evaluate(request).isTrusted && ServerTrust.isTrusted(request))
        request.chain.removeLast()
        #expect(!ServerTrust.evaluate(request).isTrusted && !ServerTrust.isTrusted(request))
    }
}

extension Array {
    fileprivate mutating func reverse(_ range: Range<Int>) { replaceSubrange(range, with: self[range].reversed()) }
}
