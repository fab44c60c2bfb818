internal import PaviseJWT

/// Why a list of pins is not taken. The pins stay what they are.
enum PinListFailure: Error, Hashable, Sendable {
    /// The app lets nobody renew its pins.
    case nobodyMay
    /// The keys that lists are checked with: fewer than two, or without names.
    case unusableKeys
    /// Signature, issuer, audience, type or time.
    case token(TokenProblem)
    /// `iat` and `exp` lie further apart than a list lives.
    case lifetime
    /// A member that is missing or says what no pins can be.
    case content(String)
    /// A newer list, or this one, is known already: somebody put an old one back.
    case older(known: Int64)
}

extension PinListFailure: CustomStringConvertible {
    /// One sentence.
    var description: String {
        switch self {
        case .nobodyMay: "This app's pins are renewed by an update of the app alone."
        case .unusableKeys: "Lists of pins need an issuer and two named keys for ES256 or EdDSA."
        case .token(let problem): "The list of pins is not believed: \(problem)."
        case .lifetime: "The list of pins would hold for longer than 400 days."
        case .content(let name): "The list of pins says nothing usable in “\(name)”."
        case .older(let known): "The list of pins is not newer than number \(known), which is known."
        }
    }
}
