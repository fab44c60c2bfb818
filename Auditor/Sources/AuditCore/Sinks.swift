internal import SwiftSyntax

extension Pass {
    /// Asks the rules that the call's name and values concern. Most calls concern none.
    func sinks(_ call: Call) {
        var sensitive = call.receiver?.sensitive != nil
        var outside = false
        var typed = false
        var constant = false
        var measured = false
        var assembled = false
        for argument in call.arguments {
            sensitive = sensitive || argument.value.sensitive != nil
            outside = outside || argument.value.isOutside
            typed = typed || argument.value.isTyped
            constant = constant || argument.value.isConstant || !argument.value.marks.isEmpty
            measured = measured || argument.value.unit != nil
            assembled = assembled || argument.value.prefix != nil
        }
        let roles = call.facts.roles
        if sensitive || outside { leaving(call) }
        if sensitive, !roles.isDisjoint(with: [.printer, .level, .exception]) || call.facts.isLogName { logging(call) }
        if sensitive || roles.contains(.keychain) || call["forKey"] != nil { storage(call) }
        if sensitive || roles.contains(.address) || roles.contains(.request) { network(call) }
        if constant { secrets(call) }
        if roles.contains(.printer) { releaseLog(call) }
        if roles.contains(.hash) { hashing(call) }
        if constant || roles.contains(.keyed) || call.name == "SymmetricKey" { constants(call) }
        if roles.contains(.file) { filing(call) }
        if outside || roles.contains(.parser) { injection(call) }
        if typed { interpreted(call) }
        if assembled { quoted(call) }
        if roles.contains(.platform) { platform(call) }
        if roles.contains(.setting) { settings(call) }
        if roles.contains(.object) { objects(call) }
        if roles.contains(.store) { stores(call) }
        if roles.contains(.pattern) { patterns(call) }
        if measured { lengths(call) }
    }

    private func logging(_ call: Call) {
        let owner = call.lastOwner
        let isLogger = call.receiver?.type == "Logger" || ["log", "logger", "Log", "Logger", "os_log"].contains(owner)
        // A call whose result is used gives something: a logarithm, the entry of a diary.
        let isNamed = call.facts.isLogName && !isUsed(call.node)
        let isCall = call.receiver == nil && (call.facts.roles.contains(.printer) || isNamed)
        let isException = call.name == "NSException" || (owner == "NSException" && call.name == "raise")
        guard isCall || isException || (isLogger && call.facts.roles.contains(.level)) else { return }
        // A function of the file's own type is judged by what it writes, when it is followed.
        let isOwn = isCall && functions[call.name]?.first?.parent?.is(MemberBlockItemSyntax.self) == true
        if isOwn, canFollow, call.arguments.contains(where: { $0.label != nil }) { return }
        if call["to"] != nil { return }
        let skipped = ["assert", "precondition"].contains(call.name) ? 1 : 0
        var given = call.arguments.dropFirst(skipped).map(\.value)
        if let format = call[0]?.value.text, format.contains("{private}") {
            // Beside what is kept private another value may be marked public.
            let rest = call.arguments.dropFirst().filter { $0.label == nil }.map(\.value)
            given = zip(rest, Self.publicOnes(format)).filter(\.1).map(\.0)
        }
        let values = given.filter { $0.sensitive != nil && !Names.isCertificate($0.sensitiveName) }
        guard var value = values.first(where: { isCertain($0, in: call) }) ?? values.first else { return }
        // All of a function's parameters that are written, where it is asked about.
        if reaches != nil { for other in values where other.parameters != 0 { value = other.either(value) } }
        let severity: Severity? =
            isCertain(value, in: call) && !isDiary(call) && !isTool && !isForTests(call.node)
                && !isForDevelopers(call.node) ? nil : .note
        if value.isPublic {
            report("LOG-PUBLIC", call.node, "\(value.sensitiveName) is marked public in a log", value, severity)
        }
        report("LOG-SENSITIVE", call.node, "\(value.sensitiveName) is written to a log", value, severity)
        ask(call, value, isTold: severity == nil)
    }

    /// For each value of a format, in their order, whether it is marked public: `%{private}@ %{public}@`.
    private static func publicOnes(_ format: String) -> [Bool] {
        format.replacing("%%", with: "").split(separator: "%", omittingEmptySubsequences: false).dropFirst().map {
            $0.hasPrefix("{") && $0.prefix { $0 != "}" }.contains("public")
        }
    }

