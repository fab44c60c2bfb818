internal import PaviseLab
internal import PavisePrimitives

/// Settings of the lab's authority as lines `NAME=VALUE`: those of the command line, and those of a file that may
/// change while the authority runs.
struct AuthoritySettings: Sendable {
    /// One line of it.
    struct Line: Hashable, Sendable {
        let name: String
        let value: String

        /// Reads `NAME=VALUE`; `nil` where there is no such setting, or where the value is none of its.
        init?(_ text: some StringProtocol) {
            guard let mark = text.firstIndex(of: "=") else { return nil }
            name = String(text[..<mark])
            value = String(text[text.index(after: mark)...])
            var trial = AuthorityConfiguration()
            var plan = AuthorityFaultPlan()
            guard Self.knob(name)?.set(value, in: &trial) ?? plan.set(name, value) else { return nil }
        }

        /// What the setting of this name takes, for people; `nil` where there is none.
        static func values(of name: String) -> String? {
            knob(name)?.values ?? AuthorityFaultPlan.names.first { $0.name == name }?.values
        }

        static func knob(_ name: String) -> AuthorityKnob? { AuthorityKnob.all.first { $0.name == name } }
    }

    /// Why a file has no effect.
    struct Unusable: Error, Hashable, Sendable {
        /// The line's number, from 1.
        let number: Int
    }

    /// The lines; a later one of a name wins.
    let lines: [Line]

    init(_ lines: [Line]) { self.lines = lines }

    /// Reads a file's content: a line for each setting; empty ones and those that begin with `#` are left out.
    init(_ text: String) throws(Unusable) {
        var found: [Line] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let setting = Line(line) else { throw Unusable(number: index + 1) }
            found.append(setting)
        }
        lines = found
    }

    /// These with `others` behind them: those win.
    func under(_ others: AuthoritySettings) -> AuthoritySettings { AuthoritySettings(lines + others.lines) }

    /// What goes wrong by these settings.
    var faults: AuthorityFaultPlan {
        var plan = AuthorityFaultPlan()
        for line in lines { _ = plan.set(line.name, line.value) }
        return plan
    }

    /// The same configuration with these settings.
    func applied(to configuration: AuthorityConfiguration) -> AuthorityConfiguration {
        var configuration = configuration
        for line in lines { _ = Line.knob(line.name)?.set(line.value, in: &configuration) }
        return configuration
    }
}
