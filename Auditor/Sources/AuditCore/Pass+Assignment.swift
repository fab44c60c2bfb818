internal import SwiftSyntax

extension Pass {
    func assign(_ target: ExprSyntax, _ value: Value) {
        if let subscripted = target.as(SubscriptCallExprSyntax.self) {
            for argument in subscripted.arguments {
                let key = evaluate(argument.expression)
                guard let name = path(subscripted.calledExpression) else { continue }
                if let text = key.text, name.lowercased().hasSuffix("keychain") {
                    credentialLiteral(text, value, target, isKey: true)
                }
                var all = scope[name] ?? Value()
                let written = argument.expression.written
                all.keys.insert(written)
                if written.hasPrefix("kSecAttrSynchronizable"), Self.isTrue(assigned(to: target)) {
                    all.keys.insert("true")
                }
                var given = value
                // A constant at such a key covers what was there.
                if given.sensitive == nil, !given.isConstant, let text = key.text { given = keyed(given, text) }
                all = all.either(given)
                all.isConstant = false
                scope[name] = all
                if name.hasSuffix("UserDefaults.standard"), given.sensitive != nil {
                    report(
                        "STORE-DEFAULTS", target, "\(given.sensitiveName) goes into UserDefaults in clear text", given,
                        doubt(given))
                }
            }
            return
        }
        guard let name = path(target) else { return }
        if let base = target.as(MemberAccessExprSyntax.self)?.base { _ = evaluate(base) }
        let parts = name.split(separator: ".")
        if let last = parts.last { credentialLiteral(String(last), value, target) }
        var kept = value
        kept.type = value.type ?? scope[name]?.type ?? members[name]?.type
        kept.unit = unit(of: kept.type) ?? value.unit
        bind(name, kept)
        if parts.count == 1, members[name] != nil || target.is(MemberAccessExprSyntax.self) {
            setMember(name, members[name].map { $0.either(kept) } ?? kept)
        }
        if parts.count > 1, let root = parts.first.map(String.init) {
            var owner = scope[root] ?? Value()
            if value.isOutside || value.sensitive != nil {
                let constant = owner.isConstant
                let type = owner.type
                owner = owner.either(value)
                owner.isConstant = constant
                owner.type = type
                if owner.isOutside { scope[root] = owner }
            }
            let declared = owner.type ?? members[root]?.type
            if let declared, let last = parts.last {
                let key = "\(declared).\(last)"
                setMember(key, members[key].map { $0.either(value) } ?? value)
            }
        }
        property(name, value, target)
    }

    /// The expression on the right of an assignment, as written.
    private func assigned(to target: ExprSyntax) -> String {
        guard let elements = target.parent?.as(ExprListSyntax.self), let last = elements.last else { return "" }
        return last.written
    }

    private func setMember(_ name: String, _ value: Value) {
        if value.isInteresting, value.summary != members[name]?.summary { version += 1 }
        members[name] = value
    }

