/// What the keychain may hold, as far as the acknowledgements say. Pure: no process, no keychain.
///
/// An account has a set of possible contents. An acknowledgement leaves only those that agree with it; an operation
/// that a kill cut off adds its outcome to the set, because it may or may not have happened.
struct Model {
    /// What an account may hold; `nil` stands for no item.
    private var possible: [String: Set<Value?>] = [:]

    func contents(of account: String) -> Set<Value?> { possible[account] ?? [nil] }

    /// Takes an acknowledgement in.
    ///
    /// - Returns: What is wrong with it, or `nil`.
    mutating func acknowledge(_ operation: Operation, _ answer: Answer) -> String? {
        let before = contents(of: operation.account)
        let after = Set(before.filter { allows($0, operation, answer) }.map { outcome($0, operation, answer) })
        guard !after.isEmpty else {
            return "\(operation.kind) \(operation.account) answered \(answer), but the item may only be "
                + before.map { $0.map(String.init(describing:)) ?? "absent" }.sorted().joined(separator: " or ")
        }
        possible[operation.account] = after
        return nil
    }

    /// Takes in that `operation` was cut off.
    mutating func interrupt(_ operation: Operation) {
        let before = contents(of: operation.account)
        possible[operation.account] = before.union(before.map { succeeded($0, operation) })
    }

    /// Whether `answer` can follow when the account holds `content`.
    private func allows(_ content: Value?, _ operation: Operation, _ answer: Answer) -> Bool {
        switch (operation.kind, answer) {
        case (.add, .done(nil)): content == nil
        case (.add, .duplicate): content != nil
        case (.update, .done(nil)), (.delete, .done(nil)): content != nil
        case (.update, .absent), (.delete, .absent), (.read, .absent): content == nil
        case (.read, .done(let value?)): content == value
        case (_, .busy): true
        default: false
        }
    }

    private func outcome(_ content: Value?, _ operation: Operation, _ answer: Answer) -> Value? {
        guard case .done = answer else { return content }
        return succeeded(content, operation)
    }

    private func succeeded(_ content: Value?, _ operation: Operation) -> Value? {
        switch operation.kind {
        case .add: content ?? operation.value
        case .update: content == nil ? nil : operation.value
        case .delete: nil
        case .read: content
        }
    }
}

/// What the keychain answered.
enum Answer: Hashable, CustomStringConvertible {
    /// Success; a read gives the value.
    case done(Value?)
    case duplicate
    case absent
    /// A write that waited ten seconds for its turn and was refused: nothing is written.
    case busy
    /// Any other status, or bytes that nobody wrote.
    case wrong(String)

    var description: String {
        switch self {
        case .done(let value): value.map { "value \($0)" } ?? "done"
        case .duplicate: "duplicate"
        case .absent: "absent"
        case .busy: "busy"
        case .wrong(let text): "wrong \(text)"
        }
    }

    /// Reads what ``description`` wrote.
    init(_ text: String) {
        switch text {
        case "done": self = .done(nil)
        case "duplicate": self = .duplicate
        case "absent": self = .absent
        case "busy": self = .busy
        case _ where text.hasPrefix("value "): self = Value(text.dropFirst(6)).map { .done($0) } ?? .wrong(text)
        default: self = .wrong(text)
        }
    }
}
