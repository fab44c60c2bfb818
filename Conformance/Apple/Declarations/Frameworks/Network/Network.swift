// Declarations of ours of what Pavise names of Network, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/network/ and the name in lower case.
@_exported public import Foundation

/// https://developer.apple.com/documentation/network/nwpath
public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
    public let status: Status
}

/// https://developer.apple.com/documentation/network/nwpathmonitor (an AsyncSequence since macOS 14 and iOS 17)
public final class NWPathMonitor: AsyncSequence {
    public typealias Element = NWPath
    public struct Iterator: AsyncIteratorProtocol {
        public mutating func next() async -> NWPath? { nil }
    }
    public init() {}
    public func makeAsyncIterator() -> Iterator { Iterator() }
    public func cancel() {}
}

/// https://developer.apple.com/documentation/network/nwendpoint
public enum NWEndpoint: Hashable, Sendable {
    public enum Host: Hashable, Sendable {
        case name(String)
        public init(_ string: String) { self = .name(string) }
    }
    public struct Port: Hashable, Sendable, ExpressibleByIntegerLiteral {
        public init(integerLiteral value: UInt16) {}
    }
    case hostPort(host: NWEndpoint.Host, port: NWEndpoint.Port)
}

/// https://developer.apple.com/documentation/network/nwprotocoltls/options
public class NWProtocolTLS { public class Options { public init() {} } }

/// https://developer.apple.com/documentation/network/proxyconfiguration. Nothing says that it is Sendable.
public struct ProxyConfiguration {
    /// https://developer.apple.com/documentation/network/proxyconfiguration/init(httpconnectproxy:tlsoptions:)
    public init(httpCONNECTProxy: NWEndpoint, tlsOptions: NWProtocolTLS.Options? = nil) {}
    public var allowFailover: Bool {
        get { false }
        set {}
    }
    /// https://developer.apple.com/documentation/network/proxyconfiguration/applycredential(username:password:)
    public mutating func applyCredential(username: String, password: String) {}
}

extension URLSessionConfiguration {
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/proxyconfigurations
    public var proxyConfigurations: [ProxyConfiguration] {
        get { [] }
        set {}
    }
}
