/// The words and texts of a source, read without the parser, which takes a hundred times as long.
///
/// A file in which nothing stands that a rule speaks about cannot have a finding, and is not parsed. What does not look
/// like a source that people write (quotes or brackets that do not close, deep nesting, long lines) is parsed all the
/// same, so that the parser says what is wrong with it.
struct SourceVocabulary {
    /// A rule may have something to say.
    private(set) var concernsRules = false
    /// The bytes are not read as Swift's here; what follows below may be wrong.
    private(set) var isOdd = false
    private(set) var imports: Set<String> = []
    /// `#if os(Linux)`, or a module that Apple's systems do not have.
    private(set) var isForLinux = false
    private(set) var readsCommandLine = false
    /// Tokens are coins here, or parts of a language.
    private(set) var hasOtherTokens = false
    /// A list of leaked passwords is asked.
    private(set) var asksForLeaks = false
    /// The first place of each category that a privacy manifest must give reasons for, and of each mechanism.
    private(set) var categories: [String: Int] = [:]

    /// What variables that are called like a secret are declared to be: `type:token:Token`, for a type's own `own:…`.
    private(set) var types: Set<String> = []
    /// Variables that are loggers of the system, whose texts are private.
    private(set) var systemLogs: Set<String> = []
    /// The variable that was declared last, and where its name ended.
    private var declared: (name: String, end: Int, isStatic: Bool)?
    private var beforePrevious = ""

    private(set) var bodies = PlainBodies()
    private var outline = CallOutline()

    private let foreign: ForeignTable?
    private var previous = ""
    private var literalEnd: Int?
    private var conditions = 0
    private var branches = 0

    private var namesSecrets = false
    private var namesDebug = false
    private var hasControl = false
    private var hasOutlet = false
    /// Where the last name of a secret ended.
    private var lastName = -1_000

    /// - Parameter foreign: Other files' functions, when the file is read again for the calls of them.
    init(_ bytes: [UInt8], _ names: NameTable, _ foreign: ForeignTable? = nil) {
        self.foreign = foreign
        var lexer = SourceLexer(bytes)
        while let token = lexer.next() {
            switch token {
            case .word(let range): word(range, bytes, names, lexer)
            case .literal(let range): literal(range, bytes, names)
            case .open(let place):
                bodies.open(at: place, depth: lexer.depth - 1, conditions: conditions, bytes)
                outline.openBracket(at: place, depth: lexer.depth - 1)
            case .close(let place):
                bodies.close(at: place, depth: lexer.depth, conditions: conditions)
                outline.closeBracket(at: place, depth: lexer.depth)
            case .assignment(let place): bodies.assignment(at: place, depth: lexer.depth, line: lexer.lineStart)
            case .difference: bodies.note(.flow)
            }
        }
        concernsRules = concernsRules || lexer.combines
        isOdd = lexer.isOdd || conditions != 0 || branches > 1_000
        concernsRules = concernsRules || (namesSecrets && hasOutlet) || (namesDebug && hasControl)
    }

    /// Which functions the file declares and calls (``CallOutline/outline(isRead:restIsRead:asked:)``).
    mutating func outline(isRead: (Range<Int>) -> Bool, restIsRead: Bool, asked: [String: CallUses]) -> Outline {
        outline.outline(isRead: isRead, restIsRead: restIsRead, asked: asked)
    }

    private mutating func literal(_ range: Range<Int>, _ bytes: [UInt8], _ names: NameTable) {
        outline.literal()
        guard !concernsRules else {
            if bodies.isUndecided {
                note(RuleVocabulary.kind(ofLiteral: bytes[range], names), range)
                if follows(range, bytes) { bodies.note(.flow) }
                if mayBeSecret(range, bytes) { bodies.note(.outlet) }
            }
            literalEnd = range.upperBound
            return
        }
        if mayBeSecret(range, bytes) {
            hasOutlet = true
            bodies.note(.outlet)
        }
        note(RuleVocabulary.kind(ofLiteral: bytes[range], names), range)
        if follows(range, bytes) {
            concernsRules = true
            bodies.note(.flow)
        }
        literalEnd = range.upperBound
    }

    /// A text that may be a secret itself: anywhere when it mixes letters and digits, else beside the name of one.
    private func mayBeSecret(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        if range.lowerBound - lastName < 100 { return true }
        return range.count > 5 && bytes[range].contains { $0 &- 48 < 10 } && !bytes[range].contains(32)
    }

