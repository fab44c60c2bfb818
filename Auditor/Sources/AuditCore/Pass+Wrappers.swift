internal import SwiftSyntax

/// A function that may be of use to other files, with what was around it when the pass came to it.
struct Candidate {
    let node: Syntax
    let name: String
    let parameters: FunctionParameterClauseSyntax
    let body: CodeBlockSyntax
    let result: TypeSyntax?
    let typeStack: [String]
    let declaration: [String]
    let debugOnly: Int
    let previews: Int
    let conditions: [String]
}

/// What the file's own functions do with their arguments: each is run once more, with a value at its parameters that
/// every rule has something to say about.
extension Pass {
    /// Keeps a function for ``wrappers(isSuppressed:)`` where a value can leave in it, or where it gives one back.
    func offer(
        _ node: some DeclSyntaxProtocol, _ parameters: FunctionParameterClauseSyntax, _ body: CodeBlockSyntax,
        _ name: String
    ) {
        let result = node.as(FunctionDeclSyntax.self)?.signature.returnClause?.type
        let gives =
            (returned?.sensitive != nil || returned?.isConstant == true)
            && result.map { Self.holds(typeName($0), .person, isCode: true) } == true
        let takes = parameters.parameters.contains { Self.holds(lazily(typeName($0.type)), .password, isCode: true) }
        // When the file is read again, only what is new is asked about.
        let isNew = foreign.map { callsForeign || $0.asked.contains(name) } ?? true
        guard isNew, takes && (isOfUse || callsForeign) || gives, reaches == nil, candidates.count < 200,
            body.totalLength.utf8Length < 20_000,
            !isHidden(Syntax(node))
        else { return }
        candidates.append(
            Candidate(
                node: Syntax(node), name: name, parameters: parameters, body: body, result: result,
                typeStack: typeStack, declaration: declaration + [name], debugOnly: debugOnly, previews: previews,
                conditions: conditions))
    }

    /// Whether no other file can call it: private, or declared inside of a function.
    private func isHidden(_ node: Syntax) -> Bool {
        var next: Syntax? = node
        while let current = next {
            if let modifiers = current.asProtocol((any WithModifiersSyntax).self)?.modifiers,
                modifiers.contains(where: { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil })
            {
                return true
            }
            if current.id != node.id,
                [.functionDecl, .initializerDecl, .closureExpr, .accessorBlock].contains(current.kind)
            {
                return true
            }
            next = current.parent
        }
        return false
    }

    /// The only expression of a body, which is what it gives back.
    func onlyExpression(of body: CodeBlockSyntax) -> ExprSyntax? {
        guard body.statements.count == 1, case .expr(let only)? = body.statements.first?.item else { return nil }
        return only
    }

    /// What the file's functions do, as far as other files are concerned.
    ///
    /// - Parameter isSuppressed: Whether the source says of a rule on a line that it is right as it is.
    func wrappers(isSuppressed: @escaping (String, Int) -> Bool) -> [Wrapper] {
        var result: [Wrapper] = []
        guard !isSpent else { return [] }
        self.isSuppressed = isSuppressed
        (follows, spent) = (0, 0)
        for candidate in candidates where result.count < Wrapper.most.rows {
            // Asking has a budget of its own, as following has.
            guard follows < 200, spent < 4_000 + lines.count * 20 else { break }
            if let wrapper = wrapper(candidate) { result.append(wrapper) }
        }
        reaches = nil
        return result
    }

    private func wrapper(_ candidate: Candidate) -> Wrapper? {
        let before = (members, getters, version, scope.mark())
        defer {
            scope.rollback(to: before.3)
            (members, getters, version, results) = (before.0, before.1, before.2, [:])
        }
        (typeStack, declaration, conditions) = (candidate.typeStack, candidate.declaration, candidate.conditions)
        (debugOnly, previews, depth) = (candidate.debugOnly, candidate.previews, 0)
        (results, reaches, returned) = ([:], [], nil)
        var labels: [String] = []
        for (index, parameter) in candidate.parameters.parameters.enumerated() {
            labels.append(
                parameter.firstName.text + (parameter.defaultValue == nil ? "" : "?")
                    + (parameter.ellipsis == nil ? "" : "*"))
            var value = Value()
            let type = lazily(typeName(parameter.type))
            if index < 32, parameter.firstName.text != "file", parameter.firstName.text != "line",
                Self.holds(type, .password, isCode: true)
            {
                value.sensitive = .password
                value.sensitiveName = Wrapper.hole
                value.isOutside = true
                value.isConstant = true
                value.parameters = 1 << UInt32(index)
                value.type = type
            }
            bindParameter(parameter, value, candidate.name)
        }
        if let only = onlyExpression(of: candidate.body) {
            returned = evaluate(only)
        } else {
            walk(Syntax(candidate.body.statements))
        }
        let type = candidate.typeStack.last ?? ""
        let wrapper = Wrapper(
            type: String((type.split(separator: ".").last ?? "").prefix { $0 != "<" }), name: candidate.name,
            labels: labels, reaches: ordered(reaches ?? []), gift: gift(candidate))
        return wrapper.reaches.isEmpty && wrapper.gift == nil ? nil : wrapper
    }

