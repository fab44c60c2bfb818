package import PaviseLog

extension ScreenMachine.Event {
    /// What an adapter writes to the log of it, each time, without any content. Of a picture the person is told once in
    /// a run; of a recording the cover tells her.
    package var logged: AuditEvent? {
        switch self {
        case .screenshotTaken: AuditEvent(.screenshotTaken)
        case .captureBegan: AuditEvent(.screenCaptured)
        default: nil
        }
    }
}
