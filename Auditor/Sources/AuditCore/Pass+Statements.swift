internal import SwiftSyntax

extension Pass {
    func walk(_ node: Syntax) {
        if let expression = node.as(ExprSyntax.self) {
            _ = evaluate(expression)
            return
        }
        switch node.kind {
        case .functionDecl: function(node.cast(FunctionDeclSyntax.self))
        case .initializerDecl:
            let decl = node.cast(InitializerDeclSyntax.self)
            body(decl.signature.parameterClause, decl.body, "init", decl)
        case .classDecl: group(node.cast(ClassDeclSyntax.self), node.cast(ClassDeclSyntax.self).name.text)
        case .structDecl: group(node.cast(StructDeclSyntax.self), node.cast(StructDeclSyntax.self).name.text)
        case .enumDecl: group(node.cast(EnumDeclSyntax.self), node.cast(EnumDeclSyntax.self).name.text)
        case .extensionDecl:
            group(
                node.cast(ExtensionDeclSyntax.self), node.cast(ExtensionDeclSyntax.self).extendedType.written)
        case .variableDecl: variable(node.cast(VariableDeclSyntax.self))
        case .optionalBindingCondition:
            let condition = node.cast(OptionalBindingConditionSyntax.self)
            let name =
                condition.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
                ?? condition.pattern.trimmedDescription
            bind(name, condition.initializer.map { evaluate($0.value) } ?? lookup(name, condition))
        case .forStmt:
            let loop = node.cast(ForStmtSyntax.self)
            bindAll(loop.pattern, evaluate(loop.sequence))
            walk(Syntax(loop.body))
        case .guardStmt:
            let statement = node.cast(GuardStmtSyntax.self)
            walk(Syntax(statement.conditions))
            let mark = scope.mark()
            walk(Syntax(statement.body))
            scope.rollback(to: mark)
        case .returnStmt:
            if let expression = node.cast(ReturnStmtSyntax.self).expression {
                let value = evaluate(expression)
                returned = returned.map { $0.either(value) } ?? value
            }
        case .macroExpansionDecl: expansion(node, node.cast(MacroExpansionDeclSyntax.self).macroName.text)
        case .ifConfigDecl:
            debugControls(node.cast(IfConfigDeclSyntax.self))
            let clauses = Array(node.cast(IfConfigDeclSyntax.self).clauses)
            for (index, clause) in clauses.enumerated() {
                let isDebug =
                    isForDebug(clauses, index) || clause.condition?.written == "targetEnvironment(simulator)"
                debugOnly += isDebug ? 1 : 0
                conditions.append(clause.condition?.written ?? "")
                if let elements = clause.elements { walk(Syntax(elements)) }
                conditions.removeLast()
                debugOnly -= isDebug ? 1 : 0
            }
        default: for child in node.children(viewMode: .sourceAccurate) where child.kind != .token { walk(child) }
        }
    }

    /// The closures of a macro; those of a preview are not shipped.
    func expansion(_ node: Syntax, _ name: String) {
        debugOnly += name == "Preview" ? 1 : 0
        previews += name == "Preview" ? 1 : 0
        for child in node.children(viewMode: .sourceAccurate) where child.kind != .token { walk(child) }
        debugOnly -= name == "Preview" ? 1 : 0
        previews -= name == "Preview" ? 1 : 0
    }

    private func group(_ node: some DeclGroupSyntax, _ name: String) {
        typeStack.append(name)
        declaration.append(name)
        generator(node, name)
        // Xcode draws previews; what is shipped does not have them.
        let isPreview = bases[name]?.contains("PreviewProvider") == true
        debugOnly += isPreview ? 1 : 0
        previews += isPreview ? 1 : 0
        let mark = scope.mark()
        for member in node.memberBlock.members {
            if member.decl.is(VariableDeclSyntax.self) { walk(Syntax(member.decl)) }
        }
        for member in node.memberBlock.members {
            if !member.decl.is(VariableDeclSyntax.self) { walk(Syntax(member.decl)) }
        }
        scope.rollback(to: mark)
        debugOnly -= isPreview ? 1 : 0
        previews -= isPreview ? 1 : 0
        typeStack.removeLast()
        declaration.removeLast()
    }

