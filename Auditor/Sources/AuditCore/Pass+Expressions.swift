internal import SwiftSyntax

extension Pass {
    func evaluate(_ node: ExprSyntax) -> Value {
        spent += 1
        switch node.kind {
        case .stringLiteralExpr: return literal(node.cast(StringLiteralExprSyntax.self))
        case .integerLiteralExpr:
            let text = node.cast(IntegerLiteralExprSyntax.self).literal.text.filter { $0 != "_" }
            return .constant(nil, number: text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text))
        case .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr: return Value()
        case .declReferenceExpr:
            return lookup(node.cast(DeclReferenceExprSyntax.self).baseName.text, node)
        case .memberAccessExpr: return member(node.cast(MemberAccessExprSyntax.self))
        case .functionCallExpr: return call(node.cast(FunctionCallExprSyntax.self))
        case .sequenceExpr: return sequence(Array(node.cast(SequenceExprSyntax.self).elements))
        case .tryExpr:
            let node = node.cast(TryExprSyntax.self)
            let value = evaluate(node.expression)
            if node.questionOrExclamationMark?.text == "!" { trap(node, value) }
            return value
        case .awaitExpr: return evaluate(node.cast(AwaitExprSyntax.self).expression)
        case .forceUnwrapExpr:
            let value = evaluate(node.cast(ForceUnwrapExprSyntax.self).expression)
            trap(node, value)
            return value
        case .optionalChainingExpr: return evaluate(node.cast(OptionalChainingExprSyntax.self).expression)
        case .inOutExpr: return evaluate(node.cast(InOutExprSyntax.self).expression)
        case .prefixOperatorExpr: return evaluate(node.cast(PrefixOperatorExprSyntax.self).expression)
        case .tupleExpr:
            return both(node.cast(TupleExprSyntax.self).elements.map { evaluate($0.expression) })
        case .arrayExpr:
            let list = node.cast(ArrayExprSyntax.self)
            let values = list.elements.map { evaluate($0.expression) }
            if values.isEmpty { return .constant("") }
            var result = both(values)
            result.text = nil
            result.bytes = result.isConstant ? bytes(of: list) : nil
            result.number = nil
            result.unit = nil
            result.type = nil
            return result
        case .dictionaryExpr: return dictionary(node.cast(DictionaryExprSyntax.self))
        case .subscriptCallExpr:
            let node = node.cast(SubscriptCallExprSyntax.self)
            for argument in node.arguments { _ = evaluate(argument.expression) }
            var result = evaluate(node.calledExpression)
            result.text = nil
            if node.arguments.count == 1, node.arguments.first?.expression.is(IntegerLiteralExprSyntax.self) == true {
                trap(node, result)
            }
            return result
        case .macroExpansionExpr:
            expansion(Syntax(node), node.cast(MacroExpansionExprSyntax.self).macroName.text)
            return Value()
        case .closureExpr:
            closure(node.cast(ClosureExprSyntax.self), Value())
            return Value()
        case .ifExpr:
            branch(node.cast(IfExprSyntax.self))
            return Value()
        case .switchExpr:
            branch(node.cast(SwitchExprSyntax.self))
            return Value()
        default:
            for child in node.children(viewMode: .sourceAccurate) where child.kind != .token { walk(child) }
            return Value()
        }
    }

    private func trap(_ node: some SyntaxProtocol, _ value: Value) {
        if value.isOutside { report("TRAP-INPUT", node, "data from outside ends the program here", value) }
    }

    private func both(_ values: [Value]) -> Value {
        guard var result = values.first else { return Value() }
        for value in values.dropFirst() {
            let constant = result.isConstant && value.isConstant
            result = result.either(value)
            result.isConstant = constant
        }
        return result
    }

    private func dictionary(_ node: DictionaryExprSyntax) -> Value {
        guard case .elements(let elements) = node.content else { return .constant(nil) }
        var result = Value()
        var bits: Int?
        for element in elements {
            let key = evaluate(element.key)
            var value = evaluate(element.value)
            if value.sensitive == nil, !value.isConstant, let text = key.text { value = keyed(value, text) }
            result = result.either(value)
            result.keys.insert(element.key.written)
            if value.keys.count == 1 { result.keys.formUnion(value.keys) }
            if element.key.written.hasPrefix("kSecAttrSynchronizable"), Self.isTrue(element.value.written) {
                result.keys.insert("true")
            }
            if element.key.written.hasPrefix("kSecAttrKeySizeInBits") { bits = value.number }
            if element.key.written.hasPrefix("kCFStreamSSLValidatesCertificateChain"),
                ["false", "kCFBooleanFalse"].contains(element.value.written)
            {
                report("TLS-NO-EVALUATION", element, "the check of the server's certificate is switched off")
            }
            credentialLiteral(key.text, value, element, isKey: true)
            if let header = key.text, let text = value.text, value.isConstant { headerLiteral(header, text, element) }
        }
        if let bits, bits < 3_000, result.keys.contains("kSecAttrKeyTypeRSA") {
            report("CRYPTO-RSA", node, "an RSA key of \(bits) bits")
        } else if let bits, bits < 250, result.keys.contains(where: { $0.hasPrefix("kSecAttrKeyTypeEC") }) {
            report("CRYPTO-RSA", node, "a key of an elliptic curve of \(bits) bits")
        }
        result.isConstant = false
        result.text = nil
        return result
    }

    /// `true`, `kCFBooleanTrue!`, `kCFBooleanTrue as Any`.
    static func isTrue(_ written: String) -> Bool { written == "true" || written.hasPrefix("kCFBooleanTrue") }

    private func literal(_ node: StringLiteralExprSyntax) -> Value {
        var result = Value.constant("")
        var isFirst = true
        let isLong = node.openingQuote.tokenKind == .multilineStringQuote
        for segment in node.segments {
            switch segment {
            case .stringSegment(let text):
                let content = text.content.text
                if isLong, SecretShape.isEntry(content) {
                    report("SECRET-LITERAL", text, "a text gives a credential its value")
                }
                if isFirst, content.utf8.count > 9 { statement(node, content) }
                let isEscaped = node.openingPounds == nil && content.utf8.contains(92)
                let plain = isEscaped ? content.replacing("\\\\", with: "\\") : content
                result = isFirst ? .constant(plain) : result.joined(.constant(plain))
            case .expressionSegment(let expression):
                for argument in expression.expressions where argument.label == nil {
                    var value = evaluate(argument.expression)
                    let privacy = expression.expressions.first { $0.label?.text == "privacy" }
                    if privacy == nil, isLogger,
                        !Self.isNumber(value.type)
                    {
                        value.sensitive = nil
                    }
                    if privacy != nil { value = loggerPrivacy(value, privacy?.expression.trimmedDescription ?? "") }
                    result = isFirst ? value : result.joined(value)
                    result.number = nil
                }
            @unknown default: break
            }
            isFirst = false
        }
        result.type = "String"
        result.unit = "String"
        if result.isConstant {
            result.origin = Syntax(node)
            // A secret by its shape, whatever it is handed to; by its own name, as in files of settings.
            if let text = result.text, (16...4_096).contains(text.utf8.count), SecretShape.mayHaveShape(text),
                SecretShape.hasShape(text)
            {
                report("SECRET-LITERAL", node, "a text has the shape of a secret")
            } else if let text = result.text, SecretShape.isPair(text) {
                report("SECRET-LITERAL", node, "a text gives a credential its value")
            }
        }
        return result
    }

    private static func isNumber(_ type: String?) -> Bool {
        switch type {
        case "Int", "Double", "UInt", "Int64", "Float": true
        default: false
        }
    }

    private func loggerPrivacy(_ value: Value, _ privacy: String) -> Value {
        var value = value
        let privacy = privacy.hasPrefix("OSLogPrivacy.") ? String(privacy.dropFirst(12)) : privacy
        let isNumber = Self.isNumber(value.type)
        if privacy.hasPrefix(".private") || privacy.hasPrefix(".sensitive") || (privacy.hasPrefix(".auto") && !isNumber)
        {
            value.sensitive = nil
            value.isOutside = false
        }
        if privacy.hasPrefix(".public"), value.sensitive != nil { value.isPublic = true }
        return value
    }

    /// Operands and operators as written: no precedence is needed to know what flows into the result.
    func sequence(_ elements: [ExprSyntax]) -> Value {
        if elements.count >= 3, elements[1].is(AssignmentExprSyntax.self) {
            let value = sequence(Array(elements[2...]))
            assign(elements[0], value)
            return Value()
        }
        var values: [Value] = []
        var operands: [Int: Value] = [:]
        var isLogical = false
        var isChoice = false
        var isSum = false
        var compound = false
        // What is asked before a question mark is not in the result: values before this index are choices.
        var kept = 0
        var isTernary = false
        var isFlag = false
        for (index, element) in elements.enumerated() {
            if let binary = element.as(BinaryOperatorExprSyntax.self) {
                switch binary.operator.text {
                case "==", "!=", "<", ">", "<=", ">=", "&&", "||", "===", "!==", "~=": isLogical = true
                case "^": ownCipher(elements, index)
                case "??": isChoice = true
                case "+": isSum = true
                case "+=": (isSum, compound) = (true, true)
                default: break
                }
            } else if let ternary = element.as(UnresolvedTernaryExprSyntax.self) {
                values.removeSubrange(kept...)
                values.append(evaluate(ternary.thenExpression))
                kept = values.count
                (isChoice, isTernary, isLogical, isFlag) = (true, true, false, false)
            } else if !element.is(UnresolvedAsExprSyntax.self), !element.is(UnresolvedIsExprSyntax.self),
                !element.is(TypeExprSyntax.self)
            {
                let value = evaluate(element)
                operands[index] = value
                values.append(value)
                isFlag = isFlag || element.is(BooleanLiteralExprSyntax.self)
            } else if element.is(UnresolvedIsExprSyntax.self) {
                isLogical = true
            }
        }
        if isLogical, !isTernary {
            if !isChoice { compared(elements, operands) }
            return Value()
        }
        guard var result = values.first else { return Value() }
        for value in values.dropFirst() { result = isChoice ? result.either(value) : result.joined(value) }
        // Beside `false`, the other one is a Boolean too.
        if isChoice, isFlag { result.sensitive = nil }
        if !isSum, values.count > 1, !isChoice { result.text = nil }
        if values.count > 1, !isChoice { result.number = nil }
        if let cast = elements.last?.as(TypeExprSyntax.self), elements.count == 3,
            let unit = unit(of: typeName(cast.type))
        {
            // What a text is cast to decides how it counts.
            result.unit = unit
            result.type = typeName(cast.type)
        }
        if compound {
            assign(elements[0], result)
            return Value()
        }
        return result
    }

    /// The dotted path of an expression: `self.a?.b!` is `a.b`.
    func path(_ node: ExprSyntax) -> String? {
        if let node = node.as(DeclReferenceExprSyntax.self) { return node.baseName.text }
        if let node = node.as(MemberAccessExprSyntax.self) {
            guard let base = node.base else { return node.declName.baseName.text }
            guard let first = path(base) else { return nil }
            return first == "self" ? node.declName.baseName.text : first + "." + node.declName.baseName.text
        }
        if let node = node.as(OptionalChainingExprSyntax.self) { return path(node.expression) }
        if let node = node.as(ForceUnwrapExprSyntax.self) { return path(node.expression) }
        if let node = node.as(InOutExprSyntax.self) { return path(node.expression) }
        if let node = node.as(SubscriptCallExprSyntax.self) { return path(node.calledExpression) }
        return nil
    }

    func named(_ value: Value, _ name: String, _ node: some SyntaxProtocol) -> Value {
        named(value, name, facts(name))
    }

    private func named(
        _ value: Value, _ name: String, _ facts: NameFacts, of base: ExprSyntax? = nil, type: String? = nil
    ) -> Value {
        guard let kind = facts.sensitivity, value.sensitive != .password, value.type != "Bool",
            !(facts.isPlainToken && hasOtherTokens), !Self.isItsName(value, name)
        else { return value }
        var value = value
        // What stands in the source is nobody's data, and is told as a secret there.
        let certainty = value.isFixed ? .denied : certainty(kind, facts, value.type ?? type, base)
        let asks = value.sensitive == nil && base != nil && value.type == nil && type == nil
        value.question = asks ? .ofObject : nil
        // What a value was before, its new name may not know.
        value.certainty = value.sensitive == nil ? certainty : max(value.certainty, certainty)
        value.sensitive = kind
        value.sensitiveName = name
        return value
    }

    /// What a value at a key is, by the key's text.
    func keyed(_ value: Value, _ key: String) -> Value {
        // `passwordKey` names the entry of a password.
        let words = Names.words(key)
        let entry = words.last == "key" ? facts(words.dropLast().joined(separator: "_")) : facts(key)
        let facts = entry.sensitivity == nil ? facts(key) : entry
        guard let kind = facts.sensitivity, !(facts.isPlainToken && hasOtherTokens) else { return value }
        var value = value
        value.certainty = certainty(kind, facts, value.type)
        value.question = nil
        value.sensitive = kind
        value.sensitiveName = kind.spoken
        return value
    }

    /// A constant that says its own name is the name of an entry: `static let authToken = "auth_token"`.
    private static func isItsName(_ value: Value, _ name: String) -> Bool {
        guard value.isConstant, let text = value.text, text.utf8.count >= name.utf8.count,
            text.utf8.count < name.utf8.count + 6
        else { return false }
        return text == name || Names.words(text).joined() == Names.words(name).joined()
    }

    func lookup(_ name: String, _ node: some SyntaxProtocol) -> Value {
        let facts = facts(name)
        if facts.isOutlet { isOfUse = true }
        if let value = scope[name] { return named(value, name, facts) }
        if name == "count" || name.hasPrefix("utf") || name == "unicodeScalars", let unit = unit(of: typeStack.last) {
            var value = Value()
            value.unit = name == "count" ? unit : name
            return value
        }
        if let items = computed[name], canFollow {
            var value = getter(name, items)
            value.marks.formUnion(facts.marks)
            return named(value, name, facts)
        }
        if let value = members[name] { return named(value, name, facts) }
        var value = Value()
        value.marks = facts.marks
        if name.hasPrefix("kSec") { value.keys = [name] }
        if facts.roles.contains(.constant) { constantName(name, node) }
        return named(value, name, facts)
    }

    private func getter(_ name: String, _ items: CodeBlockItemListSyntax) -> Value {
        if let known = getters[name], known.version == version { return known.value }
        let value = follow(items)
        getters[name] = (version, value)
        return value
    }

    private func follow(_ items: CodeBlockItemListSyntax) -> Value {
        depth += 1
        follows += 1
        let (mark, result) = (scope.mark(), returned)
        returned = nil
        if items.count == 1, let only = items.first, case .expr(let expression) = only.item {
            returned = evaluate(expression)
        } else {
            walk(Syntax(items))
        }
        let value = returned ?? Value()
        scope.rollback(to: mark)
        returned = result
        depth -= 1
        return value
    }

    /// Whether a path of that beginning is known: paths of most members need not be written then.
    private func mayBeKnown(_ node: MemberAccessExprSyntax) -> Bool {
        var last = node.declName.baseName.text
        var next = node.base
        while let inner = next {
            switch inner.kind {
            case .memberAccessExpr:
                let member = inner.cast(MemberAccessExprSyntax.self)
                last = member.declName.baseName.text
                guard member.base != nil else { return scope.hasPaths(of: last) }
                next = member.base
            case .declReferenceExpr:
                let name = inner.cast(DeclReferenceExprSyntax.self).baseName.text
                return scope.hasPaths(of: name == "self" ? last : name)
            case .optionalChainingExpr: next = inner.cast(OptionalChainingExprSyntax.self).expression
            case .forceUnwrapExpr: next = inner.cast(ForceUnwrapExprSyntax.self).expression
            case .inOutExpr: next = inner.cast(InOutExprSyntax.self).expression
            case .subscriptCallExpr: next = inner.cast(SubscriptCallExprSyntax.self).calledExpression
            default: return false
            }
        }
        return false
    }

    private func member(_ node: MemberAccessExprSyntax) -> Value {
        let name = node.declName.baseName.text
        let known = facts(name)
        if known.isOutlet { isOfUse = true }
        var result = Value()
        result.marks = known.marks
        if known.roles.contains(.constant) { constantName(name, node) }
        if let base = node.base {
            let owner = evaluate(base)
            let isOwn = base.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
            if isOwn || mayBeKnown(node), let full = path(ExprSyntax(node)), let value = scope[full] {
                return named(value, name, known)
            }
            if name == "count" || name == "length" {
                // Only a text of Objective-C has a length; another type's is the app's own, which may count anything.
                result.unit = name == "length" && owner.unit == "String" ? nil : owner.unit
                result.isNumeric = true
                return result
            }
            let roles = known.roles
            if roles.contains(.singleton), let text = path(base) {
                result.type = text
            }
            if name == "isEmpty" || name == "hashValue" { return result }
            let isView = roles.contains(.view)
            result.isPredictable =
                owner.isPredictable || name == "identifierForVendor" || name == "bundleIdentifier"
                || name == "timeIntervalSince1970"
            if isView || owner.isOutside {
                result.parameters = owner.carried
                result.isOutside = owner.isOutside
                result.steps = owner.steps
            }
            if name == "text", let field = path(base)?.split(separator: ".").last.map({ facts(String($0)) }),
                field.isField
            {
                result.isTyped = true
                result.steps = [line(of: node)]
                result.sensitive = field.typed
                result.sensitiveName = field.typed?.spoken ?? ""
                return result
            }
            if isView {
                result.isTyped = owner.isTyped
                result.elsewhere = owner.elsewhere
                result.sensitive = owner.sensitive
                result.sensitiveName = owner.sensitiveName
                result.certainty = owner.certainty
                result.question = owner.question
                result.isConstant = owner.isConstant
                result.text = owner.text
                result.unit = ["utf8", "utf16", "unicodeScalars"].contains(name) ? name : nil
            }
            result.marks.formUnion(
                owner.marks.intersection([
                    .weakHash, .fastHash, .externalEntities, .component, .navigation, .read, .message,
                ]))
            if owner.isOutside, Sources.components.contains(name) { result.marks.insert(.component) }
            if roles.contains(.source), let text = path(base), Sources.members.contains("\(text).\(name)") {
                result.isOutside = true
                result.steps = [line(of: node)]
                if name == "request" { result.marks.insert(.navigation) }
                if name == "body" { result.marks.insert(.message) }
            }
            let isMine = owner.type.map { bases[$0] != nil } ?? base.is(DeclReferenceExprSyntax.self)
            if !isView, isMine {
                if let items = computed[name], canFollow {
                    result = result.either(getter(name, items))
                } else if let value = members[(owner.type ?? path(base) ?? "") + "." + name]
                    ?? (isOwn ? members[name] : nil)
                {
                    result = result.either(value)
                }
            }
        }
        guard known.sensitivity != nil, !isName(node.base) else { return result }
        result = named(result, name, known, of: node.base, type: members[name]?.type)
        // A type's own value: more often a case or the name of an entry than a secret.
        if isOfType(node.base), members[name] == nil {
            result.certainty = min(result.certainty, .weak)
            result.question = .ofType
        }
        return result
    }

    /// `.password` and `Key.password` are names, not values.
    private func isName(_ base: ExprSyntax?) -> Bool {
        guard let base else { return true }
        if let root = path(base)?.split(separator: ".").first, root.first?.isUppercase == true,
            ["Strings", "L10n", "Texts", "Localizations", "Localization"].contains(where: root.hasSuffix)
        {
            return true
        }
        guard let owner = base.as(DeclReferenceExprSyntax.self)?.baseName.text else { return false }
        let names = ["Key", "Keys", "Error", "Event", "Action", "Route", "Step", "Kind", "Type"]
        if owner.first?.isUppercase == true, names.contains(where: owner.hasSuffix) { return true }
        return ["Key", "Keys", "CodingKeys", "UserDefaultsKeys", "Notification", "Strings", "L10n"].contains(owner)
    }

    /// `Permission.email`, not `Store.shared.email`.
    private func isOfType(_ base: ExprSyntax?) -> Bool {
        let owner =
            base?.as(DeclReferenceExprSyntax.self)?.baseName.text
            ?? base?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        return owner?.first?.isUppercase == true && owner != "Self"
    }

    func closure(_ node: ClosureExprSyntax, _ element: Value) {
        let (mark, result) = (scope.mark(), returned)
        scope["$0"] = element
        if case .simpleInput(let names)? = node.signature?.parameterClause {
            for name in names { bind(name.name.text, element) }
        } else if case .parameterClause(let clause)? = node.signature?.parameterClause {
            for parameter in clause.parameters {
                var value = element
                value.type = parameter.type.map(typeName)
                value.unit = unit(of: value.type)
                bind((parameter.secondName ?? parameter.firstName).text, value)
            }
        }
        closed = nil
        if node.statements.count == 1, case .expr(let only)? = node.statements.first?.item {
            closed = evaluate(only)
        } else {
            walk(Syntax(node.statements))
            closed = nil
        }
        let changes = scope.changes(since: mark)
        scope.rollback(to: mark)
        for (name, change) in changes {
            guard let old = change.old, let new = change.new else { continue }
            if new.isInteresting || new.keys != old.keys {
                scope[name] = old.either(new)
            } else if old.isConstant, !new.isConstant, name != "$0" {
                // What the closure calls wrote to it.
                scope[name] = new
            }
        }
        returned = result
    }
}

/// Where data of others comes in.
enum Sources {
    static let members: Set<String> = [
        "UIPasteboard.general.string", "UIPasteboard.general.url", "userActivity.webpageURL", "message.body",
        "navigationAction.request",
    ]
    /// Members of an address or a file's description that hold no separator of paths.
    static let components: Set<String> = ["lastPathComponent", "pathExtension", "fileExtension", "rawValue"]
    static let readers: Set<String> = [
        "String", "NSString", "Data", "NSData", "NSMutableData", "XMLDocument", "InputStream",
    ]
}
