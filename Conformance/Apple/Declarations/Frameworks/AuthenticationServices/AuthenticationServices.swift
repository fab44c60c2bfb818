// Declarations of ours of what Pavise names of AuthenticationServices, from Apple's documentation. For checking types
// on Linux.
// Pages: https://developer.apple.com/documentation/authenticationservices/ and the name in lower case.
#if os(macOS)
@_exported public import AppKit
public typealias ASPresentationAnchor = NSWindow
#else
@_exported public import UIKit
public typealias ASPresentationAnchor = UIWindow
#endif
@_exported public import Foundation

@MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}
open class ASWebAuthenticationSession: NSObject {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void
    open class Callback: NSObject {
        public class func customScheme(_ scheme: String) -> Callback { fatalError() }
        public class func https(host: String, path: String) -> Callback { fatalError() }
    }
    public init(url: URL, callback: Callback, completionHandler: @escaping CompletionHandler) { super.init() }
    weak open var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    open var prefersEphemeralWebBrowserSession: Bool { get { false } set {} }
    @discardableResult open func start() -> Bool { false }
    open func cancel() {}
}
