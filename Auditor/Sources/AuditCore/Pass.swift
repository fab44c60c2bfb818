internal import SwiftSyntax

/// The forward pass over one file: statements in source order over abstract values, calls inside the file followed.
final class Pass {
    let converter: SourceLocationConverter
    let lines: [Substring]
    let tree: SourceFileSyntax
    var findings: [Finding] = []
    var seen: Set<String> = []
    /// Values of names and dotted paths. Copied at branches.
    var scope: [String: Value] = [:]
    /// Members of types of this file, by name.
    var members: [String: Value] = [:]
    var functions: [String: [FunctionDeclSyntax]] = [:]
    var initializers: [String: [InitializerDeclSyntax]] = [:]
    var computed: [String: CodeBlockItemListSyntax] = [:]
    var bases: [String: [String]] = [:]
    var transient: Set<String> = []
    var managed: Set<String> = []
    var declaredMembers: Set<String> = []
    var typeStack: [String] = []
    var declaration: [String] = []
    var returned: Value?
    var depth = 0
    var follows = 0
    var debugOnly = 0
    /// Categories of APIs that a privacy manifest must give reasons for, with the first line of each.
    var uses: [String: Int] = [:]
    var isLogger = false
    var spent = 0
    var hasPaths = false
    /// Whether a call may be followed: depth and work are bounded, whatever the file says.
    var canFollow: Bool { depth < 3 && follows < 400 && spent < 8_000 + lines.count * 60 }

    init(tree: SourceFileSyntax, text: String) {
        self.tree = tree
        converter = SourceLocationConverter(fileName: "", tree: tree)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    func line(of node: some SyntaxProtocol) -> Int {
        converter.location(for: node.positionAfterSkippingLeadingTrivia).line
    }

    func report(
        _ rule: String, _ node: some SyntaxProtocol, _ message: String, _ value: Value = Value(),
        _ severity: Severity? = nil
    ) {
        let place = converter.location(for: node.positionAfterSkippingLeadingTrivia)
        guard seen.insert("\(rule):\(place.line)").inserted else { return }
        guard let entry = Catalogue.byID[rule] else { return }
        let excerpt = Redaction.excerpt(tree, line: place.line, converter)
        findings.append(
            Finding(
                rule: rule, severity: severity ?? entry.severity, line: place.line, column: place.column,
                message: message,
                steps: Array(value.steps.suffix(8)) + [place.line], excerpt: excerpt,
                identity: SHA256.hex(
                    "\(rule)|\(declaration.joined(separator: "."))|\(excerpt.filter { $0 != " " })")))
    }

    func run(_ tree: SourceFileSyntax) {
        Collector(self).walk(tree)
        walk(Syntax(tree))
    }

    /// Whether `type` or one of its bases in this file is called one of `names`.
    func isKind(_ type: String?, _ names: Set<String>, _ level: Int = 0) -> Bool {
        guard let type, level < 6 else { return false }
        if names.contains(type) { return true }
        return (bases[type] ?? []).contains { isKind($0, names, level + 1) }
    }
}

/// Finds what the file declares, before the pass.
final class Collector: SyntaxVisitor {
    let pass: Pass
    init(_ pass: Pass) {
        self.pass = pass
        super.init(viewMode: .sourceAccurate)
    }
    override func visit(_ node: TokenSyntax) -> SyntaxVisitorContinueKind {
        if case .identifier(let name) = node.tokenKind, let category = PrivacyReasons.category[name],
            pass.uses[category] == nil
        {
            pass.uses[category] = pass.line(of: node)
        }
        return .skipChildren
    }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if let body = node.body, !body.statements.isEmpty { pass.functions[node.name.text, default: []].append(node) }
        return .visitChildren
    }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        base(node.name.text, node.inheritanceClause, node)
    }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        base(node.name.text, node.inheritanceClause, node)
    }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        base(node.name.text, node.inheritanceClause, node)
    }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        base(node.extendedType.trimmedDescription, node.inheritanceClause, node)
    }
    private func base(_ name: String, _ clause: InheritanceClauseSyntax?, _ node: some DeclGroupSyntax)
        -> SyntaxVisitorContinueKind
    {
        pass.bases[name, default: []] += clause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
        for member in node.memberBlock.members {
            if let initializer = member.decl.as(InitializerDeclSyntax.self),
                initializer.body?.statements.isEmpty == false
            {
                pass.initializers[name, default: []].append(initializer)
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
            for binding in variable.bindings {
                guard let id = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
                pass.declaredMembers.insert("\(name).\(id)")
                if variable.attributes.description.contains("@NSManaged") { pass.managed.insert("\(name).\(id)") }
                if case .getter(let items)? = binding.accessorBlock?.accessors {
                    pass.computed[id] = items
                    if !variable.attributes.description.contains("NSManaged") { pass.transient.insert("\(name).\(id)") }
                } else if case .accessors(let list)? = binding.accessorBlock?.accessors,
                    let getter = list.first(where: { $0.accessorSpecifier.text == "get" })?.body
                {
                    pass.computed[id] = getter.statements
                    pass.transient.insert("\(name).\(id)")
                }
            }
        }
        return .visitChildren
    }
}
