internal import PavisePrimitives
internal import PaviseStorage
internal import PaviseTransport
internal import PaviseVault

extension Connections {
    /// The platform's HTTP client under `policy`.
    public static let platformClient: MakeClient = { (policy) throws(TransportFailure) in
        #if os(Linux)
        try CurlTransport(policy: policy)
        #else
        URLSessionTransport(policy: policy)
        #endif
    }

    /// The keychain, sealed with a key of the connection's own in the secure element; another one of its own binds the tokens.
    public static let platformVault: MakeVault = { id in
        TokenVault(
            store: KeychainStore(), key: EnclaveKey(tag: "org.pavise.key.\(id)"),
            bindingKey: EnclaveKey(tag: "org.pavise.binding.\(id)"))
    }
}

extension ItemName {
    /// Where a connection's session lies.
    package static func session(of id: ConnectionID) -> ItemName {
        ItemName(checkedService: "org.pavise.session", id.text)
    }
    /// Where a connection's password lies.
    package static func password(of id: ConnectionID) -> ItemName {
        ItemName(checkedService: "org.pavise.password", id.text)
    }
}
