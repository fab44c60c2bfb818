/// One attack: who plays, what is wrong, and what may reach which server.
///
/// ```swift
/// AttackCase("trust/expired", "validity", "The certificate's time is over.") {
///     $0.front.certificate.leaf.validity = .expired
/// }
/// ```
///
/// Every case has a twin, the same scene without the attack, which must succeed: so no case passes because nothing
/// works.
/// The usual twin, one request to a good server, is shared by all cases that need no other.
public struct AttackCase: Sendable, CustomStringConvertible {
    /// Family and name, such as `trust/expired`; unique.
    public let id: String
    /// The rule that has to stop it, in a few words.
    public let rule: String
    /// What the attacker does, as a sentence.
    public let attack: String
    /// The scene with the attack.
    public let scene: AttackScene
    /// The same scene without it; `nil` is the usual one.
    public let twin: AttackScene?
    /// What has to come out.
    public var expected: AttackExpectation
    /// What comes out instead at targets through which the case cannot be told as it is; each with its reason.
    public var elsewhere: [AttackedClientName: AttackExpectation] = [:]
    /// Clients with which ``twin`` cannot be told: the usual one is played there.
    public var usualTwins: Set<AttackedClientName> = []

    /// A case from its parts.
    ///
    /// - Parameters:
    ///   - id: Family and name.
    ///   - rule: The rule that has to stop it.
    ///   - attack: What the attacker does.
    ///   - given: Makes the scene, before anything is wrong.
    ///   - expected: By default no byte of a request leaves, because of the certificate.
    ///   - attacking: Makes the attack.
    public init(
        _ id: String, _ rule: String, _ attack: String, given: ((inout AttackScene) -> Void)? = nil,
        expected: AttackExpectation = .refused(.certificate), attacking: (inout AttackScene) -> Void
    ) {
        var scene = AttackScene()
        given?(&scene)
        twin = given == nil ? nil : scene
        attacking(&scene)
        self.id = id
        self.rule = rule
        self.attack = attack
        self.scene = scene
        self.expected = expected
    }

    /// The same case with another outcome at `target`, and the usual twin where its own cannot be told.
    public func at(
        _ target: AttackedClientName, _ outcome: AttackExpectation, usualTwin: Bool = false
    ) -> AttackCase {
        var copy = self
        copy.elsewhere[target] = outcome
        if usualTwin { copy.usualTwins.insert(target) }
        return copy
    }

    /// The same case with another outcome at both targets whose requests go by a connection: the program and
    /// `AppSecurity`.
    public func atConnections(_ outcome: AttackExpectation, usualTwin: Bool = false) -> AttackCase {
        at(.fetch, outcome, usualTwin: usualTwin).at(.appSecurity, outcome, usualTwin: usualTwin)
    }

    /// The scene that has to succeed at `target`; `nil` is the usual one.
    public func twin(at target: AttackedClientName) -> AttackScene? { usualTwins.contains(target) ? nil : twin }

    /// What has to come out at `target`.
    public func expectation(at target: AttackedClientName) -> AttackExpectation { elsewhere[target] ?? expected }

    /// The part of ``id`` before the slash.
    public var family: String { String(id.prefix { $0 != "/" }) }

    /// The ``id``.
    public var description: String { id }
}

/// A way for requests to leave.
public enum AttackedClientName: String, CaseIterable, Hashable, Sendable {
    /// The client of the kit.
    case client
    /// Foundation's URLSession behind our protocol.
    case urlSession = "URLSession"
    /// The program, `pavise fetch`.
    case fetch
    /// An account of an app, from `AppSecurity`.
    case appSecurity = "AppSecurity"
}
