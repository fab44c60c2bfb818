internal import SwiftSyntax

/// Rules about what has no effect, and about handlers of what others send.
extension Pass {
    /// A file's class: none that is asked for, or one that this system does not know.
    func filing(_ call: Call) {
        let isWrite = call.name == "write" && call["to"] != nil && call.receiver != nil
        let isMade = call.name == "createFile" && call["atPath"] != nil
        guard isWrite || isMade, call["to"]?.node.is(InOutExprSyntax.self) != true else { return }
        let options = call[isWrite ? "options" : "attributes"]
        let words = options.map { $0.node.tokens(viewMode: .sourceAccurate).map(\.text) } ?? []
        let asks = words.contains { $0.hasSuffix("ileProtection") || $0.hasPrefix("completeFileProtection") }
        let isFree = words.contains { $0 == "noFileProtection" }
        if asks, !isFree {
            // Foundation on Linux knows the option and does nothing for it.
            if !isAppleAlone { forgetsProtection(call) }
            return
        }
        // Options that come from elsewhere may hold it; so may what a dictionary or a variable holds.
        let isWritten =
            options.map { options in
                options.node.is(ArrayExprSyntax.self)
                    || options.node.as(MemberAccessExprSyntax.self)?.base == nil
                        && options.node.is(MemberAccessExprSyntax.self)
                    || options.node.is(NilLiteralExprSyntax.self)
            } ?? true
        guard isWritten, !isFree else { return }
        let value = (isWrite ? call.receiver : call["contents"]?.value) ?? Value()
        if value.sensitive == .password || value.sensitive == .credential { return }
        let message =
            value.sensitive == nil
            ? "the file has no class of its own" : "\(value.sensitiveName) is in a file without a class of its own"
        report("FILE-NO-CLASS", call.node, message, value, value.sensitive == nil ? nil : doubt(value) ?? .warning)
    }

    private func forgetsProtection(_ call: Call) {
        guard !isForLinux else {
            return report("FILE-UNPROTECTED", call.node, FileReport.forgottenProtection, Value(), .warning)
        }
        let region = lines.region(call.node)
        guard !isForAppleAlone, forgotten.last?.region.line != region.line else { return }
        let identity = SHA256.hex("FILE-UNPROTECTED|\(declaration.joined(separator: "."))")
        forgotten.append((region, identity))
    }

    /// Whether this place is compiled on Apple's systems alone, as far as its conditions say.
    private var isAppleAlone: Bool {
        let apple = ["os(iOS)", "os(macOS)", "canImport(Darwin)", "canImport(UIKit)", "canImport(AppKit)"]
        return conditions.contains { condition in apple.contains { condition.hasPrefix($0) } }
    }

    /// Literals that are handed to a parameter or header of a credential's name.
    func secrets(_ call: Call) {
        for argument in call.arguments where argument.value.isConstant {
            guard let label = argument.label, argument.node.is(StringLiteralExprSyntax.self) else { continue }
            if ["forKey", "key", "withKey", "forName", "account", "service"].contains(label) { continue }
            credentialLiteral(label, argument.value, argument.node)
        }
        if call.name == "setValue" || call.name == "addValue", let first = call[0], first.value.isConstant,
            let header = call["forHTTPHeaderField"]?.value.text, let text = first.value.text
        {
            headerLiteral(header, text, call.node)
        }
    }

    /// The value of a header that is a secret, in a call or in a dictionary.
    func headerLiteral(_ header: String, _ text: String, _ node: some SyntaxProtocol) {
        guard header == "Authorization" || SecretShape.namesKey(header) else { return }
        let last = text.split(separator: " ").last.map(String.init) ?? ""
        if SecretShape.isBasic(text) {
            report("SECRET-LITERAL", node, "a header holds a name and a password")
        } else if SecretShape.isRandom(last) || SecretShape.hasShape(last) {
            report("SECRET-ENTROPY", node, "a header holds a value that looks random")
        }
    }

    /// The first print of a file that a release build has.
    func releaseLog(_ call: Call) {
        let traffic: Set = ["allHeaderFields", "allHTTPHeaderFields", "httpBody", "responseBody", "requestBody"]
        let printed = call.arguments.lazy.flatMap { $0.node.tokens(viewMode: .sourceAccurate) }.map(\.text)
        if debugOnly == 0, let name = printed.first(where: traffic.contains) {
            report("LOG-RELEASE", call.node, "\(name) of a request or response is printed", Value(), .warning)
        }
        guard !hasReleaseLog, debugOnly == 0, call.receiver == nil, call["to"] == nil,
            ["print", "debugPrint", "dump", "NSLog"].contains(call.name), functions[call.name] == nil
        else { return }
        hasReleaseLog = true
        report("LOG-RELEASE", call.node, "\(call.name) writes in release builds too")
    }

    /// Whether a call whose result is dropped leaves an error that is read afterwards.
    func readsError(_ call: Call) -> Bool {
        guard call.name == "SecTrustEvaluateWithError", let second = call[1]?.node.as(InOutExprSyntax.self),
            let name = path(second.expression), let body = function(around: call.node)
        else { return false }
        let words = body.tokens(viewMode: .sourceAccurate).map(\.tokenKind)
        return words.count { $0 == .identifier(name) } > 2 || words.contains(.identifier("SecTrustGetTrustResult"))
    }

    func function(around node: some SyntaxProtocol) -> Syntax? {
        var parent = node.parent
        while let next = parent, next.kind != .functionDecl, next.kind != .initializerDecl,
            next.kind != .accessorBlock
        { parent = next.parent }
        return parent
    }

