internal import PavisePrimitives
internal import PaviseTransport
internal import PaviseVault

/// An app's pins now: those that it was built with, and the newest list that its maker signed. The list lies in the
/// keychain, where no file can be put back, and outlives a wipe: it is nobody's data, and without it an older list
/// would count again.
final class AppPinStore: Sendable {
    private let pins: SecurityConfiguration.Pins
    private let app: String
    private let home: PaviseHome
    private let wait: Duration
    private let store = KeychainStore()

    /// - Parameters:
    ///   - home: The app's, with the lock under which one of its processes at a time takes a list.
    ///   - wait: How long that lock is waited for.
    init(
        _ pins: SecurityConfiguration.Pins, for app: String, in home: PaviseHome, wait: Duration = .seconds(10)
    ) {
        self.pins = pins
        self.app = app
        self.home = home
        self.wait = wait
    }

    private var name: ItemName { ItemName(checkedService: "org.pavise.pins", app) }

    /// What every connection demands.
    ///
    /// - Throws: ``VaultFailure`` where nobody can say whether there is a newer list: nothing is sent then.
    func sets() throws(VaultFailure) -> [PinSet] {
        guard let renewal = pins.renewal, let list = try known(renewal) else { return pins.sets }
        return list.joined(to: pins.sets, renewal.afterExpiry)
    }

    /// Takes a list that is newer than the one that is known, by this process or another one. It is on the disk when
    /// this returns.
    func take(_ text: String, at seconds: Int64) throws -> SignedPinList {
        guard let renewal = pins.renewal else { throw PinListFailure.nobodyMay }
        let list = try SignedPinList(text, by: renewal, for: app, at: seconds)
        try home.make()
        try FileLock.holding(
            home.path + "/pins.lock", wait: wait,
            or: { failure -> any Error in failure.mapped(held: VaultFailure.busy as any Error) { $0 } }
        ) {
            if let known = try known(renewal), known.number >= list.number {
                throw PinListFailure.older(known: known.number)
            }
            try Array(text.utf8).withSpan { span throws(VaultFailure) in try store.replace(span, as: name) }
        }
        return list
    }

    // A list that the app's present keys do not know is one of before an update, which brought pins of its own.
    private func known(_ renewal: PinRenewal) throws(VaultFailure) -> SignedPinList? {
        guard case .found(let stored) = try store.read(name) else { return nil }
        let text = stored.withBytes { bytes in String(decoding: Array(bytes), as: UTF8.self) }
        return try? SignedPinList(text, by: renewal, for: app, at: nil)
    }
}
