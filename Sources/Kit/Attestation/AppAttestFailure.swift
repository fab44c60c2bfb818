/// Why an attestation or an assertion of App Attest proves nothing. No request is to be served on its word.
public enum AppAttestFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes are not of the form that Apple documents.
    case malformed
    /// The certificates lead to no anchor, or were not valid at that time.
    case untrusted
    /// The challenge, or what was sent beside it, is not the one that was signed.
    case challenge
    /// The key is not the one that its identifier names.
    case key
    /// Another app made it.
    case application
    /// The app runs in the other environment: development where production is asked, or the other way round.
    case environment
    /// The counter of a new key is not 0, or that of an assertion did not rise: it is old, or the key was copied.
    case counter
    /// The signature is not the key's.
    case signature

    /// One sentence for a log.
    public var description: String {
        switch self {
        case .malformed: "The bytes are no attestation or assertion of App Attest."
        case .untrusted: "The certificates do not lead to Apple's root, or were not valid at that time."
        case .challenge: "It was made for another challenge."
        case .key: "The key is not the one that its identifier names."
        case .application: "Another app made it."
        case .environment: "It is of the other environment, development or production."
        case .counter: "Its counter did not rise: it is old, or the key was copied."
        case .signature: "The signature is not the key's."
        }
    }
}