    private func function(_ node: FunctionDeclSyntax) {
        if !(node.parent?.is(MemberBlockItemSyntax.self) ?? true), !declaration.isEmpty {
            Collector(self).function(node)
        }
        if depth == 0, isQuiet(node) {
            quiet.insert((typeStack.last.map { $0 + "." } ?? "") + node.name.text)
        }
        body(node.signature.parameterClause, node.body, node.name.text, node)
    }

    private func body(
        _ parameters: FunctionParameterClauseSyntax, _ body: CodeBlockSyntax?, _ name: String,
        _ node: some DeclSyntaxProtocol
    ) {
        guard let body else { return }
        let before = (isOfUse, callsForeign)
        (isOfUse, callsForeign) = (false, false)
        protections(parameters, body, name)
        handlers(parameters, body, name)
        let mark = scope.mark()
        let result = returned
        declaration.append(name)
        for parameter in parameters.parameters { bindParameter(parameter, nil, name) }
        returned = nil
        if let only = onlyExpression(of: body) { returned = evaluate(only) } else { walk(Syntax(body.statements)) }
        declaration.removeLast()
        if summarizes, depth == 0 { offer(node, parameters, body, name) }
        (isOfUse, callsForeign) = (isOfUse || before.0, callsForeign || before.1)
        scope.rollback(to: mark)
        returned = result
    }

    func bindParameter(_ parameter: FunctionParameterSyntax, _ given: Value?, _ function: String) {
        let name = (parameter.secondName ?? parameter.firstName).text
        var value = given ?? Value()
        if given == nil, let initial = parameter.defaultValue { value = evaluate(initial.value) }
        value.type = value.type ?? typeName(parameter.type)
        value.unit = value.unit ?? unit(of: value.type)
        if let type = value.type, NameFacts.isNumber(type) { value.isNumeric = true }
        if given == nil, function == "application", parameter.firstName.text == "open" { value.isOutside = true }
        if given == nil, value.type == "WKScriptMessage" { value.isOutside = true }
        bind(name, value)
    }

    func typeName(_ type: TypeSyntax) -> String {
        if let plain = type.as(IdentifierTypeSyntax.self), plain.genericArgumentClause == nil { return plain.name.text }
        var text = type.trimmedDescription
        for word in ["inout ", "borrowing ", "consuming ", "any ", "some "] where text.hasPrefix(word) {
            text.removeFirst(word.count)
        }
        while text.hasSuffix("?") || text.hasSuffix("!") { text.removeLast() }
        return text
    }

    func unit(of type: String?) -> String? {
        switch type {
        case "String", "Substring": "String"
        case "NSString", "NSMutableString": "NSString"
        case "String.UTF8View": "utf8"
        case "String.UTF16View": "utf16"
        case "String.UnicodeScalarView": "unicodeScalars"
        default: nil
        }
    }

    private func variable(_ node: VariableDeclSyntax) {
        let attributes = node.attributes.isEmpty ? "" : node.attributes.trimmedDescription
        for binding in node.bindings {
            let isSample = isSample(binding)
            debugOnly += isSample ? 1 : 0
            var value = binding.initializer.map { evaluate($0.value) } ?? Value()
            debugOnly -= isSample ? 1 : 0
            if binding.initializer?.value.is(BooleanLiteralExprSyntax.self) == true { value.type = "Bool" }
            if let type = binding.typeAnnotation?.type {
                value.type = typeName(type)
                value.unit = unit(of: value.type) ?? value.unit
                value.isNumeric = value.isNumeric || value.type.map(NameFacts.isNumber) == true
                if value.type == "Bool" { value.sensitive = nil }
            }
            if let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text {
                declared(name, value, node, attributes)
                randomValues(name, binding.initializer?.value)
                unusedControl(name, binding)
                if !models.isEmpty { modelled(name, node) }
                let isLet = node.bindingSpecifier.tokenKind == .keyword(.let)
                value.isFixed = isLet && value.isConstant && value.text?.isEmpty == false
                bind(name, value)
                if node.parent?.is(MemberBlockItemSyntax.self) == true {
                    members[name] = value
                    members["\(typeStack.last ?? "").\(name)"] = value
                }
            } else {
                bindAll(binding.pattern, value)
            }
            guard let accessors = binding.accessorBlock else { continue }
            let mark = scope.mark()
            let result = returned
            var given = Value()
            given.type = value.type
            scope["newValue"] = given
            walk(Syntax(accessors))
            scope.rollback(to: mark)
            returned = result
        }
    }

