import AuditCore
import AuditDriver
import AuditEvidence
import Foundation
import Testing

/// Signatures over the maker's statements and over the manifest.
@Suite struct SignatureTests {
    // The key and the signature of RFC 7515, Appendix A.3: public by being printed there.
    static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff
        H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp
        7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt
        -----END PRIVATE KEY-----
        """
    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----
        """
    static let otherKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEk7WG7l5a5kvoOLp6hDiyYmABjFRZ
        M2Mkl+o0U36zAczMpQTyNsOOC/5U7+sGV7YZWgxZa5wVv8SHg2AJAJj4ZA==
        -----END PUBLIC KEY-----
        """
    static let longKey = """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEffnR/O7YvQEMzVwJkzdhCo+37lxp58IN
        4O19/a3k3ck79TOdpo0UE5hdgPrHUehGWVAL8TJ/B4OGlwHbT14Ksw6e3+4ZtbFj
        Jiq0xihYBBLKStwQiMzl8EXTcTllfzo+
        -----END PUBLIC KEY-----
        """

    private func bytes(_ text: String) throws -> [UInt8] {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padded = plain + String(repeating: "=", count: (4 - plain.count % 4) % 4)
        return [UInt8](try #require(Data(base64Encoded: padded)))
    }

    @Test func `the signature of the standard's example is one, and no other`() throws {
        let key = try #require(SigningKey(pem: Self.publicKey))
        let message = Array(
            ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290"
                + "Ijp0cnVlfQ").utf8)
        var signature = try bytes(
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
        #expect(key.verifies(signature, message))
        #expect(!key.verifies(signature, message + [0]))
        #expect(!key.verifies(Array(signature.dropLast()), message))
        signature[40] ^= 1
        #expect(!key.verifies(signature, message))
        #expect(!key.verifies([UInt8](repeating: 0, count: 64), message))
    }

    @Test func `what the private key signs, the public one finds right, byte for byte`() throws {
        let signer = try #require(SigningKey(pem: Self.privateKey))
        let key = try #require(SigningKey(pem: Self.publicKey))
        let other = try #require(SigningKey(pem: Self.otherKey))
        #expect(signer.name == key.name && key.name.hasPrefix("sha256:") && other.name != key.name)
        // Some signatures have numbers with leading zeros.
        for index in 0..<300 {
            let text = Array("statement \(index)".utf8)
            let signature = try #require(DetachedJWS.sign(text, with: signer))
            #expect(DetachedJWS.verifies(signature, text, with: key))
            #expect(!DetachedJWS.verifies(signature, text + [10], with: key))
            #expect(!DetachedJWS.verifies(signature, text, with: other))
        }
        #expect(DetachedJWS.sign([1], with: key) == nil)
    }

    @Test func `a header that asks for anything else is refused`() throws {
        let signer = try #require(SigningKey(pem: Self.privateKey))
        func signed(_ header: String) throws -> String {
            let start = Data(header.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
                .replacing("/", with: "_")
            let signature = try #require(signer.sign(Array((start + ".a").utf8)))
            let end = Data(signature).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
                .replacing("/", with: "_")
            return start + ".." + end
        }
        func isRight(_ header: String) throws -> Bool {
            DetachedJWS.verifies(try signed(header), Array("a".utf8), with: signer)
        }
        #expect(try isRight(#"{"alg":"ES256","b64":false,"crit":["b64"]}"#))
        #expect(try !isRight(#"{"alg":"none","b64":false,"crit":["b64"]}"#))
        #expect(try !isRight(#"{"alg":"ES256","b64":true,"crit":["b64"]}"#))
        #expect(try !isRight(#"{"alg":"ES256","b64":false,"crit":[]}"#))
        #expect(try !isRight(#"{"alg":"ES256","b64":false}"#))
        #expect(try !isRight(#"{"alg":"ES256","b64":false,"crit":["b64","exp"]}"#))
        #expect(try !isRight(#"{"alg":"ES256","b64":false,"crit":["b64"],"jwk":{}}"#))
        #expect(!DetachedJWS.verifies("a.b.c", Array("a".utf8), with: signer))
        #expect(!DetachedJWS.verifies("", [], with: signer))
    }

    @Test func `a key of another curve, an encrypted one and other texts are no keys`() {
        #expect(SigningKey(pem: Self.longKey) == nil)
        #expect(SigningKey(pem: "") == nil)
        #expect(
            SigningKey(pem: "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----") == nil)
        #expect(SigningKey(pem: Self.privateKey.replacing("MIGH", with: "MIGI")) == nil)
    }

    @Test func `statements that are signed say so, and prove no more than before`() throws {
        let text =
            #"{"references":[{"requirement":"O.Arch_1","title":"Concept","digest":"sha256:0","person":"A. Person"}]}"#
        let signer = try #require(SigningKey(pem: Self.privateKey))
        var maker = try MakerFile(Data(text.utf8))
        #expect(maker.signer == nil)
        maker.signer = signer.name
        let report = Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")
        let builder = EvidenceBuilder(
            AuditResult(reports: [report], root: "/r/", seconds: 0), .init(), maker: maker)
        let signature = try #require(DetachedJWS.sign(Array(text.utf8), with: signer))
        let bundle = EvidenceBundle(builder, standard: "tr-03161-1", statements: (text, signature))
        let row = try #require(bundle.records.first { $0.requirement.id == "O.Arch_1" })
        #expect(row.verdict == .notAssessed && row.references.first?.signer == signer.name)
        #expect(bundle.files["report.de.html"]?.contains(signer.name) == true)
        #expect(bundle.files["statements.json"] == text && bundle.files["statements.json.jws"] == signature)
        // A file cannot say of itself that it is signed.
        #expect(throws: MakerFile.Failure.self) { try MakerFile(Data(#"{"signer":"sha256:1"}"#.utf8)) }
    }

    @Test func `a folder is signed by its manifest`() throws {
        let path = NSTemporaryDirectory() + "evidence-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let signer = try #require(SigningKey(pem: Self.privateKey))
        let other = try #require(SigningKey(pem: Self.otherKey))
        let report = Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")
        let builder = EvidenceBuilder(AuditResult(reports: [report], root: "/r/", seconds: 0), .init())
        try EvidenceBundle(builder, standard: "masvs").write(to: path)
        #expect(EvidenceBundle.defects(path, signer: signer) == ["manifest.json.jws is not there"])
        let manifest = try Data(contentsOf: URL(fileURLWithPath: path + "/manifest.json"))
        let signature = try #require(DetachedJWS.sign([UInt8](manifest), with: signer))
        try (signature + "\n").write(toFile: path + "/manifest.json.jws", atomically: true, encoding: .utf8)
        #expect(EvidenceBundle.defects(path, signer: signer) == [])
        #expect(EvidenceBundle.defects(path, signer: other).count == 1)
        try (manifest + Data([10])).write(to: URL(fileURLWithPath: path + "/manifest.json"))
        #expect(EvidenceBundle.defects(path, signer: signer).count == 1)
        // A new bundle in the folder has no signature of the old one.
        try EvidenceBundle(builder, standard: "masvs").write(to: path)
        #expect(EvidenceBundle.defects(path, signer: signer) == ["manifest.json.jws is not there"])
    }
}
