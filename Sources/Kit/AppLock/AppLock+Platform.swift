package import PavisePrimitives
internal import PaviseVault

extension AppLock {
    /// The lock of this program on this platform: the record in the keychain, sealed by an enclave key of its own; the
    /// PIN entangled with the secure element.
    ///
    /// - Parameters:
    ///   - policy: The product's figures.
    ///   - rules: What an administrator asks for.
    ///   - sharesUnlock: Whether an unlock holds for other processes of this user, through the kernel's keyring: for
    ///     programs that run once for each command. An app leaves it at `false`, and starts locked.
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
    ///
    /// - Parameter application: Whose lock it is, where a program has several; `nil` for the one of the program.
    package static func platform(
        sharesUnlock: Bool, home: PaviseHome = .current, time: TimeSource = .system, application: String? = nil
    ) -> AppLockParts {
        // Names of the program's own lock are those of every earlier version.
        let suffix = application.map { ".\($0)" } ?? ""
        let account = application ?? "app"
        var parts = AppLockParts(
            vault: TokenVault(store: KeychainStore(), key: EnclaveKey(tag: "org.pavise.key.applock\(suffix)")),
            name: ItemName(checkedService: "org.pavise.applock", account), code: PlatformPINKeyDerivation(),
            place: sharesUnlock ? SharedMemory() : OwnMemory(), folder: home.path, time: time)
        parts.marks = PlatformLockMarks.ofPlatform(application: application)
        let orders = TokenVault(
            store: KeychainStore(), key: EnclaveKey(tag: "org.pavise.key.applock.orders\(suffix)"),
            bindingKey: EnclaveKey(tag: "org.pavise.binding.applock\(suffix)"))
        parts.orders = OrderStore(
            vault: orders.bound(to: InstallationBinding(folder: home.path)),
            name: ItemName(checkedService: "org.pavise.applock", application.map { "\($0).orders" } ?? "orders"))
        return parts
    }
}
