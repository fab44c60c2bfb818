internal import SwiftOperators
internal import SwiftParser
internal import SwiftSyntax

/// Finds the changes that a source allows.
///
/// ```swift
/// for mutant in MutantFinder.mutants(in: source) { print(mutant.line, mutant.kind, mutant.before) }
/// ```
public enum MutantFinder {
    /// All changes in `source`, by their place. Only bodies of functions, initializers, accessors and closures, and the
    /// values of a type's constants are changed: a declaration that changes does not compile, or is no small change.
    public static func mutants(in source: String) -> [Mutant] {
        let parsed = Parser.parse(source: source)
        // What the standard operators cannot order (an operator of the source's own) stays as it is.
        let tree = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        guard let file = tree.as(SourceFileSyntax.self) else { return [] }
        let walk = MutantWalk(SourceLocationConverter(fileName: "", tree: file), Array(source.utf8))
        walk.walk(file)
        return walk.found.sorted { ($0.range.lowerBound, $0.kind.rawValue) < ($1.range.lowerBound, $1.kind.rawValue) }
    }
}
