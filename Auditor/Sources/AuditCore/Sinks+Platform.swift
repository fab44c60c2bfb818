internal import SwiftSyntax

extension Pass {
    /// Calls that are wrong by their name, or by what their function lacks.
    func platform(_ call: Call) {
        switch call.name {
        case "rand", "random", "srand", "drand48", "srand48", "lrand48":
            if call.receiver == nil, call.owner.isEmpty, functions[call.name] == nil {
                report("RANDOM-WEAK", call.node, "\(call.name) can be predicted", Value(), repeatsItself ? .note : nil)
            }
        case "GKMersenneTwisterRandomSource", "GKLinearCongruentialRandomSource", "GKARC4RandomSource":
            report("RANDOM-WEAK", call.node, "\(call.name) can be predicted")
        case "URLCredential":
            guard let trust = call["trust"]?.node else { break }
            let names = ["sectrustevaluate", "evaluate", "validate", "verify", "verifies"]
            if !enclosing(call.node, callsAny: names, sparing: { Self.comparesPin($0, beside: trust) }) {
                report(
                    "TLS-NO-EVALUATION", call.node, "the server's trust is used without an evaluation", Value(),
                    isDecidedElsewhere(call.node, trust) ? .note : nil)
            } else if ignoresEvaluation(call.node) {
                report("TLS-NO-EVALUATION", call.node, "the server's trust is used whatever its evaluation says")
            }
        case "SecTrustSetExceptions":
            let isEvaluated = enclosing(call.node, callsAny: ["sectrustevaluate"])
            report(
                "TLS-NO-EVALUATION", call.node, "exceptions override the evaluation", Value(), isEvaluated ? .note : nil
            )
        case "DisabledTrustEvaluator", "DisabledEvaluator":
            report("TLS-NO-EVALUATION", call.node, "the check of the server's certificate is switched off")
        case "evaluatePolicy":
            // The app's own function of that name, with a label of its own, is judged where it is.
            if depth > 0 || call[0]?.label != nil { break }
            if !enclosing(
                call.node, says: ["kSecAttrAccessControl", "SecItemCopyMatching", "kSecUseAuthenticationContext"]),
                declaration.last != "evaluatePolicy", !handsContext
            {
                report("BIO-BOOLEAN", call.node, "a Boolean opens what no key protects")
            }
        case "unarchiveObject", "unarchiveTopLevelObjectWithData":
            // A type of the app's own may ask for classes.
            if call.owner.first?.isUppercase == true, call.owner != "NSKeyedUnarchiver" { break }
            // What the same function archived is its own.
            let isOwn =
                function(around: call.node)?.tokens(viewMode: .sourceAccurate).contains {
                    $0.text == "archivedData"
                } ?? false
            report(
                "ARCHIVE-INSECURE", call.node, "the archive may hold objects of any class", Value(),
                isOwn ? .note : nil)
        case "package":
            guard call.owner == ".", let url = call["url"] else { break }
            if call["branch"] != nil { report("DEP-UNPINNED", call.node, "a package follows a branch") }
            let requirement = call.arguments.dropFirst().first { $0.label == nil }?.node.trimmedDescription
            if requirement?.hasPrefix(".branch(") == true {
                report("DEP-UNPINNED", call.node, "a package follows a branch")
            }
            if ["http://", "git://"].contains(where: { url.value.text?.hasPrefix($0) == true }) {
                report("DEP-UNPINNED", call.node, "a package comes without TLS")
            }
        case "binaryTarget":
            guard call.owner == ".", let url = call["url"] else { break }
            if call["checksum"] == nil || call["checksum"]?.value.text == "" {
                report("DEP-UNPINNED", call.node, "a binary comes without a checksum")
            } else if url.value.text?.hasPrefix("http://") == true {
                report("DEP-UNPINNED", call.node, "a package comes without TLS")
            }
        case "textContentType": shownPassword(call)
        case "bool", "integer", "string", "object":
            if call.owner.hasPrefix("UserDefaults") || call.receiver?.type == "UserDefaults",
                isCondition(call.node) || decidesLater(call.node), let key = call["forKey"]?.value.text,
                facts(key).opensSession
            {
                report("STORE-AUTHSTATE", call.node, "a value of the preferences decides who may go on")
            }
        case "UIImageWriteToSavedPhotosAlbum", "UISaveVideoAtPathToSavedPhotosAlbum", "creationRequestForAsset",
            "creationRequestForAssetFromVideo":
            report("CAPTURE-LIBRARY", call.node, "a capture goes to the photo library")
        case "MCSession":
            if let preference = call["encryptionPreference"]?.node.trimmedDescription,
                preference.hasSuffix(".none") || preference.hasSuffix(".optional")
            {
                report("NET-PEER", call.node, "the session with devices near by may be in clear text")
            }
        case "UIWebView": report("WEB-FILES", call.node, "UIWebView cannot be confined")
        case "setValue":
            let key = call["forKey"]?.value.text ?? ""
            if ["false", "NO", "0"].contains(call[0]?.node.trimmedDescription) { break }
            if key == "allowFileAccessFromFileURLs" || key == "allowUniversalAccessFromFileURLs" {
                report("WEB-FILES", call.node, "pages may read the app's files")
            }
            if key == "developerExtrasEnabled", debugOnly == 0, !isForDevelopers(call.node) {
                report("WEB-FILES", call.node, "the web view can be inspected in a release build")
            }
        case "TextField":
            guard let text = call["text"] else { break }
            let title = call[0]?.value.text.map { Set(Names.words($0)) } ?? []
            let asks = !title.isDisjoint(with: ["password", "passcode", "pin", "cvv", "passphrase"])
            let isSecret =
                path(text.node)?.split(separator: ".").last?.lowercased().contains("secret") == true
            if text.value.sensitive == .password || asks || isSecret, !isRevealed(call, text.node), !isHidden(call.node)
            {
                report("FIELD-PLAIN", call.node, "a secret is typed into a field that shows it")
            }
        case "Keychain", "SimpleKeychain": wrapper(call)
        case "HTTPCookie": cookie(call)
        case "requestAuthorization":
            if call["options"]?.node.tokens(viewMode: .sourceAccurate).contains(where: { $0.text == "provisional" })
                == true
            {
                report("NOTIFY-CONTENT", call.node, "notifications are on before anybody agreed", Value(), .note)
            }
        case "UserDefaults":
            if call["suiteName"] != nil, !hasGroup {
                hasGroup = true
                report("FILE-SHARED", call.node, "each program of the group reads these preferences", Value(), .note)
            }
        case "containerURL":
            if call.arguments.first?.label == "forSecurityApplicationGroupIdentifier", !hasGroup {
                hasGroup = true
                report("FILE-SHARED", call.node, "each program of the group reads this folder", Value(), .note)
            }
        default: break
        }
    }

