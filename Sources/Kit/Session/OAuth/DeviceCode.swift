internal import PavisePrimitives
public import PaviseTransport

/// What a person needs for signing in on another device: an address to open and a code to type (RFC 8628 §3.2).
public struct DevicePrompt: Hashable, Sendable {
    /// The address to open.
    public let address: WebURL
    /// The code to type there.
    public let code: String
    /// The address with the code in it, for a person who need not type, when the server gives one.
    public let completeAddress: WebURL?
    /// How long the code holds, in seconds.
    public let lifetime: Int64
}

/// A server's answer to a device's first question (RFC 8628 §3.2), read strictly.
struct DeviceCode: Sendable {
    let secret: SharedSecretBytes
    let prompt: DevicePrompt
    let interval: Int64?

    /// The longest time a code is waited for, in seconds.
    static let longest: Int64 = 1800

    /// Reads the answer; `nil` for one that misses something, or shows what a person could not type.
    init?(_ answer: JSONValue.Parted) {
        let document = answer.value
        guard let secret = answer.secrets["device_code"], secret.isVisible(limit: 4096),
            let code = document["user_code"]?.string, (1...32).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            let address = Self.address("verification_uri", document),
            let lifetime = document["expires_in"]?.integer, lifetime > 0
        else { return nil }
        self.secret = secret
        interval = document["interval"]?.integer
        prompt = DevicePrompt(
            address: address, code: code, completeAddress: Self.address("verification_uri_complete", document),
            lifetime: min(lifetime, Self.longest))
    }

    // A person will type a password there: https, and nothing else.
    private static func address(_ name: String, _ document: JSONValue) -> WebURL? {
        guard let text = document[name]?.string, let url = try? WebURL(text), url.origin.scheme == .https else {
            return nil
        }
        return url
    }
}
