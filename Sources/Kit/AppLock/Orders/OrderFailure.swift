public import PaviseJWT

/// Why an administrator's order was refused. Nothing was done, except where ``notFinished(_:)`` says so.
public enum OrderFailure: Error, Hashable, Sendable {
    /// It is no order of this administrator for this installation, or not for now.
    case token(TokenProblem)
    /// It is valid for longer than 30 days, or for no time at all.
    case lifetime
    /// The claim of this name is missing or unknown.
    case content(String)
    /// It was obeyed before; with the receipt of then, which can be sent again.
    case replayed(OrderReceipt)
    /// It was issued before another that is no longer remembered by name, so nobody can say whether it was obeyed.
    case outdated
    /// The record of orders cannot be read now.
    case unreadable(LockDamage)
    /// The order could not be noted, so it was not begun.
    case notWritten(String)
    /// It was begun and did not end; the next start of the program goes on with it.
    case notFinished(String)
    /// The lock is at work. Try again.
    case busy
    /// This lock has no place for orders.
    case unavailable
}

extension OrderFailure: CustomStringConvertible {
    /// One or two sentences, with the next step.
    public var description: String {
        switch self {
        case .token(let problem): "The order is refused: \(problem.description)."
        case .lifetime: "The order is refused: it has to be valid for at most 30 days. Issue another one."
        case .content(let claim): "The order is refused: its “\(claim)” is missing or not known. Issue another one."
        case .replayed(let receipt):
            """
            The order is refused: it was obeyed before (\(receipt.result.rawValue)). Send its receipt again; for the \
            same action, issue an order with a new name.
            """
        case .outdated:
            "The order is refused: it is older than the last 64 that were obeyed. Issue another one."
        case .unreadable(let damage): "The order was not obeyed. \(damage.ledgerWords)"
        case .notWritten(let reason): "The order could not be noted, so it was not begun. Give it again. \(reason)"
        case .notFinished(let reason): "The order was begun and goes on with the next start. \(reason)"
        case .busy: "The lock is at work. Give the order again."
        case .unavailable: "This lock obeys no orders."
        }
    }
}

extension LockDamage {
    /// One sentence about the record of orders.
    fileprivate var ledgerWords: String {
        switch self {
        case .storeLocked: "The device is locked. Give it again when it is unlocked."
        case .denied: "The system refuses to give the record of orders."
        case .unavailable(let reason): "The record of orders cannot be read now. \(reason)"
        case .newer: "A later version of the program wrote the record of orders. Update, and give it again."
        case .missing, .corrupt, .olderCopy, .orders:
            """
            The record of orders is gone, damaged or of another device. Become another installation with the PIN or \
            passphrase (“pavise lock orders --renew”), and enrol it again.
            """
        }
    }
}
