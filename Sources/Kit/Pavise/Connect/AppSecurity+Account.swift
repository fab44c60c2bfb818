internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport

extension AppSecurity {
    /// The options with the authority that the server of the person's address names; the same options where none is
    /// asked for. The server of the address is judged before it is asked, and so is the authority that it names.
    func withAuthority(
        of server: ReviewedServer, _ name: String, _ way: Connector.Way, _ options: SignInOptions
    ) async throws -> SignInOptions {
        guard let text = options.account, options.issuer == nil, case .tokens = way,
            try connections.descriptor(named: name) == nil
        else { return options }
        guard let address = AccountAddress(text) else { throw ConnectRefusal.address("it is no address of a person") }
        let prompts = OptionPrompts(server: server, options: options, typed: nil)
        try await prompts.judge(address.host.origin, for: ["webfinger"])
        let client = try connections.makeClient(await server.keeper.policy)
        let issuer = try await WebFinger(client: client).issuer(of: address)
        let origin = try WebURL(issuer).origin
        try await prompts.judge(origin, for: ["issuer"])
        var options = options
        options.issuer = issuer
        options.isIssuerFound = origin != server.url.origin && origin != address.host.origin
        // Nothing is sent to it on the word of another server alone. What its metadata names beyond is asked about
        // later.
        let summary = await server.keeper.policy.knownServers[origin]?.summary
        let named = NamedServer(origin: origin, purposes: ["issuer"], certificate: summary)
        guard !options.isIssuerFound || server.accepts(first: named) else { throw ConnectRefusal.strangers([named]) }
        return options
    }
}
