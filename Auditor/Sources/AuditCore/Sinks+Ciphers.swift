internal import SwiftSyntax

extension Pass {
    /// `text[i] ^ key[i % key.count]`: a key that is repeated over a text.
    func ownCipher(_ elements: [ExprSyntax], _ index: Int) {
        guard index > 0, index + 1 < elements.count else { return }
        for operand in [elements[index - 1], elements[index + 1]] {
            guard let element = operand.as(SubscriptCallExprSyntax.self), element.arguments.count == 1 else { continue }
            let words = element.arguments.tokens(viewMode: .sourceAccurate).map(\.text)
            if words.contains("%"), words.contains("count") || words.contains("length") {
                report(
                    "CRYPTO-OWN", elements[index], "a key is repeated over a text by exclusive or", Value(),
                    Self.readsBytesOfSource(elements[index]) ? .note : nil)
            }
        }
    }

    /// A function from `[UInt8]` to a text makes constants of the source legible again: nothing is encrypted there.
    private static func readsBytesOfSource(_ node: ExprSyntax) -> Bool {
        var place = node.parent
        while let current = place, !current.is(FunctionDeclSyntax.self) { place = current.parent }
        guard let signature = place?.as(FunctionDeclSyntax.self)?.signature else { return false }
        let parameters = signature.parameterClause.parameters.map(\.type.written)
        return parameters == ["[UInt8]"] && signature.returnClause?.type.written == "String"
    }
}
