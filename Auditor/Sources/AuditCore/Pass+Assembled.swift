internal import Foundation
internal import SwiftSyntax

/// Constants that a program puts together while it runs: lists of numbers, masked or reversed ones, base64, pieces.
extension Pass {
    private static let longest = 4_096

    /// The bytes of an expression, as far as constants of the source decide them.
    func assembled(_ node: ExprSyntax, _ level: Int = 0) -> [UInt8]? {
        guard level < 8 else { return nil }
        let found: [UInt8]?
        switch node.kind {
        case .tryExpr: found = assembled(node.cast(TryExprSyntax.self).expression, level + 1)
        case .forceUnwrapExpr: found = assembled(node.cast(ForceUnwrapExprSyntax.self).expression, level + 1)
        case .tupleExpr:
            let elements = node.cast(TupleExprSyntax.self).elements
            found = elements.count == 1 ? elements.first.flatMap { assembled($0.expression, level + 1) } : nil
        case .stringLiteralExpr: found = Self.plainText(node).map { Array($0.utf8) }
        case .arrayExpr: found = bytes(of: node.cast(ArrayExprSyntax.self))
        case .declReferenceExpr: found = known(node)
        case .memberAccessExpr:
            let member = node.cast(MemberAccessExprSyntax.self)
            let isView = ["utf8", "unicodeScalars"].contains(member.declName.baseName.text)
            found = isView ? member.base.flatMap { assembled($0, level + 1) } : known(node)
        case .sequenceExpr: found = sum(node.cast(SequenceExprSyntax.self), level)
        case .functionCallExpr: found = assembled(call: node.cast(FunctionCallExprSyntax.self), level)
        default: found = nil
        }
        return found.flatMap { $0.count <= Self.longest ? $0 : nil }
    }