    /// A field in plain text that is said to take a password, in a function that has none which hides it.
    private func shownPassword(_ call: Call) {
        guard let kind = call[0]?.node.trimmedDescription, [".password", ".newPassword"].contains(kind),
            var base = call.node.calledExpression.as(MemberAccessExprSyntax.self)?.base
        else { return }
        while let outer = base.as(FunctionCallExprSyntax.self),
            let inner = outer.calledExpression.as(MemberAccessExprSyntax.self)?.base
        {
            base = inner
        }
        let words = function(around: call.node)?.tokens(viewMode: .sourceAccurate).map(\.text) ?? []
        guard let field = base.as(FunctionCallExprSyntax.self),
            field.calledExpression.trimmedDescription == "TextField",
            !words.contains("SecureField"), !isHidden(call.node)
        else { return }
        report("FIELD-PLAIN", field, "a password is typed into a field that shows it")
    }

    /// `if checker.accepts(challenge) {`: a function that is handed the challenge itself decides, and may evaluate it. One
    /// of this file is read.
    private func isDecidedElsewhere(_ node: some SyntaxProtocol, _ trust: ExprSyntax) -> Bool {
        guard let challenge = trust.firstToken(viewMode: .sourceAccurate)?.text else { return false }
        var parent = node.parent
        while let next = parent, next.kind != .functionDecl {
            if let choice = next.as(IfExprSyntax.self), choice.conditions.count == 1,
                let asked = choice.conditions.first?.condition.as(ExprSyntax.self)?.as(FunctionCallExprSyntax.self),
                asked.arguments.contains(where: { $0.expression.trimmedDescription == challenge }),
                let name = asked.calledExpression.lastToken(viewMode: .sourceAccurate)?.text, functions[name] == nil
            {
                return choice.body.position <= node.position && node.endPosition <= choice.body.endPosition
            }
            parent = next.parent
        }
        return false
    }

    /// Whether each evaluation in the function around is one of the system whose answer decides nothing: it is not
    /// looked at, or a refusal is only noted and what follows goes on.
    private func ignoresEvaluation(_ node: some SyntaxProtocol) -> Bool {
        guard let body = function(around: node) else { return false }
        var isSeen = false
        for token in body.tokens(viewMode: .sourceAccurate) {
            guard case .identifier(let name) = token.tokenKind,
                token.nextToken(viewMode: .sourceAccurate)?.tokenKind == .leftParen
            else { continue }
            let lower = name.lowercased()
            guard ["sectrustevaluate", "evaluate", "validate", "verif"].contains(where: lower.hasPrefix) else {
                continue
            }
            guard name == "SecTrustEvaluateWithError", let call = token.parent?.parent?.as(FunctionCallExprSyntax.self),
                isIgnored(call)
            else { return false }
            isSeen = true
        }
        return isSeen
    }