    /// `@autoclosure () -> String` gives a String.
    private func lazily(_ type: String) -> String {
        guard type.hasPrefix("@autoclosure"), let arrow = type.firstRange(of: "->") else { return type }
        return String(type[arrow.upperBound...].drop { $0 == " " })
    }

    private func ordered(_ all: [Wrapper.Reach]) -> [Wrapper.Reach] {
        let order: [Severity] = [.error, .warning, .note]
        func weight(_ reach: Wrapper.Reach) -> Int { order.firstIndex(of: reach.severity) ?? 2 }
        var kept: [Wrapper.Reach] = []
        let sorted = all.sorted {
            ($0.parameter, weight($0), $0.places.count, $0.places[0].line, $0.rule)
                < ($1.parameter, weight($1), $1.places.count, $1.places[0].line, $1.rule)
        }
        for reach in sorted where !kept.contains(where: { $0.parameter == reach.parameter && $0.rule == reach.rule }) {
            kept.append(reach)
        }
        return Array(kept.prefix(Wrapper.most.reaches))
    }

    /// A secret or constant that the function gives back whatever it gets. What its name says already is not repeated.
    private func gift(_ candidate: Candidate) -> Wrapper.Gift? {
        guard let value = returned, let result = candidate.result else { return nil }
        let facts = facts(candidate.name)
        guard facts.sensitivity == nil, !facts.isSanitizer, !facts.isDigest, debugOnly == 0 else { return nil }
        let places = [Elsewhere(file: "", line: line(of: candidate.body))]
        guard value.elsewhere.count < Wrapper.deepest else { return nil }
        if let kind = value.sensitive, value.certainty == .agreed, value.sensitiveName != Wrapper.hole,
            !value.isFixed, !value.isConstant, Self.holds(typeName(result), kind, isCode: false)
        {
            return .init(kind: kind.rawValue, name: value.sensitiveName, places: places + value.elsewhere)
        }
        // A constant whose content is known: what a reader takes from its place is none, though the place begins as
        // one.
        if value.isConstant, value.carried == 0, value.number == nil,
            value.text?.isEmpty == false || value.bytes?.isEmpty == false, value.sensitive == nil,
            Self.holds(typeName(result), .password, isCode: false)
        {
            return .init(kind: nil, name: candidate.name, places: places + value.elsewhere)
        }
        return nil
    }

    /// A rule has something to say about a parameter's value.
    func reach(
        _ rule: String, _ line: Int, _ message: String, _ value: Value, _ severity: Severity, _ elsewhere: [Elsewhere]
    ) {
        guard value.parameters != 0, elsewhere.count < Wrapper.deepest, let taint = Taint.asked(by: rule) else {
            return
        }
        switch taint {
        case .secret: guard value.sensitive == .password, value.sensitiveName == Wrapper.hole else { return }
        case .constant: guard value.isConstant else { return }
        case .outside: guard value.isOutside else { return }
        }
        // What the function is told for itself is told once, and what it is excused for is excused for its callers.
        if let known = seen["\(rule):\(line)"], findings[known].severity != .note { return }
        if isSuppressed(rule, line) { return }
        for parameter in 0..<32 where value.parameters & 1 << UInt32(parameter) != 0 {
            reaches?.append(
                .init(
                    parameter: parameter, rule: rule, message: message, severity: severity,
                    places: [Elsewhere(file: "", line: line)] + elsewhere))
        }
    }
}

/// Calls of other files' functions.
extension Pass {
    /// Judges a call by what the function does in its file; without that, notes how it is called.
    func callForeign(_ call: Call) {
        if foreign == nil {
            if reaches == nil { ask(call) }
            return
        }
        guard !isOwn(call), let (row, parameters) = row(for: call) else { return }
        callsForeign = true
        for reach in row.reaches {
            for (argument, parameter) in zip(call.arguments, parameters) where parameter == reach.parameter {
                judge(call, argument.value, reach)
            }
        }
    }

    /// A function of this file, which is followed itself.
    private func isOwn(_ call: Call) -> Bool {
        if call.isConstructor { return bases[call.name] != nil && initializers[call.name] != nil }
        return functions[call.name]?.contains { matches($0.signature.parameterClause, call) } == true
    }

    private func ask(_ call: Call) {
        guard !call.name.isEmpty, asked.count < 2_000 else { return }
        var uses = CallUses()
        for argument in call.arguments {
            if argument.value.sensitive != nil { uses.insert(.secret) }
            if argument.value.isOutside { uses.insert(.outside) }
            if argument.value.isConstant, argument.value.number == nil { uses.insert(.literal) }
        }
        // What a receiver of a known type gives back may go anywhere.
        if call.receiver?.type != nil { uses.insert(.outlet) }
        guard !uses.isEmpty, !isOwn(call) else { return }
        if call.isConstructor {
            asked[call.name + ".init", default: []].formUnion(uses)
        } else if let types = receiverTypes(call) {
            for type in types where !type.isEmpty || !CommonNames.all.contains(call.name) {
                asked[(type.isEmpty ? "" : type + ".") + call.name, default: []].formUnion(uses)
            }
        } else if !CommonNames.all.contains(call.name) {
            asked[call.name, default: []].formUnion(uses)
        }
    }

