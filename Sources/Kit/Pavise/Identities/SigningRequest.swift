internal import PavisePrimitives
internal import PaviseVault

/// A request for a certificate (PKCS #10, RFC 2986): a subject's common name and a P-256 key, signed by that key with
/// ECDSA and SHA-256 (RFC 5480, RFC 5758).
enum SigningRequest {
    private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    private static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    private static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
    private static let commonName: [UInt8] = [0x55, 0x04, 0x03]

    /// The longest common name, in characters (RFC 5280 appendix A.1, ub-common-name).
    static let nameLimit = 64

    /// Whether `name` may be a common name: 1 to 64 characters without control characters.
    static func isName(_ name: String) -> Bool {
        (1...nameLimit).contains(name.unicodeScalars.count)
            && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// The common name in a subject that is written in one line (RFC 4514), or what the system shows of it; at most as
    /// long as a request's may be.
    static func commonName(in subject: String) -> String {
        var parts: [String] = [""]
        var isEscaped = false
        for character in subject {
            if !isEscaped, character == "," || character == "+" {
                parts.append("")
            } else if isEscaped || character != "\\" {
                parts[parts.count - 1].append(character)
            }
            isEscaped = !isEscaped && character == "\\"
        }
        let trimmed = parts.map { $0.drop { $0 == " " } }
        let name = trimmed.last { $0.hasPrefix("CN=") }.map { String($0.dropFirst(3)) } ?? subject
        return String(String.UnicodeScalarView(name.unicodeScalars.prefix(nameLimit)))
    }

    /// The request, DER.
    ///
    /// - Parameters:
    ///   - name: The subject's common name; see ``isName(_:)``.
    ///   - key: The key, which signs.
    static func make(_ name: String, _ key: EnclaveKey) throws(VaultFailure) -> [UInt8] {
        let attribute = tag(0x30, tag(0x06, commonName) + tag(0x0C, Array(name.utf8)))
        let information = tag(
            0x30,
            tag(0x02, [0]) + tag(0x30, tag(0x31, attribute)) + publicKey(try key.publicPoint()) + tag(0xA0, []))
        let signature = try key.sign(information)
        let value = tag(0x30, integer(signature.prefix(32)) + integer(signature.suffix(32)))
        return tag(0x30, information + tag(0x30, tag(0x06, ecdsaWithSHA256)) + tag(0x03, [0] + value))
    }

    /// The SubjectPublicKeyInfo of a P-256 point, 04‖X‖Y (RFC 5480 §2).
    static func publicKey(_ point: [UInt8]) -> [UInt8] {
        tag(0x30, tag(0x30, tag(0x06, ecPublicKey) + tag(0x06, p256)) + tag(0x03, [0] + point))
    }

    /// The same request as text (RFC 7468 §7).
    static func text(_ der: [UInt8]) -> String {
        let letters = Array(Base64.encode(der))
        let lines = stride(from: 0, to: letters.count, by: 64).map { String(letters[$0..<min($0 + 64, letters.count)]) }
        return (["-----BEGIN CERTIFICATE REQUEST-----"] + lines + ["-----END CERTIFICATE REQUEST-----", ""])
            .joined(separator: "\n")
    }

    // X.690: a length of up to 127 bytes is one byte, a longer one says how many bytes it has.
    private static func tag(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count > 127 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    // Without leading zeros, and never negative.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let value = Array(bytes.drop { $0 == 0 })
        return tag(0x02, value.first.map { $0 < 0x80 } ?? false ? value : [0] + value)
    }
}

/// Certificates in PEM (RFC 7468) or one in DER, as authorities hand them out.
enum CertificateFile {
    /// The greatest file, in bytes.
    static let limit = 262_144

    /// The certificates in their order; none when there is none, or one of them cannot be read.
    static func read(_ bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.count <= limit else { return [] }
        guard bytes.first != 0x30 else { return [bytes] }
        var found: [[UInt8]] = []
        var letters: [UInt8]?
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = line.filter { $0 != 0x20 && $0 != 0x09 }
            if line == Array("-----BEGINCERTIFICATE-----".utf8) {
                guard letters == nil else { return [] }
                letters = []
            } else if line == Array("-----ENDCERTIFICATE-----".utf8) {
                guard let text = letters, let der = Base64.decode(utf8: text[...]) else { return [] }
                found.append(der)
                letters = nil
            } else {
                letters?.append(contentsOf: line)
            }
        }
        return letters == nil ? found : []
    }
}