    /// What it means that `value` becomes the property that `name` ends with.
    func property(_ name: String, _ value: Value, _ node: some SyntaxProtocol) {
        let parts = name.split(separator: ".").map(String.init)
        guard let last = parts.last else { return }
        let root = parts.dropLast().joined(separator: ".")
        let owner = parts.count > 1 ? scope[root]?.type ?? members[root]?.type : typeStack.last
        switch last {
        case "tlsMinimumSupportedProtocolVersion", "tlsMaximumSupportedProtocolVersion", "tlsMinimumSupportedProtocol",
            "tlsMaximumSupportedProtocol":
            if value.marks.contains(.oldTLS) { report("TLS-VERSION", node, "TLS below 1.2 is allowed", value) }
        case "arguments", "executableURL", "launchPath", "currentDirectoryURL", "environment":
            let isProcess =
                isKind(owner, ["Process", "NSTask"])
                || ["task", "process"].contains { root.lowercased().contains($0) }
            if value.isOutside, isProcess || (parts.count > 1 && owner == nil) {
                report("COMMAND", node, "data from outside decides what a process runs", value)
            }
        case "encryptionKey":
            if value.isConstant { report("CONST-KEY", node, "the encryption key is a constant", value) }
        case "shouldResolveExternalEntities":
            if externalEntities(node) {
                var object = scope[parts[0]] ?? Value()
                object.marks.insert(.externalEntities)
                scope[parts[0]] = object
                if object.isOutside, let origin = object.origin, object.type == "XMLParser" {
                    report("XXE", origin, "the parser of outside data loads external entities", object)
                }
            }
        case "string", "strings", "url":
            if root == "UIPasteboard.general" || owner == "UIPasteboard", let kind = value.sensitive {
                report(
                    "PASTE-GENERAL", node, "\(value.sensitiveName) goes to the general pasteboard", value,
                    kind == .person ? .note : doubt(value))
            }
        case "touchIDAuthenticationAllowableReuseDuration":
            // Five minutes, says Apple of its longest one.
            let isLongest =
                node.parent?.trimmedDescription.hasSuffix("LATouchIDAuthenticationMaximumAllowableReuseDuration")
                == true
            if let seconds = value.number ?? (isLongest ? 300 : nil), seconds > 60 {
                report("BIO-ENROLMENT", node, "one sign-in opens everything for \(seconds) seconds", value)
            }
        case "body", "subtitle", "title":
            if owner == "UNMutableNotificationContent", value.sensitive != nil {
                report("NOTIFY-CONTENT", node, "\(value.sensitiveName) stands in a notification", value)
            }
        case "allowInvalidCertificates", "disableSSLCertValidation", "validatesDomainName":
            let text = node.parent?.trimmedDescription ?? ""
            if last == "validatesDomainName" ? text.hasSuffix("false") : text.hasSuffix("true") {
                report("TLS-NO-EVALUATION", node, "the check of the server's certificate is switched off")
            }
        case "requiresSecureCoding":
            if node.parent?.trimmedDescription.hasSuffix("false") == true {
                report("ARCHIVE-INSECURE", node, "the archive may hold objects of any class")
            }
        case "userInfo":
            if owner == "NSUserActivity", value.sensitive != nil {
                report("IPC-SENSITIVE", node, "\(value.sensitiveName) goes to other apps and devices", value)
            }
        case "contentDescription", "textContent", "keywords", "displayName":
            if owner == "CSSearchableItemAttributeSet", value.sensitive != nil {
                report("IPC-SENSITIVE", node, "\(value.sensitiveName) goes into the system's index of searches", value)
            }
        case "requestCachePolicy", "cachePolicy":
            if node.parent?.trimmedDescription.contains("returnCacheData") == true {
                report(
                    "CACHE-RESPONSE", node, "old responses are used, and kept on disk", Value(),
                    isForPictures || isForPage(node) ? .note : nil)
            }
        case "httpBody":
            if scope[root]?.marks.contains(.plainHTTP) == true, value.sensitive != nil {
                report("NET-SENSITIVE", node, "\(value.sensitiveName) is sent over plain http", value)
            }
        case "isSecureTextEntry":
            if facts(parts.dropLast().last ?? "").typed == .password,
                node.parent?.trimmedDescription.hasSuffix("false") == true
            {
                report("FIELD-PLAIN", node, "a password is typed into a field that shows it", Value(), .note)
            }
        case "textContentType":
            let kind = node.parent?.trimmedDescription.split(separator: "=").last?.filter { $0 != " " } ?? ""
            if kind == ".password" || kind == ".newPassword", !hidesTyping {
                report("FIELD-PLAIN", node, "a password is typed into a field that shows it")
            }
        case "isInspectable":
            if debugOnly == 0, !isForDevelopers(node), node.parent?.trimmedDescription.hasSuffix("true") == true {
                report("WEB-FILES", node, "the web view can be inspected in a release build")
            }
        case "fileURL", "seedFilePath":
            if value.isOutside,
                isKind(owner, ["Realm.Configuration", "Configuration"]) || root.lowercased().contains("config")
            {
                report("PATH", node, "data from outside names a file", value)
            }
        case "sqlite3_temp_directory":
            if value.isOutside { report("PATH", node, "data from outside names a folder", value) }
        default: break
        }
        guard parts.count > 1 else { return }
        if isKind(owner, ["NSManagedObject", "Object", "RealmSwiftObject", "EmbeddedObject", "RLMObject"]) {
            // `account.secret = encryptedSecret` stores no clear text.
            let right = node.parent?.trimmedDescription.split(separator: "=", maxSplits: 1).last ?? ""
            let isSealed = right.utf8.count < 80 && right.contains("ncrypted")
            let isStored = isManagedProperty(owner, last) && !isSealed
            let stored = value.sensitive == nil ? named(value, last, node) : value
            let isNumber = stored.isConstant && value.text == nil && value.number != nil
            if stored.sensitive != nil, isStored, !stored.isConstant || value.text != "" {
                report(
                    "STORE-DATABASE", node, "\(stored.sensitiveName) goes into a database in clear text", stored,
                    isNumber ? .note : doubt(stored))
            }
        }
    }

