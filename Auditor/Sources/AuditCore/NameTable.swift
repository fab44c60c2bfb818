/// What one name says to the rules, found once.
final class NameFacts {
    /// What a call of this name may mean; nothing for most names.
    struct Roles: OptionSet {
        let rawValue: UInt32
        static let printer = Roles(rawValue: 1)
        static let level = Roles(rawValue: 2)
        static let exception = Roles(rawValue: 4)
        /// A rule of the platform judges the name alone.
        static let platform = Roles(rawValue: 8)
        static let hash = Roles(rawValue: 16)
        static let pattern = Roles(rawValue: 32)
        static let parser = Roles(rawValue: 64)
        static let keyed = Roles(rawValue: 128)
        static let address = Roles(rawValue: 256)
        static let singleton = Roles(rawValue: 512)
        static let view = Roles(rawValue: 1_024)
        static let source = Roles(rawValue: 2_048)
        static let number = Roles(rawValue: 4_096)
        static let constant = Roles(rawValue: 8_192)
        static let carrier = Roles(rawValue: 16_384)
        static let container = Roles(rawValue: 32_768)
        static let mutator = Roles(rawValue: 65_536)
        static let keychain = Roles(rawValue: 131_072)
        /// Writes a file.
        static let file = Roles(rawValue: 262_144)
        /// Hands an object or its parts to a database.
        static let object = Roles(rawValue: 524_288)
        /// A rule judges its arguments as settings.
        static let setting = Roles(rawValue: 1_048_576)
        /// Opens a database, or names a column of one.
        static let store = Roles(rawValue: 2_097_152)
        /// Sends a request, or loads a page.
        static let request = Roles(rawValue: 4_194_304)
    }

    let lower: String
    let words: [String]
    let sensitivity: Sensitivity?
    let marks: Value.Marks
    let roles: Roles
    let isLogName: Bool
    let isRandom: Bool
    let isDigest: Bool
    let isSanitizer: Bool
    let startsAsSanitizer: Bool
    let isConstructor: Bool
    /// A parameter of this name promises a protection.
    let isProtection: Bool
    /// A value of this name says that somebody is signed in, has paid, or may do more than others.
    let opensSession: Bool
    /// The name is that of a field that a person types into.
    let isField: Bool
    /// A function of this name takes links of others.
    let namesLink: Bool
    /// What is typed into a field of this name.
    let typed: Sensitivity?
    /// What a privacy manifest must give a reason for, or a mechanism that apps are asked about.
    let category: String?
    /// A rule judges the place of this name, whatever values come to it.
    let isJudgedAlone: Bool
    /// A rule asks for the origin of what is given to a parameter of this name.
    let isKeyed: Bool
    /// A class of this name is stored in a database.
    let isRecord: Bool
    /// Standing anywhere in a file, the name keeps a rule silent.
    let excuses: Bool
    /// The word token alone makes the name a credential's.
    let isPlainToken: Bool
    /// The noun of the name is that of the data.
    let isNoun: Bool
    /// What a service for notifications reaches a device by.
    let isPushToken: Bool
    /// The weak word that alone makes the name one of a secret or of a person.
    let weakWord: WeakWord?
    /// The name says it by its noun and by more than a weak word.
    var isPlain: Bool { sensitivity != nil && isNoun && (weakWord == nil || weakWord == .object) }
    /// Digits that open something, which may be kept as a number.
    let isCode: Bool
    /// The name is a function's that does something, and does not give it.
    let isCommand: Bool
    /// In a file with this word, tokens are coins, parts of a language or places in lists of changes.
    let tellsOtherTokens: Bool
    /// A file with this word asks a list of leaked passwords.
    let tellsLeaks: Bool
    /// The kind of control that a call of this name is.
    let control: String?
    /// Where this name, standing in a file, makes a finding possible.
    private(set) var vocabulary = RuleVocabulary.Kind.none
    /// A value may leave by what is called so, or a rule judges it there.
    var isOutlet: Bool { vocabulary != .none && vocabulary != .sensitive || isKeyed }

