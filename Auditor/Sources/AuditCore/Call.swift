internal import SwiftSyntax

/// A call with its evaluated parts.
struct Call {
    struct Argument {
        let label: String?
        let value: Value
        let node: ExprSyntax
    }
    let node: FunctionCallExprSyntax
    let name: String
    let receiver: Value?
    /// The receiver as a dotted path, empty for none.
    let owner: String
    let arguments: [Argument]
    let facts: NameFacts

    subscript(_ label: String) -> Argument? { arguments.first { $0.label == label } }
    subscript(_ index: Int) -> Argument? { index < arguments.count ? arguments[index] : nil }

    var isConstructor: Bool { facts.isConstructor }
    var lastOwner: String { owner.split(separator: ".").last.map(String.init) ?? "" }

    var isStatement: Bool { Self.isStatement(node) }

    static func isStatement(_ node: FunctionCallExprSyntax) -> Bool {
        var parent = node.parent
        while let next = parent, next.kind == .tryExpr || next.kind == .awaitExpr { parent = next.parent }
        if let list = parent, list.kind == .exprList || list.kind == .sequenceExpr {
            return node.parent?.parent?.description.drop { $0.isWhitespace }.hasPrefix("_ =") == true
        }
        guard let item = parent, item.kind == .codeBlockItem else { return false }
        // The only expression of a closure is its result; that of a closure that lends bytes is what the call gives back.
        let list = item.parent?.as(CodeBlockItemListSyntax.self)
        // The only expression of a function is what it gives back.
        if list?.count == 1,
            list?.parent?.parent?.as(FunctionDeclSyntax.self)?.signature.returnClause != nil
        {
            return false
        }
        guard list?.count == 1, let closure = list?.parent?.as(ClosureExprSyntax.self) else { return true }
        guard let outer = closure.parent?.as(FunctionCallExprSyntax.self),
            outer.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text.hasPrefix("withUnsafe")
                == true
        else { return false }
        return Self.isStatement(outer)
    }
}

extension Pass {
    func call(_ node: FunctionCallExprSyntax) -> Value {
        var callee = node.calledExpression
        if let generic = callee.as(GenericSpecializationExprSyntax.self) { callee = generic.expression }
        if let unwrapped = callee.as(OptionalChainingExprSyntax.self) { callee = unwrapped.expression }
        if let unwrapped = callee.as(ForceUnwrapExprSyntax.self) { callee = unwrapped.expression }
        var name = ""
        var owner = ""
        var receiver: Value?
        if let reference = callee.as(DeclReferenceExprSyntax.self) {
            name = reference.baseName.text
        } else if let member = callee.as(MemberAccessExprSyntax.self) {
            name = member.declName.baseName.text
            if member.base == nil { owner = "." }
            if let base = member.base {
                receiver = evaluate(base)
                owner = path(base) ?? ""
            }
        } else if callee.is(ArrayExprSyntax.self) {
            name = "Array"
        } else {
            receiver = evaluate(callee)
        }
        let wasLogger = isLogger
        isLogger =
            receiver?.type == "Logger" || receiver?.type == "os.Logger"
            || (importsLog && (owner.lowercased().hasSuffix("logger") || owner.lowercased().hasSuffix("log")))
        var arguments: [Call.Argument] = []
        for argument in node.arguments {
            let value: Value
            if let body = argument.expression.as(ClosureExprSyntax.self) {
                closure(body, element(name, receiver))
                value = Value()
            } else {
                value = evaluate(argument.expression)
            }
            arguments.append(.init(label: argument.label?.text, value: value, node: argument.expression))
        }
        isLogger = wasLogger
        closed = nil
        let call = Call(
            node: node, name: name, receiver: receiver, owner: owner, arguments: arguments, facts: facts(name))
        if let body = node.trailingClosure {
            if name == "onOpenURL", depth == 0 { link(Syntax(body), body) }
            closure(body, element(name, receiver))
        }
        let mapped = ["map", "flatMap", "compactMap"].contains(name) ? closed : nil
        for body in node.additionalTrailingClosures { closure(body.closure, element(name, receiver)) }
        if call.facts.isOutlet || call.arguments.contains(where: { $0.label.map { facts($0).isOutlet } == true }) {
            isOfUse = true
        }
        sinks(call)
        if foreign != nil || summarizes { callForeign(call) }
        mutate(call)
        var result = result(of: call)
        // What a closure makes of each element is what comes out.
        if let mapped, mapped.sensitive == nil || mapped.certainty == .denied { result.certainty = .denied }
        return result
    }

