internal import PaviseLab

/// One setting of the lab's authority, by its name on the command line and in a file of settings.
struct AuthorityKnob: Sendable {
    /// The property's name in ``AuthorityConfiguration``.
    let property: String
    /// What it takes, for people.
    let values: String
    private let read: @Sendable (AuthorityConfiguration) -> String
    private let write: @Sendable (inout AuthorityConfiguration, String) -> Bool

    /// The name: `access-token-lifetime`.
    var name: String { Self.name(of: property) }

    /// The value of now, as it would be written.
    func text(in configuration: AuthorityConfiguration) -> String { read(configuration) }

    /// Changes the setting.
    ///
    /// - Returns: Whether `text` was one of its values; `false` changes nothing.
    func set(_ text: String, in configuration: inout AuthorityConfiguration) -> Bool { write(&configuration, text) }

    /// The name of a setting for a name of Swift's.
    static func name(of property: String) -> String {
        var name = ""
        var wasCapital = true
        for letter in property {
            if letter.isUppercase, !wasCapital { name += "-" }
            wasCapital = letter.isUppercase
            name += letter.lowercased()
        }
        return name
    }

    init(
        _ property: String, _ values: String, read: @escaping @Sendable (AuthorityConfiguration) -> String,
        write: @escaping @Sendable (inout AuthorityConfiguration, String) -> Bool
    ) {
        self.property = property
        self.values = values
        self.read = read
        self.write = write
    }
}

extension AuthorityKnob {
    private typealias Path<Value> = WritableKeyPath<AuthorityConfiguration, Value> & Sendable
    /// Stands for “none” where a setting may have no value.
    private static let none = "none"

    private static func flag(_ property: String, _ path: any Path<Bool>) -> AuthorityKnob {
        AuthorityKnob(property, "yes or no") {
            $0[keyPath: path] ? "yes" : "no"
        } write: { configuration, text in
            guard text == "yes" || text == "no" else { return false }
            configuration[keyPath: path] = text == "yes"
            return true
        }
    }

    private static func text(
        _ property: String, _ path: any Path<String>, _ form: AuthorityValueForm
    ) -> AuthorityKnob {
        AuthorityKnob(property, form.words) {
            $0[keyPath: path]
        } write: { configuration, text in
            guard form.isRight(text) else { return false }
            configuration[keyPath: path] = text
            return true
        }
    }

    private static func optionalText(
        _ property: String, _ path: any Path<String?>, _ form: AuthorityValueForm
    ) -> AuthorityKnob {
        AuthorityKnob(property, "\(form.words), or none") {
            $0[keyPath: path] ?? none
        } write: { configuration, text in
            guard text == none || form.isRight(text) else { return false }
            configuration[keyPath: path] = text == none ? nil : text
            return true
        }
    }

    private static func list(
        _ property: String, _ path: any Path<[String]>, _ form: AuthorityValueForm
    ) -> AuthorityKnob {
        AuthorityKnob(property, "with commas between: \(form.words)") {
            $0[keyPath: path].joined(separator: ",")
        } write: { configuration, text in
            let values = text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
            guard values.allSatisfy({ form.isRight(String($0)) }) else { return false }
            configuration[keyPath: path] = values.map { String($0) }
            return true
        }
    }

    private static func number(
        _ property: String, _ path: any Path<Int64>, _ range: ClosedRange<Int64> = 0...31_536_000,
        of unit: String = "seconds"
    ) -> AuthorityKnob {
        AuthorityKnob(property, "\(unit) from \(range.lowerBound) to \(range.upperBound)") {
            "\($0[keyPath: path])"
        } write: { configuration, text in
            guard let number = Int64(text), range.contains(number) else { return false }
            configuration[keyPath: path] = number
            return true
        }
    }

    private static func optionalNumber(_ property: String, _ path: any Path<Int64?>) -> AuthorityKnob {
        AuthorityKnob(property, "seconds from 1 to 31536000, or none") {
            $0[keyPath: path].map { "\($0)" } ?? none
        } write: { configuration, text in
            guard text != none else {
                configuration[keyPath: path] = nil
                return true
            }
            guard let number = Int64(text), (1...31_536_000).contains(number) else { return false }
            configuration[keyPath: path] = number
            return true
        }
    }

    private static func words<Value: Hashable & Sendable>(
        _ property: String, _ path: any Path<Value>, _ words: [(String, Value)]
    ) -> AuthorityKnob {
        AuthorityKnob(property, words.map(\.0).joined(separator: ", ")) { configuration in
            words.first { $0.1 == configuration[keyPath: path] }?.0 ?? ""
        } write: { configuration, text in
            guard let word = words.first(where: { $0.0 == text }) else { return false }
            configuration[keyPath: path] = word.1
            return true
        }
    }

