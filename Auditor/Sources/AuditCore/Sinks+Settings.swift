internal import SwiftSyntax

/// Calls whose arguments weaken what the system would do, and objects that are handed to stores.
extension Pass {
    func settings(_ call: Call) {
        switch call.name {
        case "sec_protocol_options_set_verify_block": verifyBlock(call)
        case "sec_protocol_options_set_min_tls_protocol_version", "sec_protocol_options_set_max_tls_protocol_version",
            "sec_protocol_options_set_tls_min_version", "sec_protocol_options_set_tls_max_version",
            "SSLSetProtocolVersionMin", "SSLSetProtocolVersionMax":
            if let version = call[1]?.value, version.marks.contains(.oldTLS) {
                report("TLS-VERSION", call.node, "TLS below 1.2 is allowed", version)
            }
        case "SecItemDelete":
            if call.isStatement {
                report("KEYCHAIN-STATUS", call.node, "the result of SecItemDelete is not looked at", Value(), .note)
            }
        case "PrivateKey":
            if call.owner.hasPrefix("SecureEnclave."), call["accessControl"] == nil, call["dataRepresentation"] == nil {
                report("KEY-NO-CONTROL", call.node, "the enclave key has no access control")
            }
        case "setValue", "setData":
            let isBoard = call.owner.hasPrefix("UIPasteboard.general") || call.receiver?.type == "UIPasteboard"
            if call["forPasteboardType"] != nil, isBoard, let given = call[0]?.value, given.sensitive != nil {
                report(
                    "PASTE-GENERAL", call.node, "\(given.sensitiveName) goes to the general pasteboard", given,
                    given.sensitive == .person ? .note : doubt(given))
            }
        case "SecPolicyCreateBasicX509", "SecPolicyCreateSSL": hostName(call)
        case "URLCache":
            if let size = call["diskCapacity"]?.value.number, size > 0 {
                report("CACHE-RESPONSE", call.node, "responses are kept on disk", Value(), .note)
            }
        case "setItems", "addItems":
            if call["options"] == nil, call.owner.hasPrefix("UIPasteboard") || call.receiver?.type == "UIPasteboard",
                let given = call.arguments.first(where: { $0.value.sensitive != nil })
            {
                report(
                    "PASTE-GENERAL", call.node, "\(given.value.sensitiveName) goes to the general pasteboard",
                    given.value)
            }
        case "loadHTMLString":
            // What the page names is read relative to the folder, with the app's rights.
            guard let base = call["baseURL"], call[0]?.value.isConstant == false,
                base.node.is(DeclReferenceExprSyntax.self),
                let body = function(around: call.node), !Self.wide.isDisjoint(with: words(of: body)),
                path(base.node)?.lowercased().contains("documents") == true
            else { break }
            report("WEB-FILES", call.node, "the page may read the app's documents")
        case "loadFileURL":
            let wide = Self.wide
            guard let access = call["allowingReadAccessTo"] else { break }
            if access.value.text == "/" || !wide.isDisjoint(with: words(of: access.node)) {
                report("WEB-FILES", call.node, "the page may read all files of the app")
            }
        case "requestAuthorization":
            if call["options"] != nil, declaration.last == "application" {
                report("NOTIFY-CONTENT", call.node, "notifications are asked for at launch", Value(), .note)
            }
        case "appendingPathComponent", "appending":
            unpacked(call)
        default: break
        }
    }

    private static let wide: Set = [
        "documentDirectory", "documentsDirectory", "NSHomeDirectory", "homeDirectory", "libraryDirectory",
        "applicationSupportDirectory",
    ]

    private func words(of node: some SyntaxProtocol) -> Set<String> {
        Set(node.tokens(viewMode: .sourceAccurate).map(\.text))
    }

    /// Network.framework's own check of the server: a block that says yes without an evaluation.
    private func verifyBlock(_ call: Call) {
        let body = call.node.trailingClosure ?? call[1]?.node.as(ClosureExprSyntax.self)
        guard let body else { return }
        let tokens = body.tokens(viewMode: .sourceAccurate).map(\.text)
        // Whom the answer yes is given to, which may be called `verifyComplete`: that evaluates nothing.
        let answered = tokens.indices.filter {
            tokens[$0] == "true" && $0 > 1 && tokens[$0 - 1] == "(" && tokens.dropFirst($0 + 1).first == ")"
        }.map { tokens[$0 - 2] }
        let evaluates = tokens.contains { token in
            let lower = token.lowercased()
            return !answered.contains(token)
                && ["sectrustevaluate", "evaluate", "verify", "validate"].contains { lower.hasPrefix($0) }
        }
        if !answered.isEmpty, !evaluates {
            report("TLS-NO-EVALUATION", call.node, "every certificate of the server is accepted")
        }
    }

