internal import SwiftSyntax

/// Controls that a release build does not have.
extension Pass {
    /// A control that stands in the part of `#if` that is for debug builds, and nowhere else in the file.
    func debugControls(_ node: IfConfigDeclSyntax) {
        // Declarations for debug builds are tools of their own; what stands in a function is part of its work.
        guard depth == 0, function(around: node) != nil else { return }
        let clauses = Array(node.clauses)
        for (index, clause) in clauses.enumerated() where isForDebug(clauses, index) {
            guard let elements = clause.elements else { continue }
            let own = controls(Syntax(elements))
            guard !own.isEmpty else { continue }
            let all = controls(Syntax(tree))
            for (kind, places) in own.sorted(by: { $0.key < $1.key }) {
                // Another place of the kind may be what release builds use.
                guard all[kind]?.count == places.count, let first = places.first else { continue }
                report("CONTROL-DEBUG", first, "\(first.text) is compiled into debug builds alone")
            }
        }
    }

    func isForDebug(_ clauses: [IfConfigClauseSyntax], _ index: Int) -> Bool {
        if let condition = clauses[index].condition?.trimmedDescription {
            // `DEBUG || INHOUSE` is for those who make the app.
            let ways = condition.split(separator: "||").map { $0.filter { $0 != " " } }
            return ways.contains(where: Self.asksForDebug)
                && ways.allSatisfy { Self.asksForDebug($0) || Self.makers.contains($0) }
        }
        return clauses.count == 2 && clauses[0].condition?.trimmedDescription == "!DEBUG"
    }

    private static func asksForDebug(_ condition: String) -> Bool {
        condition == "DEBUG" || condition.hasPrefix("DEBUG&&") || condition.hasSuffix("&&DEBUG")
    }

    private static let makers: Set = [
        "INHOUSE", "IN_HOUSE", "INTERNAL", "DEV", "DEVELOPMENT", "STAGING", "QA", "TEST", "TESTING", "UITEST",
    ]

    /// The places that use a control, by its kind. What declares one does not use it.
    private func controls(_ node: Syntax) -> [String: [TokenSyntax]] {
        var result: [String: [TokenSyntax]] = [:]
        for token in node.tokens(viewMode: .sourceAccurate) {
            guard case .identifier(let name) = token.tokenKind, let kind = facts(name).control else { continue }
            switch token.previousToken(viewMode: .sourceAccurate)?.tokenKind {
            case .keyword(.func), .keyword(.var), .keyword(.let), .keyword(.class), .keyword(.import): continue
            default: result[kind, default: []].append(token)
            }
        }
        return result
    }
}
