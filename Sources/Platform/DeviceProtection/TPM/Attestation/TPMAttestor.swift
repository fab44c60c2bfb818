internal import PaviseCrypto
internal import PavisePrimitives

#if canImport(Glibc)
internal import Glibc
#endif

/// What this machine's TPM says of it to somebody else: which TPM it is, and what its registers (PCRs) hold.
///
/// The attestation key is a primary key of the endorsement hierarchy, made anew each time from a template: nothing is
/// stored. Its label is the verifier's name, so that two verifiers do not see the same key. The endorsement key and its
/// certificate are the same for all of them, and name this machine for ever: only ``enrolment()`` gives them away.
package final class TPMAttestor: Sendable {
    /// Where the kernel keeps the log of what firmware and boot loader measured.
    package static let machineLog = "/sys/kernel/security/tpm0/binary_bios_measurements"

    /// What a device sends to be known.
    package struct Enrolment: Hashable, Sendable {
        package let endorsementKey: [UInt8]
        /// The maker's certificate for it (DER); `nil` where the TPM holds none.
        package let certificate: [UInt8]?
        package let attestationKey: [UInt8]
    }

    /// A quote with what it is about.
    package struct Quote: Hashable, Sendable {
        package let quote: [UInt8]
        package let signature: [UInt8]
        package let registers: [Int: [UInt8]]
        package let eventLog: EventLog
    }

    /// The log, or why there is none.
    package enum EventLog: Hashable, Sendable {
        case read([UInt8])
        /// The system keeps none, or the TPM is not this machine's own.
        case absent
        /// This user may not read it.
        case notReadable
        /// It is larger than a verifier would read.
        case tooLarge
    }

    private let channel: TPMChannel
    private let label: [UInt8]
    private let attestation: TPMEndorsedKey
    private let log: String?

    /// - Parameters:
    ///   - verifier: Who asks, for example an issuer's address.
    ///   - log: Where the event log lies; unless given, the kernel's for a TPM device and none for an emulator, whose
    ///     registers the machine's firmware never sees.
    ///   - isRestricted: `false` makes a key that verifiers must refuse: for tests.
    package init(_ address: TPMAddress, verifier: String, log: String? = nil, isRestricted: Bool = true) {
        channel = TPMChannel(address)
        label = Hash.digest(.sha256, Array("pavise attestation key: \(verifier)".utf8))
        attestation = isRestricted ? .attestation : .unrestricted
        self.log = log ?? (address.device == nil ? nil : Self.machineLog)
    }

    /// The keys and the maker's certificate. RSA where the TPM holds a certificate for it, as nearly all do; else
    /// P-256.
    package func enrolment() throws(DeviceFailure) -> Enrolment {
        let attestation = attestation
        let label = label
        return try channel.run { link in
            link.dropKept()
            let (endorsement, certificate) = try Self.endorsement(link)
            let areas = try [endorsement, attestation].map { kind in
                let (handle, area) = try link.context.endorsed(kind, label: label)
                link.context.flush(handle)
                return area
            }
            return Enrolment(endorsementKey: areas[0], certificate: certificate, attestationKey: areas[1])
        }
    }

    private static func endorsement(_ link: TPMLink) throws -> (TPMEndorsedKey, certificate: [UInt8]?) {
        for kind in [TPMEndorsedKey.endorsementRSA, .endorsementP256] {
            guard let index = kind.certificateIndex else { continue }
            let content = try link.withIndex(index) { try link.context.content(of: $0, session: link.session) }
            if let content { return (kind, unpadded(content)) }
        }
        return (.endorsementP256, nil)
    }

    // Some makers fill the index behind the certificate.
    private static func unpadded(_ content: [UInt8]) -> [UInt8] {
        guard content.count > 4, content[0] == 0x30, content[1] == 0x82 else { return content }
        return Array(content.prefix(4 + (Int(content[2]) << 8 | Int(content[3]))))
    }

    /// Opens a credential that is sealed to this TPM and about this attestation key.
    ///
    /// - Throws: ``DeviceFailure/unknownKey`` for one that is another TPM's or about another key.
    package func activate(_ credential: [UInt8], seed: [UInt8]) throws(DeviceFailure) -> [UInt8] {
        let attestation = attestation
        let label = label
        return try channel.run { link in
            link.dropKept()
            let (kind, _) = try Self.endorsement(link)
            let (object, _) = try link.context.endorsed(attestation, label: label)
            defer { link.context.flush(object) }
            let (endorsement, _) = try link.context.endorsed(kind, label: label)
            defer { link.context.flush(endorsement) }
            return try link.withPolicy(.policy) { policy in
                try link.context.requireEndorsement(in: policy, session: link.session)
                do throws(TPMFailure) {
                    return try link.context.activate(
                        credential, seed: seed, about: object, with: endorsement, policy: policy)
                    // To another's seed a TPM says TPM_RC_FAILURE or TPM_RC_VALUE, to the rest TPM_RC_INTEGRITY.
                } catch  where [.anotherTPM, .other, .point, .selfTest].contains(error.kind) {
                    throw DeviceFailure.unknownKey
                }
            }
        }
    }

    /// A quote of registers of the SHA-256 bank over `nonce`, with the event log where there is one.
    ///
    /// - Parameters:
    ///   - registers: 0 to 23, at least one.
    ///   - nonce: What the verifier sent, at most 64 bytes.
    package func quote(_ registers: Set<Int>, nonce: [UInt8]) throws(DeviceFailure) -> Quote {
        guard !registers.isEmpty, registers.allSatisfy({ (0..<24).contains($0) }), (1...64).contains(nonce.count) else {
            throw .invalidInput
        }
        let attestation = attestation
        let label = label
        let (quote, signature, values) = try channel.run { link -> ([UInt8], [UInt8], [Int: [UInt8]]) in
            link.dropKept()
            let (key, _) = try link.context.endorsed(attestation, label: label)
            defer { link.context.flush(key) }
            var values: [Int: [UInt8]] = [:]
            for register in registers { values[register] = try link.context.register(register) }
            let made = try link.context.quote(registers, nonce: nonce, by: key, session: link.session)
            return (made.quote, made.signature, values)
        }
        return Quote(quote: quote, signature: signature, registers: values, eventLog: eventLog())
    }

    private func eventLog() -> EventLog {
        guard let log else { return .absent }
        do throws(SystemFailure) {
            return try InputFile.readIfPresent(log, limit: 1 << 20).map { EventLog.read($0) } ?? .absent
        } catch {
            return error.code == EFBIG ? .tooLarge : .notReadable
        }
    }

    /// Gives the connection to the TPM up.
    package func disconnect() { channel.disconnect() }
}
