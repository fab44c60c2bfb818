/// What the rules speak about. A name or text that makes a finding possible stands here; what only leads a value from
/// one such place to another does not.
enum RuleVocabulary {
    /// Where in the code a name has to stand.
    enum Kind: Equatable {
        case none, anywhere
        /// The name of a person's data or a secret, which matters where it can leave.
        case sensitive
        /// A way that such data leaves: alone no rule's business.
        case outlet
        /// The same, before an opening bracket.
        case calledOutlet
        /// Before an opening bracket.
        case called
        /// Before an opening bracket, and after no dot.
        case function
        /// Before an opening bracket, and after a dot.
        case method
        /// After a dot and the name of an object, not a case of some type.
        case member
        /// After this word.
        case after(String)
    }

    static func kind(of name: String, _ facts: NameFacts) -> Kind {
        if facts.isProtection || anywhere.contains(name) { return .anywhere }
        if !facts.marks.isDisjoint(with: [.ecb, .oldTLS, .externalEntities, .weakHash]) { return .anywhere }
        if ["md5", "md4", "md2", "sha1"].contains(facts.lower) { return .anywhere }
        if ["CC_MD", "CC_SHA1", "sqlite3_prepare", "sqlite3_key", "sqlite3_rekey", "sqlcipher"].contains(
            where: name.hasPrefix)
        {
            return .anywhere
        }
        switch name {
        case "rand", "random", "srand", "drand48", "srand48", "lrand48", "print", "debugPrint", "dump", "NSLog":
            return .function
        case "key", "rekey", "write": return .called
        case "package": return .method
        case "utf8", "utf16", "unicodeScalars": return .member
        case "body": return .after("message")
        case "request": return .after("navigationAction")
        case "application", "userContentController": return .after("func")
        default:
            if facts.namesLink { return .after("func") }
            if facts.opensSession { return .after("var") }
            if facts.sensitivity != nil || facts.typed != nil { return .sensitive }
            return outlet(name, facts)
        }
    }

    private static func outlet(_ name: String, _ facts: NameFacts) -> Kind {
        if facts.isLogName || outlets.contains(name) || !facts.marks.isDisjoint(with: .fastHash) { return .outlet }
        if !facts.roles.isDisjoint(with: [.printer, .exception, .keychain]) { return .outlet }
        if facts.lower.hasPrefix("sha"), facts.lower.utf8.last.map({ $0 &- 48 < 10 }) == true { return .outlet }
        let starts = [
            "db", "database", "stmt", "statement", "connection", "sqlite", "realm", "userdefaults", "cc_sha",
            "analytics", "crashlytics", "amplitude", "mixpanel", "sentry", "flurry", "appsflyer", "adjust", "braze",
            "segment", "bugsnag", "datadog", "newrelic", "instabug", "posthog", "localytics", "countly", "heap",
        ]
        if starts.contains(where: facts.lower.hasPrefix) || facts.lower.hasSuffix("userdefaults") { return .outlet }
        return facts.roles.contains(.address) || calledOutlets.contains(name) ? .calledOutlet : .none
    }

    private static let calledOutlets: Set = [
        "encrypt", "decrypt", "send", "SQL", "addUserInfoEntries", "open", "joined", "reversed",
    ]
    private static let outlets: Set = [
        "UserDefaults", "NSUbiquitousKeyValueStore", "AppStorage", "SceneStorage", "NSManagedObject", "NSManaged",
        "Object", "RealmSwiftObject", "EmbeddedObject", "RLMObject", "RLMRealm", "Model", "insertNewObject", "context",
        "sql", "arguments", "literal", "putProperties", "inCollection", "MutableDocument", "prepare", "bind",
        "makeStatement", "UNMutableNotificationContent", "UIActivityViewController", "NSUserActivity", "userActivity",
        "TextField", "AF", "Session", "httpBody", "bytes", "decoding", "Scrypt", "encryptData", "decryptData",
        "Logger", "logger", "keyForPassword", "RNEncryptor", "RNDecryptor", "Encryptor", "Decryptor", "Connection",
        "Database", "FetchableRecord", "PersistableRecord", "MutablePersistableRecord", "TableRecord", "Expression",
        "CSSearchableItemAttributeSet", "archiveRootObject", "base64Encoded", "UnicodeScalar", "cString",
        "ShareLink",
    ]

    static func concerns(_ kind: Kind, _ range: Range<Int>, _ bytes: [UInt8], after previous: String) -> Bool {
        func byte(_ place: Int) -> UInt8 { bytes.indices.contains(place) ? bytes[place] : 0 }
        let isCalled = byte(range.upperBound) == UInt8(ascii: "(")
        let isMember = byte(range.lowerBound - 1) == UInt8(ascii: ".")
        switch kind {
        case .none: return false
        case .anywhere, .sensitive, .outlet: return true
        case .calledOutlet: return isCalled
        case .called: return isCalled
        case .function: return isCalled && !isMember
        case .method: return isCalled && isMember
        case .member:
            let owner = byte(range.lowerBound - 2)
            return isMember && ![10, 32, 44, 40, 58, 91].contains(owner)
        case .after(let word): return previous == word
        }
    }