    /// A policy that leaves out the name of the server, where a server's trust is judged.
    private func hostName(_ call: Call) {
        if call.name == "SecPolicyCreateSSL" {
            guard call[0]?.node.trimmedDescription == "true", call[1]?.node.is(NilLiteralExprSyntax.self) == true else {
                return
            }
        }
        guard let body = function(around: call.node),
            !words(of: body).isDisjoint(with: ["serverTrust", "URLAuthenticationChallenge", "protectionSpace"]),
            call.name == "SecPolicyCreateSSL" || !words(of: body).contains("SecPolicyCreateSSL")
        else { return }
        report(
            "TLS-NO-EVALUATION", call.node, "the certificate's name is not compared with the server's", Value(),
            .warning)
    }

    /// The name of an archive's entry that becomes a path, in a function that compares it with nothing.
    private func unpacked(_ call: Call) {
        guard let name = call[0]?.node, let base = name.as(MemberAccessExprSyntax.self)?.base,
            path(base)?.lowercased().hasSuffix("entry") == true, let body = function(around: call.node)
        else { return }
        let used = words(of: body)
        let isArchive = used.contains {
            $0 == "Archive" || $0 == "archive" || $0.lowercased().contains("zip") || $0 == "extract"
        }
        let isChecked = !used.isDisjoint(with: [
            "hasPrefix", "starts", "standardizedFileURL", "standardized", "lexicallyNormalized", "contains",
        ])
        if isArchive, !isChecked {
            report("ZIP-SLIP", call.node, "an entry's name leads out of the folder that it is unpacked to")
        }
    }

    /// Objects and documents that a database keeps.
    func objects(_ call: Call) {
        let owner = call.lastOwner.lowercased()
        switch call.name {
        case "add", "create":
            let isRealm = ["Realm", "RLMRealm"].contains(call.receiver?.type) || owner == "realm"
            guard isRealm, let object = call[0].flatMap({ path($0.node) }) else { return }
            let stored = scope.paths(of: object).filter { $0.value.sensitive != nil }
            guard let first = stored.min(by: { $0.key < $1.key })?.value else { return }
            report("STORE-DATABASE", call.node, "\(first.sensitiveName) goes into a database in clear text", first)
        case "putProperties", "setObject", "setString":
            let isStore =
                call.name == "putProperties" || call["inCollection"] != nil
                || call.receiver?.type == "MutableDocument"
            guard isStore else { return }
            var given = call.arguments.first { $0.value.sensitive != nil }?.value
            if given == nil, let key = call["forKey"]?.value.text, let kind = facts(key).sensitivity {
                given = call[0]?.value
                given?.sensitiveName = kind.spoken
            }
            guard let given else { return }
            report("STORE-DATABASE", call.node, "\(given.sensitiveName) goes into a database in clear text", given)
        default: break
        }
    }

    /// A flag or role in the preferences that says who may go on.
    func authorization(_ call: Call, _ first: Call.Argument, _ key: String) {
        let isFlag = first.node.is(BooleanLiteralExprSyntax.self)
        guard facts(key).opensSession, isFlag || first.value.isConstant else { return }
        report("STORE-AUTHSTATE", call.node, "a value of the preferences says who may go on")
    }

    /// Common Crypto's cipher: its key is the fourth argument, its vector the sixth.
    func commonCrypto(_ call: Call) {
        if let key = call[3], key.value.isConstant, key.value.text != "" {
            report("CONST-KEY", call.node, "the key is a constant", key.value)
        }
        guard let vector = call[5], call.arguments.count == 11, call[2]?.value.marks.contains(.ecb) != true,
            let body = function(around: call.node),
            words(of: body).isDisjoint(with: ["kCCOptionECBMode", "kCCAlgorithmRC4"])
        else { return }
        if vector.node.is(NilLiteralExprSyntax.self) || vector.value.isConstant && vector.value.text != "" {
            report("CONST-IV", call.node, "the initialisation vector is a constant", vector.value)
        }
    }

    /// A type that makes random numbers of its own.
    func generator(_ node: some DeclGroupSyntax, _ name: String) {
        guard bases[name]?.contains("RandomNumberGenerator") == true else { return }
        let system: Set = [
            "SystemRandomNumberGenerator", "SecRandomCopyBytes", "arc4random", "arc4random_buf", "getrandom",
        ]
        guard words(of: node.memberBlock).isDisjoint(with: system) else { return }
        report("RANDOM-WEAK", node, "a generator of the app's own can be predicted", Value(), .note)
    }
}