    private func element(_ name: String, _ receiver: Value?) -> Value {
        switch name {
        case "dataTask", "onOpenURL", "downloadTask", "responseString", "responseData":
            var value = Value()
            value.isOutside = true
            // The system chooses where a download lies.
            if name == "downloadTask" { value.marks.insert(.component) }
            return value
        case "map", "forEach", "flatMap", "compactMap", "filter", "reduce", "withUnsafeBytes", "withCString",
            "withUTF8":
            return receiver?.reshaped() ?? Value()
        default: return Value()
        }
    }

    private func mutate(_ call: Call) {
        let sanitizes = call.facts.startsAsSanitizer
        for argument in call.arguments where argument.node.is(InOutExprSyntax.self) {
            guard let target = path(argument.node), var value = scope[target] else { continue }
            if value.isConstant, !isConstantWriter(call) {
                // Whoever is handed the place of a value may change it.
                value.isConstant = false
                value.text = nil
                scope[target] = value
            }
            if sanitizes {
                value.sensitive = nil
                scope[target] = value
            } else if argument.label == "to" {
                for other in call.arguments where other.label != "to" { value = value.joined(other.value) }
                value.isConstant = false
                scope[target] = value
            }
        }
        for argument in call.arguments {
            guard let label = argument.label, let kind = facts(label).sensitivity, kind != .person,
                let target = path(argument.node), var value = scope[target], value.sensitive == nil
            else { continue }
            value.sensitive = kind
            value.sensitiveName = label
            value.certainty = self.facts(label).weakWord == nil ? .agreed : .weak
            scope[target] = value
        }
        if call.name == "withUnsafeMutableBytes", var value = scope[call.owner], value.isConstant {
            // Its bytes are written by what the closure calls.
            value.isConstant = false
            value.text = nil
            scope[call.owner] = value
        }
        guard !call.owner.isEmpty, call.receiver != nil,
            call.facts.roles.contains(.mutator)
        else { return }
        var value = scope[call.owner] ?? Value()
        let wasConstant = value.isConstant
        for argument in call.arguments {
            value = value.either(argument.value)
            value.isConstant = wasConstant && argument.value.isConstant
        }
        let isDictionary = ["NSMutableDictionary", "Dictionary"].contains(call.receiver?.type)
        if call.name == "setValue", !isDictionary { return }
        if call.name == "update" { value.isOutside = scope[call.owner]?.isOutside ?? false }
        if value.isInteresting || wasConstant || !value.keys.isEmpty {
            scope[call.owner] = value
        }
    }

    /// Functions that read what they are handed the place of, or that are followed.
    private func isConstantWriter(_ call: Call) -> Bool {
        let isWriter = ["CCKeyDerivationPBKDF", "CCCrypt", "CCHmac", "CCRandomGenerateBytes"].contains(call.name)
        return functions[call.name] != nil && canFollow && !call.facts.isRandom
            || call.name.hasPrefix("CC") && !isWriter || call.facts.isDigest
    }