    /// What a text says to the rules: a secret's shape, the name of one, an address.
    static func kind(ofLiteral literal: ArraySlice<UInt8>, _ names: NameTable) -> Kind {
        guard (3...4_096).contains(literal.count) else { return literal.count > 4_096 ? .anywhere : .none }
        let text = String(decoding: literal, as: UTF8.self)
        if SecretShape.mayHaveShape(text) || Addresses.isHTTP(text) || Addresses.isStaging(text) { return .anywhere }
        if literal.count >= 20, let last = text.split(separator: " ").last, SecretShape.isRandom(String(last)) {
            return .anywhere
        }
        if SQLText.isQuoted(text) || SecretShape.isPair(text) || SecretShape.isEntry(text) { return .anywhere }
        guard literal.count < 80 else { return .none }
        let facts = names.facts(text)
        if facts.opensSession || settings.contains(text) { return .anywhere }
        return facts.sensitivity == nil ? .none : .sensitive
    }

    /// Keys of settings that are a weakness when they are on.
    private static let settings: Set = [
        "allowFileAccessFromFileURLs", "allowUniversalAccessFromFileURLs", "developerExtrasEnabled",
    ]

    private static let anywhere: Set<String> = {
        let names = """
            GKMersenneTwisterRandomSource GKLinearCongruentialRandomSource GKARC4RandomSource URLCredential \
            SecTrustSetExceptions createFile evaluatePolicy DisabledTrustEvaluator DisabledEvaluator unarchiveObject \
            unarchiveTopLevelObjectWithData UIWebView Keychain SimpleKeychain HTTPCookie provisional suiteName \
            forSecurityApplicationGroupIdentifier Regex NSRegularExpression NSMakeRange NSRange encodedOffset NSString \
            NSMutableString UTF8View UTF16View UnicodeScalarView kSecAttrAccessibleAlways \
            kSecAttrAccessibleAlwaysThisDeviceOnly kSecAttrAccessibleAfterFirstUnlock noFileProtection \
            NSFileProtectionNone FileProtectionType kCCAlgorithmDES kCCAlgorithm3DES kCCAlgorithmRC4 kCCAlgorithmRC2 \
            kCCAlgorithmBlowfish kCCAlgorithmCAST rsaEncryptionPKCS1 rsaEncryptionRaw biometryAny userPresence \
            kSecAttrKeySizeInBits SecItemAdd SecItemUpdate SecItemCopyMatching SecRandomCopyBytes \
            SecKeyVerifySignature SecTrustEvaluateWithError SecKeyCreateRandomKey SecAccessControl \
            SecAccessControlCreateFlags SecAccessControlCreateWithFlags AES HMAC ChaCha20 CBCMAC CMAC Poly1305 \
            Blowfish Rabbit RC4 SymmetricKey XChaCha20 HKDF hmacKey HMACKey iv IV nonce salt encryptionSalt hmacSalt \
            HMACSalt keyAndMigrate CCCrypt PBKDF1 PBKDF2 CCKeyDerivationPBKDF \
            touchIDAuthenticationAllowableReuseDuration allowInvalidCertificates disableSSLCertValidation \
            validatesDomainName requiresSecureCoding requestCachePolicy cachePolicy isInspectable dataTask onOpenURL \
            downloadTask responseString responseData UIPasteboard webpageURL sec_protocol_options_set_verify_block \
            SecPolicyCreateBasicX509 SecPolicyCreateSSL disableEvaluation kCFStreamSSLValidatesCertificateChain \
            diskCapacity loadFileURL RandomNumberGenerator Archive ZipArchive SSZipArchive ZipEntry \
            requestAuthorization loadHTMLString evaluateJavaScript callAsyncJavaScript WKUserScript evaluateScript \
            SecKeyCreateWithData rawRepresentation pemRepresentation derRepresentation \
            UIImageWriteToSavedPhotosAlbum UISaveVideoAtPathToSavedPhotosAlbum creationRequestForAsset \
            creationRequestForAssetFromVideo MCSession accessibleAlways accessibleAlwaysThisDeviceOnly alwaysThisDeviceOnly \
            Realm sqlite3_open sqlite3_open_v2 FMDatabase FMDatabaseQueue DatabaseQueue DatabasePool NSPredicate executeQuery \
            executeUpdate executeStatements sqlite3_exec isSecureTextEntry contentsOf openURLContexts WKScriptMessage \
            textContentType protectionKey URLFileProtection SecureEnclave SecItemDelete binaryTarget
            """
        return Set(names.split(separator: " ").map(String.init))
    }()
}
