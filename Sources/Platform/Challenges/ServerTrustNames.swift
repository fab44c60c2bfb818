// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import FoundationNetworking
public import SecurityFramework

/// The method of a challenge about a server's certificate. Foundation on Linux declares it as unavailable, so that this
/// one is found.
public let NSURLAuthenticationMethodServerTrust: String = "NSURLAuthenticationMethodServerTrust"

/// The method of a challenge for a client's certificate. No delegate is asked for one here:
/// `ClientOptions.certificates` has them. The name is there for code that compares.
public let NSURLAuthenticationMethodClientCertificate: String = "NSURLAuthenticationMethodClientCertificate"

extension URLProtectionSpace {
    /// What the server presented in its handshake, with Apple's policy for TLS servers and this host; `nil` in a
    /// challenge of another method.
    ///
    /// ```swift
    /// guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
    ///     let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil)
    /// else { return completionHandler(.cancelAuthenticationChallenge, nil) }
    /// ```
    public var serverTrust: SecTrust? { (self as? ServerTrustSpace)?.trust }
}

/// A type whose values can be made for server trust: `URLCredential`. Not for conformances of others.
public protocol ServerTrustCredential {}

extension URLCredential: ServerTrustCredential {}

// An initializer of the class could only make a plain credential; one of a protocol may choose the class.
extension ServerTrustCredential {
    /// A credential that accepts the server of a challenge about server trust.
    ///
    /// It accepts what is trusted anyway. What is refused it accepts where App Transport Security lets an app do so,
    /// with `NSExceptionAllowsInsecureHTTPLoads` for the host or `NSAllowsArbitraryLoads`, and never against pins or
    /// management. A subclass of `URLCredential` cannot be made so: the program stops.
    public init(trust: SecTrust) {
        guard let made = AcceptedTrust() as? Self else {
            preconditionFailure("URLCredential(trust:) was called by the name of a subclass.")
        }
        self = made
    }
}