    private func result(of call: Call) -> Value {
        let facts = call.facts
        let isCarrier = facts.roles.contains(.carrier)
        // A function of the file's own may have the name of one that hands on what it gets.
        let isOwn =
            isCarrier && call.receiver == nil
            && functions[call.name]?.first?.parent?.is(MemberBlockItemSyntax.self) == true
        let isBasic = isCarrier && !isOwn || facts.isDigest || facts.isRandom
        if !isBasic, let followed = follow(call) {
            return facts.isSanitizer ? Value() : called(followed, call)
        }
        // `message()`, where the parameter is a closure that gives its value.
        if reaches != nil, call.receiver == nil, call.arguments.isEmpty, let value = scope[call.name],
            value.parameters != 0
        {
            return value
        }
        if let given = given(by: call) { return given }
        var result = Value()
        result.marks = facts.marks
        if facts.isRandom || Self.givesStatus(call.name) { return result }
        // A few characters of a secret are what people write to compare it.
        let isPart = ["prefix", "suffix"].contains(call.name) && call.arguments.count == 1 && call[0]?.label == nil
        if isPart, call[0]?.value.number ?? 0 < 9 { return result }
        let isEncoder = call.name == "encode" && ["JSONEncoder", "PropertyListEncoder"].contains(call.receiver?.type)
        if isEncoder, let first = call[0] { return first.value.reshaped() }
        if facts.isSanitizer, !call.isConstructor, call.name != "addingPercentEncoding" {
            return result
        }
        if facts.isDigest { return result }
        let isReader = call.arguments.first?.label == "contentsOf" && Sources.readers.contains(call.name)
        var joined = call.receiver
        if call.isConstructor { joined = nil }
        var constant = joined?.isConstant ?? true
        for argument in call.arguments
        where argument.label != "count" && argument.label != "encoding" && argument.label != "using"
            && argument.label != "as"
        {
            joined = joined?.either(argument.value) ?? argument.value
            constant = constant && argument.value.isConstant
        }
        let isContainer = facts.roles.contains(.container)
        if let joined {
            if call.isConstructor || isCarrier {
                result.sensitive = joined.sensitive
                result.sensitiveName = joined.sensitiveName
                result.certainty = joined.certainty
                result.question = joined.question
                // An object made of it may show it or not, and what a store gives back is a number of rows.
                if isPart || isCarrier && Self.stores.contains(call.name) { result.certainty = .denied }
                if call.isConstructor, isObject(call) { result.certainty = min(result.certainty, .weak) }
                result.keys = joined.keys
                result.prefix = joined.prefix ?? joined.text
                result.isNumeric = joined.isNumeric
            }
            let isNumber = facts.roles.contains(.number)
            result.isNumeric = result.isNumeric || isNumber
            result.isOutside = joined.isOutside && !isNumber
            result.isTyped = joined.isTyped && !isNumber
            result.parameters = result.sensitive != nil || result.isOutside ? joined.carried : 0
            result.elsewhere = result.sensitive != nil ? joined.elsewhere : []
            if isNumber, call.arguments.count == 1 { result.number = joined.number }
            result.steps = joined.steps
            result.isPredictable = joined.isPredictable
            result.marks.formUnion(joined.marks)
            let isCount = call[0].map { $0.value.number != nil && $0.value.text == nil && $0.label == nil } ?? false
            if isContainer || isCarrier, constant, !isCount {
                result.isConstant = true
                result.parameters = joined.carried
                result.elsewhere = joined.elsewhere
                result.text = isContainer && call.arguments.count <= 2 ? call[0]?.value.text : nil
                // The bytes of a text.
                if call.name == "data", call["using"] != nil { result.text = call.receiver?.text }
            }
        }
        // Without an argument a nonce is random, and there is no key.
        if isContainer, call.arguments.isEmpty, call.name != "Nonce", call.name != "SymmetricKey" {
            result.isConstant = true
        }
        if let text = puzzle(call) {
            result.text = text
            result.isConstant = true
            result.isObfuscated = true
        } else if call.name == "String", ["bytes", "decoding", "data"].contains(call[0]?.label ?? "") {
            result.text = nil
        }
        if isContainer, !call.arguments.isEmpty,
            call.arguments.allSatisfy({ $0.label == "count" || $0.label == "repeating" })
        {
            result.isConstant = true
        }
        if isReader, !readsOwnFile(call.node) {
            let source = call[0]
            let isFromElsewhere = source?.value.isOutside == true || source.map { isRemote($0) } == true
            if !isFromElsewhere { result.marks.insert(.read) }
            result.isOutside = true
            result.steps = [line(of: call.node)]
        }
        if call.name == "URL", let text = call["string"]?.value.prefix ?? call["string"]?.value.text,
            Addresses.isPlain(text)
        {
            result.marks.insert(.plainHTTP)
        }
        if call.isConstructor {
            result.type = call.name
            result.unit = unit(of: call.name)
            result.origin = Syntax(call.node)
            if !isContainer { result.isConstant = false }
        }
        // An object of a store, whatever its class is called: the entity's class is generated, or stands in another file.
        let isEntity = call.isConstructor && call.arguments.count == 1 && call[0]?.label == "context"
        if call.name == "insertNewObject" || isEntity && bases[call.name] == nil { result.type = "NSManagedObject" }
        if call.name == "replacingOccurrences" || call.name == "lowercased" { result.unit = call.receiver?.unit }
        // `.tokenExpired(at: date)` is a case of an enumeration, `LoadError.passwordMissing(for: name)` is too.
        let isCase = call.owner == "." || call.lastOwner.hasSuffix("Error")
        return call.isConstructor || isCase ? result : called(result, call)
    }

