internal import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// A configuration that sends nothing: rules that cannot be read allow nothing.
    package static var refusing: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [RefusingURLProtocol.self]
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        return configuration
    }
}

/// Refuses every request.
final class RefusingURLProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let words = """
            The rules of this program cannot be read, so that nothing is sent: look at its Info.plist \
            (NSAppTransportSecurity, NSPinnedDomains).
            """
        client?.urlProtocol(self, didFailWithError: URLError.explained(.cannotLoadFromNetwork, words, request.url))
    }

    override func stopLoading() {}
}
