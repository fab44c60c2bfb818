internal import Pavise
internal import PaviseArguments
internal import PaviseTransport

/// What `pavise connect` can be told.
enum ConnectOptions {
    static let url = Argument("URL", help: "The server, such as https://cloud.example.org.", parse: address)
    static let name = Option(
        "name", letter: "n", value: "NAME", help: "What to call the connection; the host unless given.", parse: name)
    static let issuer = Option(
        "issuer", value: "URL", help: "The authority that signs you in; the server itself unless given.", parse: issuer)
    static let client = Option(
        "client-id", value: "ID", help: "The client identifier at the authority; “pavise” unless given.", parse: client)
    static let clientSecret = Flag(
        "client-secret",
        help: "The authority demands this client's secret: it is asked for, or read from standard input.")
    static let register = Flag(
        "register", help: "Register a client of this program's own at the authority first (RFC 7591).")
    static let scope = RepeatedOption(
        "scope", value: "SCOPE", help: "A scope to ask for; “openid” unless given.", parse: scope)
    static let port = Option(
        "port", value: "PORT",
        help: "The port of the callback on 127.0.0.1, for authorities that compare it; a free one unless given.",
        parse: port)
    static let basic = Option(
        "basic", value: "USER",
        help: "Use HTTP Basic with this user; the password is asked for, or read from standard input.")
    static let weaker = Flag(
        "accept-weaker", help: "Sign in though the server offered a stronger way before: no question is asked.")
    static let strangers = Flag(
        "accept-servers", help: "Agree to other servers that the authority's metadata names: no question is asked.")
    static let withoutBrowser = Flag("no-browser", help: "Print the address of the sign-in page instead of opening it.")
    static let device = Flag(
        "device", help: "Sign in on another device: print an address, and a code to type there.")
    static let binding = Option(
        "dpop", value: "WHEN",
        help:
            """
            Bind the tokens to a key of this device: “auto”, where the authority offers it, unless given; “always”, or \
            “never”.
            """,
        parse: binding)
    static let tls = Option(
        "tls", value: "PROFILE",
        help: "What is offered in handshakes: “ats” unless given, or “tr-02102-2” (BSI), for good.", parse: profile)
    static let identity = Option(
        "identity", value: "NAME",
        help: "Show this client identity (“pavise identity list”) to the server and the authority when they ask.",
        parse: name)
    static let approval = Option(
        "approve-certificate", value: "SHA256",
        help: "Approve the certificate with this SHA-256 of its public key (or of itself) where the rules refuse it.",
        parse: fingerprint)

    static let all: [any Declaration] = [
        url, name, issuer, client, clientSecret, register, scope, port, basic, weaker, strangers, withoutBrowser,
        device, binding, tls, identity, approval, Shared.json,
    ]

    /// Refuses options that contradict each other.
    static func check(_ invocation: Invocation) throws(UsageError) {
        let given: [(isGiven: Bool, name: String)] = [
            (invocation[basic] != nil, "--basic"), (invocation[clientSecret], "--client-secret"),
            (invocation[client] != nil, "--client-id"), (invocation[register], "--register"),
            (invocation[device], "--device"), (invocation[withoutBrowser], "--no-browser"),
            (invocation[port] != nil, "--port"),
        ]
        let names = Set(given.filter(\.isGiven).map(\.name))
        for (one, others) in contradictions where names.contains(one) {
            guard let other = others.first(where: names.contains) else { continue }
            throw UsageError(.rule("Choose one of \(one) and \(other)."), path: invocation.path)
        }
    }

    private static let contradictions = [
        ("--basic", ["--client-secret", "--register"]), ("--register", ["--client-id", "--client-secret"]),
        ("--device", ["--basic", "--no-browser", "--port"]),
    ]

    /// The name of a connection to `origin` when none is given: the host, with the port where it is not the usual one.
    static func usualName(of origin: Origin) -> String? {
        let port = origin.port == origin.scheme.defaultPort ? "" : "-\(origin.port)"
        let name = origin.host + port
        return ConnectionDescriptor.isName(name) ? name : nil
    }

    private static func address(_ text: String) throws(Parameter.Invalid) -> WebURL {
        do throws(WebURL.Problem) {
            return try WebURL(text)
        } catch {
            throw Parameter.Invalid("cannot be used: \(error.description.trimmingFullStop)")
        }
    }

    private static func issuer(_ text: String) throws(Parameter.Invalid) -> String {
        let url = try address(text)
        guard url.origin.scheme == .https, url.query == nil, url.fragment == nil else {
            throw Parameter.Invalid("takes an https address without “?” and “#”")
        }
        return text
    }

    private static func name(_ text: String) throws(Parameter.Invalid) -> String {
        guard ConnectionDescriptor.isName(text) else {
            throw Parameter.Invalid("takes 1 to 64 letters, digits and “-._”, no “-” or “.” in front")
        }
        return text
    }

    private static func client(_ text: String) throws(Parameter.Invalid) -> String {
        guard (1...256).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Parameter.Invalid("takes 1 to 256 visible ASCII characters")
        }
        return text
    }

    // RFC 6749 §3.3.
    private static func scope(_ text: String) throws(Parameter.Invalid) -> String {
        let isToken = text.utf8.allSatisfy { $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) }
        guard (1...256).contains(text.utf8.count), isToken else {
            throw Parameter.Invalid("takes one scope without blanks; write the option several times for several scopes")
        }
        return text
    }

    private static func port(_ text: String) throws(Parameter.Invalid) -> UInt16 {
        guard let port = UInt16(text), port >= 1024 else { throw Parameter.Invalid("takes a port from 1024 to 65535") }
        return port
    }

    private static func binding(_ text: String) throws(Parameter.Invalid) -> DPoPPolicy {
        guard let binding = DPoPPolicy(rawValue: text) else {
            throw Parameter.Invalid("takes \(DPoPPolicy.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return binding
    }

    private static func profile(_ text: String) throws(Parameter.Invalid) -> TrustPolicy.TLSProfile {
        guard let profile = TrustPolicy.TLSProfile(rawValue: text) else {
            throw Parameter.Invalid("takes \(TrustPolicy.TLSProfile.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return profile
    }

    private static func fingerprint(_ text: String) throws(Parameter.Invalid) -> Fingerprint { try Fingerprint(text) }
}

extension String {
    /// The sentence without its last full stop, to stand inside another.
    var trimmingFullStop: Substring { hasSuffix(".") ? dropLast() : self[...] }
}