    /// Whether the file has a field that hides what is typed, or makes one by a function that says so.
    private var hidesTyping: Bool {
        tree.tokens(viewMode: .sourceAccurate).contains {
            $0.text == "isSecureTextEntry" || $0.text.hasPrefix("secureText")
        }
    }

    /// Whether the request becomes a page of a web view, whose store the app does not fill.
    private func isForPage(_ node: some SyntaxProtocol) -> Bool {
        function(around: node)?.tokens(viewMode: .sourceAccurate).contains { token in
            token.text == "load" && token.nextToken(viewMode: .sourceAccurate)?.tokenKind == .leftParen
        } ?? false
    }

    /// Whether the types and functions around say that they load pictures.
    private var isForPictures: Bool { declaration.contains(where: isOfPictures) }

    /// The same, or the function that the place stands in, where another one is followed into it.
    func isForPictures(_ node: some SyntaxProtocol) -> Bool {
        var parent = node.parent
        while let next = parent {
            if let one = next.as(FunctionDeclSyntax.self), isOfPictures(one.name.text) { return true }
            parent = next.parent
        }
        return isForPictures
    }

    private func isOfPictures(_ name: String) -> Bool {
        facts(name).words.contains {
            ["image", "images", "thumbnail", "avatar", "gravatar", "picture", "photo", "gallery", "tile", "icon"]
                .contains($0)
        }
    }

    /// Whether a condition around the place asks which build this is, or whether somebody develops.
    func isForDevelopers(_ node: some SyntaxProtocol) -> Bool {
        let words = ["debug", "production", "release", "inspect", "develop", "internal", "testflight", "appstore"]
        var parent = node.parent
        while let next = parent, next.kind != .functionDecl {
            if let choice = next.as(IfExprSyntax.self) {
                let condition = choice.conditions.trimmedDescription.lowercased()
                if words.contains(where: condition.contains) { return true }
            }
            parent = next.parent
        }
        return false
    }

    /// Core Data stores what is marked so; Realm stores every property.
    private func isManagedProperty(_ owner: String?, _ name: String) -> Bool {
        guard let owner, isKind(owner, ["NSManagedObject"]) else { return true }
        let isDeclared = managed.contains("\(owner).\(name)")
        return isDeclared || !declaredMembers.contains("\(owner).\(name)") || transient.contains("\(owner).\(name)")
    }

    private func externalEntities(_ node: some SyntaxProtocol) -> Bool {
        node.parent?.trimmedDescription.hasSuffix("true") == true
    }

    /// A declaration: literals at credential names, storage by attribute.
    func declared(_ name: String, _ value: Value, _ node: some SyntaxProtocol, _ attributes: String) {
        credentialLiteral(name, value, node)
        if attributes.contains("@AppStorage") || attributes.contains("@SceneStorage"),
            let kind = facts(name).sensitivity
        {
            let isDenied = certainty(kind, facts(name), value.type) == .denied
            report(
                "STORE-DEFAULTS", node, "\(name) is kept in UserDefaults by its wrapper", Value(),
                isDenied ? .note : nil)
        }
        if attributes.contains("@AppStorage"), facts(name).opensSession {
            // A role alone chooses what is shown.
            let isRole = facts(name).words.contains("role")
            report(
                "STORE-AUTHSTATE", node, "a value of the preferences decides who may go on", Value(),
                isRole ? .note : nil)
        }
    }

