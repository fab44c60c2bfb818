/// The caller's end of a task: whoever lets go of it ends the exchange.
///
/// Not the task itself, which its session keeps until it is over.
final class CarriedExchange: BodyPieces {
    let task: CarriedTask
    private let seen: SeenBook

    /// The end of a task of a session whose servers showed what is `seen`.
    init(_ task: CarriedTask, _ seen: SeenBook) {
        self.task = task
        self.seen = seen
    }

    deinit { task.stop(.cancelled(sent: true)) }

    /// What is known about its server.
    var verdict: ServerVerdict? { seen.verdict(of: task) }

    /// The head of the answer: to be asked for first, once.
    func head() async throws(TransportFailure) -> DrivenHead {
        switch await task.nextEvent() {
        case .head(let head): return head
        case .end(let failure?): throw failure
        case .piece, .end(nil): throw .malformed("The answer has no head.")
        }
    }

    func next() async throws(TransportFailure) -> [UInt8]? {
        while true {
            switch await task.nextEvent() {
            case .head: continue
            case .piece(let bytes): return bytes
            case .end(nil): return nil
            case .end(let failure?): throw failure
            }
        }
    }
}