    /// A constant that says by its name that it is for tests or previews.
    private func isSample(_ binding: PatternBindingSyntax) -> Bool {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
            let first = Names.words(name).first
        else { return false }
        return ["test", "mock", "sample", "preview", "dummy", "fake", "stub"].contains(first)
    }

    func bind(_ name: String, _ value: Value) {
        if scope.hasPaths(of: name) { for path in scope.paths(of: name) { scope[path.key] = nil } }
        scope[name] = value
    }

    func bindAll(_ pattern: PatternSyntax, _ value: Value) {
        if let name = pattern.as(IdentifierPatternSyntax.self)?.identifier.text { return bind(name, value) }
        // Which of several values it is, their own names say.
        var part = value
        part.certainty = .denied
        for token in pattern.tokens(viewMode: .sourceAccurate) {
            if case .identifier(let name) = token.tokenKind { bind(name, part) }
        }
    }

    private func merge(_ name: String, _ value: Value) {
        scope[name] = scope[name].map { $0.either(value) } ?? value
    }

    func exits(_ block: CodeBlockSyntax) -> Bool {
        guard let last = block.statements.last?.item else { return false }
        return last.is(ReturnStmtSyntax.self) || last.is(ThrowStmtSyntax.self) || last.is(ContinueStmtSyntax.self)
            || last.is(BreakStmtSyntax.self)
    }

    func branch(_ node: IfExprSyntax) {
        walk(Syntax(node.conditions))
        let mark = scope.mark()
        walk(Syntax(node.body))
        let first = scope.changes(since: mark)
        scope.rollback(to: mark)
        switch node.elseBody {
        case .ifExpr(let next)?: branch(next)
        case .codeBlock(let block)?: walk(Syntax(block))
        case nil: break
        @unknown default: break
        }
        if exits(node.body) { return }
        // What the other branch alone changed may be as it was before.
        for (name, change) in scope.changes(since: mark) where first[name] == nil {
            if let old = change.old { merge(name, old) }
        }
        for (name, change) in first {
            if let new = change.new { merge(name, new) }
        }
    }

    /// Whether a case takes the error out of a result: it is not what the result would have held.
    private func failed(_ label: some SyntaxProtocol) -> Bool {
        label.tokens(viewMode: .sourceAccurate).contains {
            $0.tokenKind == .period && $0.nextToken(viewMode: .sourceAccurate)?.text == "failure"
        }
    }

    func branch(_ node: SwitchExprSyntax) {
        let subject = evaluate(node.subject)
        var all: [[String: (old: Value?, new: Value?)]] = []
        for element in node.cases {
            let mark = scope.mark()
            if case .switchCase(let one) = element {
                var binds = false
                let found = failed(one.label) ? subject.withoutSecret : subject
                for token in one.label.tokens(viewMode: .sourceAccurate) {
                    if token.tokenKind == .keyword(.let) || token.tokenKind == .keyword(.var) { binds = true }
                    if binds, case .identifier(let name) = token.tokenKind { bind(name, found) }
                }
                walk(Syntax(one.statements))
            }
            all.append(scope.changes(since: mark))
            scope.rollback(to: mark)
        }
        for changes in all {
            for (name, change) in changes {
                if let new = change.new { merge(name, new) }
            }
        }
    }
}
