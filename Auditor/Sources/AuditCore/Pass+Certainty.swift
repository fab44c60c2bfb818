internal import SwiftSyntax

/// What agrees with a name, and what says otherwise: the type that is written, the words around.
extension Pass {
    /// How much speaks for it that a value of this name and type is what the name says.
    func certainty(_ kind: Sensitivity, _ facts: NameFacts, _ type: String?, _ base: ExprSyntax? = nil) -> Certainty {
        if let type, !Self.holds(type, kind, isCode: facts.weakWord == .pin || facts.isCode) { return .denied }
        if let type, enumerations.contains(type) { return .denied }
        guard facts.isNoun else { return .denied }
        guard let word = facts.weakWord else { return .agreed }
        // A written type that holds a text tells a number from a device or a needle, and what an object is.
        if type != nil, word != .token, word != .place { return .agreed }
        if word == .token, isOfNotifications(facts) { return .denied }
        return agrees(word, facts, base.map(ownerWords) ?? []) ? .agreed : .weak
    }

    /// What a token of that name, at this place, opens: nothing without the sender's own key.
    private func isOfNotifications(_ facts: NameFacts) -> Bool {
        facts.isPushToken || facts.isPlainToken && !declarationWords.isDisjoint(with: Names.ofNotifications)
    }

    /// A note where the name of what is stored, sent or copied has another noun, or is that of a place on a map.
    func doubt(_ value: Value) -> Severity? {
        if value.certainty == .denied { return .note }
        // `Links.forgotPassword` is a page.
        if value.question == .ofType, facts(value.sensitiveName).isCommand { return .note }
        return value.certainty == .weak && facts(value.sensitiveName).weakWord == .place ? .note : nil
    }

    /// The same for what is sent, or handed on to be written: of a token nothing around says what it opens, and rooms and
    /// lists have some too.
    func doubtOfToken(_ value: Value) -> Severity? {
        value.certainty == .weak && facts(value.sensitiveName).weakWord == .token ? .note : doubt(value)
    }

    /// Whether a pin is one of a map or a list, as far as the declarations around say nothing of a lock.
    func isOtherPin(_ facts: NameFacts) -> Bool { facts.weakWord == .pin && !agrees(.pin, facts, []) }

    /// Functions and types that say they are for tests and previews.
    func isForTests(_ node: some SyntaxProtocol) -> Bool {
        var parent = node.parent
        while let next = parent {
            let name =
                next.as(FunctionDeclSyntax.self)?.name ?? next.as(ClassDeclSyntax.self)?.name
                ?? next.as(StructDeclSyntax.self)?.name ?? next.as(EnumDeclSyntax.self)?.name
            if let name, !Self.ofTests.isDisjoint(with: facts(name.text).words) { return true }
            parent = next.parent
        }
        return false
    }

    /// Published values that a program computes to see whether it computes rightly: `hkdfTestVectors`.
    func isVector(_ node: some SyntaxProtocol) -> Bool {
        var parent = node.parent
        while let next = parent {
            let name = next.as(PatternBindingSyntax.self)?.pattern.as(IdentifierPatternSyntax.self)?.identifier
            if let words = name.map({ facts($0.text).words }), words.contains("vector") || words.contains("vectors"),
                words.contains("test") || words.contains("known")
            {
                return true
            }
            parent = next.parent
        }
        return false
    }

    private static let ofTests: Set = [
        "test", "tests", "mock", "mocks", "mocked", "preview", "previews", "sample", "samples", "stub", "fake", "dummy",
    ]

    /// Whether the declarations around, or the path to the value, say what a weak word means.
    private func agrees(_ word: WeakWord, _ facts: NameFacts, _ owner: Set<String>) -> Bool {
        let own = Set(facts.words)
        let around = owner.union(declarationWords).union(own)
        switch word {
        case .token: return !around.isDisjoint(with: Names.ofSessions)
        case .pin: return !around.isDisjoint(with: Names.ofLocks) && around.isDisjoint(with: ["map", "annotation"])
        case .place:
            let path = owner.union(own)
            return !path.isDisjoint(with: Names.ofPersons) && path.isDisjoint(with: Names.ofMaps)
        case .phone: return !owner.union(own).isDisjoint(with: Names.ofPersons)
        case .object: return !own.subtracting(["credential", "credentials"]).isDisjoint(with: Names.ofSessions)
        }
    }