    /// Random texts in a list or dictionary that has a credential's name.
    func randomValues(_ name: String, _ node: ExprSyntax?) {
        let words = Set(Names.words(name))
        guard !words.isDisjoint(with: ["credentials", "passwords", "secrets", "tokens"]),
            !SecretShape.isPublicName(name), let elements = node?.as(DictionaryExprSyntax.self)?.content,
            case .elements(let list) = elements
        else { return }
        for element in list {
            let segments = element.value.as(StringLiteralExprSyntax.self)?.segments
            guard segments?.count == 1, case .stringSegment(let text)? = segments?.first,
                SecretShape.isRandom(text.content.text)
            else { continue }
            report("SECRET-ENTROPY", element, "\(name) has a value in the source that looks random")
        }
    }

    /// A property of a class that SwiftData keeps in a database of its own.
    func modelled(_ name: String, _ node: VariableDeclSyntax) {
        guard let owner = typeStack.last, models.contains(owner), node.parent?.is(MemberBlockItemSyntax.self) == true,
            node.bindings.allSatisfy({ $0.accessorBlock == nil }), let kind = facts(name).sensitivity,
            kind == .password || kind == .credential,
            !node.attributes.trimmedDescription.contains("Transient")
        else { return }
        report(
            "STORE-DATABASE", node, "\(name) is kept in SwiftData's database in clear text", Value(),
            facts(name).isPlainToken || !facts(name).isNoun || isOtherPin(facts(name)) ? .note : nil)
    }

    /// A constant that gives a credential its value. A name that is a literal itself, a key, is not repeated.
    func credentialLiteral(_ name: String?, _ value: Value, _ node: some SyntaxProtocol, isKey: Bool = false) {
        guard let text = value.text, value.isConstant, let name, !(hasOtherTokens && facts(name).isPlainToken) else {
            return
        }
        let spoken = isKey ? facts(name).sensitivity?.spoken ?? "a key" : name
        let message = "\(spoken) has a value in the source"
        if SecretShape.isSecret(text, name: name) {
            let rule = value.isObfuscated ? "SECRET-OBFUSCATED" : "SECRET-LITERAL"
            // A coin is called so too, and what notifications are sent by opens nothing.
            let facts = facts(name)
            let isOther = facts.isPlainToken && facts.words.count > 1
            let isOpen =
                SecretShape.isPublic(text)
                || (SecretShape.namesClient(name) || isOther) && !SecretShape.hasShape(text)
            report(rule, node, message, Value(), isOpen ? .note : nil)
        } else if SecretShape.isRandom(text), SecretShape.namesKey(name) {
            let isOpen = SecretShape.namesClient(name)
            report("SECRET-ENTROPY", node, "\(message) that looks random", value, isOpen ? .note : nil)
        } else if SecretShape.isChosen(text, name: name) {
            report("SECRET-LITERAL", node, message, Value(), .warning)
        }
    }

    /// What a parser compares a token with are words and marks.
    private static func isRandomLooking(_ text: String) -> Bool {
        text.utf8.count >= 8 && text.contains(where: \.isNumber)
            && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
    }

    /// A comparison with a literal password.
    func compared(_ elements: [ExprSyntax], _ operands: [Int: Value]) {
        for (index, element) in elements.enumerated() {
            guard element.as(BinaryOperatorExprSyntax.self)?.operator.text == "==", let value = operands[index - 1],
                let kind = value.sensitive, kind == .password || kind == .credential,
                let other = operands[index + 1], let text = other.text, other.isConstant, text.count > 3,
                !(facts(value.sensitiveName).isPlainToken && !Self.isRandomLooking(text))
            else { continue }
            report(
                "SECRET-LITERAL", elements[index - 1], "\(value.sensitiveName) is compared with a value in the source")
        }
    }
}