    /// What the receiver may be: its type as far as the file says it; `nil` for any.
    private func receiverTypes(_ call: Call) -> [String]? {
        if let type = call.receiver?.type, type != "Any", type != "AnyObject" {
            let plain = type.prefix { $0 != "<" }.split(separator: ".").last.map(String.init) ?? type
            return [plain]
        }
        if call.owner == "." { return [] }
        if call.owner.isEmpty || ["self", "Self", "super"].contains(call.owner) {
            guard call.receiver == nil || !call.owner.isEmpty else { return nil }
            // A member of the type around, which may be an extension, or of its bases; else a function of no type.
            let own = typeStack.reversed().flatMap { [$0] + (bases[$0] ?? []) }
            return own + (call.owner.isEmpty ? [""] : [])
        }
        let parts = call.owner.split(separator: ".")
        if parts.count == 1, call.owner.first?.isUppercase == true { return [call.owner] }
        // `Journal.shared`, and a type inside of another one.
        if parts.count == 2, parts[0].first?.isUppercase == true {
            if parts[1].first?.isUppercase == true { return [String(parts[1])] }
            if facts(String(parts[1])).roles.contains(.singleton) { return [String(parts[0])] }
        }
        return nil
    }

    private func row(for call: Call) -> (row: Wrapper, parameters: [Int])? {
        guard let foreign else { return nil }
        let labels = call.arguments.map(\.label)
        if call.isConstructor {
            return foreign.knows("init") ? foreign.row("init", of: [call.name], labels: labels) : nil
        }
        guard foreign.knows(call.name) else { return nil }
        return foreign.row(call.name, of: receiverTypes(call), labels: labels)
    }

    /// What another file's function gives back.
    func given(by call: Call) -> Value? {
        guard foreign != nil, !call.isConstructor, !call.facts.isSanitizer, call.facts.sensitivity == nil,
            !isOwn(call), let gift = row(for: call)?.row.gift
        else { return nil }
        var value = Value()
        value.elsewhere = gift.places
        value.steps = [line(of: call.node)]
        guard let kind = gift.kind else {
            value.isConstant = true
            return value
        }
        value.sensitive = Sensitivity(rawValue: kind)
        value.sensitiveName = gift.name
        return value
    }

    private func judge(_ call: Call, _ value: Value, _ reach: Wrapper.Reach) {
        guard let taint = Taint.asked(by: reach.rule) else { return }
        switch taint {
        case .secret:
            guard value.sensitive != nil, !Names.isCertificate(value.sensitiveName), !isForCalls(value) else { return }
        case .constant: guard value.isConstant, value.text != "", value.number == nil else { return }
        case .outside: guard value.isOutside else { return }
        }
        guard let own = severity(call, value, reach.rule) else { return }
        let order: [Severity] = [.note, .warning, .error]
        let severity =
            (order.firstIndex(of: own) ?? 0) < (order.firstIndex(of: reach.severity) ?? 0) ? own : reach.severity
        report(
            reach.rule, call.node, reach.message.replacing(Wrapper.hole, with: value.sensitiveName), value, severity,
            elsewhere: reach.places)
    }

    /// `tel:…`, `mailto:…`: what a person is to call or write to.
    private func isForCalls(_ value: Value) -> Bool {
        let start = value.prefix ?? value.text ?? ""
        return ["mailto:", "tel:", "telprompt:", "sms:"].contains(where: start.hasPrefix)
    }

    /// How grave the rule's own form is with this value; `nil` where the rule says nothing of it.
    private func severity(_ call: Call, _ value: Value, _ rule: String) -> Severity? {
        switch rule {
        case "LOG-SENSITIVE", "LOG-PUBLIC", "LEAK-ANALYTICS":
            return isCertain(value, in: call) && !isTool && !isForTests(call.node) && !isForDevelopers(call.node)
                ? .error : .note
        case "STORE-FILE":
            guard value.sensitive == .password || value.sensitive == .credential else {
                return value.sensitive == .person ? nil : .note
            }
            return doubtOfToken(value) ?? .error
        case "HASH-WEAK": return value.sensitive == .person && isForPictures(call.node) ? .note : .error
        case "HASH-PASSWORD": return value.sensitive == .password && !isPrimitive ? .error : nil
        case "PASTE-GENERAL", "IPC-SENSITIVE": return value.sensitive == .person ? .note : doubt(value) ?? .error
        case "PATH": return value.marks.contains(.component) ? nil : isTool ? .note : .error
        case "WEB-URL":
            return value.marks.contains(.navigation) ? nil : value.marks.contains(.message) ? .note : .error
        case "WEB-JS": return value.marks.contains(.message) ? .note : .error
        default: return Taint.asked(by: rule) == .secret ? doubt(value) ?? .error : .error
        }
    }
}
