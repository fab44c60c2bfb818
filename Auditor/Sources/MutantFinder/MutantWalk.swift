internal import SwiftSyntax

/// Walks a source and keeps the changes that it allows.
final class MutantWalk: SyntaxVisitor {
    private(set) var found: [Mutant] = []
    private let locations: SourceLocationConverter
    private let bytes: [UInt8]
    /// The names of the declarations around.
    private var names: [String] = []
    /// What the functions around return, in words; a closure's is not known.
    private var bodies: [Body] = []

    private struct Body {
        var isInitializer = false
        /// `nil` for what returns nothing.
        var result: String?
        /// The body is one expression, whose value it returns.
        var isOneValue = false
    }

    private static let comparisons = ["<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="]
    private static let logic = ["&&": "||", "||": "&&"]
    private static let on = Mutant.on
    private static let conditions: Set = [
        "os(Linux)", "canImport(Glibc)", "canImport(Foundation)", "canImport(FoundationNetworking)", "DEBUG",
        "compiler(>=6.3)",
    ]

    init(_ locations: SourceLocationConverter, _ bytes: [UInt8]) {
        self.locations = locations
        self.bytes = bytes
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Where the walk is

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: StructDeclSyntax) { names.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: EnumDeclSyntax) { names.removeLast() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: ClassDeclSyntax) { names.removeLast() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: ActorDeclSyntax) { names.removeLast() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.extendedType.trimmedDescription)
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { names.removeLast() }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let result = node.signature.returnClause?.type.trimmedDescription
        begin(node.name.text, node.body, Body(result: result == "Void" || result == "()" ? nil : result))
        early(node.body)
        return .visitChildren
    }
    override func visitPost(_ node: FunctionDeclSyntax) { end() }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        begin("init", node.body, Body(isInitializer: true))
        return .visitChildren
    }
    override func visitPost(_ node: InitializerDeclSyntax) { end() }

    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        begin("deinit", node.body, Body())
        return .visitChildren
    }
    override func visitPost(_ node: DeinitializerDeclSyntax) { end() }

    override func visit(_ node: AccessorDeclSyntax) -> SyntaxVisitorContinueKind {
        let isGetter = node.accessorSpecifier.tokenKind == .keyword(.get)
        begin(node.accessorSpecifier.text, node.body, Body(result: isGetter ? variableType(node) ?? "?" : nil))
        return .visitChildren
    }
    override func visitPost(_ node: AccessorDeclSyntax) { end() }

    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind {
        guard case .getter(let items) = node.accessors else { return .visitChildren }
        let name = node.parent?.as(PatternBindingSyntax.self)?.pattern.trimmedDescription ?? "subscript"
        names.append(name)
        bodies.append(Body(result: variableType(node) ?? "?", isOneValue: isOneValue(items)))
        answer(ofOnly: items)
        return .visitChildren
    }
    override func visitPost(_ node: AccessorBlockSyntax) {
        if case .getter = node.accessors { end() }
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        names.append("{}")
        bodies.append(Body(result: "?", isOneValue: isOneValue(node.statements)))
        return .visitChildren
    }
    override func visitPost(_ node: ClosureExprSyntax) { end() }

    // The value of a constant of a type is asked for when the program runs: a limit is one of its numbers.
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        if isConstantOfType(node) {
            names.append(node.bindings.first?.pattern.trimmedDescription ?? "")
            bodies.append(Body(result: "?", isOneValue: true))
        }
        return .visitChildren
    }
    override func visitPost(_ node: VariableDeclSyntax) {
        if isConstantOfType(node) { end() }
    }

    // One with a body of its own, a closure for example, is looked into as a body.
    private func isConstantOfType(_ node: VariableDeclSyntax) -> Bool {
        node.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
            && node.bindings.contains { $0.initializer != nil && $0.accessorBlock == nil }
    }

    // A debug build on Linux compiles one part of these and no other.
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        if let elements = node.clauses.first(where: { Self.isActive($0.condition) })?.elements { walk(elements) }
        return .skipChildren
    }

    // Not looked into: what is no code of the program, or must be known when it is compiled.
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: GenericArgumentClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: SwitchCaseLabelSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: TypeAnnotationSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: FunctionParameterClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: The changes

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard !bodies.isEmpty, let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
            if !bodies.isEmpty, node.operator.is(AssignmentExprSyntax.self) { forget(node) }
            return .visitChildren
        }
        let changed = Self.comparisons[sign] ?? Self.logic[sign]
        if let changed {
            // A `try` at the left covers the whole expression, also in parentheses.
            let (effects, left) = effects(of: node.leftOperand)
            let right = node.rightOperand.trimmedDescription
            add(
                Self.logic[sign] == nil ? .comparison : .logic, node,
                "\(effects)(\(Self.on) ? (\(left) \(changed) \(right)) : (\(left) \(sign) \(right)))")
        }
        return .visitChildren
    }

    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
        for case .expression(let condition) in node.conditions.map(\.condition) {
            let (effects, rest) = effects(of: condition)
            // No `||`: what stands behind it is a closure, which takes the type from an error.
            add(.guardDropped, condition, "\(effects)(\(Self.on) ? true : (\(rest)))")
        }
        return .visitChildren
    }

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        for case .expression(let condition) in node.conditions.map(\.condition) {
            let (effects, rest) = effects(of: condition)
            add(.branch, condition, "\(effects)(\(Self.on) ? false : (\(rest)))")
        }
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        guard !isValue(node) else { return .visitChildren }
        var before: (item: CodeBlockItemSyntax, text: String)?
        for item in node {
            guard case .expr(let statement) = item.item, isCall(statement) else {
                before = nil
                continue
            }
            let text = statement.trimmedDescription
            add(.call, statement, "if !\(Self.on) { \(text) }")
            if let tried = statement.as(TryExprSyntax.self), tried.questionOrExclamationMark == nil {
                add(
                    .error, statement,
                    "if \(Self.on) { _ = try? \(tried.expression.trimmedDescription) } else { \(text) }")
            }
            if let before {
                let range = before.item.positionAfterSkippingLeadingTrivia..<item.endPositionBeforeTrailingTrivia
                add(
                    .order, range, at: item,
                    "if \(Self.on) { \(text); \(before.text) } else { \(before.text); \(text) }")
            }
            before = (item, text)
        }
        return .visitChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard !bodies.isEmpty, !isInLongList(node) else { return .skipChildren }
        let text = node.trimmedDescription
        add(.number, node, "(\(Self.on) ? (\(text) + 1) : \(text))")
        return .skipChildren
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        guard bodies.last?.result == "Bool", let value = node.expression else { return .visitChildren }
        answer(value)
        return .visitChildren
    }

    override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
        guard !bodies.isEmpty, (2...12).contains(node.elements.count), let last = node.elements.last else {
            return .visitChildren
        }
        let rest = node.elements.dropLast().map(\.expression.trimmedDescription).joined(separator: ", ")
        add(.member, node, "(\(Self.on) ? [\(rest)] : [\(rest), \(last.expression.trimmedDescription)])")
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard !bodies.isEmpty, node.arguments.count == 1, node.arguments.first?.label == nil,
            let asked = node.calledExpression.as(MemberAccessExprSyntax.self), asked.base != nil,
            asked.declName.baseName.text == "contains"
        else { return .visitChildren }
        add(.widened, node, "(\(Self.on) ? true : \(node.trimmedDescription))")
        return .visitChildren
    }

    // MARK: Parts

    private func enter(_ name: String) -> SyntaxVisitorContinueKind {
        names.append(name)
        return .visitChildren
    }

    private func begin(_ name: String, _ block: CodeBlockSyntax?, _ body: Body) {
        names.append(name)
        var body = body
        body.isOneValue = block.map { isOneValue($0.statements) } ?? false
        bodies.append(body)
        if let block, body.result == "Bool" { answer(ofOnly: block.statements) }
    }

    private func end() {
        names.removeLast()
        bodies.removeLast()
    }

    private func variableType(_ node: some SyntaxProtocol) -> String? {
        var above = node.parent
        while let now = above {
            if let binding = now.as(PatternBindingSyntax.self) {
                return binding.typeAnnotation?.type.trimmedDescription
            }
            if let subscripted = now.as(SubscriptDeclSyntax.self) {
                return subscripted.returnClause.type.trimmedDescription
            }
            above = now.parent
        }
        return nil
    }

    private func isOneValue(_ items: CodeBlockItemListSyntax) -> Bool {
        guard items.count == 1 else { return false }
        switch items.first?.item {
        case .expr: return true
        case .stmt(let statement): return statement.is(ExpressionStmtSyntax.self)
        default: return false
        }
    }

    // One expression whose value somebody takes: the whole body, or a branch of an `if` or `switch` that is a value.
    private func isValue(_ items: CodeBlockItemListSyntax) -> Bool {
        guard let body = bodies.last else { return true }
        guard items.count == 1 else { return false }
        guard let branching = branching(around: items) else { return body.isOneValue && body.result != nil }
        guard let statement = branching.parent?.as(ExpressionStmtSyntax.self) else { return true }
        return statement.parent?.parent?.as(CodeBlockItemListSyntax.self).map(isValue) ?? false
    }

    // The `switch`, or the first `if` of a chain with an `else`, that has these statements for a branch.
    private func branching(around items: CodeBlockItemListSyntax) -> ExprSyntax? {
        if let choice = items.parent?.as(SwitchCaseSyntax.self) {
            return choice.parent?.parent?.as(SwitchExprSyntax.self).map(ExprSyntax.init)
        }
        guard var first = items.parent?.as(CodeBlockSyntax.self)?.parent?.as(IfExprSyntax.self) else { return nil }
        guard first.elseBody != nil || first.parent?.is(IfExprSyntax.self) == true else { return nil }
        while let above = first.parent?.as(IfExprSyntax.self) { first = above }
        return ExprSyntax(first)
    }

    // A single expression of type Bool that is the whole body.
    private func answer(ofOnly items: CodeBlockItemListSyntax) {
        guard isOneValue(items), bodies.last?.result == "Bool", case .expr(let value)? = items.first?.item,
            !value.is(IfExprSyntax.self), !value.is(SwitchExprSyntax.self)
        else { return }
        answer(value)
    }

    private func answer(_ value: ExprSyntax) {
        guard !value.is(IfExprSyntax.self), !value.is(SwitchExprSyntax.self) else { return }
        let (effects, rest) = effects(of: value)
        add(.answer, value, "\(effects)(\(Self.on) != (\(rest)))")
    }

    // A function of several statements that does nothing.
    private func early(_ block: CodeBlockSyntax?) {
        guard let block, block.statements.count > 1, let result = bodies.last?.result ?? "" as String? else { return }
        let leave = result.isEmpty ? "return" : result.hasSuffix("?") ? "return nil" : nil
        guard let leave else { return }
        let place = block.leftBrace.endPositionBeforeTrailingTrivia
        add(.early, place..<place, at: block, " if \(Self.on) { \(leave) }")
    }

    private func forget(_ node: InfixOperatorExprSyntax) {
        guard bodies.last?.isInitializer == false, node.parent?.is(CodeBlockItemSyntax.self) == true,
            node.leftOperand.is(MemberAccessExprSyntax.self) || node.leftOperand.is(DeclReferenceExprSyntax.self)
                || node.leftOperand.is(SubscriptCallExprSyntax.self)
        else { return }
        add(.assignment, node, "if !\(Self.on) { \(node.trimmedDescription) }")
    }

    private func isCall(_ statement: ExprSyntax) -> Bool {
        var inner = statement
        while true {
            if let tried = inner.as(TryExprSyntax.self) {
                inner = tried.expression
            } else if let awaited = inner.as(AwaitExprSyntax.self) {
                inner = awaited.expression
            } else if let unsafely = inner.as(UnsafeExprSyntax.self) {
                inner = unsafely.expression
            } else {
                break
            }
        }
        guard let call = inner.as(FunctionCallExprSyntax.self) else { return false }
        let name = call.calledExpression.trimmedDescription
        return !name.hasPrefix("super.") && !name.hasSuffix(".init") && name != "fatalError"
            && name != "preconditionFailure"
    }

    // `try`, `await` and `unsafe` before an expression, and what comes after them.
    private func effects(of expression: ExprSyntax) -> (words: String, rest: String) {
        if let tried = expression.as(TryExprSyntax.self), tried.questionOrExclamationMark == nil {
            let inner = effects(of: tried.expression)
            return ("try " + inner.words, inner.rest)
        }
        if let awaited = expression.as(AwaitExprSyntax.self) {
            let inner = effects(of: awaited.expression)
            return ("await " + inner.words, inner.rest)
        }
        if let unsafely = expression.as(UnsafeExprSyntax.self) {
            let inner = effects(of: unsafely.expression)
            return ("unsafe " + inner.words, inner.rest)
        }
        return ("", expression.trimmedDescription)
    }

    private static func isActive(_ condition: ExprSyntax?) -> Bool {
        guard let condition else { return true }
        if let infix = condition.as(InfixOperatorExprSyntax.self) {
            let (left, right) = (isActive(infix.leftOperand), isActive(infix.rightOperand))
            return infix.operator.trimmedDescription == "||" ? left || right : left && right
        }
        if let negated = condition.as(PrefixOperatorExprSyntax.self) { return !isActive(negated.expression) }
        if let list = condition.as(TupleExprSyntax.self) { return list.elements.allSatisfy { isActive($0.expression) } }
        return conditions.contains(condition.trimmedDescription)
    }

    // Numbers of a table say nothing one by one.
    private func isInLongList(_ node: some SyntaxProtocol) -> Bool {
        var above = node.parent
        while let now = above, !now.is(CodeBlockItemSyntax.self) {
            if let list = now.as(ArrayExprSyntax.self), list.elements.count > 4 { return true }
            above = now.parent
        }
        return false
    }

    private func add(_ kind: Mutant.Operator, _ node: some SyntaxProtocol, _ text: String) {
        add(kind, node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia, at: node, text)
    }

    private func add(
        _ kind: Mutant.Operator, _ range: Range<AbsolutePosition>, at node: some SyntaxProtocol, _ text: String
    ) {
        let range = range.lowerBound.utf8Offset..<range.upperBound.utf8Offset
        let before = String(decoding: bytes[range], as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        found.append(
            Mutant(
                kind: kind, range: range, text: text,
                line: node.startLocation(converter: locations, afterLeadingTrivia: true).line,
                function: names.joined(separator: "."), before: String(before.prefix(160))))
    }
}
