import Foundation
import PaviseCrypto
import PavisePrimitives
import TestSupport
import Testing

@Suite struct `Reading certificates` {
    static let bundle = "/etc/ssl/certs/ca-certificates.crt"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: bundle)))
    func `every root of the system's bundle is read and is signed by itself`() throws {
        let text = try String(contentsOfFile: Self.bundle, encoding: .utf8)
        let roots = try #require(PEM.blocks("CERTIFICATE", in: text))
        #expect(roots.count > 50)
        for der in roots {
            let root = try X509Certificate(der: der)
            #expect(root.isSelfIssued && root.isSigned(by: root), "\(root.subject.line)")
            #expect(root.extensions.unreadable.isEmpty && root.extensions.repeated.isEmpty, "\(root.subject.line)")
            #expect(root.notBefore < root.notAfter)
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: bundle)))
    func `another root's key does not fit`() throws {
        let text = try String(contentsOfFile: Self.bundle, encoding: .utf8)
        let roots = try #require(PEM.blocks("CERTIFICATE", in: text)).prefix(2).map { try X509Certificate(der: $0) }
        #expect(!roots[0].isSigned(by: roots[1]))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: bundle)))
    func `no cut and no changed byte traps the reader`() throws {
        let text = try String(contentsOfFile: Self.bundle, encoding: .utf8)
        let der = try #require(PEM.blocks("CERTIFICATE", in: text)?.first)
        let root = try X509Certificate(der: der)
        for length in 0..<der.count {
            #expect(throws: X509Failure.malformed) { try X509Certificate(der: Array(der.prefix(length))) }
        }
        for index in der.indices {
            var changed = der
            changed[index] ^= 0x41
            if let read = try? X509Certificate(der: changed) { #expect(!read.isSigned(by: root)) }
        }
        #expect(throws: X509Failure.malformed) { try X509Certificate(der: der + [0]) }
        #expect(throws: X509Failure.tooLarge) {
            try X509Certificate(der: [UInt8](repeating: 0x30, count: X509Certificate.maximumSize + 1))
        }
    }

    @Test func `nothing stands beside the version, and no version is beyond the third`() throws {
        let key = try IssuingKey(generating: .ec256)
        let template = CertificateTemplate(
            subject: "Root", serial: [1], notBefore: 0, notAfter: 86_400, hash: .sha256, extensions: [])
        let der = try CertificateIssuing.issue(template, for: key, issuer: nil, issuerKey: key)
        func with(_ version: [UInt8]) throws -> [UInt8] {
            var outer = DERReader(der[...])
            var certificate = try outer.inside()
            var (fields, rest) = (DERReader(try certificate.next().content), [UInt8]())
            _ = try fields.next()
            while !fields.isAtEnd { rest += try fields.next().whole }
            var signed = DEREncoding.element(
                DERTag.sequence, DEREncoding.element(DERTag.context(0, constructed: true), version) + rest)
            while !certificate.isAtEnd { signed += try certificate.next().whole }
            return DEREncoding.element(DERTag.sequence, signed)
        }
        #expect(try with([2, 1, 2]) == der)
        #expect(throws: Never.self) { try X509Certificate(der: with([2, 1, 1])) }
        for version: [UInt8] in [[2, 1, 2, 5, 0], [2, 1, 2, 2, 1, 2], [2, 1, 0], [2, 1, 3], []] {
            #expect(throws: X509Failure.malformed) { try X509Certificate(der: with(version)) }
        }
    }

    @Test(
        arguments: [
            ("170d3730303130313030303030305a", 0), ("170d3439313233313233353935395a", 2_524_607_999),
            ("170d3530303130313030303030305a", -631_152_000), ("180f32303234303232393132303030305a", 1_709_208_000),
            ("180f39393939313233313233353935395a", 253_402_300_799),
        ] as [(String, Int64)])
    func `times are seconds since 1970`(_ hex: String, _ seconds: Int64) throws {
        var reader = DERReader(try #require(Hex.decode(hex))[...])
        #expect(try reader.next().time() == seconds)
    }

    @Test(arguments: [
        "170d3233303232393132303030305a", "170d3233303032393132303030305a", "170d3233303132393234303030305a",
        "170b323330313239323430305a", "180f323032333031323931323030302b", "180d3233303132393132303030305a",
        "1711323330313239313230303030 2b3031 3030".replacingOccurrences(of: " ", with: ""),
    ])
    func `anything else is no time`(_ hex: String) throws {
        let bytes = try #require(Hex.decode(hex))
        #expect(throws: DERFailure.self) {
            var reader = DERReader(bytes[...])
            _ = try reader.next().time()
        }
    }

    @Test(arguments: ["3080", "308000", "30810100", "3003020100ff", "1f8101", "30", "30850000000001ff", "3084ffffffff"])
    func `what is not DER is refused`(_ hex: String) throws {
        let bytes = try #require(Hex.decode(hex))
        #expect(throws: DERFailure.self) {
            var reader = DERReader(bytes[...])
            _ = try reader.next()
            try reader.finish()
        }
    }

    @Test(arguments: [
        ("06092a864886f70d01010b", "1.2.840.113549.1.1.11"), ("0603551d11", "2.5.29.17"), ("0603883703", "2.999.3"),
        // Of a UUID (X.667), and the greatest of them.
        ("06146983f09da7ebcfdee0c7a1a7b2c0948cc8f9d776", "2.25.329800735698586629295641978511506172918"),
        ("06146983ffffffffffffffffffffffffffffffffff7f", "2.25.340282366920938463463374607431768211455"),
    ])
    func `object identifiers have a dotted form`(_ hex: String, _ dotted: String) throws {
        var reader = DERReader(try #require(Hex.decode(hex))[...])
        #expect(try reader.next().objectIdentifier() == dotted)
    }

    @Test(arguments: ["0600", "060180", "06026980", "06026981", "06146984808080808080808080808080808080808000"])
    func `no object identifier is empty, cut off, not the shortest, or beyond a UUID`(_ hex: String) throws {
        var reader = DERReader(try #require(Hex.decode(hex))[...])
        let element = try reader.next()
        #expect(throws: DERFailure.self) { try element.objectIdentifier() }
    }
}