    init(_ name: String) {
        let lower = name.lowercased()
        self.lower = lower
        let bytes = Array(lower.utf8)
        let parts = NameParts(name)
        words = parts.words
        sensitivity = Names.sensitivity(of: parts)
        marks = Self.marks[name] ?? []
        isLogName = Self.isLogName(name, parts.words)
        isRandom = Names.contains(bytes, "random")
        isDigest = lower.hasPrefix("md5") || lower.hasPrefix("sha")
        isSanitizer = Self.sanitizers.contains { Names.contains(bytes, $0) }
        startsAsSanitizer = Self.sanitizers.contains { lower.hasPrefix($0) }
        isConstructor = name.utf8.first.map { (65...90).contains($0) } ?? false
        isProtection = Names.promisesProtection(parts)
        var roles = Self.roles[name] ?? []
        if isDigest || lower.hasPrefix("md") || name.hasPrefix("CC_") { roles.insert(.hash) }
        if name.hasPrefix("xml") { roles.insert(.parser) }
        if name == "sqlite3_exec" || name.hasPrefix("sqlite3_key") || name.hasPrefix("sqlite3_rekey") {
            roles.insert(.keyed)
        }
        self.roles = roles
        opensSession = Names.opensSession(parts)
        let rest = parts.words.filter { !Self.fields.contains($0) }
        namesLink = ["deeplink", "universallink", "handleurl", "handleopenurl"].contains {
            Names.contains(parts.joined, $0)
        }
        isField = rest.count < parts.words.count || lower.hasSuffix("searchbar")
        typed = isField ? Names.sensitivity(of: rest.joined(separator: "_")) : nil
        category = PrivacyReasons.category[name]
        control = Names.control(name, parts)
        isJudgedAlone = Self.alone.contains(name)
        isKeyed = Self.keyed.contains(name)
        isRecord = Self.records.contains(name)
        isPlainToken = sensitivity != nil && Names.isPlainToken(parts)
        isNoun = sensitivity != nil && Names.isNoun(parts)
        isPushToken = sensitivity != nil && Names.isPushToken(parts)
        weakWord = sensitivity == nil ? nil : Names.weakWord(parts)
        isCode = parts.words.contains { ["otp", "cvv", "totp", "mfa", "passcode", "code"].contains($0) }
        isCommand = Names.isCommand(parts)
        tellsOtherTokens =
            parts.words.contains { $0 == "erc" || $0 == "eip" }
            || Self.otherTokens.contains { Names.contains(parts.joined, $0) }
        tellsLeaks = ["pwned", "hibp"].contains { Names.contains(parts.joined, $0) }
        excuses = name == "accessibility" || name == "accessibilityOnly"
        vocabulary = RuleVocabulary.kind(of: name, self)
    }

    /// Types whose values end no quotation.
    static func isNumber(_ type: String) -> Bool { roles[type]?.contains(.number) == true }

    private static let otherTokens = [
        "blockchain", "contractaddress", "ethereum", "solana", "bitcoin", "changetoken", "historytoken", "lexer",
        "tokenizer", "tokenkind", "tokentype", "syntaxtoken", "tokenfield",
    ]
    private static let keyed: Set = ["encryptionKey", "withEncryptionKey", "forPassword", "withPassword", "iterations"]
    private static let records: Set = [
        "NSManagedObject", "NSManaged", "Object", "RealmSwiftObject", "EmbeddedObject", "RLMObject", "Model",
        "FetchableRecord", "PersistableRecord", "MutablePersistableRecord", "TableRecord",
    ]
    private static let alone: Set = [
        "print", "debugPrint", "dump", "NSLog", "requestAuthorization", "suiteName", "provisional", "UIWebView",
        "forSecurityApplicationGroupIdentifier", "rand", "random", "srand", "drand48", "srand48", "lrand48",
        "application", "userContentController",
    ]
    private static let fields: Set = ["field", "textfield", "text", "txt", "input", "textview", "box", "searchbar"]

    private static let sanitizers = [
        "crypt", "seal", "hash", "encode", "protect", "redact", "mask", "random", "digest",
    ]

    private static func isLogName(_ name: String, _ words: [String]) -> Bool {
        guard
            let index = words.firstIndex(where: { $0 == "log" || $0 == "nslog" || $0 == "logging" || $0 == "logfile" })
        else {
            return false
        }
        // `logIn` and `LogOutButton` are about accounts.
        if index + 1 < words.count, ["in", "out", "on", "off"].contains(words[index + 1]) { return false }
        return index == 0 || (index == words.count - 1 && name.hasSuffix("Log"))
    }

    private static let marks: [String: Value.Marks] = [
        "TLSv10": .oldTLS, "TLSv11": .oldTLS, "tlsProtocol1": .oldTLS, "tlsProtocol10": .oldTLS,
        "tlsProtocol11": .oldTLS, "tlsv1": .oldTLS, "tlsv11": .oldTLS, "sslProtocol3": .oldTLS, "sslProtocol2": .oldTLS,
        "nodeLoadExternalEntitiesAlways": .externalEntities,
        "nodeLoadExternalEntitiesSameOriginOnly": .externalEntities,
        "XML_PARSE_NOENT": .externalEntities, "XML_PARSE_DTDLOAD": .externalEntities,
        "regularExpression": .regularExpression, "anchorsMatchLines": .lineAnchors,
        "caseInsensitive": .caseInsensitive, "dotMatchesLineSeparators": .dotMatchesAll,
        "ECB": .ecb, "ecb": .ecb, "kCCOptionECBMode": .ecb,
        "MD5": .weakHash, "SHA1": .weakHash, "MD2": .weakHash, "MD4": .weakHash,
        "SHA224": .fastHash, "SHA256": .fastHash, "SHA384": .fastHash, "SHA512": .fastHash, "SHA2": .fastHash,
        "SHA3": .fastHash,
    ]