    /// The text that a call puts together of constants; `nil` for a call that only hands on what it gets.
    private func puzzle(_ call: Call) -> String? {
        if call.name == "joined", call.receiver?.isConstant == true { return assembledText(call.node) }
        guard call.name == "String" || call.name == "NSString", call.isConstructor, let first = call[0] else {
            return nil
        }
        let labels = ["bytes", "decoding", "data", "cString", "validating", "validatingUTF8"]
        let isMade = first.label.map(labels.contains) ?? first.node.is(FunctionCallExprSyntax.self)
        return isMade ? assembledText(call.node) : nil
    }

    private static let stores: Set = [
        "insert", "update", "insertMany", "replace", "upsert", "bind", "prepare", "set",
    ]

    /// Whether what is made shows its parts by rules of its own, if it shows them at all.
    private func isObject(_ call: Call) -> Bool {
        call.facts.roles.isDisjoint(with: [.container, .number, .address]) && bases[call.name] == nil
    }

    /// What a call's name says of its result. What a command gives back is seldom what its name speaks of.
    private func called(_ value: Value, _ call: Call) -> Value {
        guard call.facts.sensitivity != nil else { return value }
        var result = named(value, call.name, call.node)
        if call.facts.isCommand, value.sensitive == nil { result.certainty = .denied }
        return result
    }

    /// Whether the address of what is read says that it is another machine's.
    private func isRemote(_ source: Call.Argument) -> Bool {
        let text = source.value.prefix ?? source.value.text ?? ""
        let words = source.node.tokens(viewMode: .sourceAccurate).flatMap { Names.words($0.text) }
        return text.hasPrefix("http")
            || words.contains { ["http", "https", "remote", "server", "api", "web"].contains($0) }
    }