    private func storage(_ call: Call) {
        let type = call.receiver?.type ?? ""
        let isDefaults =
            ["UserDefaults", "NSUbiquitousKeyValueStore"].contains { type == $0 || call.owner.hasPrefix($0) }
            || call.lastOwner.lowercased() == "userdefaults"
        let first = call[0]
        if isDefaults, ["set", "setValue", "setObject", "register"].contains(call.name), let first,
            !first.node.is(NilLiteralExprSyntax.self)
        {
            var value = first.value
            let member = call["forKey"].flatMap { path($0.node) }?.split(separator: ".").last.map(String.init)
            if value.sensitive == nil, let key = call["forKey"]?.value.text ?? member, !value.isConstant,
                !first.node.is(BooleanLiteralExprSyntax.self), value.type != "Bool"
            {
                value = keyed(value, key)
            }
            if value.sensitive != nil {
                report(
                    "STORE-DEFAULTS", call.node, "\(value.sensitiveName) goes into preferences in clear text", value,
                    doubt(value))
            }
        }
        if isDefaults, ["set", "setValue", "setObject"].contains(call.name), let first,
            let key = call["forKey"]?.value.text
        {
            authorization(call, first, key)
            credentialLiteral(key, first.value, first.node, isKey: true)
        }
        let managed: Set<String> = ["NSManagedObject"]
        let isManaged =
            isKind(call.receiver?.type, managed) || (call.receiver == nil && isKind(typeStack.last, managed))
        if isManaged, ["setValue", "setPrimitiveValue"].contains(call.name), let value = first?.value,
            value.sensitive != nil
        {
            report(
                "STORE-DATABASE", call.node, "\(value.sensitiveName) goes into Core Data in clear text", value,
                doubt(value))
        }
        // What is compared with what is stored is not stored.
        let begins = (call["sql"] ?? first)?.value
        let isQuestion = (begins?.prefix ?? begins?.text).map(SQLText.asks) ?? false
        if isDatabase(call) && !isQuestion || call.name.hasPrefix("sqlite3_bind_") || call.name == "sqlite3_exec" {
            for argument in call.arguments where argument.value.sensitive != nil {
                report(
                    "STORE-DATABASE", call.node, "\(argument.value.sensitiveName) goes into a database in clear text",
                    argument.value, doubt(argument.value))
            }
        }
        if ["write", "createFile"].contains(call.name), call["to"] ?? call["toFile"] ?? call["atPath"] != nil {
            let value = call.name == "write" ? call.receiver : call["contents"]?.value
            if let value, value.sensitive == .password || value.sensitive == .credential {
                // An argument that is changed in place is a buffer, not a file.
                let isBuffer = call["to"]?.node.is(InOutExprSyntax.self) ?? false
                // A function of a type writes what it is handed.
                let isType = call.name == "write" && call.owner.first?.isUppercase == true && !call.owner.contains(".")
                if !isBuffer, !isType, !Names.isCertificate(value.sensitiveName) {
                    report("STORE-FILE", call.node, "\(value.sensitiveName) is written to a file in clear text", value)
                }
            } else if let value, value.sensitive == .health || value.sensitive == .bank,
                call["to"]?.node.is(InOutExprSyntax.self) != true,
                call.name != "write" || call.owner.first?.isLowercase == true
            {
                // A class of the file may protect it well enough; a person judges.
                report(
                    "STORE-FILE", call.node, "\(value.sensitiveName) is written to a file in clear text", value, .note)
            }
        }
        let isStream = ["FileHandle", "OutputStream"].contains(call.receiver?.type)
        if call.name == "archiveRootObject" || call.name == "write" && isStream, let value = first?.value,
            value.sensitive == .password || value.sensitive == .credential
        {
            report("STORE-FILE", call.node, "\(value.sensitiveName) is written to a file in clear text", value)
        }
        if call.name == "SecItemAdd", let keys = first?.value.keys,
            !keys.contains(where: { $0.hasPrefix("kSec") }) || keys.contains(where: isUnknownKey)
        {
            undecidedItems += 1
        }
        if call.name == "SecItemAdd", let keys = first?.value.keys,
            keys.contains("kSecClass") || keys.contains("kSecClass as String"),
            !keys.contains(where: { $0.hasPrefix("kSecClassCertificate") }), !keys.contains(where: isUnknownKey),
            !keys.contains(where: { $0.contains("kSecAttrAccessible") || $0.contains("kSecAttrAccessControl") })
        {
            report("KEYCHAIN-NO-CLASS", call.node, "the item says no accessibility class")
        }
        if call.name == "SecItemAdd", let keys = first?.value.keys,
            keys.contains(where: { $0.hasPrefix("kSecAttrSynchronizable") }),
            keys.contains("true") || keys.contains("kCFBooleanTrue")
        {
            report("KEYCHAIN-SYNC", call.node, "the item goes to all devices of the account")
        }
        if call.name == "SecItemAdd", let item = first?.value,
            item.sensitive == .password || item.sensitive == .credential,
            item.keys.contains("kSecAttrAccessibleWhenUnlocked")
        {
            report(
                "KEYCHAIN-WEAK", call.node, "\(item.sensitiveName) goes into backups and to other devices", item,
                .warning)
        }
        if call.name == "SecKeyCreateRandomKey", let keys = first?.value.keys,
            keys.contains("kSecAttrTokenIDSecureEnclave"),
            !keys.contains(where: { $0.contains("kSecAttrAccessControl") })
        {
            report("KEY-NO-CONTROL", call.node, "the enclave key has no access control")
        }
        let statuses: Set = [
            "SecItemAdd", "SecItemUpdate", "SecItemCopyMatching", "SecRandomCopyBytes", "SecKeyVerifySignature",
            "SecTrustEvaluateWithError",
        ]
        if statuses.contains(call.name), call.isStatement || isKeptUnread(call.node), !readsError(call) {
            report("KEYCHAIN-STATUS", call.node, "the result of \(call.name) is not looked at")
        }
        // A type inside of one of that name, made here, is a value.
        if Self.analytics.contains(where: call.owner.hasPrefix), !call.isConstructor {
            for argument in call.arguments where argument.value.sensitive != nil {
                report(
                    "LEAK-ANALYTICS", call.node, "\(argument.value.sensitiveName) goes to an analytics service",
                    argument.value, isCertain(argument.value, in: call) ? nil : .note)
            }
        }
    }

