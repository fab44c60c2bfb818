/// Which requests go through a proxy, in the form of the usual environment variables. A pure value: the variables are
/// passed in and never read here.
///
/// ```swift
/// let rules = ProxyRules.environment([
///     "https_proxy": "http://proxy.example:3128", "no_proxy": "localhost,.intern.example",
/// ])
/// ```
///
/// A proxy is reached by plain http and sees only a CONNECT for https addresses: the server's certificate is judged as
/// ever.
public struct ProxyRules: Hashable, Sendable {
    /// Which proxy a request takes.
    public enum Way: Hashable, Sendable {
        /// Straight to the server.
        case direct
        /// Through this proxy, for example `http://proxy.example:3128`.
        case proxy(String)
        /// The variable holds something else than an http address of a proxy: the request must not be sent around it.
        case unusable(variable: String)
    }

    private var plain: Way = .direct
    private var secure: Way = .direct
    private var exceptions: [String] = []

    /// No proxy, whatever the environment says.
    public static let none = ProxyRules()

    private init() {}

    /// Reads `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`.
    ///
    /// Names in capitals count too, except `HTTP_PROXY`, which a web server sets from a request's `Proxy` field.
    public static func environment(_ variables: [String: String]) -> ProxyRules {
        var rules = ProxyRules()
        let every = ["all_proxy", "ALL_PROXY"]
        rules.secure = way(["https_proxy", "HTTPS_PROXY"] + every, in: variables)
        rules.plain = way(["http_proxy"] + every, in: variables)
        let list = variables["no_proxy"] ?? variables["NO_PROXY"] ?? ""
        rules.exceptions = list.split { $0 == "," || $0 == " " }.map { $0.lowercased() }
        return rules
    }

    /// What a variable of a program's own chooses: nothing takes no proxy, `environment` follows the usual variables,
    /// anything else is the proxy of every request.
    static func chosen(by word: String?, named name: String, or rules: () -> ProxyRules) -> ProxyRules {
        guard let word, !word.isEmpty else { return .none }
        guard word != "environment" else { return rules() }
        var all = ProxyRules()
        all.secure = way([name], in: [name: word])
        all.plain = all.secure
        return all
    }

    /// The way to `origin`.
    public func way(to origin: Origin) -> Way {
        guard !exceptions.contains(where: { Self.fits($0, origin) }) else { return .direct }
        return origin.scheme == .https ? secure : plain
    }

    // `*`, a host, a domain with or without its first dot, each also with a port.
    private static func fits(_ exception: String, _ origin: Origin) -> Bool {
        if exception == "*" { return true }
        var name = exception[...]
        if let mark = name.lastIndex(of: ":"), let port = UInt16(name[name.index(after: mark)...]),
            name.firstIndex(of: ":") == mark || name.hasPrefix("[")
        {
            guard port == origin.port else { return false }
            name = name[..<mark]
        }
        if name.hasPrefix("[") && name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        if name.hasPrefix(".") { name = name.dropFirst() }
        let canonical = CanonicalHost.of(String(name)) ?? String(name)
        return !canonical.isEmpty && (origin.host == canonical || origin.host.hasSuffix(".\(canonical)"))
    }

    private static func way(_ names: [String], in variables: [String: String]) -> Way {
        for name in names {
            guard let value = variables[name], !value.isEmpty else { continue }
            let text = value.contains("://") ? value : "http://\(value)"
            guard text.hasPrefix("http://"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                return .unusable(variable: name)
            }
            let rest = text.dropFirst("http://".count)
            let mark = rest.lastIndex(of: "@")
            let place = mark.map { rest[rest.index(after: $0)...] } ?? rest
            // Whoever reads the address ends the host at the first of these: another host than the one behind the “@”.
            let person = mark.map { rest[..<$0] } ?? ""
            guard !person.contains(where: { "/?#".contains($0) }), (try? WebURL("http://\(place)")) != nil else {
                return .unusable(variable: name)
            }
            return .proxy(text)
        }
        return .direct
    }
}
