public import Observation
internal import PaviseSession

/// An account as a view sees it: the state, and what a person should be told. It follows the account for as long as it
/// lives.
///
/// ```swift
/// switch model.state {
/// case .signedIn: model.name
/// case .needsSignIn: "Sign in again"
/// default: "…"
/// }
/// ```
@MainActor
public final class AccountModel: Observable {
    /// The account's name.
    public let name: String
    private let registrar = ObservationRegistrar()
    private var current: AccountState
    private var following: Task<Void, Never>?

    /// Where the account stands; ``AccountState/unknown(_:)`` before the first answer.
    public var state: AccountState {
        registrar.access(self, keyPath: \.state)
        return current
    }

    /// A model that follows an account.
    public init(_ account: Account) {
        name = account.name
        current = .unknown(.storeLocked)
        following = Task { [weak self] in
            for await state in account.states { self?.take(state) }
        }
    }

    /// A model that never changes, for previews: no disk, no keychain and no network is touched.
    ///
    /// - Parameters:
    ///   - state: What is shown.
    ///   - name: The account's name.
    public init(previewing state: AccountState, name: String = "work") {
        self.name = name
        current = state
    }

    private func take(_ state: AccountState) {
        guard state != current else { return }
        registrar.withMutation(of: self, keyPath: \.state) { current = state }
    }

    deinit { following?.cancel() }
}
