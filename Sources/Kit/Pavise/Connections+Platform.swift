package import PaviseAppLock
internal import PavisePrimitives
package import PaviseStorage
package import PaviseTransport
package import PaviseVault

extension Connections {
    /// The platform's HTTP client under `policy`.
    public static let platformClient: MakeClient = { (policy) throws(TransportFailure) in
        try HTTPClient(policy: policy)
    }

    /// The same with options; on Apple's systems with what URLSession can serve of them.
    package static func platformClient(with options: ClientOptions) -> MakeClient {
        { policy throws(TransportFailure) in try HTTPClient(policy: policy, options: options) }
    }

    /// The keychain, sealed with a key of the connection's own in the secure element; another one of its own binds the
    /// tokens.
    public static let platformVault: MakeVault = { id in
        // Whoever destroys the connection's key destroys the one that is used under an app lock, too.
        let key = EnclaveKey(tag: id.keyTag, goingWith: [id.guardedTag])
        return TokenVault(store: KeychainStore(), key: key, bindingKey: EnclaveKey(tag: id.bindingTag))
    }

    /// The same under an app lock: what a vault stores while a PIN is set opens only while the lock is open, unless the
    /// product permits work while it is closed.
    package static func platformVault(under lock: AppLock, _ work: LockedWork = LockedWork()) -> MakeVault {
        { id in
            let key = LockedKey(
                plain: EnclaveKey(tag: id.keyTag), guarded: EnclaveKey(tag: id.guardedTag), lock: lock, use: id.text,
                staysOpen: { work.isOpen })
            return TokenVault(store: KeychainStore(), key: key, bindingKey: EnclaveKey(tag: id.bindingTag))
        }
    }
}

extension ConnectionID {
    /// The key that seals while a PIN is set: another with each first PIN.
    package var guardedTag: String { keyTag + ".locked" }
    /// The key that tokens are bound to.
    fileprivate var bindingTag: String { "org.pavise.binding.\(self)" }
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