    /// `let status = SecItemAdd(…)`, in a function that never names it again.
    private func isKeptUnread(_ node: some SyntaxProtocol) -> Bool {
        guard let binding = node.parent?.parent?.as(PatternBindingSyntax.self), let body = function(around: node),
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        else { return false }
        return body.tokens(viewMode: .sourceAccurate).count { $0.text == name } == 1
    }

    /// A key that a loop over other attributes sets may be any.
    private func isUnknownKey(_ key: String) -> Bool {
        key.hasPrefix("$") || key == "key" || key == "k" || key == "name"
    }

    private static let analytics = [
        "Analytics", "Crashlytics", "Amplitude", "Mixpanel", "SentrySDK", "Flurry", "AppsFlyer", "Adjust", "Braze",
        "Segment", "Bugsnag", "Datadog", "NewRelic", "Instabug", "PostHog", "Localytics", "Countly", "Heap",
    ]
    private static let queries: Set<String> = [
        "execute", "executeQuery", "executeUpdate", "executeStatements", "run", "prepare", "scalar", "bind",
        "makeStatement",
        "cachedStatement", "internalCachedStatement", "allStatements", "fetchCursor", "fetchAll", "fetchSet",
        "fetchOne",
        "fetchCount", "statement", "setArguments", "setUncheckedArguments", "validateArguments", "Statement",
        "SQLRequest",
        "SQL", "query", "pluck", "select", "filter", "order", "having", "group", "append", "column", "check",
        "constraint",
        "addColumn", "defaults", "generatedAs", "literal", "execute", "insert", "prepareRowIterator",
        "createAggregation",
        "selectStatement", "updateStatement",
    ]
    private static let databases: Set<String> = [
        "Connection", "Database", "Statement", "FMDatabase", "SQLRequest", "SQL", "DatabaseQueue", "DatabasePool",
        "Row",
        "StatementCache", "CommonTableExpression", "SelectStatement", "UpdateStatement", "DatabaseValueCursor",
    ]

    private func isDatabase(_ call: Call) -> Bool {
        guard Self.queries.contains(call.name) || (call.isConstructor && call.name.hasPrefix("SQL")) else {
            return false
        }
        if call.isConstructor { return true }
        let owner = call.lastOwner.lowercased()
        if call.name == "run" || call.name == "bind", owner.contains("process") || owner.contains("task") {
            return false
        }
        let isNamed =
            !owner.hasSuffix("s")
            && ["db", "database", "stmt", "statement", "connection", "sqlite"].contains { owner.hasPrefix($0) }
        if let type = call.receiver?.type, Self.databases.contains(type) { return true }
        return isNamed || call.arguments.contains { ["sql", "arguments", "literal"].contains($0.label) }
            || chained(call)
    }

    private func chained(_ call: Call) -> Bool {
        guard call.owner.isEmpty, let base = call.node.calledExpression.as(MemberAccessExprSyntax.self)?.base,
            let inner = unwrapped(base).as(FunctionCallExprSyntax.self),
            let name = inner.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        else { return false }
        return ["prepare", "bind", "makeStatement"].contains(name) && ["run", "bind", "scalar"].contains(call.name)
    }

    private func unwrapped(_ node: ExprSyntax) -> ExprSyntax {
        if let inner = node.as(TryExprSyntax.self) { return unwrapped(inner.expression) }
        if let inner = node.as(OptionalChainingExprSyntax.self) { return unwrapped(inner.expression) }
        if let inner = node.as(ForceUnwrapExprSyntax.self) { return unwrapped(inner.expression) }
        return node
    }

