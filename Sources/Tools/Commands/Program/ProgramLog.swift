internal import Pavise
internal import PaviseAppLock
package import PaviseLog
internal import PavisePrimitives

/// Where the program writes its security events (``AuditEvent/Name``): always into the sealed support log of its home,
/// which `pavise log export` shows, and elsewhere where it is asked to. A release writes those that somebody has to
/// look at (``AuditEvent/Name/isAlarming``), a debug build all of them.
///
/// `--log` before or after the command writes them to standard error; `PAVISE_LOG=stderr` does so for every command,
/// and `PAVISE_LOG=system` writes them to the system's log.
package enum ProgramLog {
    /// Takes `--log` out of the words, up to a `--`.
    ///
    /// - Returns: Whether it was there.
    package static func take(from words: inout [String]) -> Bool {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        guard let place = words[..<end].firstIndex(of: "--log") else { return false }
        words.remove(at: place)
        return true
    }

    /// The output that was asked for; `nil` where none was.
    ///
    /// - Parameters:
    ///   - isWanted: Whether `--log` was there.
    ///   - variable: The value of `PAVISE_LOG`. One that is none of its words is none.
    package static func output(isWanted: Bool, variable: String?) -> LogOutput? {
        if isWanted || variable == "stderr" {
            return LogOutput(sinks: [SystemLog(journal: "", syslog: "", descriptor: 2)])
        }
        return variable == "system" ? .standard : nil
    }
}

extension Environment {
    /// Lets the logs hear what the trail hears.
    package func logEvents(_ isWanted: Bool) {
        appLock?.tellEvents(to: EventLog(LogOutput(sinks: [LazySupportLog(folder: home.supportLog)])))
        let variable = PaviseHome.variable("PAVISE_LOG")
        guard let output = ProgramLog.output(isWanted: isWanted, variable: variable) else { return }
        appLock?.tellEvents(to: EventLog(output))
    }

    /// A failure that may be an attack goes into the logs by its code or rule, and gets the number of that line. Where
    /// what is kept is damaged nothing is written, so that nobody's evidence is changed.
    func noted(_ failure: CommandFailure) -> CommandFailure {
        guard let appLock, appLock.isHeard, !failure.isReported, let name = failure.eventName,
            let number = SupportNumber.random()
        else { return failure }
        appLock.tell(AuditEvent(told: name, support: number))
        var failure = failure
        failure.supportID = number
        return failure
    }
}

extension CommandFailure {
    private static let rulesOfTrust = ["approved-certificate", "certificate", "certificate-changed", "pin"]

    // Certificates are judged by the program's own words, which have a rule and no code.
    fileprivate var eventName: String? {
        if let told {
            return told.isSecurityEvent && told.needsSupport && told.code != .damaged ? told.code.rawValue : nil
        }
        return rule.flatMap { Self.rulesOfTrust.contains($0) ? $0 : nil }
    }
}