    private mutating func note(_ kind: RuleVocabulary.Kind, _ range: Range<Int>, isAlone: Bool = false) {
        switch kind {
        case .none: break
        case .sensitive:
            namesSecrets = true
            bodies.note(.secret)
            outline.noteSecret()
            lastName = range.upperBound
        case .outlet, .calledOutlet:
            hasOutlet = true
            bodies.note(.outlet)
        default:
            bodies.note(isAlone ? [.rule, .outlet] : .flow)
            concernsRules = true
        }
    }

    /// `.modificationDate` alone, or after the name of the type: a property of something else is called so too.
    private static func isAttribute(_ start: Int, _ bytes: [UInt8]) -> Bool {
        guard start > 1, bytes[start - 1] == UInt8(ascii: ".") else { return false }
        let before = bytes[start - 2]
        let isMember =
            (before | 32) &- 97 < 26 || before &- 48 < 10 || before >= 128
            || [UInt8(ascii: "_"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "?"), UInt8(ascii: "!")]
                .contains(before)
        return !isMember || bytes[..<(start - 1)].suffix(16).elementsEqual("FileAttributeKey".utf8)
    }

    private mutating func word(_ range: Range<Int>, _ bytes: [UInt8], _ names: NameTable, _ lexer: SourceLexer) {
        let text = String(decoding: bytes[range], as: UTF8.self)
        let facts = names.facts(text)
        // What the file declares under the name of an API that needs a reason is its own.
        if let category = facts.category, categories[category] == nil,
            !(category.hasPrefix("NSPrivacy") && ["var", "let", "func", "case"].contains(previous)),
            !PrivacyReasons.attributes.contains(text) || Self.isAttribute(range.lowerBound, bytes)
        {
            categories[category] = range.lowerBound
        }
        bodies.word(facts, text, range, after: previous, depth: lexer.depth, line: lexer.lineStart, bytes)
        if let foreign {
            let isCalled = range.upperBound < bytes.count && bytes[range.upperBound] == UInt8(ascii: "(")
            if let content = foreign.content(text, isDeclared: previous == "func" || text == "init", isCalled: isCalled)
            {
                bodies.note(content)
                concernsRules = true
            }
        } else {
            outline.word(text, facts, range, after: previous, beforePrevious, lexer, bytes)
        }
        if facts.control != nil { hasControl = true }
        if facts.control != nil || facts.excuses { bodies.note(.rule) }
        hasOtherTokens = hasOtherTokens || facts.tellsOtherTokens
        asksForLeaks = asksForLeaks || facts.tellsLeaks
        if facts.isField { bodies.note(.secret) }
        if facts.isKeyed { bodies.note(.flow) }
        if facts.isRecord { bodies.noteRecord() }
        if !concernsRules || bodies.isUndecided, facts.vocabulary != .none,
            RuleVocabulary.concerns(facts.vocabulary, range, bytes, after: previous)
        {
            note(facts.vocabulary, range, isAlone: facts.isJudgedAlone)
        }
        if let declared { judge(text, range, bytes, declared, names) }
        switch previous {
        case "let", "var": declared = (text, range.upperBound, beforePrevious == "static")
        case "import", "canImport":
            if previous == "import" { imports.insert(text) }
            if ["Glibc", "Musl", "FoundationEssentials"].contains(text) { isForLinux = true }
        case "os": if text == "Linux" { isForLinux = true }
        case "if": if text == "DEBUG" { namesDebug = true }
        case "CommandLine": if text == "arguments" { readsCommandLine = true }
        default: break
        }
        if range.lowerBound > 0, bytes[range.lowerBound - 1] == UInt8(ascii: "#") {
            conditions += text == "if" ? 1 : text == "endif" ? -1 : 0
        }
        if text == "else" { branches += 1 }
        beforePrevious = previous
        previous = text
    }