    private func isIgnored(_ call: FunctionCallExprSyntax) -> Bool {
        // An error that is read afterwards is an answer too.
        if call.arguments.contains(where: { $0.expression.is(InOutExprSyntax.self) }) { return false }
        if Call.isStatement(call) { return true }
        guard call.parent?.is(PrefixOperatorExprSyntax.self) == true,
            let element = call.parent?.parent?.as(ConditionElementSyntax.self),
            let choice = element.parent?.parent?.as(IfExprSyntax.self), choice.elseBody == nil,
            choice.conditions.count == 1
        else { return false }
        let leaves: Set = ["return", "throw", "break", "continue", "fatalError", "preconditionFailure", "exit"]
        return !choice.body.tokens(viewMode: .sourceAccurate).contains { token in
            let lower = token.text.lowercased()
            return leaves.contains(token.text) || lower.contains("cancel") || lower.contains("reject")
                || lower.contains("completion")
        }
    }

    /// Whether the file hands a context to the keychain, which then asks for the person itself.
    private var handsContext: Bool {
        tree.tokens(viewMode: .sourceAccurate).contains { $0.text == "kSecUseAuthenticationContext" }
    }

    /// Whether a field has no size, or cannot be seen: it takes what is typed for others that show marks.
    private func isHidden(_ node: some SyntaxProtocol) -> Bool {
        var parent = node.parent
        while let next = parent, next.kind != .codeBlockItem { parent = next.parent }
        let text = parent?.trimmedDescription.filter { $0 != " " } ?? ""
        return [".hidden()", "width:0,", "width:0)", "width:1,"].contains { text.contains($0) } || Self.isFaint(text)
    }

    /// Whether nobody sees it: `.opacity(0.5)` is only paler.
    private static func isFaint(_ text: String) -> Bool {
        text.ranges(of: ".opacity(").contains { range in
            let number = text[range.upperBound...].prefix { $0.isNumber || $0 == "." }
            return Double(number).map { $0 < 0.05 } ?? false
        }
    }

    /// Whether a constant is one of those that a wrapper has names for: an element of a table, a case of a choice.
    private func isOffered(_ node: some SyntaxProtocol) -> Bool {
        var parent = node.parent
        while let next = parent, next.kind != .functionDecl, next.kind != .codeBlock {
            if let element = next.as(DictionaryElementSyntax.self) {
                return !element.key.trimmedDescription.hasPrefix("kSec")
            }
            if next.is(SwitchCaseSyntax.self) { return true }
            parent = next.parent
        }
        return false
    }

    /// Whether the same function binds the text to a field that hides it, as where a person may choose to see it.
    private func isRevealed(_ call: Call, _ text: ExprSyntax) -> Bool {
        guard let body = function(around: call.node) else { return false }
        return body.tokens(viewMode: .sourceAccurate).contains { token in
            token.text == "SecureField"
                && token.parent?.parent?.as(FunctionCallExprSyntax.self)?.arguments.contains {
                    $0.label?.text == "text"
                        && $0.expression.tokens(viewMode: .sourceAccurate).map(\.text).joined()
                            .hasSuffix(text.tokens(viewMode: .sourceAccurate).map(\.text).joined())
                } ?? false
        }
    }

    /// Whether the file gives the C library's generator a seed of its own, neither a time nor a number: it wants the same
    /// values again.
    private var repeatsItself: Bool {
        tree.tokens(viewMode: .sourceAccurate).contains { token in
            guard ["srand", "srand48"].contains(token.text),
                let seed = token.parent?.parent?.as(FunctionCallExprSyntax.self)?.arguments
            else { return false }
            let words = seed.tokens(viewMode: .sourceAccurate).map(\.text)
            let isTime = words.contains { word in ["time", "Date", "getpid"].contains { word.contains($0) } }
            return !isTime && words.contains { $0.first?.isLetter == true && !NameFacts.isNumber($0) }
        }
    }

