// What the carrier names of Network, as Apple documents it.
// Pages: https://developer.apple.com/documentation/network/proxyconfiguration
public import AppleFoundation

public enum NWEndpoint: Hashable, Sendable {
    public struct Host: Hashable, Sendable {
        public let name: String
        public init(_ string: String) { name = string }
    }
    public struct Port: Hashable, Sendable {
        public let rawValue: UInt16
        public init(integerLiteral value: UInt16) { rawValue = value }
    }
    case hostPort(host: Host, port: Port)
}

public struct NWProtocolTLS: Sendable {
    public final class Options: Sendable {}
}

public struct ProxyConfiguration: Sendable {
    public let endpoint: NWEndpoint
    public let usesTLS: Bool
    public private(set) var user: String?
    public private(set) var password: String?
    public var allowFailover = false

    public init(httpCONNECTProxy endpoint: NWEndpoint, tlsOptions: NWProtocolTLS.Options? = nil) {
        self.endpoint = endpoint
        usesTLS = tlsOptions != nil
    }

    public mutating func applyCredential(username: String, password: String) {
        (user, self.password) = (username, password)
    }
}

extension URLSessionConfiguration {
    public var proxyConfigurations: [ProxyConfiguration] {
        get { proxies.compactMap { $0 as? ProxyConfiguration } }
        set { proxies = newValue }
    }
}