    private static let roles: [String: Roles] = {
        var result: [String: Roles] = [:]
        func add(_ role: Roles, _ names: String) {
            for name in names.split(separator: " ") { result[String(name), default: []].insert(role) }
        }
        add(
            .printer,
            """
            print debugPrint dump NSLog NSLogv os_log printf vprintf dprintf vfprintf fprintf fatalError assertionFailure \
            preconditionFailure assert precondition vdprintf fputs puts
            """)
        add(.level, "log trace debug info notice warning error critical fault verbose warn")
        add(.exception, "NSException raise")
        add(
            .platform,
            """
            rand random srand drand48 srand48 lrand48 GKMersenneTwisterRandomSource GKLinearCongruentialRandomSource \
            GKARC4RandomSource URLCredential SecTrustSetExceptions DisabledTrustEvaluator DisabledEvaluator evaluatePolicy \
            unarchiveObject unarchiveTopLevelObjectWithData UIWebView bool integer package setValue TextField addScriptMessageHandler \
            NSUserActivity UIActivityViewController Keychain SimpleKeychain HTTPCookie requestAuthorization UserDefaults \
            containerURL UIImageWriteToSavedPhotosAlbum UISaveVideoAtPathToSavedPhotosAlbum creationRequestForAsset \
            creationRequestForAssetFromVideo MCSession binaryTarget textContentType string object
            """)
        add(
            .setting,
            """
            sec_protocol_options_set_verify_block SecPolicyCreateBasicX509 SecPolicyCreateSSL URLCache setItems addItems \
            loadFileURL loadHTMLString requestAuthorization appendingPathComponent appending setData setValue SecItemDelete \
            PrivateKey sec_protocol_options_set_min_tls_protocol_version sec_protocol_options_set_max_tls_protocol_version \
            sec_protocol_options_set_tls_min_version sec_protocol_options_set_tls_max_version SSLSetProtocolVersionMin \
            SSLSetProtocolVersionMax
            """)
        add(
            .store,
            """
            Realm sqlite3_open sqlite3_open_v2 sqlite3_open16 FMDatabase FMDatabaseQueue DatabaseQueue DatabasePool \
            Connection Expression SQLExpression column
            """)
        add(.request, "request streamRequest download upload")
        add(.file, "write createFile")
        add(.object, "add create putProperties setObject setString")
        add(.hash, "hash update calculate process")
        add(.pattern, "Regex NSRegularExpression")
        add(
            .keyed,
            """
            usePassphrase changePassphrase keyAndMigrate rekey key keyForPassword PrivateKey SecKeyCreateWithData CCCrypt CCKeyDerivationPBKDF PBKDF1 PBKDF2
            """)
        add(.address, "URL NSURL URLQueryItem")
        add(.singleton, "standard default shared general")
        add(
            .view,
            """
            utf8 utf16 unicodeScalars bytes value wrappedValue text rawValue utf8String first last data self description \
            lowercased uppercased projectedValue absoluteString path string baseAddress
            """)
        add(.source, "string url webpageURL body request arguments")
        add(.number, "Int Double UInt Bool UUID Float Int32 Int64 UInt32 UInt64 Date")
        add(
            .constant,
            """
            kSecAttrAccessibleAlways kSecAttrAccessibleAlwaysThisDeviceOnly kSecAttrAccessibleAfterFirstUnlock \
            noFileProtection NSFileProtectionNone none kCCAlgorithmDES kCCAlgorithm3DES kCCAlgorithmRC4 kCCAlgorithmRC2 \
            kCCAlgorithmBlowfish kCCAlgorithmCAST rsaEncryptionPKCS1 rsaEncryptionRaw biometryAny userPresence disableEvaluation \
            accessibleAlways accessibleAlwaysThisDeviceOnly alwaysThisDeviceOnly always
            """)
        add(
            .container,
            """
            Data NSData NSMutableData String NSString NSMutableString Array Blob Substring ContiguousArray CFDataCreate Nonce \
            SymmetricKey DatabaseValue
            """)
        add(
            .carrier,
            """
            insert update insertMany replace upsert data joined appending lowercased uppercased trimmingCharacters \
            replacingOccurrences copy mutableCopy map sorted prefix suffix reversed dropFirst dropLast padding getVaList \
            withMemoryRebound makeIterator base64EncodedString components split authorization unsafelyUnwrapped filter set bytes \
            init appendingPathComponent bind prepare addingPercentEncoding archivedData
            """)
        add(
            .mutator, "append insert appendFormat add merge appendLiteral setString setValue bind update")
        add(
            .keychain,
            """
            SecItemAdd SecItemUpdate SecItemCopyMatching SecRandomCopyBytes SecKeyVerifySignature SecTrustEvaluateWithError \
            SecKeyCreateRandomKey
            """)
        return result
    }()
}

/// The facts of the names that a worker has met. One for each thread; emptied when it grows large.
package final class NameTable {
    private var all: [String: NameFacts] = [:]

    package init() {}

    /// Before each file: the objects are compared while one is read, so none is dropped then.
    func trim() { if all.count > 100_000 { all = [:] } }

    func facts(_ name: String) -> NameFacts {
        if let known = all[name] { return known }
        let facts = NameFacts(name)
        all[name] = facts
        return facts
    }
}