    /// Names of constants that are a weakness wherever they stand.
    func constantName(_ name: String, _ node: some SyntaxProtocol) {
        guard facts(name).roles.contains(.constant) else { return }
        switch name {
        case "kSecAttrAccessibleAlways", "kSecAttrAccessibleAlwaysThisDeviceOnly", "accessibleAlways",
            "accessibleAlwaysThisDeviceOnly", "alwaysThisDeviceOnly":
            report(
                "KEYCHAIN-WEAK", node, "the item can be read while the device is locked", Value(),
                isOffered(node) ? .note : .error)
        case "always":
            let label = node.parent?.as(LabeledExprSyntax.self)?.label?.text
            let callee = node.parent?.parent?.parent?.as(FunctionCallExprSyntax.self)?.calledExpression
            let isOwn = callee?.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "accessibility"
            if ["withAccessibility", "accessibility", "withAccess"].contains(label) || isOwn {
                report("KEYCHAIN-WEAK", node, "the item can be read while the device is locked", Value(), .error)
            }
        case "kSecAttrAccessibleAfterFirstUnlock":
            report("KEYCHAIN-WEAK", node, "the item goes into backups and is readable while locked", Value(), .note)
        case "noFileProtection", "NSFileProtectionNone":
            report("FILE-UNPROTECTED", node, "the file is not encrypted while the device is locked")
        case "none":
            let text = node.trimmedDescription
            let key = node.parent?.as(DictionaryElementSyntax.self)?.key.trimmedDescription ?? ""
            if text.hasPrefix("FileProtectionType.") || text.hasPrefix("URLFileProtection.")
                || text == ".none" && key.hasSuffix("protectionKey")
            {
                report("FILE-UNPROTECTED", node, "the file is not encrypted while the device is locked")
            }
        case "kCCAlgorithmDES", "kCCAlgorithm3DES", "kCCAlgorithmRC4", "kCCAlgorithmRC2", "kCCAlgorithmBlowfish",
            "kCCAlgorithmCAST":
            report("CRYPTO-MODE", node, "\(name) is outdated")
        case "rsaEncryptionPKCS1", "rsaEncryptionRaw":
            report("CRYPTO-RSA", node, "\(name) invites padding oracles")
        case "disableEvaluation":
            report("TLS-NO-EVALUATION", node, "the check of the server's certificate is switched off")
        case "biometryAny", "userPresence":
            report("BIO-ENROLMENT", node, "a face or finger enrolled later opens it too")
        default: break
        }
    }

    /// Whether the value becomes a constant that a condition of the same function names.
    private func decidesLater(_ node: some SyntaxProtocol) -> Bool {
        guard let binding = node.parent?.parent?.as(PatternBindingSyntax.self), let body = function(around: node),
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
        else { return false }
        return body.tokens(viewMode: .sourceAccurate).contains {
            $0.text == name.text && $0.id != name.id && isCondition($0)
        }
    }

    private func isCondition(_ node: some SyntaxProtocol) -> Bool {
        var parent = node.parent
        while let next = parent {
            if next.kind == .conditionElement || next.kind == .unresolvedTernaryExpr { return true }
            if next.kind == .codeBlockItem { return false }
            parent = next.parent
        }
        return false
    }

    /// Whether the function around `node` calls one that begins with a word of `names`, in lower case.
    private func enclosing(
        _ node: some SyntaxProtocol, callsAny names: [String], sparing isSpared: (TokenSyntax) -> Bool = { _ in false }
    ) -> Bool {
        var parent = node.parent
        while let next = parent, next.kind != .functionDecl, next.kind != .initializerDecl { parent = next.parent }
        guard let parent else { return false }
        return parent.tokens(viewMode: .sourceAccurate).contains { token in
            guard case .identifier(let text) = token.tokenKind,
                token.nextToken(viewMode: .sourceAccurate)?.tokenKind == .leftParen
            else { return false }
            let lower = text.lowercased()
            return names.contains { lower.hasPrefix($0) } && !isSpared(token)
        }
    }

    /// Whether the call of this name compares a key or certificate with a pin: `validatePin(key)`. One that is handed
    /// the trust itself may evaluate it too.
    private static func comparesPin(_ name: TokenSyntax, beside trust: ExprSyntax) -> Bool {
        guard Names.words(name.text).contains(where: { pinWords.contains($0) }) else { return false }
        var place = name.parent
        while let next = place, !next.is(FunctionCallExprSyntax.self) { place = next.parent }
        let used = place?.as(FunctionCallExprSyntax.self)?.arguments.tokens(viewMode: .sourceAccurate).map(\.text) ?? []
        let own = Set(trust.tokens(viewMode: .sourceAccurate).map(\.text).filter { $0.first?.isLetter == true })
        return !used.contains { own.contains($0) || $0.lowercased().contains("trust") }
    }

    private static let pinWords: Set = ["pin", "pins", "pinned", "pinning", "fingerprint", "fingerprints"]

    private func enclosing(_ node: some SyntaxProtocol, says words: [String]) -> Bool {
        var parent = node.parent
        while let next = parent, next.kind != .functionDecl, next.kind != .initializerDecl { parent = next.parent }
        guard let text = parent?.description else { return false }
        return words.contains { text.contains($0) }
    }
}