    /// The first word after the name of a variable: its type, or what it is made by.
    private mutating func judge(
        _ text: String, _ range: Range<Int>, _ bytes: [UInt8], _ declared: (name: String, end: Int, isStatic: Bool),
        _ names: NameTable
    ) {
        let between = bytes[min(declared.end, range.lowerBound)..<range.lowerBound]
        // `log: os.Logger` and `log = os.Logger(…)`.
        if text == "os", between.count < 6 { return }
        self.declared = nil
        guard range.lowerBound > declared.end, between.count < 12 else { return }
        if text == "Logger", between.contains(UInt8(ascii: "=")) || between.contains(UInt8(ascii: ":")) {
            systemLogs.insert(declared.name)
        }
        let isType =
            between.contains(UInt8(ascii: ":"))
            && between.allSatisfy { [9, 32, UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "(")].contains($0) }
        guard isType, types.count < 200, names.facts(declared.name).sensitivity != nil else { return }
        types.insert(
            "\(declared.isStatic ? "own" : "type"):\(declared.name):\(between.contains(UInt8(ascii: "(")) ? "Function" : text)"
        )
    }

    /// Whether the text is added to the one before: parts of a secret may be too short to be known as such.
    private func follows(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        guard let literalEnd, literalEnd < range.lowerBound, range.lowerBound - literalEnd < 200 else { return false }
        var sums = 0
        for byte in bytes[literalEnd..<range.lowerBound] {
            switch byte {
            case UInt8(ascii: "+"): sums += 1
            case UInt8(ascii: "\""), UInt8(ascii: "#"), 9, 10, 13, 32: break
            default: return false
            }
        }
        return sums == 1
    }
}

/// Tells code, texts and comments of Swift apart, and gives out the words of the first and the bytes of the second.
struct SourceLexer {
    /// Curly brackets, equals signs that give a value, and exclusive ors are given out for ``PlainBodies``.
    enum Token { case word(Range<Int>), literal(Range<Int>), open(Int), close(Int), assignment(Int), difference }

    /// A text that an interpolation interrupts.
    private struct Quote {
        let isLong: Bool
        let pounds: Int
        /// How many brackets were open before the interpolation's own.
        let depth: Int
    }

    private let bytes: [UInt8]
    private var index = 0
    private var quotes: [Quote] = []
    /// The text that is being read; `nil` in code.
    private var current: Quote?
    private var closers: [UInt8] = []
    private var angles = 0
    private(set) var lineStart = 0
    /// The first byte of code after the word before, 0 for none, and how few brackets were open since.
    private(set) var between: UInt8 = 0
    private(set) var lowest = 0
    private var isAfterWord = true
    private var failed = false
    private var remainders = false
    private var differences = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// How many brackets are open.
    var depth: Int { closers.count }

    /// The code has an exclusive or, and a remainder.
    var combines: Bool { remainders && differences }

    /// What was read is not what people write, or not what this reader knows.
    var isOdd: Bool {
        failed || !closers.isEmpty || !quotes.isEmpty || current != nil || bytes.count - lineStart > 2_000
    }

    mutating func next() -> Token? {
        if isAfterWord {
            between = 0
            lowest = closers.count
            isAfterWord = false
        }
        while index < bytes.count, !failed {
            if let quote = current {
                if let range = text(quote) { return .literal(range) }
                continue
            }
            let byte = bytes[index]
            if Self.startsWord(byte) {
                let start = index
                index += 1
                while index < bytes.count, Self.continuesWord(bytes[index]) { index += 1 }
                isAfterWord = true
                return .word(start..<index)
            }
            let place = index
            if between == 0, byte > 32, byte != UInt8(ascii: "/") { between = byte }
            code(byte)
            lowest = min(lowest, closers.count)
            switch byte {
            case UInt8(ascii: "{"): return .open(place)
            case UInt8(ascii: "}"): return .close(place)
            case UInt8(ascii: "^"): return .difference
            case UInt8(ascii: "=") where at(place + 1) != byte && !Self.compares(place > 0 ? bytes[place - 1] : 0):
                return .assignment(place)
            default: break
            }
        }
        return nil
    }

