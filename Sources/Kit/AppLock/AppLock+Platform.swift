package import PavisePrimitives
internal import PaviseVault

extension AppLock {
    /// The lock of this program on this platform: the record in the keychain, sealed by an enclave key of its own; the PIN
    /// entangled with the secure element.
    ///
    /// - Parameters:
    ///   - policy: The product's figures.
    ///   - rules: What an administrator asks for.
    ///   - sharesUnlock: Whether an unlock holds for other processes of this user, through the kernel's keyring: for programs that
    ///     run once for each command. An app leaves it at `false`, and starts locked.
    ///   - handler: See ``FinalHandler``.
    public convenience init(
        policy: AppLockPolicy = .standard, tightened rules: AppLockTightening? = nil, sharesUnlock: Bool = false,
        finally handler: @escaping FinalHandler
    ) {
        self.init(
            .platform(sharesUnlock: sharesUnlock), policy: policy, tightened: rules, finally: handler)
    }
}

extension AppLockParts {
    /// The platform's.
    package static func platform(
        sharesUnlock: Bool, home: PaviseHome = .current, time: TimeSource = .system
    ) -> AppLockParts {
        var parts = AppLockParts(
            vault: TokenVault(store: KeychainStore(), key: EnclaveKey(tag: "org.pavise.key.applock")),
            name: ItemName(checkedService: "org.pavise.applock", "app"), code: PlatformCodeGuard(),
            place: sharesUnlock ? SharedMemory() : OwnMemory(), folder: home.path, time: time)
        let orders = TokenVault(
            store: KeychainStore(), key: EnclaveKey(tag: "org.pavise.key.applock.orders"),
            bindingKey: EnclaveKey(tag: "org.pavise.binding.applock"))
        parts.orders = OrderPlace(
            vault: orders.bound(to: InstallationHalf(folder: home.path)),
            name: ItemName(checkedService: "org.pavise.applock", "orders"))
        return parts
    }
}
