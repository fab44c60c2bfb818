/// What has to come out of a case at one target.
public struct AttackExpectation: Hashable, Sendable {
    /// How much may have reached a server.
    public enum Reach: Hashable, Sendable {
        /// Not even a connection.
        case nothing
        /// Handshakes, and no byte above TLS.
        case handshake
        /// Requests that hold no canary: no credential, cookie, key or body.
        case withoutCanary
        /// At most so many requests; the server is the one that the credential is for.
        case requests(atMost: Int)
        /// As ``requests(atMost:)``, of which at most so many hold a canary.
        case canaries(atMost: Int)
        /// Whatever: the credential is for this server.
        case anything
    }

    /// How the last request may end.
    public enum Ending: String, Hashable, Sendable {
        /// For App Transport Security.
        case transportSecurity
        /// For the certificate: trust, approval or management.
        case certificate
        /// For the pins.
        case pins
        /// In the TLS handshake: version, suite, alert.
        case handshake
        /// Because the credential is not for that server.
        case credential
        /// Because no such request may be sent.
        case unusable
        /// With the redirect itself, or with the refusal to follow it.
        case redirect
        /// Because the answer is none.
        case noAnswer
        /// In a crash of the target, or because it did not start: no case expects that, whatever came to the servers.
        case crash
        /// With an answer that is no redirect, and that holds no forged word.
        case answer
    }

    /// At the server that is asked.
    public var front: Reach
    /// At the other one.
    public var trap: Reach
    /// How it may end.
    public var endings: Set<Ending>
    /// Why it comes out otherwise at this target than at the others; `nil` where it does not.
    public var note: String?

    /// An outcome from its parts.
    public init(front: Reach, trap: Reach = .nothing, endings: Set<Ending>, note: String? = nil) {
        self.front = front
        self.trap = trap
        self.endings = endings
        self.note = note
    }

    /// Stopped in the handshake: no byte of a request leaves.
    public static func refused(_ endings: Ending...) -> AttackExpectation {
        AttackExpectation(front: .handshake, endings: Set(endings))
    }

    /// Stopped before a connection is made.
    public static func never(_ endings: Ending...) -> AttackExpectation {
        AttackExpectation(front: .nothing, endings: Set(endings))
    }

    /// The front server gets its request, and the other one no more than `trap`.
    public static func kept(trap: Reach = .nothing, front: Reach = .anything, _ endings: Ending...) -> AttackExpectation
    {
        AttackExpectation(front: front, trap: trap, endings: Set(endings))
    }

    /// The same, for a reason that holds at one target only.
    public func because(_ note: String) -> AttackExpectation {
        var copy = self
        copy.note = note
        return copy
    }
}

/// How a request ended, in words that all targets share.
public enum AttackEnd: Hashable, Sendable {
    /// An answer came.
    case answer(status: Int, body: String)
    /// It was stopped, for this reason; `words` says more to a reader.
    case stopped(AttackExpectation.Ending, words: String)

    /// Whether it is one of `endings`.
    func isOne(of endings: Set<AttackExpectation.Ending>) -> Bool {
        switch self {
        case .answer(let status, let body):
            let isRedirect = (300..<400).contains(status)
            return isRedirect ? endings.contains(.redirect) : endings.contains(.answer) && !body.contains("forged")
        case .stopped(let reason, _): return endings.contains(reason)
        }
    }
}
