/// Which functions a source declares and which it calls, read without the parser.
///
/// The pass over all files asks it which files have to be read again.
struct CallOutline {
    private struct Function {
        let name: String
        let type: String
        let depth: Int
        let isHidden: Bool
        var labels: [String] = []
        var parameters: Set<String> = []
        var isSigned = false
        var hasBody = false
        var returns = false
        var hasSecret = false
        var hasOutlet = false
        var mentions = false
        var bytes = 0..<0
        var calls: [String: CallUses] = [:]
    }

    /// A word of a signature, and what stood before it.
    private struct Part {
        let text: String
        let follows: Bool
        let isAttribute: Bool
    }

    private var types: [(name: String, depth: Int, isHidden: Bool)] = []
    private var typeEnd = -1
    private var hiddenLine = -1
    private var functions: [Function] = []
    private var current: Function?
    private var rest = Function(name: "", type: "", depth: -1, isHidden: true)
    private var parts: [Part] = []
    private var open: [(depth: Int, call: String)] = []

    private static let declarations: Set = ["class", "struct", "enum", "actor", "extension", "protocol"]
    private static let singletons: Set = ["shared", "standard", "default", "current", "main", "instance", "general"]

    mutating func word(
        _ text: String, _ facts: NameFacts, _ range: Range<Int>, after previous: String, _ beforePrevious: String,
        _ lexer: SourceLexer, _ bytes: [UInt8]
    ) {
        let depth = lexer.depth
        while let last = open.last, last.depth >= depth { open.removeLast() }
        let before = range.lowerBound > 0 ? bytes[range.lowerBound - 1] : 0
        let next = range.upperBound < bytes.count ? bytes[range.upperBound] : 0
        let isMember = before == UInt8(ascii: ".")
        if text == "private" || text == "fileprivate", next != UInt8(ascii: "(") { hiddenLine = lexer.lineStart }
        if isMember, typeEnd == range.lowerBound - 1, !types.isEmpty {
            types[types.count - 1].name = text
            typeEnd = range.upperBound
        } else if Self.declarations.contains(previous), !["func", "var", "let"].contains(text), !isMember {
            while let last = types.last, last.depth >= depth { types.removeLast() }
            types.append((text, depth, hiddenLine == lexer.lineStart || types.last?.isHidden == true))
            typeEnd = range.upperBound
        }
        if current?.hasBody != true {
            if previous == "func" || text == "init" && !isMember && isInType(depth) {
                return begin(text, depth, lexer.lineStart)
            }
            if current != nil { return signature(text, depth, lexer, before) }
        }
        body(text, facts, range, previous, beforePrevious, isCalled: next == UInt8(ascii: "("), isMember, depth)
    }

    /// Whether the place is a member's of the type that was named last.
    private mutating func isInType(_ depth: Int) -> Bool {
        while let last = types.last, last.depth >= depth { types.removeLast() }
        return types.last.map { $0.depth + 1 == depth } ?? false
    }

    private mutating func begin(_ name: String, _ depth: Int, _ line: Int) {
        finish()
        while let last = types.last, last.depth >= depth { types.removeLast() }
        let isHidden = hiddenLine == line || types.last?.isHidden == true
        current = Function(name: name, type: types.last?.name ?? "", depth: depth, isHidden: isHidden)
    }

    private mutating func signature(_ text: String, _ depth: Int, _ lexer: SourceLexer, _ before: UInt8) {
        guard let function = current else { return }
        if depth < function.depth || depth == function.depth && Self.ends.contains(text) { return finish() }
        nameParameter(before: lexer.between)
        if function.isSigned || depth == function.depth || !parts.isEmpty && lexer.lowest <= function.depth {
            current?.isSigned = true
            parts = []
            if !["throws", "async", "rethrows", "where"].contains(text) { current?.returns = true }
            return
        }
        let isOuter = depth == function.depth + 1
        parts.append(
            Part(
                text: isOuter ? text : "", follows: lexer.between == 0 && !parts.isEmpty,
                isAttribute: before == UInt8(ascii: "@")))
    }

    /// Words that begin another declaration: the one before had no body, as in a protocol.
    private static let ends: Set = [
        "func", "var", "let", "init", "class", "struct", "enum", "actor", "extension", "protocol", "case", "static",
        "subscript", "associatedtype", "typealias", "import", "private", "public", "internal", "mutating",
        "fileprivate",
    ]

    /// The word before is the name of a parameter when a colon follows it.
    private mutating func nameParameter(before byte: UInt8) {
        guard byte == UInt8(ascii: ":"), let last = parts.last, !last.text.isEmpty else { return }
        var label = last.text
        if last.follows, parts.count > 1, !parts[parts.count - 2].isAttribute { label = parts[parts.count - 2].text }
        current?.labels.append(label)
        current?.parameters.insert(last.text)
    }

    private mutating func finish() {
        if let function = current { functions.append(function) }
        current = nil
        parts = []
    }

    private mutating func body(
        _ text: String, _ facts: NameFacts, _ range: Range<Int>, _ previous: String, _ beforePrevious: String,
        isCalled: Bool, _ isMember: Bool, _ depth: Int
    ) {
        var uses = CallUses()
        if facts.sensitivity != nil || facts.typed != nil { uses.insert(.secret) }
        let isParameter = current?.parameters.contains(text) == true && !isMember
        if isParameter { uses.insert(.parameter) }
        if !uses.isEmpty || facts.isOutlet {
            change { group in
                if uses.contains(.secret) { group.hasSecret = true }
                if isParameter { group.mentions = true }
                if facts.isOutlet { group.hasOutlet = true }
            }
            mark(uses)
        }
        guard isCalled, let key = Self.key(text, previous, beforePrevious, isMember) else { return }
        change { $0.calls[key, default: []].formUnion([]) }
        open.append((depth, key))
    }

