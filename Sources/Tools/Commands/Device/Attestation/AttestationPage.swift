internal import PaviseDevice
internal import PavisePrimitives

/// What an authority said of this device, as text and as JSON.
struct AttestationPage: Sendable {
    let device: String
    let verdict: QuoteVerdict
    let isNew: Bool

    var report: Report {
        var report = Report(data: data)
        if isNew { report.add(.success("Enrolled: the authority knows this device's TPM.")) }
        report.add(.success("Attested: the authority believes the quote of this device's TPM."))
        report.add(.fact(.init("device", "Device", device)))
        report.add(.fact(.init("registers", "Registers", registers.joined(separator: ", "))))
        report.add(.fact(.init("eventLog", "Event log", Self.words(verdict.quote.eventLog))))
        report.add(
            .line("It proves what was measured before the system started, not that the running system is untouched."))
        return report
    }

    private var registers: [String] { verdict.quote.registers.keys.sorted().map { String($0) } }

    private var data: JSONValue {
        let values = verdict.quote.registers.sorted { $0.key < $1.key }.map {
            JSONValue.Member(String($0.key), .string(Hex.encode($0.value)))
        }
        return .fields([
            "attested": true, "enrolled": .bool(isNew), "device": .string(device), "registers": .object(values),
            "eventLog": .string(Self.words(verdict.quote.eventLog)),
            "explained": verdict.answer["explained"]?.integer.map { .integer($0) },
            "resetCount": verdict.answer["reset_count"]?.integer.map { .integer($0) },
            "firmwareVersion": verdict.answer["firmware_version"]?.string.map { .string($0) },
        ])
    }

    private static func words(_ log: TPMAttestor.EventLog) -> String {
        switch log {
        case .read(let bytes): "sent, \(bytes.count) bytes"
        case .absent: "none: this system keeps none, or the TPM is an emulator"
        case .notReadable: "not sent: this user may not read \(TPMAttestor.machineLog)"
        case .tooLarge: "not sent: larger than 1 MiB"
        }
    }
}

extension CommandFailure {
    /// Words and status for an attestation that came to nothing.
    init(_ problem: AttestationProblem) {
        switch problem {
        case .refused("unknown_device", _):
            self.init(
                .refused, "The authority does not know this device (any more). Enrol it with --enrol.",
                rule: "attestation")
        case .refused(let code, let reason):
            let words = reason.map { ": \(Printable.text($0))" } ?? "."
            self.init(
                .refused, "The authority refuses what the TPM says (\(Printable.text(code)))\(words)",
                rule: "attestation")
        case .unusableAnswer: self.init(.failed, "The authority gave no usable answer. Try again.")
        case .transport(let failure): self.init(describing: failure)
        case .device(.unknownKey):
            self.init(
                .failed, "The TPM did not open the authority's credential: it was made for another TPM. Try again.")
        case .device(let failure): self.init(describing: failure)
        }
    }
}