    /// A text beside the value may say what a weak word means: `"access token: \(token)"`.
    func isAgreed(_ value: Value, by words: Set<String>) -> Bool {
        guard value.certainty == .weak, let word = facts(value.sensitiveName).weakWord else { return false }
        switch word {
        case .token:
            return words.union(facts(value.sensitiveName).words).isDisjoint(with: Names.ofNotifications)
                && !words.isDisjoint(with: ["auth", "access", "refresh", "session", "bearer", "oauth", "jwt", "api"])
        case .pin: return !words.isDisjoint(with: ["code", "passcode", "password", "unlock"])
        case .place:
            return !words.isDisjoint(with: ["user", "gps", "current", "location"])
                && words.isDisjoint(with: Names.ofMaps)
        case .phone: return words.contains("number")
        case .object: return false
        }
    }

    /// The words of the types and functions around the place.
    private var declarationWords: Set<String> { Set(declaration.flatMap { facts($0).words }) }

    private func ownerWords(_ base: ExprSyntax) -> Set<String> {
        Set(base.tokens(viewMode: .sourceAccurate).flatMap { facts($0.text).words })
    }

    private static let texts: Set = [
        "String", "Substring", "NSString", "NSMutableString", "Data", "NSData", "Character", "Any", "AnyObject",
        "NSDictionary", "NSArray", "CFString", "CFData", "NSAttributedString", "AttributedString", "UInt8", "Binding",
        "URL", "Published", "SubSequence", "StaticString", "JSON", "T", "Element", "Value",
    ]
    private static let numbers: Set = [
        "Int", "UInt", "Int8", "Int16", "Int32", "Int64", "UInt16", "UInt32", "UInt64", "Double", "Float", "CGFloat",
        "Decimal", "NSNumber", "NSDecimalNumber", "Float32", "Float64", "Measurement", "CLLocationDegrees",
    ]
    private static let places: Set = ["CLLocation", "CLLocationCoordinate2D", "CLPlacemark", "HKQuantity"]

    /// Whether a value of the written type can be such data as a text, bytes or a number.
    static func holds(_ type: String, _ kind: Sensitivity, isCode: Bool) -> Bool {
        let words = type.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        // What a function takes or gives is not in a text made of the function.
        guard !type.contains("->"), !words.isEmpty else { return false }
        if words.contains(where: texts.contains) { return true }
        if words.contains(where: numbers.contains) { return isCode || kind != .password && kind != .credential }
        return kind == .person || kind == .health ? words.contains(where: places.contains) : false
    }
}

/// What a log is given.
extension Pass {
    /// Whether a second fact agrees with the value's name, and none denies it.
    func isCertain(_ value: Value, in call: Call) -> Bool {
        value.certainty == .agreed || value.certainty == .weak && isAgreed(value, by: textWords(of: call))
    }

    private func textWords(of call: Call) -> Set<String> {
        var words: Set<String> = []
        for token in call.node.arguments.tokens(viewMode: .sourceAccurate) {
            if case .stringSegment(let text) = token.tokenKind { words.formUnion(Names.words(text)) }
        }
        return words
    }

    /// Whether the result of the call goes on: into a sum, a value, another call.
    func isUsed(_ node: FunctionCallExprSyntax) -> Bool {
        var parent = node.parent
        while let next = parent, [.tryExpr, .awaitExpr, .optionalChainingExpr].contains(next.kind) {
            parent = next.parent
        }
        guard let list = parent, list.kind == .exprList else { return parent?.kind != .codeBlockItem }
        return list.description.drop { $0.isWhitespace }.hasPrefix("_ =") != true
    }

    /// Whether a call writes down what a person did (`logGlucose(value)`), with no words of a message.
    func isDiary(_ call: Call) -> Bool {
        guard call.receiver == nil, call.facts.isLogName, !call.facts.roles.contains(.printer),
            call.facts.words.count > 1, call.facts.words.allSatisfy({ !Self.ofMessages.contains($0) })
        else { return false }
        return !call.arguments.contains { $0.node.is(StringLiteralExprSyntax.self) }
    }

    private static let ofMessages: Set = [
        "debug", "info", "error", "warning", "message", "event", "verbose", "trace", "notice", "request", "response",
        "line", "text", "console", "print", "nslog", "file",
    ]
}

