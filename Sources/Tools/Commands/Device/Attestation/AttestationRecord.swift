internal import PaviseCrypto
internal import PavisePrimitives
internal import PaviseTransport

/// That this device was enrolled with an authority: nothing secret, but without it nothing of the TPM is told there.
struct AttestationRecord: Hashable, Sendable {
    /// The issuer, as its metadata has it.
    let issuer: String
    /// Where quotes go.
    let endpoint: WebURL
    /// What the authority calls this device.
    let device: String

    private static let limit = 8_192

    /// The record for `issuer`; `nil` where this device was not enrolled there.
    static func read(_ home: PaviseHome, issuer: String) throws -> AttestationRecord? {
        try home.check()
        guard let bytes = try DurableFile.readIfPresent(path(home, issuer), limit: limit) else { return nil }
        guard let value = try? JSONValue.parse(bytes), value["issuer"]?.string == issuer,
            let text = value["endpoint"]?.string, let endpoint = try? WebURL(text), endpoint.origin.scheme == .https,
            let device = value["device"]?.string
        else {
            throw CommandFailure(
                .failed, "\(path(home, issuer)) is damaged. Remove it, and enrol again: pavise device attest ISSUER.")
        }
        return AttestationRecord(issuer: issuer, endpoint: endpoint, device: device)
    }

    /// Keeps the record.
    func write(_ home: PaviseHome) throws {
        try home.check()
        try DurableFile.makeDirectory(home.attestation)
        let value = JSONValue.fields([
            "issuer": .string(issuer), "endpoint": .string(endpoint.description), "device": .string(device),
        ])
        try DurableFile.write(Array(value.text.utf8).span, to: Self.path(home, issuer))
    }

    private static func path(_ home: PaviseHome, _ issuer: String) -> String {
        home.attestation + "/" + Hex.encode(Array(Hash.digest(.sha256, Array(issuer.utf8)).prefix(16))) + ".json"
    }
}
