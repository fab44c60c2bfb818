/// The life of a push token: asked for only after an action of the person, sent only while she allows notifications,
/// taken back at sign-out. Pure: whoever runs it does what it says and keeps ``State`` durably before acting on it.
///
/// ```swift
/// var machine = PushTokenMachine()
/// print(machine.handle(.personAsked(UserAction())))   // [.askPermission]
/// print(machine.handle(.allowed))                     // [.register]
/// print(machine.handle(.token(bytes)))                // [.send(bytes)]
/// print(machine.handle(.sent))                        // []
/// print(machine.handle(.signOut))                     // [.removeNotices, .deleteAtServer(bytes)]
/// ```
public struct PushTokenMachine: Hashable, Sendable {
    /// Where it stands.
    public enum State: Hashable, Sendable, Codable {
        /// Nobody has asked.
        case none
        /// The person is being asked.
        case asked
        /// She allows notifications; there is no token yet.
        case allowed
        /// There is a token that the server does not know.
        case registered([UInt8])
        /// The server knows it.
        case sent([UInt8])
        /// The server is to forget it, and has not said so yet. Goes on after a crash.
        case deleting([UInt8])
    }

    /// What happens.
    public enum Event: Hashable, Sendable {
        /// The person chose to get notifications, in a place of the app made for it.
        case personAsked(UserAction)
        /// She allows notifications.
        case allowed
        /// She does not.
        case refused
        /// The system gave a token, the first or another one.
        case token([UInt8])
        /// The server has the token.
        case sent
        /// The person took the permission back, in the system's settings or in the app.
        case permissionRevoked
        /// The account is signed out, or wiped.
        case signOut
        /// The server has forgotten this token.
        case deleted([UInt8])
        /// The program started anew.
        case started
        /// The app came to the front: what the server did not take is tried again.
        case becameActive
    }

    /// What has to be done.
    public enum Action: Hashable, Sendable {
        /// Ask the person, through the system.
        case askPermission
        /// Ask the system for a token.
        case register
        /// Tell the server.
        case send([UInt8])
        /// Let the server forget it. It stays owed (``PushTokenMachine/owed``) until it did.
        case deleteAtServer([UInt8])
        /// Take back notices that are shown and that wait.
        case removeNotices
    }

    /// Where it stands.
    public private(set) var state: State
    /// Tokens in whose place another one came, or another account: the server may have them, and has not said yet that
    /// it forgot them.
    public private(set) var owed: [[UInt8]]
    /// The most of ``owed``; the oldest beyond it is given up. A system gives another token after a restored backup or
    /// a new installation.
    public static let mostOwed = 16

    /// Goes on where it stood.
    public init(_ state: State = .none, owed: [[UInt8]] = []) {
        self.state = state
        self.owed = owed
    }

    /// Takes an event. What does not fit the state changes nothing.
    public mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.none, .personAsked):
            state = .asked
            return [.askPermission]
        case (.deleting(let token), .personAsked):
            // The next account waits for no server of the one before.
            owe(token)
            state = .asked
            return [.askPermission]
        case (.asked, .allowed):
            state = .allowed
            return [.register]
        case (.asked, .refused):
            state = .none
            return []
        case (.registered(let old), .token(let token)) where old != token,
            (.sent(let old), .token(let token)) where old != token:
            // One that was on its way may have arrived.
            state = .registered(token)
            owed.removeAll { $0 == token }
            owe(old)
            return [.deleteAtServer(old), .send(token)]
        case (.allowed, .token(let token)), (.registered, .token(let token)):
            state = .registered(token)
            return [.send(token)]
        case (.registered(let token), .sent):
            state = .sent(token)
            return []
        case (.registered(let token), .signOut), (.sent(let token), .signOut),
            (.registered(let token), .permissionRevoked), (.sent(let token), .permissionRevoked):
            state = .deleting(token)
            return [.removeNotices, .deleteAtServer(token)] + forgetting()
        case (.asked, .signOut), (.allowed, .signOut), (.allowed, .permissionRevoked):
            state = .none
            return [.removeNotices] + forgetting()
        case (.none, .signOut): return [.removeNotices] + forgetting()
        case (_, .deleted(let token)):
            owed.removeAll { $0 == token }
            if state == .deleting(token) { state = .none }
            guard state == .registered(token) || state == .sent(token) else { return [] }
            // A system gives the next account the same token: what was forgotten may have been that one's.
            state = .registered(token)
            return [.send(token)]
        case (_, .started): return resumed() + forgetting()
        case (.registered, .becameActive), (.deleting, .becameActive): return resumed() + forgetting()
        case (_, .becameActive): return forgetting()
        default: return []
        }
    }

    private mutating func owe(_ token: [UInt8]) {
        owed = (owed.filter { $0 != token } + [token]).suffix(Self.mostOwed)
    }

    private func forgetting() -> [Action] { owed.map { .deleteAtServer($0) } }

    private mutating func resumed() -> [Action] {
        switch state {
        case .none: return []
        case .asked:
            // The question went with the program; only a new action of the person brings it back.
            state = .none
            return []
        case .allowed: return [.register]
        case .registered(let token): return [.send(token)]
        // The system's documentation: register at each start, the token may be another one.
        case .sent: return [.register]
        case .deleting(let token): return [.removeNotices, .deleteAtServer(token)]
        }
    }
}

/// Shows that a person asked for it with an action of her own: make one in the handler of a button, and nowhere else.
public struct UserAction: Hashable, Sendable {
    /// The person did something just now.
    public init() {}
}
