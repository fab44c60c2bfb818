internal import PaviseCrypto
internal import PaviseDevice
internal import PavisePrimitives
internal import PaviseTransport

/// Why an authority's attester and this device did not come together.
enum AttestationProblem: Error, Hashable, Sendable {
    /// The attester refused; its code and its reason.
    case refused(code: String, reason: String?)
    /// No usable answer.
    case unusableAnswer
    case transport(TransportFailure)
    case device(DeviceFailure)
}

/// What an attester said of a quote.
struct QuoteVerdict: Sendable {
    /// Vouches for the key that the quote covers.
    let attestation: String
    /// The whole answer.
    let answer: JSONValue
    /// What was quoted.
    let quote: TPMAttestor.Quote
}

/// Speaks with an attester (Documentation/Decisions/0012-device-attestation.md).
struct AttestationExchange: Sendable {
    let client: HTTPClient
    let endpoint: WebURL
    let attestor: TPMAttestor

    /// The registers that are quoted: firmware, its settings, boot loader, Secure Boot.
    static let registers = Set(0...7)

    /// Makes the attestation key known, and gives what the attester calls this device.
    func enrol() async throws(AttestationProblem) -> String {
        let parts = try onDevice { () throws(DeviceFailure) in try attestor.enrolment() }
        let offered = try await ask(
            .fields([
                "step": "enrol", "endorsement_key": Self.text(parts.endorsementKey),
                "certificates": .array(parts.certificate.map { [Self.text($0)] } ?? []),
                "attestation_key": Self.text(parts.attestationKey),
            ]))
        guard let enrolment = offered["enrolment"]?.string, let credential = Self.bytes(offered["credential"]),
            let seed = Self.bytes(offered["seed"])
        else { throw .unusableAnswer }
        let secret = try onDevice { () throws(DeviceFailure) in try attestor.activate(credential, seed: seed) }
        let known = try await ask(
            .fields(["step": "activate", "enrolment": .string(enrolment), "secret": Self.text(secret)]))
        guard let device = known["device"]?.string, (1...256).contains(device.utf8.count) else {
            throw .unusableAnswer
        }
        return device
    }

    /// A challenge of the authority's.
    func challenge(at place: WebURL) async throws(AttestationProblem) -> String {
        let answer = try await ask(.object([]), at: place)
        guard let challenge = answer["attestation_challenge"]?.string, (1...512).contains(challenge.utf8.count) else {
            throw .unusableAnswer
        }
        return challenge
    }

    /// Quotes the registers over the challenge and `key`, and has the quote judged.
    func quote(
        _ challenge: String, device: String, clientID: String, key: AttestedClientKey
    ) async throws(AttestationProblem) -> QuoteVerdict {
        let nonce = Hash.digest(.sha256, Array("\(challenge).\(key.thumbprint)".utf8))
        let quote = try onDevice { () throws(DeviceFailure) in
            try attestor.quote(Self.registers, nonce: nonce)
        }
        var log: JSONValue?
        if case .read(let bytes) = quote.eventLog { log = Self.text(bytes) }
        let registers = quote.registers.sorted { $0.key < $1.key }.map {
            JSONValue.Member(String($0.key), Self.text($0.value))
        }
        let answer = try await ask(
            .fields([
                "step": "quote", "device": .string(device), "client_id": .string(clientID),
                "challenge": .string(challenge), "key": key.jwk, "quote": Self.text(quote.quote),
                "signature": Self.text(quote.signature), "registers": .object(registers), "event_log": log,
            ]))
        guard let attestation = answer["client_attestation"]?.string, attestation.utf8.count <= 8_192,
            attestation.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .unusableAnswer }
        return QuoteVerdict(attestation: attestation, answer: answer, quote: quote)
    }

    private func ask(_ body: JSONValue, at place: WebURL? = nil) async throws(AttestationProblem) -> JSONValue {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/json")
        fields.append("Accept", "application/json")
        let request = HTTPRequest(
            "POST", place ?? endpoint, fields: fields, body: Array(body.text.utf8),
            limits: HTTPRequest.Limits(idle: .seconds(30), total: .seconds(60), body: 65_536))
        let response: HTTPResponse
        do throws(TransportFailure) { response = try await client.send(request) } catch { throw .transport(error) }
        guard response.redirect == nil, let answer = try? JSONValue.parse(response.body), answer.members != nil else {
            throw .unusableAnswer
        }
        guard response.status == 200 || response.status == 201 else {
            guard let code = answer["error"]?.string else { throw .unusableAnswer }
            throw .refused(
                code: String(code.prefix(64)),
                reason: answer["error_description"]?.string.map { String($0.prefix(256)) })
        }
        return answer
    }

    private func onDevice<Value>(_ body: () throws(DeviceFailure) -> Value) throws(AttestationProblem) -> Value {
        do throws(DeviceFailure) { return try body() } catch { throw .device(error) }
    }

    private static func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }

    private static func bytes(_ value: JSONValue?) -> [UInt8]? { value?.string.flatMap { Base64URL.decode($0) } }
}

/// The key that an attestation vouches for: one for each request, in memory, gone afterwards.
struct AttestedClientKey: Sendable {
    /// The public half (RFC 7517).
    let jwk: JSONValue
    /// RFC 7638.
    let thumbprint: String
    private let key: ECPrivateKey

    init() throws(CryptoFailure) {
        key = try ECPrivateKey(generating: .p256)
        let point = key.publicKey.x963
        jwk = .fields([
            "crv": "P-256", "kty": "EC", "x": .string(Base64URL.encode(point[1..<33])),
            "y": .string(Base64URL.encode(point[33...])),
        ])
        thumbprint = Base64URL.encode(Hash.digest(.sha256, Array(jwk.text.utf8)))
    }

    /// A compact JWS with ES256.
    func token(_ type: String, _ claims: JSONValue) throws(CryptoFailure) -> String {
        let header = JSONValue.fields(["alg": "ES256", "typ": .string(type)])
        let input = Base64URL.encode(Array(header.text.utf8)) + "." + Base64URL.encode(Array(claims.text.utf8))
        let der = try key.sign(digest: Hash.digest(.sha256, Array(input.utf8)))
        guard let raw = ECDSASignature.raw(der: der, curve: .p256) else { throw .invalidKey }
        return input + "." + Base64URL.encode(raw)
    }
}
