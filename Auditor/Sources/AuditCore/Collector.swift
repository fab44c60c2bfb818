internal import SwiftSyntax

/// Finds what the file declares, before the pass: types and their members, and functions.
///
/// Bodies are not read: what a function declares inside is found when the pass comes to it.
struct Collector {
    let pass: Pass

    init(_ pass: Pass) { self.pass = pass }

    func collect(_ items: CodeBlockItemListSyntax) {
        for item in items {
            if case .decl(let declaration) = item.item { collect(declaration) }
        }
    }

    private func collect(_ node: DeclSyntax) {
        switch node.kind {
        case .functionDecl: function(node.cast(FunctionDeclSyntax.self))
        case .classDecl:
            let node = node.cast(ClassDeclSyntax.self)
            if node.attributes.contains(where: { $0.trimmedDescription == "@Model" }) {
                pass.models.insert(node.name.text)
            }
            base(node.name.text, node.inheritanceClause, node)
        case .structDecl:
            let node = node.cast(StructDeclSyntax.self)
            base(node.name.text, node.inheritanceClause, node)
        case .enumDecl:
            let node = node.cast(EnumDeclSyntax.self)
            pass.enumerations.insert(node.name.text)
            base(node.name.text, node.inheritanceClause, node)
        case .actorDecl:
            let node = node.cast(ActorDeclSyntax.self)
            base(node.name.text, node.inheritanceClause, node)
        case .extensionDecl:
            let node = node.cast(ExtensionDeclSyntax.self)
            base(node.extendedType.written, node.inheritanceClause, node)
        case .ifConfigDecl:
            for clause in node.cast(IfConfigDeclSyntax.self).clauses {
                switch clause.elements {
                case .statements(let items)?: collect(items)
                case .decls(let members)?: for member in members { collect(member.decl) }
                default: break
                }
            }
        default: break
        }
    }

    func function(_ node: FunctionDeclSyntax) {
        guard let body = node.body, !body.statements.isEmpty, pass.collected.insert(Syntax(node).id).inserted else {
            return
        }
        pass.functions[node.name.text, default: []].append(node)
    }

    func base(_ name: String, _ clause: InheritanceClauseSyntax?, _ node: some DeclGroupSyntax) {
        pass.bases[name, default: []] += clause?.inheritedTypes.map { $0.type.written } ?? []
        for member in node.memberBlock.members {
            switch member.decl.kind {
            case .initializerDecl:
                let initializer = member.decl.cast(InitializerDeclSyntax.self)
                if initializer.body?.statements.isEmpty == false {
                    pass.initializers[name, default: []].append(initializer)
                }
            case .variableDecl: variable(member.decl.cast(VariableDeclSyntax.self), name)
            default: collect(member.decl)
            }
        }
    }

    private func variable(_ node: VariableDeclSyntax, _ owner: String) {
        let isManaged =
            !node.attributes.isEmpty && node.attributes.description.utf8.count > 9
            && Names.contains(Array(node.attributes.description.utf8), "@NSManaged")
        for binding in node.bindings {
            guard let id = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
            let key = "\(owner).\(id)"
            pass.declaredMembers.insert(key)
            if isManaged { pass.managed.insert(key) }
            if case .getter(let items)? = binding.accessorBlock?.accessors {
                pass.computed[id] = items
                if !isManaged { pass.transient.insert(key) }
            } else if case .accessors(let list)? = binding.accessorBlock?.accessors,
                let getter = list.first(where: { $0.accessorSpecifier.text == "get" })?.body
            {
                pass.computed[id] = getter.statements
                pass.transient.insert(key)
            }
        }
    }
}

extension TypeSyntax {
    /// The type as written, without comments and spaces around it; cheap for a plain name.
    var written: String {
        if let plain = self.as(IdentifierTypeSyntax.self), plain.genericArgumentClause == nil { return plain.name.text }
        return trimmedDescription
    }
}

extension ExprSyntax {
    /// The expression as written; cheap for a plain name.
    var written: String {
        if let plain = self.as(DeclReferenceExprSyntax.self), plain.argumentNames == nil { return plain.baseName.text }
        return trimmedDescription
    }
}
