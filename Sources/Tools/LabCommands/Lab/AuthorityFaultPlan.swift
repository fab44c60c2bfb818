internal import PaviseLab

/// What goes wrong at the lab's authority, by settings: `fault-ENDPOINT`, `callback-fault` and `id-token-fault`.
struct AuthorityFaultPlan: Hashable, Sendable {
    /// At each endpoint, in this order.
    private var atEndpoints: [AuthorityEndpoint: [AuthorityFaultWord]] = [:]
    private var callback: CallbackFault?
    private var idToken: IDTokenFault?

    /// Nothing goes wrong.
    init() {}

    /// The names of all settings, each with what it takes.
    static let names: [(name: String, values: String)] =
        AuthorityEndpoint.allCases.map { (Self.name(of: $0), "none, or with “|” between: \(AuthorityFaultWord.all)") }
        + [
            (callbackName, list(CallbackFault.allCases.map { word(of: $0) })),
            (idTokenName, list(IDTokenFault.allCases.map { word(of: $0) })),
        ]

    /// The value of a setting, as it would be written.
    func text(_ name: String) -> String {
        switch name {
        case Self.callbackName: callback.map { Self.word(of: $0) } ?? Self.none
        case Self.idTokenName: idToken.map { Self.word(of: $0) } ?? Self.none
        default:
            Self.endpoint(name).flatMap { atEndpoints[$0] }?.map(\.text).joined(separator: "|") ?? Self.none
        }
    }

    /// Changes a setting.
    ///
    /// - Returns: Whether there is one of this name that takes this value; `false` changes nothing.
    mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case Self.callbackName: return Self.choose(value, among: CallbackFault.allCases, into: &callback)
        case Self.idTokenName: return Self.choose(value, among: IDTokenFault.allCases, into: &idToken)
        default:
            guard let endpoint = Self.endpoint(name) else { return false }
            guard value != Self.none else {
                atEndpoints[endpoint] = nil
                return true
            }
            let words = value.split(separator: "|", omittingEmptySubsequences: false).map { AuthorityFaultWord($0) }
            guard !words.contains(nil) else { return false }
            atEndpoints[endpoint] = words.compactMap(\.self)
            return true
        }
    }

    /// Lets exactly this go wrong from the next request on.
    func apply(to server: LabAuthority) {
        server.heal()
        for (endpoint, words) in atEndpoints {
            for word in words { if let fault = word.fault { server.fail(endpoint, with: fault, times: word.times) } }
        }
        server.callbackFault = callback
        server.idTokenFault = idToken
    }

    private static let none = "none"
    private static let callbackName = "callback-fault"
    private static let idTokenName = "id-token-fault"

    private static func name(of endpoint: AuthorityEndpoint) -> String { "fault-\(endpoint.rawValue)" }

    private static func endpoint(_ name: String) -> AuthorityEndpoint? {
        AuthorityEndpoint.allCases.first { Self.name(of: $0) == name }
    }

    // `publicKeyAsHMACKey` is `public-key-as-hmac-key`.
    private static func word(of fault: some Hashable) -> String { AuthorityKnob.name(of: "\(fault)") }

    private static func list(_ words: [String]) -> String { "none, or one of \(words.joined(separator: ", "))" }

    private static func choose<Fault: Hashable>(_ text: String, among all: [Fault], into found: inout Fault?) -> Bool {
        let fault = all.first { word(of: $0) == text }
        guard text == none || fault != nil else { return false }
        found = fault
        return true
    }
}