    private func network(_ call: Call) {
        if call.name == "URL" || call.name == "URLQueryItem" || call.name == "NSURL" {
            for argument in call.arguments where argument.value.sensitive != nil {
                guard ["string", "value"].contains(argument.label) else { continue }
                // An address made of another one's text: the name is that of a file.
                if argument.node.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "absoluteString" {
                    continue
                }
                if call.name == "URLQueryItem", isForm(call.node) || isOfOwnScheme(call.node) { continue }
                let start = argument.value.prefix ?? argument.value.text ?? ""
                if ["mailto:", "tel:", "file:", "telprompt:", "sms:"].contains(where: start.hasPrefix) { continue }
                // Another scheme is another app's on this device, as `otpauth`.
                if let scheme = start.firstRange(of: "://").map({ start[..<$0.lowerBound] }), !scheme.isEmpty,
                    !["http", "https", "ws", "wss", "ftp"].contains(scheme.lowercased())
                {
                    continue
                }
                // A text of which somebody asks whether it is an address.
                if start.isEmpty, argument.node.is(DeclReferenceExprSyntax.self), call.name != "URLQueryItem",
                    argument.value.sensitive == .person || asksWhether(call.node)
                {
                    continue
                }
                // So Apple's service for notifications wants it.
                if start.hasSuffix("/3/device/") || isForNotifications(call.node) { continue }
                report(
                    "NET-SENSITIVE", call.node, "\(argument.value.sensitiveName) becomes part of a URL", argument.value,
                    doubtOfToken(argument.value))
            }
            if let text = call["string"]?.value.prefix ?? call["string"]?.value.text, Addresses.isPlain(text) {
                report("NET-HTTP", call.node, "the URL is plain http", Value(), isForCredits ? .note : nil)
            }
            if let text = call["string"]?.value.text, SecretShape.hasUser(text) {
                report("SECRET-LITERAL", call.node, "the address holds a name and a password")
            }
            if let text = call["string"]?.value.text, debugOnly == 0, Addresses.isStaging(text) {
                report("DEBUG-SWITCH", call.node, "a release build knows a server for tests", Value(), .note)
            }
        }
        let isAlamofire =
            ["AF", "Alamofire"].contains(call.owner) || ["Session", "SessionManager"].contains(call.receiver?.type)
        let isRequest = isAlamofire && ["request", "streamRequest", "download", "upload"].contains(call.name)
        let isSend = call.name == "send" && call.arguments.first?.label == "content"
        if call.facts.roles.contains(.request), let first = call[0], first.label == nil,
            let address = first.value.prefix ?? first.value.text, Addresses.isPlain(address)
        {
            report("NET-HTTP", call.node, "the request is plain http")
        }
        if isRequest || isSend {
            for argument in call.arguments where argument.value.sensitive != nil {
                // A request that a type of the app makes says itself how its parts are sent.
                let made = argument.value.type ?? "String"
                let isText = ["String", "NSString", "Substring", "URL", "NSURL", "URLRequest"].contains(made)
                if isAlamofire, argument.label == nil, !isText { continue }
                // The body of a request whose address is not known to be plain may go over TLS.
                let address = call[0]?.value.prefix ?? call[0]?.value.text ?? ""
                let isBody =
                    argument.label == "parameters" && !Addresses.isPlain(address)
                    && [".post", ".put", ".patch"].contains(call["method"]?.node.trimmedDescription)
                // Headers are where a token belongs, over TLS.
                let isHeader = argument.label == "headers" && !Addresses.isPlain(address)
                report(
                    "NET-SENSITIVE", call.node, "\(argument.value.sensitiveName) is sent", argument.value,
                    isBody || isHeader ? .note : nil)
            }
        }
    }

    /// `if let url = URL(string: text)`: what is no address is gone on with as a text.
    private func asksWhether(_ node: FunctionCallExprSyntax) -> Bool {
        node.parent?.parent?.is(OptionalBindingConditionSyntax.self) == true
            && node.parent?.parent?.parent?.parent?.parent?.is(IfExprSyntax.self) == true
    }

    /// Whether the types and functions around name those whose work an app uses: a person opens their pages in a browser.
    private var isForCredits: Bool {
        declaration.contains { name in
            facts(name).words.contains {
                [
                    "credits", "license", "licenses", "licence", "licences", "acknowledgements", "acknowledgments",
                    "attributions",
                ].contains($0)
            }
        }
    }

