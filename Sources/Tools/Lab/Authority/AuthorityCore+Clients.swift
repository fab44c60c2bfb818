internal import PavisePrimitives

extension AuthorityCore {
    /// The client that a request comes from: a public one only says its name, a confidential one shows its secret in
    /// exactly one of the ways that the configuration names (RFC 6749 §2.3.1).
    func client(of request: LabRequest) -> String? {
        let basic = Self.basicPair(request)
        guard let name = basic?.name ?? request.form("client_id") else { return nil }
        let configuration = state.value.configuration(of: name)
        let posted = request.form("client_secret")
        guard name == configuration.clientID else { return nil }
        guard let secret = configuration.clientSecret else { return basic == nil && posted == nil ? name : nil }
        let ways = configuration.clientAuthentication ?? ["client_secret_basic"]
        if let basic {
            return ways.contains("client_secret_basic") && posted == nil && basic.secret == secret ? name : nil
        }
        return ways.contains("client_secret_post") && posted == secret ? name : nil
    }

    // Both halves are form-encoded on their own.
    private static func basicPair(_ request: LabRequest) -> (name: String, secret: String)? {
        let parts = (request.field("Authorization") ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Base64.decode(String(parts[1])) else {
            return nil
        }
        let halves = String(decoding: bytes, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let decoded = halves.map { LabForm.decode("x=\($0)").first?.value ?? "" }
        return (decoded[0], decoded[1])
    }
}

extension AuthorityState {
    /// The configuration as the client called `name` meets it.
    func configuration(of name: String?) -> AuthorityConfiguration {
        guard let name, let client = clients[name] else { return configuration }
        var own = configuration
        own.clientID = name
        own.clientSecret = client.secret
        own.clientAuthentication = [client.method]
        return own
    }
}
