internal import PaviseSync

extension CommandFailure {
    /// Words and status for a synchronisation that ended early.
    init(_ failure: SyncFailure) {
        switch failure {
        case .changed: self.init(.failed, "Something changed meanwhile. Run it again.")
        case .unreachable(let words), .refused(let words): self.init(.failed, words)
        case .serverError(let status):
            self.init(.failed, "The server answered \(status), an error of its own. What waits stays.")
        case .serverBusy(let seconds):
            self.init(
                .failed,
                "The server is busy, and asks to be left alone for \(seconds.counting("second")). What waits stays.")
        case .notTrusted(let cause): self.init(cause)
        case .signInNeeded: self.init(.signInNeeded, "The session has ended. Connect again; what waits stays.")
        case .listing(let words): self.init(.refused, words)
        case .full(.here): self.init(.failed, "There is no room on this device.")
        case .full(.there): self.init(.failed, "There is no room on the server.")
        case .tooLarge(let limit): self.init(.failed, "A file has more than \(limit) bytes.")
        case .journal(let words):
            self.init(
                .failed,
                """
                The journal cannot be used, and everything stops: \(words) Try again; if it stays so, put a backup \
                back (“pavise restore FILE”), or disconnect and connect again: the folder's files stay, and what \
                “sync recover” lists goes.
                """)
        case .busy: self.init(.failed, "Another process synchronises this folder.")
        case .locked: self.init(.locked, "The device is locked. What waits stays.")
        }
    }
}