    /// The text that a call puts together, such as `String(decoding: [1, 2].map { $0 ^ 7 }, as: UTF8.self)`.
    func assembledText(_ node: FunctionCallExprSyntax) -> String? {
        assembled(call: node, 0).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The numbers of a list of bytes.
    func bytes(of list: ArrayExprSyntax) -> [UInt8]? {
        guard !list.elements.isEmpty, list.elements.count <= Self.longest else { return nil }
        var bytes: [UInt8] = []
        for element in list.elements {
            guard let number = Self.number(element.expression), let byte = UInt8(exactly: number) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// What a name stands for.
    private func known(_ node: ExprSyntax) -> [UInt8]? {
        let value = evaluate(node)
        return value.bytes ?? (value.isConstant ? value.text.map { Array($0.utf8) } : nil)
    }

    private static func plainText(_ node: ExprSyntax) -> String? {
        guard let segments = node.as(StringLiteralExprSyntax.self)?.segments, segments.count == 1,
            case .stringSegment(let text)? = segments.first
        else { return nil }
        return text.content.text
    }

    private static func number(_ node: ExprSyntax) -> Int? {
        if let literal = node.as(IntegerLiteralExprSyntax.self)?.literal.text.filter({ $0 != "_" }) {
            for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where literal.hasPrefix(prefix) {
                return Int(literal.dropFirst(2), radix: radix)
            }
            return Int(literal)
        }
        guard let call = node.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
            let only = call.arguments.first
        else { return nil }
        let name = call.calledExpression.trimmedDescription
        guard ["UInt8", "UnicodeScalar", "Unicode.Scalar"].contains(name) else { return nil }
        if only.label?.text == "ascii" {
            return plainText(only.expression)?.unicodeScalars.first.map { Int($0.value) }
        }
        return only.label == nil ? number(only.expression) : nil
    }

    /// `a + b`; of `a ?? b` and `a as T` the first.
    private func sum(_ node: SequenceExprSyntax, _ level: Int) -> [UInt8]? {
        let elements = Array(node.elements)
        guard var result = elements.first.flatMap({ assembled($0, level + 1) }) else { return nil }
        var index = 1
        while index + 1 < elements.count {
            if let sign = elements[index].as(BinaryOperatorExprSyntax.self)?.operator.text, sign == "+" {
                guard let next = assembled(elements[index + 1], level + 1) else { return nil }
                result += next
            } else if elements[index].as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
                || elements[index].is(UnresolvedAsExprSyntax.self)
            {
                return result
            } else {
                return nil
            }
            index += 2
        }
        return result
    }

    private func assembled(call node: FunctionCallExprSyntax, _ level: Int) -> [UInt8]? {
        let arguments = Array(node.arguments)
        if let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base {
            switch member.declName.baseName.text {
            case "map":
                let body = node.trailingClosure ?? arguments.first?.expression.as(ClosureExprSyntax.self)
                return body.flatMap { mapped(base, $0, level) }
            case "reversed" where arguments.isEmpty:
                return assembled(base, level + 1).map { $0.reversed() }
            case "joined": return joined(base, arguments)
            default: return nil
            }
        }
        let isList = node.calledExpression.is(ArrayExprSyntax.self)
        let name = isList ? "Array" : node.calledExpression.trimmedDescription
        guard let first = arguments.first else { return nil }
        switch (name, first.label?.text) {
        case ("Data", "base64Encoded"), ("NSData", "base64Encoded"):
            guard let text = assembled(first.expression, level + 1) else { return nil }
            return Data(base64Encoded: Data(text)).map { [UInt8]($0) }
        case ("String", nil), ("String", "bytes"), ("String", "decoding"), ("String", "data"), ("String", "validating"),
            ("NSString", "data"), ("Data", nil), ("Data", "bytes"), ("Array", nil), ("Character", nil):
            return assembled(first.expression, level + 1)
        case ("String", "cString"), ("String", "validatingUTF8"):
            return assembled(first.expression, level + 1).map { Array($0.prefix { $0 != 0 }) }
        case ("UnicodeScalar", nil), ("Unicode.Scalar", nil):
            return Self.number(first.expression).flatMap { UInt8(exactly: $0) }.flatMap { $0 < 128 ? [$0] : nil }
        default: return nil
        }
    }

    /// `["a", "b"].joined()`.
    private func joined(_ base: ExprSyntax, _ arguments: [LabeledExprSyntax]) -> [UInt8]? {
        guard let list = base.as(ArrayExprSyntax.self), arguments.count < 2 else { return nil }
        let parts = list.elements.compactMap { Self.plainText($0.expression) }
        let separator = arguments.first.map { Self.plainText($0.expression) } ?? ""
        guard parts.count == list.elements.count, let separator else { return nil }
        return Array(parts.joined(separator: separator).utf8)
    }

    /// A list that is masked: by a number, by another list, by a key that is repeated.
    private func mapped(_ base: ExprSyntax, _ body: ClosureExprSyntax, _ level: Int) -> [UInt8]? {
        guard body.statements.count == 1, let only = body.statements.first else { return nil }
        let tokens = only.tokens(viewMode: .sourceAccurate).map(\.text)
        if let call = base.as(FunctionCallExprSyntax.self) {
            let operands = Array(call.arguments)
            if call.calledExpression.trimmedDescription == "zip", operands.count == 2, tokens.contains("^") {
                guard let first = assembled(operands[0].expression, level + 1),
                    let second = assembled(operands[1].expression, level + 1)
                else { return nil }
                return zip(first, second).map { $0 ^ $1 }
            }
            let member = call.calledExpression.as(MemberAccessExprSyntax.self)
            if member?.declName.baseName.text == "enumerated", let list = member?.base {
                return repeated(list, tokens, level)
            }
        }
        guard let list = assembled(base, level + 1) else { return nil }
        return Self.masked(list, tokens, constant(in: only))
    }

    /// `list.enumerated().map { $1 ^ key[$0 % key.count] }`.
    private func repeated(_ list: ExprSyntax, _ tokens: [String], _ level: Int) -> [UInt8]? {
        guard tokens.contains("^"), tokens.contains("%"), let bracket = tokens.firstIndex(of: "["), bracket > 0,
            let bytes = assembled(list, level + 1),
            let key = (scope[tokens[bracket - 1]] ?? members[tokens[bracket - 1]])?.bytes, !key.isEmpty
        else { return nil }
        // pavise:ignore CRYPTO-OWN It undoes what an audited source does to its own constants.
        return bytes.enumerated().map { $1 ^ key[$0 % key.count] }
    }

    /// The number that stands in a closure, or what its one name stands for.
    private func constant(in item: CodeBlockItemSyntax) -> Int? {
        for token in item.tokens(viewMode: .sourceAccurate) {
            if case .integerLiteral(let text) = token.tokenKind {
                let plain = text.filter { $0 != "_" }
                return plain.hasPrefix("0x") ? Int(plain.dropFirst(2), radix: 16) : Int(plain)
            }
            if case .identifier(let name) = token.tokenKind, !name.hasPrefix("$") {
                if let number = (scope[name] ?? members[name])?.number { return number }
            }
        }
        return nil
    }

    private static func masked(_ list: [UInt8], _ tokens: [String], _ number: Int?) -> [UInt8]? {
        if tokens.first == "~" { return tokens.count == 2 ? list.map { ~$0 } : nil }
        guard let number, let byte = UInt8(exactly: number), tokens.first == "$0" || tokens.last == "$0" else {
            return nil
        }
        if tokens.contains("^") { return list.map { $0 ^ byte } }
        guard tokens.first == "$0" else { return nil }
        if tokens.contains("&+") || tokens.contains("+") { return list.map { $0 &+ byte } }
        if tokens.contains("&-") || tokens.contains("-") { return list.map { $0 &- byte } }
        return nil
    }
}
