/// The NIST curves of FIPS 186-4 in use.
package enum Curve: String, CaseIterable, Sendable {
    case p192 = "P-192"
    case p224 = "P-224"
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// The width of a coordinate and of a scalar in bytes.
    package var fieldBytes: Int { (bits + 7) / 8 }

    /// The size of the field in bits.
    package var bits: Int {
        switch self {
        case .p192: 192
        case .p224: 224
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// The length of an uncompressed point 04‖X‖Y in bytes.
    package var pointBytes: Int { 2 * fieldBytes + 1 }

    /// The curve whose field has this many bits.
    package init?(bits: Int) {
        guard let curve = Self.allCases.first(where: { $0.bits == bits }) else { return nil }
        self = curve
    }

    /// The object identifier, dotted (RFC 5480 §2.1.1.1).
    package var identifier: String {
        switch self {
        case .p192: "1.2.840.10045.3.1.1"
        case .p224: "1.3.132.0.33"
        case .p256: "1.2.840.10045.3.1.7"
        case .p384: "1.3.132.0.34"
        case .p521: "1.3.132.0.35"
        }
    }

    // OpenSSL's own name of the group.
    var groupName: String {
        switch self {
        case .p192: "prime192v1"
        case .p224: "secp224r1"
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        case .p521: "secp521r1"
        }
    }
}