    /// Whether what is read is a file of the app's own bundle, found in the same function.
    private func readsOwnFile(_ node: FunctionCallExprSyntax) -> Bool {
        var around = function(around: node)
        if around == nil {
            // A property of a type, made by a closure.
            around = node.parent
            while let next = around, next.kind != .variableDecl { around = next.parent }
        }
        return around?.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .identifier("forResource") }
            ?? false
    }

    /// Functions of Security that give a number or a summary, whatever they get.
    private static func givesStatus(_ name: String) -> Bool {
        if ["CCCrypt", "CCKeyDerivationPBKDF", "CCSymmetricKeyWrap", "CCSymmetricKeyUnwrap"].contains(name) {
            return true
        }
        guard name.hasPrefix("Sec") else { return false }
        return name == "SecCertificateCopySubjectSummary" || name == "SecRandomCopyBytes"
            || ["SecItem", "SecTrust", "SecKeyVerify", "SecPKCS12"].contains { name.hasPrefix($0) }
                && name != "SecTrustCopyKey"
    }

    /// Follows a call into a function of the same file, with the values of its arguments.
    private func follow(_ call: Call) -> Value? {
        guard canFollow else { return nil }
        if call.isConstructor || call.name == "init" {
            let type = call.name == "init" ? (call.owner == "self" ? typeStack.last : call.owner) ?? "" : call.name
            if let decl = initializers[type]?.first(where: { matches($0.signature.parameterClause, call) }),
                let body = decl.body
            {
                isOfUse = true
                _ = run(decl.signature.parameterClause, body, call)
            }
            return nil
        }
        guard
            let decl = functions[call.name]?.first(where: { matches($0.signature.parameterClause, call) }),
            let body = decl.body
        else { return nil }
        // The base class's function is another one, though it has the same name.
        guard call.owner != "super" else { return nil }
        let isMine =
            call.owner.isEmpty || call.owner == "self" || call.receiver?.type.map { bases[$0] != nil } == true
            || call.owner.first?.isUppercase == true || call.receiver?.type == nil
        guard isMine else { return nil }
        isOfUse = true
        var value = run(decl.signature.parameterClause, body, call)
        if let type = decl.signature.returnClause.map({ typeName($0.type) }) {
            value.type = value.type ?? type
            if type == "Bool" { value.sensitive = nil }
        }
        return value
    }

    func matches(_ clause: FunctionParameterClauseSyntax, _ call: Call) -> Bool {
        let parameters = clause.parameters
        guard call.arguments.count <= parameters.count else { return false }
        var names = parameters.map { $0.firstName.text == "_" ? nil : $0.firstName.text }[...]
        for argument in call.arguments {
            guard let index = names.firstIndex(of: argument.label) else { return false }
            names = names[(index + 1)...]
        }
        return true
    }

    private func run(_ clause: FunctionParameterClauseSyntax, _ body: CodeBlockSyntax, _ call: Call) -> Value {
        let isPure = !call.arguments.contains { $0.node.is(InOutExprSyntax.self) }
        let key = FollowKey(
            body: Syntax(body).id, depth: depth, isLogger: isLogger,
            arguments: call.arguments.map { $0.value.isInteresting || !$0.value.keys.isEmpty ? $0.value.summary : nil },
            labels: call.arguments.map(\.label))
        if isPure, let known = results[key], known.version == version { return known.value }
        let value = enter(clause, body, call)
        if isPure { results[key] = (version, value) }
        return value
    }

    private func enter(_ clause: FunctionParameterClauseSyntax, _ body: CodeBlockSyntax, _ call: Call) -> Value {
        depth += 1
        follows += 1
        let (mark, result) = (scope.mark(), returned)
        returned = nil
        var remaining = call.arguments[...]
        var changedArguments: [(String, String)] = []
        for parameter in clause.parameters {
            let label = parameter.firstName.text == "_" ? nil : parameter.firstName.text
            var given: Value?
            if let first = remaining.first, first.label == label {
                given = first.value
                let local = (parameter.secondName ?? parameter.firstName).text
                if label == nil, first.node.is(StringLiteralExprSyntax.self) {
                    credentialLiteral(local, first.value, first.node)
                }
                if first.node.is(InOutExprSyntax.self), let target = path(first.node) {
                    changedArguments.append((local, target))
                }
                remaining = remaining.dropFirst()
            }
            bindParameter(parameter, given ?? (parameter.defaultValue == nil ? Value() : nil), "")
        }
        if body.statements.count == 1, let only = body.statements.first, case .expr(let expression) = only.item {
            returned = evaluate(expression)
        } else {
            walk(Syntax(body.statements))
        }
        var value = returned ?? Value()
        value.steps = value.steps.isEmpty && value.isInteresting ? [line(of: body)] : value.steps
        let inner = changedArguments.map { scope[$0.0] }
        scope.rollback(to: mark)
        returned = result
        depth -= 1
        for ((_, target), changed) in zip(changedArguments, inner) {
            guard let changed else { continue }
            bind(target, changed)
            property(target, changed, call.node)
        }
        return value
    }
}

/// A body and the values that it is followed with.
struct FollowKey: Hashable {
    let body: SyntaxIdentifier
    let depth: Int
    let isLogger: Bool
    /// `nil` for a value of which nothing is known but its type: calls with such ones have one result.
    let arguments: [Value.Summary?]
    let labels: [String?]
}
