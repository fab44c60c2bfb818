package import PaviseLog
package import PavisePrimitives

/// The number of one incident: eight random consonants, `KXPT-WMBR`. They say nothing, spell no word, are told apart on
/// the telephone, and no mask of the log takes them for an identifier.
package enum SupportNumber {
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")

    /// A fresh one; `nil` where the system has no random bytes.
    package static func random(_ entropy: Entropy = .kernel) -> String? {
        guard let bytes = try? entropy.bytes(16) else { return nil }
        // Two bytes a letter: that 65,536 is no multiple of 20 does not matter to what has only to be seldom.
        let all = (0..<8).map { letters[(Int(bytes[$0 * 2]) << 8 | Int(bytes[$0 * 2 + 1])) % letters.count] }
        return String(all[..<4]) + "-" + String(all[4...])
    }
}

extension AuditEvent {
    /// An error that somebody was told, by its code or rule alone, with the number that they were told beside it.
    package init(told code: String, support number: String) {
        self.init(.errorTold, ["error": code, "support": number])
    }
}

extension EventLog {
    /// An app's error, with a number that is written to the log at the same time (FD10). Once for each incident: an
    /// error that has its number keeps it.
    func told(_ error: any Error) -> PaviseError {
        var told = PaviseError(error)
        guard told.supportID == nil, told.needsSupport, let number = SupportNumber.random() else { return told }
        record(AuditEvent(told: told.code.rawValue, support: number))
        told.supportID = number
        return told
    }
}

extension PaviseError {
    /// Whether anybody would write to support about it: not about what a person mends at once. Wrong PINs have an event
    /// of their own (`lock.pin.wrong`), which says more.
    package var needsSupport: Bool {
        guard code != .wrongPIN, code != .tryLater else { return false }
        guard !isSecurityEvent else { return true }
        return switch recovery {
        case .askForHelp, .retry, .signIn: true
        case .unlock, .approve, .correct, .none: false
        }
    }
}
