internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseTransport

/// SHA-256 of a certificate or of its public key, as a person copies it from another source.
struct Fingerprint: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Reads 64 hexadecimal digits, with or without colons, or the 44 characters of base64.
    init(_ text: String) throws(Parameter.Invalid) {
        let digits = text.filter { $0 != ":" }
        guard let bytes = Hex.decode(digits.lowercased()) ?? Base64.decode(text), bytes.count == 32 else {
            throw Parameter.Invalid("is no SHA-256: write 64 hexadecimal digits or 44 characters of base64")
        }
        self.bytes = bytes
    }

    /// Whether it names this certificate, by its public key or as a whole.
    func matches(_ summary: CertificateSummary) -> Bool {
        Base64.decode(summary.spki) == bytes || Hex.decode(summary.fingerprint) == bytes
    }

    /// The base64 form, as `openssl` and pins have it.
    var base64: String { Base64.encode(bytes) }
    /// The hexadecimal form.
    var hexadecimal: String { Hex.encode(bytes) }
}