/// What other files decide.
extension Pass {
    /// Leaves what other files may know of a finding about a log to the pass over all files.
    func ask(_ call: Call, _ value: Value, isTold: Bool) {
        guard depth == 0, debugOnly == 0, !isTool else { return }
        let place = lines.place(call.node.positionAfterSkippingLeadingTrivia.utf8Offset)
        if isTold {
            let parts = call.owner.split(separator: ".")
            questions.append(
                "logs:\(place.line):\(place.column):\(call.name):\(parts.first ?? ""):\(parts.last ?? "")")
        }
        // A value whose type stands in no place of this file.
        guard let question = value.question, isTold || value.certainty == .weak else { return }
        let word = isTold ? "typed" : question == .ofType ? "static" : "untyped"
        if word == "untyped", facts(value.sensitiveName).weakWord != .object { return }
        questions.append("\(word):\(place.line):\(place.column):\(value.sensitiveName)")
    }

    /// Whether all that a function does stands in `#if DEBUG`.
    func isQuiet(_ node: FunctionDeclSyntax) -> Bool {
        guard let statements = node.body?.statements, !statements.isEmpty else { return false }
        if statements.count == 1,
            let choice = statements.first?.item.as(ExpressionStmtSyntax.self)?.expression
                .as(IfExprSyntax.self), choice.elseBody == nil
        {
            return isForDevelopers(choice.body)
        }
        // What is only computed beside it writes nothing.
        let acts = statements.filter { !$0.item.is(VariableDeclSyntax.self) }
        return !acts.isEmpty
            && acts.allSatisfy { item in
                guard let config = item.item.as(IfConfigDeclSyntax.self) else { return false }
                let clauses = Array(config.clauses)
                return clauses.count == 1 && isForDebug(clauses, 0)
            }
    }
}

/// What the files of a tree say together of a finding about a log.
package struct LogEvidence {
    private var types: [String: Set<String>] = [:]
    private var statics: [String: Set<String>] = [:]
    private var loggers: Set<String> = []
    private var quiet: Set<String> = []

    package init(_ facts: [String]) {
        for fact in facts {
            let parts = fact.split(separator: ":").map(String.init)
            switch parts.first {
            case "type" where parts.count == 3: types[parts[1], default: []].insert(parts[2])
            case "own" where parts.count == 3: statics[parts[1], default: []].insert(parts[2])
            case "syslog" where parts.count == 2: loggers.insert(parts[1])
            case "quiet" where parts.count == 2: quiet.insert(parts[1])
            default: break
            }
        }
    }

    /// What a file's fact asks: the place, and the severity that the finding there gets.
    package func answer(_ fact: String) -> (line: Int, column: Int, severity: Severity)? {
        let parts = fact.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, let line = Int(parts[1]), let column = Int(parts[2]) else { return nil }
        switch parts[0] {
        case "logs" where parts.count == 6:
            return isSilent(parts[3], root: parts[4], last: parts[5]) ? (line, column, .note) : nil
        case "typed":
            guard let held = holds(parts[3], types), !held else { return nil }
            return (line, column, .note)
        case "untyped": return holds(parts[3], types) == true ? (line, column, .error) : nil
        case "static": return holds(parts[3], statics) == true ? (line, column, .error) : nil
        default: return nil
        }
    }

    /// Whether all variables of this name are texts, bytes or numbers, or none is; `nil` when they differ, and for none.
    private func holds(_ name: String, _ types: [String: Set<String>]) -> Bool? {
        let facts = NameFacts(name)
        guard let types = types[name], let kind = facts.sensitivity else { return nil }
        let held = types.map { Pass.holds($0, kind, isCode: facts.weakWord == .pin || facts.isCode) }
        return held.allSatisfy { $0 } ? true : held.contains(true) ? nil : false
    }

    /// Whether a call to a log leaves nothing that others read: the system's log keeps texts private, and a release
    /// build has no such function.
    private func isSilent(_ name: String, root: String, last: String) -> Bool {
        if root.isEmpty { return quiet.contains(name) }
        if loggers.contains(last) { return true }
        return quiet.contains("\(root).\(name)")
            || quiet.contains { $0.lowercased() == "\(last.lowercased()).\(name.lowercased())" }
    }
}
