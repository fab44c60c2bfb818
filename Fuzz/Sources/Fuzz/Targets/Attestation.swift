internal import PaviseAttestation

extension FuzzTarget {
    static let attestations = [cbor, appAttest]

    private static let seed: [UInt8] =
        [0xA3, 0x63] + Array("fmt".utf8) + [0x6F] + Array("apple-appattest".utf8)
        + [0x67] + Array("attStmt".utf8) + [0xA2, 0x63] + Array("x5c".utf8) + [0x81, 0x43, 0x30, 0x01, 0x00]
        + [0x67] + Array("receipt".utf8) + [0x40]
        + [0x68] + Array("authData".utf8) + [0x58, 0x37] + [UInt8](repeating: 0, count: 55)

    private static let cbor = FuzzTarget("cbor", seeds: { [seed, [0x83, 0x01, 0x20, 0xF6], [0x1B] + Array(1...8)] }) {
        bytes in
        guard let value = try? CBORValue(bytes) else { return }
        require(bytes.count <= CBORValue.limit, "more bytes than the limit were read")
        require((try? CBORValue(bytes)) == value, "the same bytes are two values")
        require((try? CBORValue(bytes + [0])) == nil, "a byte behind the value was not noticed")
    }

    private static let verifier = AppAttestVerifier(application: "A1B2C3D4E5.org.example")

    // Nobody has the root's key: whatever comes is refused.
    private static let appAttest = FuzzTarget("app-attest", seeds: { [seed] }) { bytes in
        let key = try? verifier.key(from: bytes, named: Array(bytes.prefix(32)), challenge: [1], at: 1_790_000_000)
        require(key == nil, "an attestation without Apple's root was taken")
    }
}
