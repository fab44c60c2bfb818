internal import PaviseDevice
internal import PavisePrimitives
internal import Synchronization

/// How a call may meet the person.
struct Interaction: Sendable {
    enum Choice: Hashable, Sendable {
        /// Ask when needed.
        case allow
        /// -25308 instead of asking.
        case fail
        /// Leave out what would ask.
        case skip
    }

    var choice = Choice.allow
    /// The words of the prompt.
    var prompt: String?
    /// An authentication that the program carries along.
    var context: (any AuthenticationContext)?

    /// Whether a person may be asked now.
    var mayAsk: Bool { choice == .allow && context?.mayInteract ?? true }
}

/// Something must be shown first. The call stops, changes nothing, and is made again afterwards.
struct AuthenticationNeeded: Error {
    enum Proof: Hashable, Sendable {
        /// The passcode.
        case presence
        /// The application's password of one item.
        case password(item: [UInt8])
        /// The application's password for what is stored next.
        case newPassword
    }

    let proof: Proof
    let interaction: Interaction
}

/// What was shown during one call. It is forgotten with the call.
final class AccessCredentials: Sendable {
    private struct Shown {
        var presence: PresenceKey?
        var passwords: [AuthenticationNeeded.Proof: SharedSecretBytes] = [:]
    }
    private let shown = Mutex(Shown())
    /// The password of a context, tried on every item of a search that leaves out what it does not open.
    let atHand: SharedSecretBytes?

    init() { atHand = nil }

    /// What can be shown without asking anybody, for a search that leaves out what this does not open (`Skip`).
    init(atHand context: any AuthenticationContext, _ environment: SecurityEnvironment) {
        atHand = context.applicationPassword
        let silent = ContextInCall(context, mayInteract: false)
        guard
            let presence = try? environment.evaluator.presence(
                of: environment.home, reason: "", context: silent)
        else { return }
        show(presence)
    }

    /// The credentials of the call that is being made.
    @TaskLocal static var current = AccessCredentials()

    /// How the query that is being answered may meet the person: a key that it gives back asks the same way.
    @TaskLocal static var interaction = Interaction()

    var presence: PresenceKey? { shown.withLock { $0.presence } }
    func show(_ key: PresenceKey) { shown.withLock { $0.presence = key } }

    func password(_ proof: AuthenticationNeeded.Proof) -> SharedSecretBytes? {
        if let password = shown.withLock({ $0.passwords[proof] }) { return password }
        // For what is stored next, a password is only ever given on purpose.
        guard case .password = proof else { return nil }
        return atHand
    }
    func show(_ password: SharedSecretBytes, for proof: AuthenticationNeeded.Proof) {
        shown.withLock { $0.passwords[proof] = password }
    }
}