    /// All of them. Certificates of TPM makers come from the file of `--attest`, apps from `--attest-app`.
    static let all: [AuthorityKnob] = [
        text("issuerPath", \.issuerPath, .issuerPath), text("host", \.host, .host), elsewhere,
        text("clientID", \.clientID, .printable),
        optionalText("clientSecret", \.clientSecret, .printable), clientAuthentication,
        optionalText("clientCertificateName", \.clientCertificateName, .hostName),
        flag("bindsTokensToCertificates", \.bindsTokensToCertificates), list("redirects", \.redirects, .address), users,
        list("scopes", \.scopes, .scope), optionalText("grantedScope", \.grantedScope, .scopes),
        number("codeLifetime", \.codeLifetime), number("accessTokenLifetime", \.accessTokenLifetime),
        number("refreshTokenLifetime", \.refreshTokenLifetime), optionalNumber("idleTime", \.idleTime),
        optionalNumber("maximumSession", \.maximumSession),
        flag("endsSessionWithAccessToken", \.endsSessionWithAccessToken), keyRotation,
        number("keyTurn", \.keyTurn, 0...1_000_000, of: "a number"),
        flag("withdrawsKeys", \.withdrawsKeys), rotation,
        words("accessTokenForm", \.accessTokenForm, [("opaque", .opaque), ("jwt", .jwt)]),
        text("tokenType", \.tokenType, .word), flag("tellsLifetime", \.tellsLifetime), text("canary", \.canary, .word),
        list("challengeMethods", \.challengeMethods, .challengeMethod), flag("checksVerifier", \.checksVerifier),
        flag("namesIssuer", \.namesIssuer),
        words(
            "furtherEndpoints", \.furtherEndpoints,
            [("both", .inBoth), ("metadata", .inMetadata), ("discovery", .inDiscovery)]),
        flag("doublesSlashes", \.doublesSlashes), flag("refreshesIDToken", \.refreshesIDToken),
        flag("namesKeys", \.namesKeys), flag("audienceIsArray", \.audienceIsArray),
        flag("offersPushedRequests", \.offersPushedRequests), flag("offersDevices", \.offersDevices),
        number("deviceInterval", \.deviceInterval),
        words(
            "registration", \.registration,
            [
                ("none", .none), ("as-asked", .asAsked), ("with-secret", .withSecret),
                ("only-with-secret", .onlyWithSecret),
            ]), flag("managesClients", \.managesClients), flag("offersLogout", \.offersLogout),
        flag("namesSessions", \.namesSessions), flag("demandsPushedRequests", \.demandsPushedRequests),
        flag("demandsProof", \.demandsProof), flag("offersProof", \.offersProof),
        words(
            "proofNonces", \.proofNonces,
            [("none", .none), ("kept", .kept), ("changing", .changing), ("never-right", .neverRight)]),
        flag("demandsAttestation", \.demandsAttestation), number("proofLead", \.proofLead, -3600...3600),
        list("resources", \.resources, .resource), list("tokenAlgorithms", \.tokenAlgorithms, .word),
        takesAttestations,
    ]

    private static let takesAttestations = AuthorityKnob("takesAttestations", "tpm, app-attest, or both with a comma") {
        $0.takesAttestations.map(\.rawValue).sorted().joined(separator: ",")
    } write: { configuration, text in
        let names = text.split(separator: ",").map(String.init)
        let found = names.compactMap { AttestationKind(rawValue: $0) }
        guard found.count == names.count, !found.isEmpty else { return false }
        configuration.takesAttestations = Set(found)
        return true
    }

    private static let elsewhere = AuthorityKnob("elsewhere", "endpoints with commas between") {
        $0.elsewhere.map(\.rawValue).sorted().joined(separator: ",")
    } write: { configuration, text in
        let names = text.split(separator: ",").map(String.init)
        let found = names.compactMap { AuthorityEndpoint(rawValue: $0) }
        guard found.count == names.count else { return false }
        configuration.elsewhere = Set(found)
        return true
    }

    private static let clientAuthentication = AuthorityKnob(
        "clientAuthentication", "\(AuthorityValueForm.authentication.words), with a comma for both, or none"
    ) {
        $0.clientAuthentication?.joined(separator: ",") ?? none
    } write: { configuration, text in
        let methods = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard text == none || methods.allSatisfy(AuthorityValueForm.authentication.isRight) else { return false }
        configuration.clientAuthentication = text == none ? nil : methods
        return true
    }

    private static let users = AuthorityKnob("users", "name:password with commas between") {
        $0.users.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    } write: { configuration, text in
        let pairs = text.split(separator: ",").map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
        guard !pairs.isEmpty, pairs.allSatisfy({ $0.count == 2 }), Set(pairs.map(\.[0])).count == pairs.count else {
            return false
        }
        configuration.users = Dictionary(pairs.map { ($0[0], $0[1]) }) { _, last in last }
        return true
    }

    private static let keyRotation = AuthorityKnob("keyRotation", "seconds from 10 to 31536000, or none") {
        $0.keyRotation.map { "\($0.every)" } ?? none
    } write: { configuration, text in
        guard text != none else {
            configuration.keyRotation = nil
            return true
        }
        guard let every = Int64(text), (10...31_536_000).contains(every) else { return false }
        configuration.keyRotation = .init(every: every, overlap: max(every, 60))
        return true
    }

    private static let rotation = AuthorityKnob(
        "rotation", "strict, grace:SECONDS, refusing, none (the answer repeats the token) or silent (it does not)"
    ) { configuration in
        switch configuration.rotation {
        case .strict: "strict"
        case .grace(let seconds): "grace:\(seconds)"
        case .refusing: "refusing"
        case .none(let repeats): repeats ? "none" : "silent"
        }
    } write: { configuration, text in
        switch text {
        case "strict": configuration.rotation = .strict
        case "refusing": configuration.rotation = .refusing
        case "none": configuration.rotation = .none(repeatsToken: true)
        case "silent": configuration.rotation = .none(repeatsToken: false)
        default:
            let parts = text.split(separator: ":")
            guard parts.count == 2, parts[0] == "grace", let seconds = Int64(parts[1]), (0...86_400).contains(seconds)
            else { return false }
            configuration.rotation = .grace(seconds: seconds)
        }
        return true
    }
}
