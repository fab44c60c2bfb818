// What sessions are made with, what they are asked, and what they tell, with the defaults that Apple documents.
public import Security

/// https://developer.apple.com/documentation/security/tls_protocol_version_t
public struct tls_protocol_version_t: RawRepresentable, Hashable, Sendable {
    public static let TLSv10 = Self(rawValue: 0x0301)
    public static let TLSv12 = Self(rawValue: 0x0303)
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
}
/// https://developer.apple.com/documentation/security/tls_ciphersuite_t
public struct tls_ciphersuite_t: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
}

public final class URLCache: Sendable {}
public final class HTTPCookieStorage: Sendable {}
public final class URLCredentialStorage: Sendable {}

/// One that was not changed has caches, cookies and stored credentials of its own, in memory.
public final class URLSessionConfiguration: @unchecked Sendable {
    public static var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
    public var urlCache: URLCache? = URLCache()
    public var httpCookieStorage: HTTPCookieStorage? = HTTPCookieStorage()
    public var urlCredentialStorage: URLCredentialStorage? = URLCredentialStorage()
    public var httpShouldSetCookies = true
    public var httpMaximumConnectionsPerHost = 6
    public var tlsMinimumSupportedProtocolVersion = tls_protocol_version_t.TLSv10
    public var waitsForConnectivity = false
    /// What Network keeps here.
    public var proxies: [any Sendable] = []

    private init() {}

    func copied() -> URLSessionConfiguration {
        let copy = URLSessionConfiguration()
        (copy.urlCache, copy.httpCookieStorage, copy.urlCredentialStorage) =
            (urlCache, httpCookieStorage, urlCredentialStorage)
        (copy.httpShouldSetCookies, copy.httpMaximumConnectionsPerHost) =
            (httpShouldSetCookies, httpMaximumConnectionsPerHost)
        (copy.tlsMinimumSupportedProtocolVersion, copy.waitsForConnectivity) =
            (tlsMinimumSupportedProtocolVersion, waitsForConnectivity)
        copy.proxies = proxies
        return copy
    }
}

public struct URLRequest: Sendable {
    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy = 0
        case reloadIgnoringLocalAndRemoteCacheData = 4
    }
    public var url: URL?
    public var cachePolicy: CachePolicy
    public var timeoutInterval: TimeInterval
    public var httpMethod: String? = "GET"
    public var httpBody: Data?
    public var httpShouldHandleCookies = true
    /// Field names as they were given; two that differ in capitals are one.
    public private(set) var allHTTPHeaderFields: [String: String]? = [:]

    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60) {
        self.url = url
        self.cachePolicy = cachePolicy
        self.timeoutInterval = timeoutInterval
    }

    /// Values of one name are joined by a comma.
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
        let known = self.value(forHTTPHeaderField: field)
        setValue(known.map { "\($0),\(value)" } ?? value, forHTTPHeaderField: field)
    }

    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
        let known = allHTTPHeaderFields?.keys.first { $0.lowercased() == field.lowercased() }
        allHTTPHeaderFields?[known ?? field] = value
    }

    public func value(forHTTPHeaderField field: String) -> String? {
        allHTTPHeaderFields?.first { $0.key.lowercased() == field.lowercased() }?.value
    }
}

open class URLResponse: NSObject, @unchecked Sendable {
    public let url: URL?
    public init(_ url: URL?) { self.url = url }
}
public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public let statusCode: Int
    public let allHeaderFields: [AnyHashable: Any]

    public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {
        self.statusCode = statusCode
        allHeaderFields = headerFields ?? [:]
        super.init(url)
    }
}

public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"
public let NSURLAuthenticationMethodHTTPBasic = "NSURLAuthenticationMethodHTTPBasic"

public final class URLProtectionSpace: @unchecked Sendable {
    public let host: String
    public let port: Int
    public let authenticationMethod: String
    public let serverTrust: SecTrust?

    public init(host: String, port: Int, authenticationMethod: String, serverTrust: SecTrust? = nil) {
        (self.host, self.port) = (host, port)
        (self.authenticationMethod, self.serverTrust) = (authenticationMethod, serverTrust)
    }
}
public final class URLAuthenticationChallenge: Sendable {
    public let protectionSpace: URLProtectionSpace
    public init(_ space: URLProtectionSpace) { protectionSpace = space }
}
public final class URLCredential: @unchecked Sendable {
    public enum Persistence: UInt, Sendable { case none, forSession, permanent, synchronizable }
    public let identity: SecIdentity?
    public let certificates: [Any]
    public let persistence: Persistence
    /// The trust that the credential was made of.
    public let trust: SecTrust?

    public init(identity: SecIdentity, certificates: [Any]?, persistence: Persistence) {
        (self.identity, self.certificates, self.persistence) = (identity, certificates ?? [], persistence)
        trust = nil
    }

    public init(trust: SecTrust) { (self.trust, identity, certificates, persistence) = (trust, nil, [], .none) }
}

public final class URLSessionTaskTransactionMetrics: @unchecked Sendable {
    public var fetchStartDate: Date?
    public var domainLookupEndDate: Date?
    public var connectEndDate: Date?
    public var secureConnectionEndDate: Date?
    public var responseStartDate: Date?
    public var responseEndDate: Date?
    public var networkProtocolName: String?
    public var negotiatedTLSProtocolVersion: tls_protocol_version_t?
    public var negotiatedTLSCipherSuite: tls_ciphersuite_t?
    public var isReusedConnection = false
    public var countOfRequestBodyBytesSent: Int64 = 0
    public var countOfResponseBodyBytesReceived: Int64 = 0

    public init() {}
}
public final class URLSessionTaskMetrics: Sendable {
    public let transactionMetrics: [URLSessionTaskTransactionMetrics]
    public init(_ transactions: [URLSessionTaskTransactionMetrics]) { transactionMetrics = transactions }
}
