internal import PaviseAttestation
internal import PaviseCrypto
internal import PavisePrimitives

extension FuzzTarget {
    static let attestations = [
        cbor, appAttest, appAttestChained, appAttestAssertion, tpmQuote, tpmEnrolment, tpmSignedQuote, tpmEventLog,
    ]

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

    private static let chained = Result { () throws -> AppAttestVerifier in
        AppAttestVerifier(application: "A1B2C3D4E5.org.example", anchors: [try AttestationAuthority.root.get()])
    }

    // Under a root of our own: changed as a whole, and with authenticator data of anybody that the root vouches for.
    private static let appAttestChained = FuzzTarget(
        "app-attest-chained",
        seeds: {
            let data = try AttestationAuthority.authenticatorData()
            let whole = try AttestationAuthority.attestation(of: data, challenge: [1])
            // One that is refused as it stands would reach nothing.
            _ = try attested(whole).get()
            return [whole, data]
        },
        run: { bytes in
            if let key = try? attested(bytes).get() {
                require(key.counter == 0, "a key begins with another counter")
                require(isEnclave(key.point), "a key that nobody vouched for was taken")
            }
            guard (37...256).contains(bytes.count),
                let whole = try? AttestationAuthority.attestation(of: bytes, challenge: [1]),
                let key = try? attested(whole).get()
            else { return }
            require(Array(bytes.prefix(32)) == AttestationAuthority.application, "another app's key was taken")
            require(isEnclave(key.point), "a key that nobody vouched for was taken")
        })

    private static func attested(_ bytes: [UInt8]) -> Result<AttestedKey, any Error> {
        Result { () throws -> AttestedKey in
            let point = AttestationAuthority.point(try AttestationAuthority.enclave.get())
            return try chained.get().key(
                from: bytes, named: Hash.digest(.sha256, point), challenge: [1], at: AttestationAuthority.now)
        }
    }

    private static func isEnclave(_ point: [UInt8]) -> Bool {
        (try? AttestationAuthority.enclave.get()).map { AttestationAuthority.point($0) == point } ?? false
    }

    // Of an assertion by a stored key only what was signed comes out, whatever is changed around it.
    private static let appAttestAssertion = FuzzTarget(
        "app-attest-assertion",
        seeds: {
            let assertion = try Device.assertion.get()
            // One that is refused as it stands would reach nothing.
            _ = try verifier.verify(assertion, over: Device.clientData, by: Device.stored.get())
            return [assertion]
        },
        run: { bytes in
            guard let key = try? Device.stored.get(),
                let taken = try? verifier.verify(bytes, over: Device.clientData, by: key)
            else { return }
            require(taken.counter == UInt32(Device.counter), "a counter that nobody signed")
            require(taken.point == key.point && taken.receipt == key.receipt, "an assertion changes its key")
        })

    private static let quotes = TPMQuoteVerifier(roots: [AppAttestVerifier.appleRoot])

    // TPMS_ATTEST of a quote, and the public areas of an attestation and an RSA endorsement key.
    private static let quote: [UInt8] =
        [0xFF, 0x54, 0x43, 0x47, 0x80, 0x18, 0, 34, 0, 0x0B] + [UInt8](repeating: 7, count: 32) + [0, 2, 1, 2]
        + [UInt8](repeating: 0, count: 16) + [1] + [UInt8](repeating: 0, count: 8)
        + [0, 0, 0, 1, 0, 0x0B, 3, 0xFF, 0, 0, 0, 32] + [UInt8](repeating: 9, count: 32)
    private static let area: [UInt8] =
        [0, 0x23, 0, 0x0B, 0, 5, 4, 0x72, 0, 0, 0, 0x10, 0, 0x18, 0, 0x0B, 0, 3, 0, 0x10, 0, 32]
        + [UInt8](repeating: 1, count: 32) + [0, 32] + [UInt8](repeating: 2, count: 32)
    private static let rsaArea: [UInt8] =
        [0, 1, 0, 0x0B, 0, 3, 0, 0xB2, 0, 0, 0, 6, 0, 128, 0, 0x43, 0, 0x10, 8, 0, 0, 0, 0, 0, 1, 0]
        + [UInt8](repeating: 0xC3, count: 256)

    // Nobody here has a maker's root or an enrolled key: whatever comes is refused, in each place it may stand.
    private static let tpmQuote = FuzzTarget("tpm-quote", seeds: { [quote, area, rsaArea] }) { bytes in
        let enrolments = [
            TPMEnrolment(endorsementKey: bytes, certificates: [bytes], attestationKey: area),
            TPMEnrolment(endorsementKey: rsaArea, certificates: [bytes], attestationKey: bytes),
        ]
        for enrolment in enrolments {
            let challenge = try? quotes.challenge(for: enrolment, at: 1_790_000_000)
            require(challenge == nil, "an enrolment without a maker's root was taken")
        }
        for evidence in [
            TPMQuoteEvidence(quote: bytes, signature: Array(bytes.prefix(72)), registers: [:]),
            TPMQuoteEvidence(quote: quote, signature: bytes, registers: [:], eventLog: bytes),
        ] {
            let report = try? quotes.verify(evidence, nonce: [1, 2], by: strangersKey)
            require(report == nil, "a quote without its key was taken")
        }
    }

    private static let makers = Result { () throws -> TPMQuoteVerifier in
        TPMQuoteVerifier(roots: [try AttestationAuthority.root.get()])
    }

