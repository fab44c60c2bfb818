package import PaviseLog

extension ScreenMachine.Event {
    /// What an adapter writes to the log of it, each time, without any content: the person is told once in a run.
    package var logged: AuditEvent? { self == .screenshotTaken ? AuditEvent(.screenshotTaken) : nil }
}