    private mutating func mark(_ uses: CallUses) {
        for call in open { change { $0.calls[call.call, default: []].formUnion(uses) } }
    }

    private mutating func change(_ body: (inout Function) -> Void) {
        guard var function = current else { return body(&rest) }
        // Not held twice while it is changed: its calls would be copied.
        current = nil
        body(&function)
        current = function
    }

    /// A text stands here.
    mutating func literal() { if !open.isEmpty { mark(.literal) } }

    /// The text is the name of a secret, such as a key.
    mutating func noteSecret() { change { $0.hasSecret = true } }

    /// `Journal.write`, `Journal.init`, or the name alone where the receiver's type does not stand beside it.
    private static func key(_ name: String, _ previous: String, _ beforePrevious: String, _ isMember: Bool) -> String? {
        func isType(_ text: String) -> Bool { text.utf8.first.map { (65...90).contains($0) } ?? false }
        if isType(name) { return name + ".init" }
        if isMember, isType(previous) { return previous + "." + name }
        if isMember, singletons.contains(previous), isType(beforePrevious) { return beforePrevious + "." + name }
        return CommonNames.all.contains(name) ? nil : name
    }

    mutating func openBracket(at place: Int, depth: Int) {
        guard let function = current, !function.hasBody, depth == function.depth else { return }
        current?.hasBody = true
        current?.bytes = (place + 1)..<(place + 1)
        parts = []
    }

    mutating func closeBracket(at place: Int, depth: Int) {
        guard let function = current else { return }
        if function.hasBody, depth == function.depth {
            current?.bytes = function.bytes.lowerBound..<place
            finish()
        } else if !function.hasBody, depth < function.depth {
            finish()
        }
    }

    /// What the report says of the file.
    ///
    /// - Parameters:
    ///   - isRead: Whether the pass read the body at these bytes: then it knows which calls get a secret.
    ///   - asked: Calls of functions that the file does not declare, as the pass saw them.
    mutating func outline(isRead: (Range<Int>) -> Bool, restIsRead: Bool, asked: [String: CallUses]) -> Outline {
        finish()
        var result = Outline()
        result.calls = asked
        func collect(_ function: Function, isRead: Bool) {
            for (key, uses) in function.calls {
                var uses = uses
                if isRead { uses.remove(.secret) } else if function.hasSecret { uses.insert(.secret) }
                // A list of numbers is a constant too, and is no text.
                if !isRead { uses.insert(.literal) }
                if function.hasOutlet { uses.insert(.outlet) }
                if !uses.isEmpty { result.calls[key, default: []].formUnion(uses) }
            }
        }
        for function in functions {
            let isRead = isRead(function.bytes)
            collect(function, isRead: isRead)
            guard !function.isHidden else { continue }
            var declared = Outline.Function(type: function.type, name: function.name, labels: function.labels)
            declared.mayReach = !isRead && function.hasOutlet && function.mentions
            declared.mayGive = !isRead && function.hasSecret && function.returns
            declared.passes = function.calls.filter { $0.value.contains(.parameter) }.map(\.key).sorted()
            result.functions.append(declared)
        }
        collect(rest, isRead: restIsRead)
        return result
    }
}

/// How a file calls a function.
package struct CallUses: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// With the name of a secret, or near one where the pass did not read it.
    package static let secret = CallUses(rawValue: 1)
    /// With a parameter of the function that it stands in.
    package static let parameter = CallUses(rawValue: 2)
    /// Where a value can leave.
    package static let outlet = CallUses(rawValue: 4)
    /// With a text of the source.
    package static let literal = CallUses(rawValue: 8)
    /// With data from outside.
    package static let outside = CallUses(rawValue: 16)
}

/// What a file declares and calls, as its report carries it.
package struct Outline: Sendable {
    package struct Function: Sendable {
        package let type: String
        package let name: String
        package let labels: [String]
        /// Nothing is known of the body yet, and it has a way out and its parameter.
        package var mayReach = false
        /// The same, and it gives something back where the name of a secret stands.
        package var mayGive = false
        /// The calls that one of its parameters stands in.
        package var passes: [String] = []
    }

    package var functions: [Function] = []
    package var calls: [String: CallUses] = [:]

    package init() {}

    /// Lines of `TYPE NAME LABELS FLAGS CALLS`, and of `CALL USES`.
    package var texts: (declares: String, calls: String) {
        let declares = functions.map { function in
            "\(function.type) \(function.name) \(function.labels.joined(separator: ":")) "
                + "\((function.mayReach ? 1 : 0) | (function.mayGive ? 2 : 0)) "
                + function.passes.joined(separator: ",")
        }
        let calls = calls.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rawValue)" }
        return (declares.joined(separator: "\n"), calls.joined(separator: "\n"))
    }

    package init(declares: String, calls: String) {
        for line in declares.utf8.split(separator: 10) {
            let parts = line.split(separator: 32, omittingEmptySubsequences: false).map { String(Substring($0)) }
            guard parts.count == 5, let flags = Int(parts[3]) else { continue }
            var function = Function(
                type: parts[0], name: parts[1], labels: parts[2].split(separator: ":").map(String.init))
            function.mayReach = flags & 1 != 0
            function.mayGive = flags & 2 != 0
            function.passes = parts[4].split(separator: ",").map(String.init)
            functions.append(function)
        }
        for line in calls.utf8.split(separator: 10) {
            let parts = line.split(separator: 32)
            guard parts.count == 2, let uses = UInt8(Substring(parts[1])) else { continue }
            self.calls[String(Substring(parts[0]))] = CallUses(rawValue: uses)
        }
    }
}