    /// `==`, `!=`, `<=`, `>=`, `~=`.
    private static func compares(_ byte: UInt8) -> Bool {
        [UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "~")].contains(byte)
    }

    private static func startsWord(_ byte: UInt8) -> Bool { (byte | 32) &- 97 < 26 || byte == 95 || byte > 127 }
    private static func continuesWord(_ byte: UInt8) -> Bool { startsWord(byte) || byte &- 48 < 10 }

    private func at(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private mutating func code(_ byte: UInt8) {
        switch byte {
        case 10:
            line()
        // Alone it ends a line, as no editor of today writes it.
        case 13: if at(index + 1) != 10 { failed = true }
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            while index < bytes.count, Self.continuesWord(bytes[index]) { index += 1 }
            return
        case UInt8(ascii: "/"): return slash()
        case UInt8(ascii: "#"):
            var end = index
            while at(end) == byte { end += 1 }
            if at(end) == UInt8(ascii: "\"") { return open(pounds: end - index, at: end) }
            // An extended regular expression, or the line that names a script's program.
            if at(end) == UInt8(ascii: "/") || at(end) == UInt8(ascii: "!") { failed = true }
        case UInt8(ascii: "\""): return open(pounds: 0, at: index)
        case UInt8(ascii: "("): closers.append(UInt8(ascii: ")"))
        case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
        case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            failed = closers.popLast() != byte
            if let outer = quotes.last, closers.count == outer.depth {
                quotes.removeLast()
                current = outer
            }
        case UInt8(ascii: "%"): remainders = true
        case UInt8(ascii: "^"): differences = true
        case UInt8(ascii: "<"):
            angles += 1
            if angles > 100 { failed = true }
        case UInt8(ascii: ">"): angles = max(0, angles - 1)
        default: break
        }
        index += 1
        if closers.count > 60 { failed = true }
    }

    private mutating func line() {
        if index - lineStart > 2_000 { failed = true }
        lineStart = index
    }

    /// A comment, a division, or what may be a regular expression, which is left to the parser.
    private mutating func slash() {
        if at(index + 1) == UInt8(ascii: "/") {
            while index < bytes.count, bytes[index] != 10, bytes[index] != 13 { index += 1 }
            return
        }
        if at(index + 1) == UInt8(ascii: "*") { return comment() }
        let before = index > 0 ? bytes[index - 1] : 10
        let isFirst = [10, 32, UInt8(ascii: "("), UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: ":")].contains(
            before)
        if isFirst, ![32, UInt8(ascii: "=")].contains(at(index + 1)) { failed = true }
        index += 1
    }

    private mutating func comment() {
        var depth = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "/"), at(index + 1) == UInt8(ascii: "*") {
                depth += 1
                index += 2
            } else if bytes[index] == UInt8(ascii: "*"), at(index + 1) == UInt8(ascii: "/") {
                depth -= 1
                index += 2
                if depth == 0 { return }
            } else {
                index += 1
            }
        }
        failed = true
    }

    private mutating func open(pounds: Int, at quote: Int) {
        let isLong = at(quote + 1) == UInt8(ascii: "\"") && at(quote + 2) == UInt8(ascii: "\"")
        index = quote + (isLong ? 3 : 1)
        current = Quote(isLong: isLong, pounds: pounds, depth: closers.count)
    }

    /// Reads on in a text, to its end, the end of a line, or an interpolation.
    ///
    /// - Returns: The bytes read, `nil` for none.
    private mutating func text(_ quote: Quote) -> Range<Int>? {
        if quote.isLong { while index < bytes.count, bytes[index] == 32 || bytes[index] == 9 { index += 1 } }
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\"), hasPounds(quote.pounds, at: index + 1) {
                let end = index
                index += 1 + quote.pounds
                if at(index) == UInt8(ascii: "(") {
                    closers.append(UInt8(ascii: ")"))
                    quotes.append(Quote(isLong: quote.isLong, pounds: quote.pounds, depth: closers.count - 1))
                    current = nil
                    index += 1
                    if quotes.count > 20 { failed = true }
                    return start < end ? start..<end : nil
                }
                index += 1
            } else if byte == 10 {
                if !quote.isLong { failed = true }
                line()
                index += 1
                return start < index - 1 ? start..<(index - 1) : nil
            } else if byte == 13, at(index + 1) != 10 {
                failed = true
                return nil
            } else if byte == UInt8(ascii: "\""), closes(quote) {
                let end = index
                index += (quote.isLong ? 3 : 1) + quote.pounds
                current = nil
                return start < end ? start..<end : nil
            } else {
                index += 1
            }
        }
        failed = true
        return nil
    }

    private func closes(_ quote: Quote) -> Bool {
        if quote.isLong, at(index + 1) != UInt8(ascii: "\"") || at(index + 2) != UInt8(ascii: "\"") { return false }
        return hasPounds(quote.pounds, at: index + (quote.isLong ? 3 : 1))
    }

    private func hasPounds(_ count: Int, at start: Int) -> Bool {
        (0..<count).allSatisfy { at(start + $0) == UInt8(ascii: "#") }
    }
}
