internal import Foundation
internal import PaviseArguments
internal import PavisePrimitives
internal import SecurityFramework

extension SecurityCommand {
    static func addPassword(_ itemClass: PasswordClass) -> SecurityCommand {
        let name = "add-\(itemClass.rawValue)-password"
        let item = itemClass == .generic ? "-s mail.example" : "-s mail.example -r htps"
        return SecurityCommand(
            name, "Store \(itemClass == .generic ? "a" : "an") \(itemClass.rawValue) password.",
            options: itemClass.addOptions,
            discussion: """
                Write -w as the last word and type the password, or pipe it: a password in an argument can be seen by \
                other users of the machine while the command runs. Without -w, -p and -X the item has no password. \
                Names of keychains are accepted; there is one.
                """,
            examples: [
                .init("security \(name) -a ada \(item) -w", "Ask for ada's password and store it."),
                .init("printf '%s' \"$TOKEN\" | security \(name) -a ci \(item) -U -w", "Store or replace a token."),
            ]
        ) { words, environment in try add(itemClass, words, environment) }
    }

    private static func add(_ itemClass: PasswordClass, _ words: SecurityArguments, _ environment: Environment) throws {
        var attributes = words.attributes
        if itemClass == .internet, attributes["atyp"] == nil { attributes["atyp"] = "dflt" }
        let password = try password(words, environment)
        var all = attributes
        all[kSecAttrLabel as String] = attributes[kSecAttrLabel as String] ?? attributes[itemClass.labelSource]
        all[kSecValueData as String] = password ?? Data()
        // Like the login keychain: open from the first unlock on, also for jobs that run while nobody is there.
        all[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        let status = try SecurityItems.add(itemClass, all)
        guard status == errSecDuplicateItem, words.flags.contains(.updates) else {
            guard status == errSecSuccess else {
                throw SecurityFailure.keychain(status, during: "SecKeychainItemCreateFromContent (<default>)")
            }
            return
        }
        try update(itemClass, attributes, password)
    }

    // The names that were not given must be empty in the item too: it is the one that stood in the way.
    private static func update(
        _ itemClass: PasswordClass, _ attributes: [String: Any], _ password: Data?
    ) throws(SecurityFailure) {
        let names = attributes.filter { itemClass.nameAttributes.contains($0.key) }
        let missing = itemClass.nameAttributes.filter { names[$0] == nil }
        let found = try SecurityItems.all(itemClass, names).first { item in
            missing.allSatisfy { isEmpty(item[$0]) } && (item[kSecAttrSynchronizable as String] as? Int ?? 0) == 0
        }
        guard let found else { throw .keychain(errSecItemNotFound, during: "SecKeychainSearchCopyNext") }
        var changes = attributes.filter { names[$0.key] == nil }
        if let password { changes[kSecValueData as String] = password }
        guard !changes.isEmpty else { return }
        try SecurityItems.change(found, changes)
    }

    private static func isEmpty(_ value: Any?) -> Bool {
        switch value {
        case nil: true
        case let text as String: text.isEmpty
        case let data as Data: data.isEmpty
        case let number as NSNumber: number.intValue == 0
        default: false
        }
    }

    private static func password(_ words: SecurityArguments, _ environment: Environment) throws -> Data? {
        switch words.password {
        case nil: return nil
        case .argument(let text):
            if words.isVisible { warn(environment) }
            return Data(text.utf8)
        case .hexadecimal(let bytes):
            if words.isVisible { warn(environment) }
            return Data(bytes)
        case .asked: return try asked(environment.person)
        }
    }

    private static func warn(_ environment: Environment) {
        environment.console.tell(
            .line(
                "security: warning: other users can see a password in an argument. Write -w last, without a value, "
                    + "and type or pipe it."))
    }

    private static func asked(_ person: any Person) throws -> Data {
        guard let first = try value(person, "password data for new item: ") else {
            throw SecurityFailure.usage("no password was given; type it at the terminal, or pipe it to standard input")
        }
        // From a pipe there is no second time.
        if let second = try value(person, "retype password for new item: ") {
            guard first.matches(second) else { throw SecurityFailure.refused("passwords don't match") }
        }
        return try first.withCopy { bytes in try password(in: bytes) }
    }

    private static func value(_ person: any Person, _ prompt: String) throws -> SecretBytes? {
        do throws(ValueProblem) { return try person.limitedValue(prompt) } catch {
            if case .system(let failure) = error { throw failure }
            throw SecurityFailure.usage(error.sentence)
        }
    }

    /// The password in what was given: one line. A script written for macOS's tool types it twice, and gives the same
    /// line again.
    static func password(in bytes: [UInt8]) throws(SecurityFailure) -> Data {
        guard bytes.contains(0x0A) else { return Data(bytes) }
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            $0.last == 0x0D ? $0.dropLast() : $0
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.count == 2, lines[0] == lines[1] else {
            throw .usage(
                "more than one line was given, and nothing stored; -X takes any bytes in hexadecimal, and "
                    + "“pavise keychain add” "
                    + "takes standard input whole")
        }
        return Data(lines[0])
    }
}