    // Under a maker's root of our own, with the input as either key.
    private static let tpmEnrolment = FuzzTarget(
        "tpm-enrolment",
        seeds: {
            _ = try makers.get().challenge(for: AttestationAuthority.enrolment(), at: AttestationAuthority.now)
            return [try AttestationAuthority.attestationArea(), try AttestationAuthority.endorsementArea()]
        },
        run: { bytes in
            guard let makers = try? makers.get(), let own = try? AttestationAuthority.endorsementArea(),
                let quoting = try? AttestationAuthority.enrolment(attestation: bytes),
                let endorsed = try? AttestationAuthority.enrolment(endorsement: bytes)
            else { return }
            if let challenge = try? makers.challenge(for: quoting, at: AttestationAuthority.now) {
                require((try? makers.key(from: [], for: challenge)) == nil, "an empty secret was taken")
            }
            let taken = try? makers.challenge(for: endorsed, at: AttestationAuthority.now)
            require(taken == nil || bytes.suffix(24) == own.suffix(24), "a key that no maker certified was taken")
        })

    // What our own TPM key has signed, whatever it says; and an event log of anybody beside a good quote.
    private static let tpmSignedQuote = FuzzTarget(
        "tpm-signed-quote",
        seeds: {
            let quote = AttestationAuthority.quote
            _ = try makers.get().verify(
                TPMQuoteEvidence(
                    quote: quote, signature: AttestationAuthority.ownSignature.get(),
                    registers: AttestationAuthority.registers),
                nonce: [1, 2], by: AttestationAuthority.quotingKey.get())
            return [quote, eventLog]
        },
        run: { bytes in
            let registers = AttestationAuthority.registers
            guard bytes.count <= 1_024, let makers = try? makers.get(),
                let key = try? AttestationAuthority.quotingKey.get(),
                let signature = try? AttestationAuthority.signature(of: bytes),
                let own = try? AttestationAuthority.ownSignature.get()
            else { return }
            let signed = TPMQuoteEvidence(quote: bytes, signature: signature, registers: registers)
            if let report = try? makers.verify(signed, nonce: [1, 2], by: key) {
                require(bytes.starts(with: [0xFF, 0x54, 0x43, 0x47, 0x80, 0x18]), "what is no quote was taken")
                require(report.registers == registers && report.explained.isEmpty, "a report of other registers")
            }
            let logged = TPMQuoteEvidence(
                quote: AttestationAuthority.quote, signature: own, registers: registers, eventLog: bytes)
            if let report = try? makers.verify(logged, nonce: [1, 2], by: key) {
                require(report.eventCount <= bytes.count, "more events than the log has bytes")
            }
        })

    // As a server would keep it; the point is the generator of P-256, whose private half is 1, which no input knows how
    // to use.
    private static let strangersKey: TPMAttestationKey = {
        let point =
            "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
            + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
        let digits = Hex.decode(point) ?? []
        let text = "{\"point\":\(digits),\"name\":[],\"endorsement\":[]}"
        do { return try JSONValue.parse(Array(text.utf8)).decoded(as: TPMAttestationKey.self) } catch {
            fatalError("the key of the fuzz target is none: \(error)")
        }
    }()

    private static let eventLog: [UInt8] =
        [0, 0, 0, 0, 3, 0, 0, 0] + [UInt8](repeating: 0, count: 20) + [33, 0, 0, 0] + Array("Spec ID Event03\0".utf8)
        + [0, 0, 0, 0, 0, 2, 0, 2, 1, 0, 0, 0, 0x0B, 0, 32, 0, 0]
        + [4, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 0x0B, 0] + [UInt8](repeating: 5, count: 32) + [1, 0, 0, 0, 9]

    private static let tpmEventLog = FuzzTarget("tpm-event-log", seeds: { [eventLog] }) { bytes in
        guard let log = try? TPMEventLog(bytes) else { return }
        require(bytes.count <= TPMEventLog.limit, "more bytes than the limit were read")
        require(log.events.reduce(0) { $0 + $1.size } <= bytes.count, "events have more content than the log")
        require(log.replayed().values.allSatisfy { $0.count == 32 }, "a register has another width")
        require((try? TPMEventLog(bytes + [0])) == nil, "a byte behind the log was not noticed")
    }
}

/// A key that made an assertion, and what its server keeps of it.
private enum Device {
    static let clientData: [UInt8] = [1, 2, 3]
    static let counter: UInt8 = 7
    static let key = Result { try ECPrivateKey(generating: .p256) }

    static let stored = Result { () throws -> AttestedKey in
        let text = "{\"point\":\(try key.get().publicKey.x963),\"counter\":0,\"receipt\":[]}"
        return try JSONValue.parse(Array(text.utf8)).decoded(as: AttestedKey.self)
    }

    static let assertion = Result { () throws -> [UInt8] in
        let application = Hash.digest(.sha256, Array("A1B2C3D4E5.org.example".utf8))
        let data: [UInt8] = application + [0, 0, 0, 0, counter]
        let nonce = Hash.digest(.sha256, data + Hash.digest(.sha256, clientData))
        let signature = try key.get().sign(digest: Hash.digest(.sha256, nonce))
        var bytes: [UInt8] = [0xA2, 0x69]
        bytes += Array("signature".utf8) + [0x58, UInt8(signature.count)] + signature
        bytes += [0x71] + Array("authenticatorData".utf8) + [0x58, UInt8(data.count)] + data
        return bytes
    }
}