    /// Wrappers of the keychain whose default is readable while the device is locked.
    func wrapper(_ call: Call) {
        guard call["service"] ?? call["server"] ?? call["accessGroup"] != nil || call.arguments.isEmpty else { return }
        guard functions.isEmpty || bases[call.name] == nil else { return }
        let says = tree.tokens(viewMode: .sourceAccurate).contains {
            $0.tokenKind == .identifier("accessibility") || $0.tokenKind == .identifier("accessibilityOnly")
        }
        if !says, call.name == "Keychain" ? call["service"] ?? call["server"] != nil : true {
            report(
                "KEYCHAIN-WEAK", call.node, "the wrapper's items are readable from the first unlock on", Value(), .note)
        }
    }

    func cookie(_ call: Call) {
        guard let properties = call["properties"] else { return }
        var names = properties.value.keys.flatMap { $0.split(separator: ".").map(String.init) }
        if let list = properties.node.as(DictionaryExprSyntax.self) {
            names += list.tokens(viewMode: .sourceAccurate).map(\.text)
        }
        if !names.isEmpty, !names.contains("secure"), !names.contains("Secure") {
            report("CACHE-RESPONSE", call.node, "the cookie is sent over plain http too")
        }
    }

    /// Parameters that promise a protection and are named nowhere in the body.
    func protections(_ parameters: FunctionParameterClauseSyntax, _ body: CodeBlockSyntax, _ function: String) {
        guard depth == 0, body.statements.count > 0 else { return }
        for parameter in parameters.parameters {
            let name = (parameter.secondName ?? parameter.firstName).text
            let label = parameter.firstName.text
            let type = typeName(parameter.type)
            guard
                ["SecAccessControl", "SecAccessControlCreateFlags", "FileProtectionType"].contains(type)
                    || facts(name).isProtection || facts(label).isProtection
            else { continue }
            if isRefusal(body) || isUsed(name, in: Syntax(body)) { continue }
            report("PROTECTION-NO-EFFECT", parameter, "\(label == "_" ? name : label) reaches no call")
        }
    }

    private func isUsed(_ name: String, in node: Syntax) -> Bool {
        node.tokens(viewMode: .sourceAccurate).contains { $0.text == name }
    }

    /// A body that only refuses promises nothing.
    private func isRefusal(_ body: CodeBlockSyntax) -> Bool {
        guard body.statements.count == 1, let only = body.statements.first else { return false }
        if only.item.is(ThrowStmtSyntax.self) { return true }
        let text = only.trimmedDescription
        return ["fatalError", "preconditionFailure", "return nil", "nil", "return false", "false"].contains {
            text.hasPrefix($0)
        }
    }

    /// `let control = SecAccessControlCreateWithFlags(…)` that nothing names afterwards.
    func unusedControl(_ name: String, _ binding: PatternBindingSyntax) {
        guard depth == 0, var value = binding.initializer?.value else { return }
        if let inner = value.as(TryExprSyntax.self) { value = inner.expression }
        if let inner = value.as(ForceUnwrapExprSyntax.self) { value = inner.expression }
        guard let call = value.as(FunctionCallExprSyntax.self),
            call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text == "SecAccessControlCreateWithFlags",
            let body = function(around: binding)
        else { return }
        if body.tokens(viewMode: .sourceAccurate).count(where: { $0.text == name }) < 2 {
            report("PROTECTION-NO-EFFECT", binding, "\(name) reaches no call")
        }
    }

    private static let parts: Set<String> = [
        "query", "path", "pathComponents", "queryItems", "lastPathComponent", "fragment",
        "resourceSpecifier",
    ]

    /// Functions that the system calls with what others send.
    func handlers(_ parameters: FunctionParameterClauseSyntax, _ body: CodeBlockSyntax, _ function: String) {
        guard depth == 0 else { return }
        let labels = parameters.parameters.map(\.firstName.text)
        if function == "application" && labels.contains("open")
            || function == "scene" && labels.contains("openURLContexts")
        {
            link(Syntax(body), body.statements)
        }
        if facts(function).namesLink, parameters.parameters.contains(where: { typeName($0.type) == "URL" }) {
            link(Syntax(body), body.statements, .note)
        }
        if function == "userContentController" && labels.contains("didReceive") {
            let names = Set(body.tokens(viewMode: .sourceAccurate).map(\.text))
            if names.contains("body"), names.isDisjoint(with: ["frameInfo", "securityOrigin", "isMainFrame"]) {
                report(
                    "WEB-FILES", body, "each frame's page may send this message: its origin is not compared", Value(),
                    .note)
            }
        }
    }

    /// A handler that uses parts of a link, and compares neither scheme nor host. One that hands the whole link on is
    /// not judged.
    func link(_ body: Syntax, _ place: some SyntaxProtocol, _ severity: Severity? = nil) {
        let names = Set(body.tokens(viewMode: .sourceAccurate).map(\.text))
        // A label or variable of that name is no part of a link.
        let used = body.tokens(viewMode: .sourceAccurate).contains {
            Self.parts.contains($0.text) && $0.previousToken(viewMode: .sourceAccurate)?.tokenKind == .period
        }
        guard used,
            names.isDisjoint(with: [
                "scheme", "host", "isFileURL", "hasPrefix", "starts", "contains", "DeepLink", "sourceApplication",
            ])
        else { return }
        report(
            "LINK-UNCHECKED", place, "parts of a link are used, and neither its scheme nor its host is compared",
            Value(), severity)
    }
}