    /// Query items that become the body of a request, as forms do.
    private func isForm(_ node: some SyntaxProtocol) -> Bool {
        function(around: node)?.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .identifier("httpBody") }
            ?? false
    }

    /// `https://\(host)/3/device/\(deviceToken)`: what the address is for stands in its text.
    private func isForNotifications(_ node: some SyntaxProtocol) -> Bool {
        (function(around: node) ?? Syntax(node)).tokens(viewMode: .sourceAccurate).contains {
            $0.text.hasSuffix("/3/device/")
        }
    }

    /// Query items of an address whose scheme, said in the same function, is not that of the web.
    private func isOfOwnScheme(_ node: some SyntaxProtocol) -> Bool {
        guard let body = function(around: node) else { return false }
        for token in body.tokens(viewMode: .sourceAccurate) where token.text == "scheme" {
            guard let sign = token.nextToken(viewMode: .sourceAccurate), ["=", ":"].contains(sign.text),
                let first = sign.nextToken(viewMode: .sourceAccurate)
            else { continue }
            if first.tokenKind == .stringQuote {
                return first.nextToken(viewMode: .sourceAccurate).map { !$0.text.hasPrefix("http") } ?? false
            }
            // A name; a member, as in `base.scheme`, may be anything.
            if case .identifier = first.tokenKind {
                return first.nextToken(viewMode: .sourceAccurate)?.tokenKind != .period
            }
        }
        return false
    }

    private func hashing(_ call: Call) {
        var marks = call.receiver?.marks ?? []
        var values = call.arguments.map(\.value)
        let lower = call.facts.lower
        let isMethod = call.receiver != nil && !call.isConstructor
        if isMethod, ["md5", "sha1", "md2", "md4"].contains(lower) { marks.insert(.weakHash) }
        if isMethod, ["sha2", "sha3", "sha224", "sha256", "sha384", "sha512"].contains(lower) {
            marks.insert(.fastHash)
        }
        if call.name.hasPrefix("CC_MD5") || call.name.hasPrefix("CC_SHA1") || call.name.hasPrefix("CC_MD4") {
            marks.insert(.weakHash)
        }
        if ["CC_SHA256", "CC_SHA384", "CC_SHA512", "CC_SHA224"].contains(where: call.name.hasPrefix) {
            marks.insert(.fastHash)
        }
        let isHash =
            ["hash", "update", "calculate", "process"].contains(call.name) || call.name.hasPrefix("CC_")
            || lower.hasPrefix("md")
            || lower.hasPrefix("sha")
        guard isHash, marks.contains(.weakHash) || marks.contains(.fastHash),
            !call.isConstructor || call.name.hasPrefix("CC_"), !isPrimitive
        else {
            return
        }
        if let receiver = call.receiver, lower.hasPrefix("md") || lower.hasPrefix("sha") { values.append(receiver) }
        for value in values {
            if value.sensitive == .password {
                // Lists of leaked passwords are asked by the beginning of a SHA-1.
                if asksForLeaks, marks.contains(.weakHash) { continue }
                report(
                    "HASH-PASSWORD", call.node, "\(value.sensitiveName) is hashed by a function that is fast to try",
                    value)
            } else if value.sensitive != nil, marks.contains(.weakHash) {
                // By the hash of an address a service for pictures of persons finds theirs.
                report(
                    "HASH-WEAK", call.node, "\(value.sensitiveName) is hashed by a broken function", value,
                    value.sensitive == .person && isForPictures(call.node) ? .note : nil)
            }
        }
        if marks.contains(.weakHash), !values.contains(where: { $0.sensitive != nil }) {
            report("HASH-OUTDATED", call.node, "a hash function that is broken")
        }
    }

    private static let ciphers: Set<String> = [
        "AES", "HMAC", "ChaCha20", "CBCMAC", "CMAC", "Poly1305", "Blowfish", "Rabbit", "RC4", "SymmetricKey",
        "XChaCha20",
    ]
    private static let derivations: Set<String> = [
        "HKDF", "PBKDF1", "PBKDF2", "Scrypt", "encryptData", "decryptData", "key", "keyForPassword", "RNEncryptor",
        "RNDecryptor", "encrypt", "decrypt", "Encryptor", "Decryptor",
    ]

    /// The type of this place implements a standard that fixes vector or rounds: CMAC, scrypt, the old derivations.
    var isPrimitive: Bool {
        typeStack.contains { ["CMAC", "OMAC", "Scrypt", "PBKDF1", "PBKDF2"].contains($0) }
            || reaches != nil && typeStack.contains { ["HMAC", "HKDF"].contains($0) }
    }

    /// A text that repeats a word of its label is the name of a column or entry: `encryptionKey: "lastEncryption"`.
    private func namesColumn(_ label: String?, _ text: String?) -> Bool {
        guard let label, let text, !text.contains(where: \.isNumber) else { return false }
        return !Set(Names.words(label)).subtracting(["key"]).isDisjoint(with: Names.words(text))
    }

    private func constants(_ call: Call) {
        if call.name == "SymmetricKey" || call.name == "HKDF",
            let made = call.arguments.first(where: { $0.value.isPredictable })
        {
            report("KEY-PREDICTABLE", call.node, "the key is made of what others know", made.value)
        }
        for argument in call.arguments where argument.value.isConstant && argument.value.text != "" {
            let value = argument.value
            switch argument.label {
            case "encryptionKey" where namesColumn(argument.label, value.text): break
            // BIP 32 and SLIP 10 fix the key that a seed is stretched with.
            case "key" where call.name == "HMAC" && value.text?.hasSuffix(" seed") == true: break
            case "key" where Self.ciphers.contains(call.name) || call.name.hasPrefix("sqlcipher"), "encryptionKey",
                "hmacKey",
                "HMACKey", "withEncryptionKey":
                report("CONST-KEY", call.node, "the key is a constant", value)
            case "salt" where call.name.hasPrefix("hkdf") || call["inputKeyMaterial"] != nil || call["personal"] != nil:
                // RFC 5869: the material is a key, and the salt tells protocols apart.
                break
            case "data" where call.name == "SymmetricKey", "rawRepresentation" where call.name == "PrivateKey",
                "pemRepresentation" where call.name == "PrivateKey",
                "derRepresentation" where call.name == "PrivateKey":
                report("CONST-KEY", call.node, "the key is a constant", value)
            case "nonce", "salt":
                // A block chain counts by numbers that it calls so.
                guard value.number == nil, isCryptographic(call) else { break }
                if argument.label == "salt" {
                    report("CONST-SALT", call.node, "the salt is a constant", value)
                } else if !isPrimitive {
                    report("CONST-IV", call.node, "the initialisation vector is a constant", value)
                }
            case "iv", "IV":
                if isPrimitive { break }
                report("CONST-IV", call.node, "the initialisation vector is a constant", value)
            case "encryptionSalt", "hmacSalt", "HMACSalt":
                report("CONST-SALT", call.node, "the salt is a constant", value)
            case "password" where Self.derivations.contains(call.name), "forPassword", "withPassword":
                report("CONST-PASSWORD", call.node, "the password is a constant", value)
            default: break
            }
        }
        let keyed: Set = ["usePassphrase", "changePassphrase", "keyAndMigrate", "rekey", "key"]
        // A function of the type itself makes names of keys.
        if keyed.contains(call.name), call.receiver != nil, !["Self", "self"].contains(call.owner),
            let first = call[0], first.label == nil, first.value.isConstant
        {
            report("CONST-KEY", call.node, "the database's key is a constant", first.value)
        }
        if call.name == "keyForPassword", let first = call[0], first.label == nil, first.value.isConstant {
            report("CONST-PASSWORD", call.node, "the password is a constant", first.value)
        }
        if ["sqlite3_key", "sqlite3_rekey", "sqlite3_key_v2", "sqlite3_rekey_v2"].contains(call.name) {
            let key = call[call.name.hasSuffix("v2") ? 2 : 1]
            if let key, key.value.isConstant {
                report("CONST-KEY", call.node, "the database's key is a constant", key.value)
            }
        }
        if call.name == "SecKeyCreateWithData", let first = call[0], first.value.isConstant, !isPublicKey(call) {
            report("CONST-KEY", call.node, "the key is a constant", first.value)
        }
        if call.name == "CCCrypt" { commonCrypto(call) }
        if call.name == "sqlite3_exec", let statement = call[1]?.value, statement.isPredictable,
            statement.prefix?.hasPrefix("PRAGMA key") == true
        {
            report("KEY-PREDICTABLE", call.node, "the key is made of what others know", statement)
        }
        if let mode = call["blockMode"], mode.value.marks.contains(.ecb) {
            report("CRYPTO-MODE", call.node, "ECB shows equal blocks", mode.value)
        }
        if call.name == "CCCrypt", let options = call[2], options.value.marks.contains(.ecb) {
            report("CRYPTO-MODE", call.node, "ECB shows equal blocks", options.value)
        }
        let rounds = call["iterations"] ?? (call.name == "CCKeyDerivationPBKDF" ? call[6] : nil)
        if ["PBKDF1", "PBKDF2", "CCKeyDerivationPBKDF"].contains(call.name), let number = rounds?.value.number,
            number < 600_000, !isPrimitive
        {
            report(
                "KDF-WEAK", call.node, "\(number) iterations are few", rounds?.value ?? Value(),
                number < 120_000 ? nil : .note)
        } else if !isPrimitive, call.name == "PBKDF1" {
            report("KDF-WEAK", call.node, "PBKDF1 is an outdated derivation")
        } else if !isPrimitive, ["PBKDF2", "CCKeyDerivationPBKDF"].contains(call.name), usesOldHash(call) {
            report("KDF-WEAK", call.node, "a derivation with SHA-1", Value(), .note)
        }
    }

    private static let cryptographicWords = [
        "crypt", "seal", "open", "aes", "gcm", "cbc", "ctr", "cfb", "ofb", "chacha", "kdf", "scrypt", "argon", "deriv",
        "hash", "hmac", "cipher", "key", "poly1305", "sign", "box", "nonce", "salt", "password", "blowfish", "verif",
    ]
    private static let cryptographicLabels: Set<String> = [
        "key", "password", "passphrase", "using", "iterations", "rounds", "plaintext", "message", "data", "text",
        "blockMode", "padding", "variant", "keyLength", "secret", "inputKeyMaterial", "ciphertext", "tag",
    ]

    /// Whether the call speaks of a cipher or a derivation, by its name, its receiver or what else it is given.
    private func isCryptographic(_ call: Call) -> Bool {
        let name = call.owner.lowercased() + "." + call.facts.lower
        return Self.cryptographicWords.contains(where: name.contains)
            || call.arguments.contains { $0.label.map(Self.cryptographicLabels.contains) ?? false }
    }

    /// Whether the arguments name SHA-1 as the function of a derivation.
    private func usesOldHash(_ call: Call) -> Bool {
        call.arguments.contains { argument in
            ["variant", nil].contains(argument.label)
                && argument.node.tokens(viewMode: .sourceAccurate).contains {
                    ["sha1", "kCCPRFHmacAlgSHA1"].contains($0.text)
                }
        }
    }

    /// Whether the attributes, or the function around, say that the key is a public one.
    private func isPublicKey(_ call: Call) -> Bool {
        if call[1]?.value.keys.contains(where: { $0.hasPrefix("kSecAttrKeyClassPublic") }) == true { return true }
        let around = function(around: call.node)?.tokens(viewMode: .sourceAccurate)
        return around?.contains { $0.text == "kSecAttrKeyClassPublic" } == true
    }

    private static let formats: [String: Int] = [
        "NSLog": 0, "NSLogv": 0, "vprintf": 0, "printf": 0, "dprintf": 1, "vfprintf": 1, "fprintf": 1, "vasprintf_l": 2,
        "vasprintf": 1, "vdprintf": 1, "localizedStringWithFormat": 0, "appendingFormat": 0, "appendFormat": 0,
        "asprintf": 1,
        "sprintf": 1, "snprintf": 2, "vsprintf": 1, "vsnprintf": 2,
    ]

    private func injection(_ call: Call) {
        for (index, argument) in call.arguments.enumerated() where argument.value.isOutside {
            let value = argument.value
            let label = argument.label ?? ""
            let isFormat = label == "format" || label == "formatString"
            if call.name == "NSPredicate", isFormat || label == "fromMetadataQueryString" {
                report("PREDICATE", call.node, "data from outside is the predicate", value)
            } else if isFormat && call.name != "NSPredicate" || Self.formats[call.name] == index
                || (index == 0 && takesFormat(call))
            {
                report("FORMAT", call.node, "data from outside is the format", value)
            }
            if sqlArgument(call, index, label) {
                report("SQL-STRING", call.node, "data from outside is part of the SQL text", value)
            }
            if call.name == "Regex" || (call.name == "replace" && index == 0 && label.isEmpty && call["with"] != nil)
                || (call.name == "NSRegularExpression" && label == "pattern")
                || (call.name == "replacingOccurrences" && label == "of"
                    && call["options"]?.value.marks.contains(.regularExpression) == true)
            {
                report("REGEX", call.node, "data from outside is the pattern", value)
            }
            script(call, argument, index)
            if !value.marks.contains(.component), isPath(call, label, index) {
                report("PATH", call.node, "data from outside names a file", value, isTool ? .note : nil)
            }
            let tasks: Set = [
                "launchedProcess", "NSUserScriptTask", "NSUserUnixTask", "NSUserAutomatorTask", "NSUserAppleScriptTask",
            ]
            if tasks.contains(call.name) || (call.name == "run" && call.lastOwner == "Process")
                || (call.name == "execute" && ["withArguments", "withAppleEvent", "withInput"].contains(label))
                || call.name == "system"
            {
                report("COMMAND", call.node, "data from outside decides what a process runs", value)
            }
            if call["options"]?.value.marks.contains(.externalEntities) == true
                || call.receiver?.marks.contains(.externalEntities) == true
                || call["document"]?.value.marks.contains(.externalEntities) == true
            {
                if call.name.contains("XML") {
                    report("XXE", call.node, "outside XML is read with external entities", value)
                }
            }
            if (call.name == "unzipFile" || call.name == "unzipItem" || call.name == "quickUnzipFile") && index == 0 {
                report("ZIP-SLIP", call.node, "an archive from outside is unpacked with the names it gives", value)
            }
        }
        if call.name.hasPrefix("xmlRead") || call.name.hasPrefix("xmlCtxt") || call.name.hasPrefix("xmlParseInNode") {
            if let argument = call.arguments.first(where: { $0.value.marks.contains(.externalEntities) }) {
                report("XXE", call.node, "the XML parser loads external entities", argument.value)
            }
        }
    }

    /// What a person typed, where it is read as a program: their own, but not only theirs when it comes from a link.
    private func interpreted(_ call: Call) {
        for (index, argument) in call.arguments.enumerated() where argument.value.isTyped && !argument.value.isOutside {
            let value = argument.value
            let label = argument.label ?? ""
            if call.name == "NSPredicate", label == "format" {
                report("PREDICATE", call.node, "what is typed is the predicate", value)
            }
            if sqlArgument(call, index, label) {
                report("SQL-STRING", call.node, "what is typed is part of the SQL text", value, .warning)
            }
            script(call, argument, index)
        }
    }

    /// A text of unknown origin between the quotation marks of a statement: whoever chooses it may end the quotation.
    private func quoted(_ call: Call) {
        for (index, argument) in call.arguments.enumerated() {
            let value = argument.value
            guard let start = value.prefix, !value.isConstant, !value.isOutside, !value.isTyped, !value.isNumeric,
                SQLText.isQuoted(start), !isMadeOfConstants(argument.node),
                sqlArgument(call, index, argument.label ?? "")
            else { continue }
            report("SQL-STRING", call.node, "a text between quotes becomes part of the SQL text", value, .warning)
        }
    }

    /// Whether all that stands in a text is a type's own: `"… LIKE '\(Tables.prefix)%'"`.
    private func isMadeOfConstants(_ node: ExprSyntax) -> Bool {
        guard let literal = node.as(StringLiteralExprSyntax.self) else { return false }
        return literal.segments.allSatisfy { segment in
            guard case .expressionSegment(let inner) = segment else { return true }
            return inner.expressions.allSatisfy { path($0.expression)?.first?.isUppercase == true }
        }
    }

    private func takesFormat(_ call: Call) -> Bool {
        functions[call.name]?.contains {
            $0.signature.parameterClause.parameters.first.map { ($0.secondName ?? $0.firstName).text == "format" }
                ?? false
        }
            ?? (call.receiver == nil && call.name.hasSuffix("Log") && call.arguments[0].label == nil
                && call.arguments.count > 1 && call.arguments[1].label == nil)
    }

    private func sqlArgument(_ call: Call, _ index: Int, _ label: String) -> Bool {
        if call.name.hasPrefix("sqlite3_exec") || call.name.hasPrefix("sqlite3_prepare") { return index == 1 }
        if label == "sql"
            || (label.hasPrefix("sql")
                && (label.hasSuffix("iteral") || label.hasSuffix("tatement") || label.hasSuffix("uery")))
        {
            return true
        }
        if ["SQL", "SQLRequest"].contains(call.name) {
            return label.hasSuffix("iteral") || label == "stringInterpolation" || label == "sql"
        }
        if call.name.hasPrefix("execute"), call.lastOwner.hasPrefix("db"), index == 0, label.isEmpty { return true }
        guard isDatabase(call), call.receiver?.type != "Statement", !call.lastOwner.hasPrefix("stmt") else {
            return false
        }
        if call.name == "Statement" { return index == 1 }
        if [
            "execute", "prepare", "run", "scalar", "statement", "executeQuery", "executeUpdate", "executeStatements",
            "prepareRowIterator",
        ].contains(call.name) {
            return index == 0 && label.isEmpty
        }
        return false
    }

    private func script(_ call: Call, _ argument: Call.Argument, _ index: Int) {
        let value = argument.value
        let isPage = (call.name == "load" || call.name == "loadRequest") && call.receiver != nil && index == 0
        if isPage, value.isOutside, !value.marks.contains(.navigation), argument.label == nil,
            call.arguments.count == 1, ownsWebView(call),
            !comparesAddress(call.node)
        {
            report(
                "WEB-URL", call.node, "data from outside decides which page the app shows", value,
                value.marks.contains(.message) ? .note : nil)
        }
        if call.name == "loadHTMLString", index == 0 {
            if let base = call["baseURL"], base.node.is(NilLiteralExprSyntax.self) || base.value.isOutside {
                report("WEB-HTML", call.node, "data from outside is shown as HTML with the app's rights", value)
            }
        }
        if call.name == "load", call["mimeType"] != nil, index == 0, call["baseURL"]?.value.isOutside != false {
            report("WEB-HTML", call.node, "data from outside is shown as HTML", value)
        }
        let runs: Set = [
            "evaluateJavaScript", "stringByEvaluatingJavaScript", "callAsyncJavaScript", "WKUserScript",
            "evaluateScript",
        ]
        if runs.contains(call.name), index == 0 {
            let isAnswer = value.marks.contains(.message)
            report("WEB-JS", call.node, "data from outside runs as JavaScript", value, isAnswer ? .note : nil)
        }
        if call.name == "JSEvaluateScript", index == 1 {
            report("WEB-JS", argument.node, "data from outside runs as JavaScript", value)
        }
    }

    private func ownsWebView(_ call: Call) -> Bool {
        let owner = call.lastOwner.lowercased()
        return ["WKWebView", "UIWebView"].contains(call.receiver?.type) || owner.contains("webview")
            || owner == "browser"
    }

    /// Whether the function around looks at the parts of an address, or hands it to what does.
    private func comparesAddress(_ node: some SyntaxProtocol) -> Bool {
        guard let body = function(around: node) else { return false }
        return body.tokens(viewMode: .sourceAccurate).contains { token in
            ["host", "scheme", "isAllowed", "allowlist", "whitelist", "hasPrefix", "DeepLink"].contains(token.text)
        }
    }

    private static let fileCalls: Set<String> = [
        "contentsOfDirectory", "enumerator", "subpathsOfDirectory", "subpaths", "createDirectory", "createFile",
        "removeItem",
        "trashItem", "replaceItemAt", "replaceItem", "copyItem", "moveItem", "createSymbolicLink", "linkItem",
        "destinationOfSymbolicLink", "fileExists", "isReadableFile", "isWritableFile", "isExecutableFile",
        "isDeletableFile",
        "contents", "setAttributes", "attributesOfItem", "attributesOfFileSystem", "contentsEqual",
        "componentsToDisplay",
        "changeCurrentDirectoryPath", "unmountVolume", "write", "mountedVolumeURLs", "startDownloadingUbiquitousItem",
        "setUbiquitous", "fileSystemRepresentation", "displayName", "url", "homeDirectory", "changeFileAttributes",
        "fileAttributes", "directoryContents", "createFileAtPath", "removeFile", "copyPath", "movePath", "linkPath",
        "removeFileAtPath",
        "fileSystemAttributes", "pathContentOfSymbolicLink", "isUbiquitousItem", "evictUbiquitousItem", "writableData",
    ]
    private static let pathLabels: Set<String> = [
        "at", "to", "atPath", "toPath", "toFile", "withItemAt", "withDestinationURL", "withDestinationPath",
        "contentsOfFile",
        "path", "andPath", "backupItemName", "itemAt", "destinationURL", "pathContent", "toFileAtPath", "fileURL",
        "withFileURL", "fileURLWithPath", "contentsOf",
    ]

    private func isPath(_ call: Call, _ label: String, _ index: Int) -> Bool {
        if call.name == "write", label == "contentsOf" { return false }
        if Self.fileCalls.contains(call.name), Self.pathLabels.contains(label) { return true }
        if Self.fileCalls.contains(call.name), label.isEmpty, index == 0,
            call.lastOwner == "fm" || call.receiver?.type?.contains("FileManager") == true
        {
            return call.name != "fileSystemRepresentation"
        }
        let everywhere: Set = [
            "contentsOfFile", "atPath", "ofItemAtPath", "withFile", "originalItemURL", "withItemAtURL", "fileURL",
            "seedFilePath", "andPath",
            "pathContent",
        ]
        if everywhere.contains(label) { return true }
        if call.owner == "ArchiveByteStream" { return label == "fd" || label == "path" }
        if call.name == "Bundle" || call.name.contains("Database"), call.isConstructor {
            return label == "path" || label == "url"
        }
        if ["NSData", "Data"].contains(call.name), label == "contentsOfMappedFile" { return true }
        if call.name.hasPrefix("sqlite3_open") { return index == 0 }
        if ["DatabaseQueue", "DatabasePool"].contains(call.name) { return label == "path" }
        if call.name == "Connection" { return index == 0 }
        return (call.name == "fopen" || call.name == "open" || call.name == "opendir" || call.name == "unlink")
            && index == 0
            && call.receiver == nil && call.owner.isEmpty && call.arguments.allSatisfy { $0.label == nil }
    }
}
