internal import PaviseLab
internal import PavisePrimitives

/// A fault of the lab's authority as a setting has it: `status:503`, `member:token_type:mac`, `lost-answer`.
struct AuthorityFaultWord: Hashable, Sendable {
    /// The kinds of faults, each with what stands behind its colons.
    enum Kind: String, CaseIterable, Sendable {
        case status, page, error
        case disguisedError = "disguised-error"
        case tooManyRequests = "too-many-requests"
        case redirect, silence
        case hangUp = "hang-up"
        case oversized, nested, answer, late
        case lostAnswer = "lost-answer"
        case cut
        case contentType = "content-type"
        case byteOrderMark = "byte-order-mark"
        case invalidText = "invalid-text"
        case without, member, twice

        /// What stands behind the word, for people; empty where nothing does.
        var parameters: String {
            switch self {
            case .status, .page: ":STATUS"
            case .error, .disguisedError: ":STATUS:CODE"
            case .tooManyRequests: "[:SECONDS]"
            case .redirect: ":STATUS:ADDRESS"
            case .oversized, .cut: ":BYTES"
            case .nested: ":DEPTH"
            case .answer: ":STATUS:TEXT"
            case .late: ":SECONDS"
            case .contentType: ":TYPE"
            case .without: ":NAME"
            case .member, .twice: ":NAME:TEXT"
            case .silence, .hangUp, .lostAnswer, .byteOrderMark, .invalidText: ""
            }
        }

        /// The kind of a fault: the compiler asks for the word of a new one.
        init(_ fault: AuthorityFault) {
            self =
                switch fault {
                case .status: .status
                case .page: .page
                case .error: .error
                case .disguisedError: .disguisedError
                case .tooManyRequests: .tooManyRequests
                case .redirect: .redirect
                case .silence: .silence
                case .hangUp: .hangUp
                case .oversized: .oversized
                case .nested: .nested
                case .answer: .answer
                // A gate is a test's own.
                case .late, .delayed: .late
                case .lostAnswer: .lostAnswer
                case .cut: .cut
                case .contentType: .contentType
                case .byteOrderMark: .byteOrderMark
                case .invalidText: .invalidText
                case .without: .without
                case .member: .member
                case .twice: .twice
                }
        }
    }

    /// What happens.
    let kind: Kind
    /// How often; `nil` is until the setting changes.
    let times: Int?
    /// How much stands behind the word.
    private let written: Int
    private let first: String
    private let second: String

    /// All words, for people.
    static var all: String {
        Kind.allCases.map { $0.rawValue + $0.parameters }.joined(separator: ", ") + "; *COUNT behind it ends it"
    }

    /// Reads `KIND:…`, with `*COUNT` behind it where it happens so often only; `nil` for anything else.
    init?(_ text: some StringProtocol) {
        var text = String(text)
        if let star = text.lastIndex(of: "*") {
            guard let count = Int(text[text.index(after: star)...]), (1...1_000_000).contains(count) else { return nil }
            times = count
            text = String(text[..<star])
        } else {
            times = nil
        }
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard let kind = Kind(rawValue: parts[0]) else { return nil }
        self.kind = kind
        // An address, a type or a text may hold colons.
        let wanted = kind.parameters.count { $0 == ":" }
        let whole = [parts.dropFirst().joined(separator: ":")].filter { !$0.isEmpty }
        let rest = wanted < 2 ? whole : Array(parts.dropFirst())
        guard rest.count == wanted || kind == .tooManyRequests && rest.isEmpty else { return nil }
        written = rest.count
        first = rest.first ?? ""
        second = rest.count > 1 ? rest[1] : ""
        guard fault != nil else { return nil }
    }

    /// As it was read.
    var text: String {
        let whole = kind.rawValue + [first, second].prefix(written).map { ":" + $0 }.joined()
        return times.map { "\(whole)*\($0)" } ?? whole
    }

    /// The fault itself.
    var fault: AuthorityFault? {
        switch kind {
        case .status: status.map { .status($0) }
        case .page: status.map { .page($0) }
        case .error: status.map { .error($0, second) }
        case .disguisedError: status.map { .disguisedError($0, second) }
        case .tooManyRequests: .tooManyRequests(retryAfter: first.isEmpty ? nil : first)
        case .redirect: status.map { .redirect($0, to: second) }
        case .silence: .silence
        case .hangUp: .hangUp
        case .oversized: number(1...(64 << 20)).map { .oversized(bytes: $0) }
        case .nested: number(1...1_000_000).map { .nested(depth: $0) }
        case .answer: status.map { .answer(LabResponse(status: $0, body: .fixed(Array(second.utf8)))) }
        case .late: number(1...3600).map { .delayed(seconds: $0) }
        case .lostAnswer: .lostAnswer
        case .cut: number(0...(64 << 20)).map { .cut(after: $0) }
        case .contentType: first.isEmpty ? nil : .contentType(first)
        case .byteOrderMark: .byteOrderMark
        case .invalidText: .invalidText
        case .without: first.isEmpty ? nil : .without(first)
        case .member: first.isEmpty ? nil : .member(first, second)
        case .twice: first.isEmpty ? nil : .twice(first, second)
        }
    }

    private var status: Int? { number(100...599) }

    private func number(_ range: ClosedRange<Int>) -> Int? { Int(first).flatMap { range.contains($0) ? $0 : nil } }
}
